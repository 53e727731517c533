//! `galop cover`.

use std::io::{self, BufWriter, Write};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use galop::figures::{duration, group_digits};
use galop::{Error, ErrorKind, printable};
use galop_cover::problem::TextError;
use galop_cover::reduce::Reduction;
use galop_cover::text::{self, Dropped};
use galop_cover::{
    self as cover, CoverLimits, CoverOutcome, End, ExactCover, Natural, Observer, OptionId, Solver,
};
use serde_json::json;

use super::args::{CoverArgs, CoverFormat};
use super::output::{Sink, Writing, name_sink};
use super::progress::Progress;
use super::{exit, input, messages, signals};

pub(super) fn run(args: &CoverArgs) -> anyhow::Result<ExitCode> {
    let files = input::paths(&args.files)?;
    let threads = NonZero::new(args.threads);
    let writing = Writing { threads, is_quiet: args.quiet, ..Writing::default() };
    let sink = Sink::open(args.output.as_deref(), &files, writing)?;
    let is_hidden = args.quiet || sink.is_terminal() && args.listed().is_some();
    let mut out = BufWriter::new(sink);
    let named = |error| name_sink(Error::from(ErrorKind::Write(error)), args.output.as_deref());
    let mut is_partial = false;
    for path in &files {
        let name = input::name_of(path);
        let problem = read(path)?;
        let mut listing = Listing {
            args,
            name,
            problem: &problem,
            out: &mut out,
            found: 0,
            error: None,
            progress: Progress::new(args.progress, Some(Progress::WHOLE), is_hidden),
        };
        let solved = solve(&mut listing, files.len() > 1);
        listing.progress.finish();
        if let Some(error) = listing.error.take() {
            return Err(named(error));
        }
        let solved = solved?;
        is_partial |= solved.is_partial;
        solved.line.iter().try_for_each(|line| out.write_all(line.as_bytes())).map_err(named)?;
    }
    out.into_inner().map_err(|error| named(error.into_error()))?.finish()?;
    Ok(if is_partial { exit::PARTIAL.into() } else { ExitCode::SUCCESS })
}

pub(super) fn read(path: &Path) -> anyhow::Result<ExactCover> {
    let name = input::name_of(path);
    let text = text::read(&input::read(path)?).map_err(|TextError { line, column, fault }| {
        anyhow!("{}:{line}:{column}: {fault}", printable(name))
    })?;
    warn_dropped(name, &text.dropped);
    Ok(text.problem)
}

fn warn_dropped(name: &Path, dropped: &Dropped) {
    let lines: Vec<String> = dropped.lines.iter().map(u64::to_string).collect();
    let (what, lines) = match dropped.count {
        0 => return,
        1 => ("1 option without a primary item was dropped: line".to_owned(), lines.join(", ")),
        count => (format!("{count} options without a primary item were dropped: lines"), lines.join(", ")),
    };
    let more = if dropped.count > dropped.lines.len() as u64 { ", .." } else { "" };
    messages::warn(format_args!("{}: {what} {lines}{more}", printable(name)));
}

/// A problem that was solved.
#[derive(Default)]
struct Solved {
    /// The last line of its output, if the format has one.
    line: Option<String>,
    /// Whether --max-nodes or --time-limit ended the search.
    is_partial: bool,
}

/// Solves a problem and prints its solutions, if they are wanted, and its statistics.
fn solve(listing: &mut Listing<'_>, is_one_of_many: bool) -> anyhow::Result<Solved> {
    let Listing { args, name, problem, .. } = *listing;
    let started = Instant::now();
    let mut solver = Solver::new(problem, args.setup())?;
    solver.set_threads(NonZero::new(args.threads))?;
    solver.set_ordered(args.ordered);
    let begun = solver.engine().name;
    if args.verbose {
        if let Some(reduction) = solver.reduction() {
            messages::say(format_args!("{}: {}", printable(name), reduced(problem, reduction)));
        }
        messages::say(format_args!("{}: engine {begun}: {}", printable(name), solver.why()));
    }
    let limits = CoverLimits {
        solutions: args.listed().filter(|&solutions| solutions < u64::MAX),
        nodes: Some(args.max_nodes).filter(|&nodes| nodes < u64::MAX),
        deadline: args.time_limit.and_then(|limit| started.checked_add(limit)),
        cancel: Some(&signals::STOP),
    };
    let outcome = match args.listed() {
        Some(_) => solver.watch(&limits, listing)?,
        None => solver.count_and_watch(&limits, &mut |progress| listing.progress(progress))?,
    }
    .clone();
    listing.progress.finish();
    if args.verbose && solver.engine().name != begun {
        messages::say(format_args!(
            "{}: then engine {}: {}",
            printable(name),
            solver.engine().name,
            solver.why()
        ));
    }
    if outcome.end == End::Cancelled {
        return Err(Error::from(ErrorKind::Stopped).in_file(name).into());
    }
    // The statistics count solutions as printed, so all of them must be written first.
    listing.flush();
    if listing.error.is_some() {
        return Ok(Solved::default());
    }
    let seconds = started.elapsed();
    if !args.quiet {
        messages::say(statistics(name, &solver, problem, &outcome, seconds));
    }
    warn_limit(name, &outcome);
    let line = match (args.format, args.listed()) {
        (CoverFormat::Json, _) => Some(summary(name, &solver, &outcome, seconds)),
        (CoverFormat::Options, Some(_)) => None,
        (CoverFormat::Options, None) if is_one_of_many => {
            Some(format!("{}:{}{}\n", printable(name), at_least(&outcome), outcome.solutions))
        }
        (CoverFormat::Options, None) => Some(format!("{}{}\n", at_least(&outcome), outcome.solutions)),
    };
    Ok(Solved { line, is_partial: limit_reached(&outcome).is_some() })
}

/// The option whose limit ended the search.
fn limit_reached(outcome: &CoverOutcome) -> Option<&'static str> {
    match outcome.end {
        End::Nodes => Some("--max-nodes"),
        End::Deadline => Some("--time-limit"),
        _ => None,
    }
}

/// What stands before a number of solutions: `>=` if a limit ended the search.
fn at_least(outcome: &CoverOutcome) -> &'static str {
    if limit_reached(outcome).is_some() { ">=" } else { "" }
}

/// What preprocessing removed, as text.
fn reduced(problem: &ExactCover, reduction: &Reduction) -> String {
    let (left, forced) = (reduction.problem(), reduction.forced().len());
    let count = |all: usize, left: usize| {
        format!("{} of {}", group_digits((all - left) as u64), group_digits(all as u64))
    };
    let options = count(problem.option_count(), left.option_count());
    let items = count(problem.item_count(), left.item_count());
    let more = if reduction.is_finished() { "" } else { "; it stopped early, there may be more" };
    format!("preprocessing removed {options} options ({forced} of them forced) and {items} items{more}")
}

/// Warns if a limit ended the search, because the output then looks complete but is not.
fn warn_limit(name: &Path, outcome: &CoverOutcome) {
    if let Some(limit) = limit_reached(outcome) {
        messages::warn(format_args!(
            "{}: stopped by {limit}: there may be more than {} solutions",
            printable(name),
            outcome.solutions
        ));
    }
}

/// The JSON object after the solutions of a file.
fn summary(name: &Path, solver: &Solver<'_>, outcome: &CoverOutcome, time: Duration) -> String {
    let object = json!({
        "file": name.to_string_lossy(),
        "solutions": number(&outcome.solutions),
        "is_lower_bound": outcome.end != End::Complete,
        "end": outcome.end.name(),
        "nodes": outcome.nodes,
        "updates": outcome.updates,
        "depths": outcome.depths,
        "engine": solver.engine().name,
        "threads": solver.threads(),
        "seconds": time.as_secs_f64(),
    });
    format!("{object}\n")
}

/// A number in JSON; a string if it has more than 64 bits, because many readers would lose digits.
fn number(number: &Natural) -> serde_json::Value {
    small(number).map_or_else(|| json!(number.to_string()), |number| json!(number))
}

fn small(number: &Natural) -> Option<u64> {
    number.to_u128().and_then(|number| u64::try_from(number).ok())
}

/// The statistics of a search, for people. The last line has no line feed.
fn statistics(
    name: &Path,
    solver: &Solver<'_>,
    problem: &ExactCover,
    outcome: &CoverOutcome,
    time: Duration,
) -> String {
    let rate = outcome.nodes as f64 / time.as_secs_f64().max(1e-9);
    let solutions = if outcome.solutions == 1 { "solution" } else { "solutions" };
    let threads = if solver.threads() == 1 { "thread" } else { "threads" };
    let mut text = format!(
        "{}: {}{} {solutions} in {}, {} on {} {threads}\n",
        printable(name),
        at_least(outcome),
        small(&outcome.solutions).map_or_else(|| outcome.solutions.to_string(), group_digits),
        duration(time.as_nanos() as f64),
        solver.engine().name,
        solver.threads(),
    );
    let secondary = problem.item_count() - problem.primary_count();
    text += &format!(
        "  problem  {} + {} items, {} options\n",
        group_digits(problem.primary_count() as u64),
        group_digits(secondary as u64),
        group_digits(problem.option_count() as u64),
    );
    text += &format!("  nodes    {} ({}/s)\n", group_digits(outcome.nodes), group_digits(rate as u64));
    text += &format!("  updates  {}\n", group_digits(outcome.updates));
    text += "  depth    nodes";
    for (depth, &nodes) in outcome.depths.iter().enumerate() {
        text += &format!("\n  {depth:>5}    {}", group_digits(nodes));
    }
    text
}

/// Prints the solutions of a problem.
struct Listing<'a> {
    args: &'a CoverArgs,
    name: &'a Path,
    problem: &'a ExactCover,
    out: &'a mut BufWriter<Sink>,
    found: u64,
    error: Option<io::Error>,
    progress: Progress,
}

impl Listing<'_> {
    /// Writes what is buffered. An error is kept.
    fn flush(&mut self) {
        if self.error.is_none() {
            self.error = self.out.flush().err();
        }
    }

    fn write(&mut self, options: &[OptionId]) -> io::Result<()> {
        self.found += 1;
        let problem = self.problem;
        if self.args.format == CoverFormat::Json {
            let words: Vec<String> =
                options.iter().map(|&option| problem.option_text(option).to_string()).collect();
            let mut object = json!({
                "file": self.name.to_string_lossy(),
                "solution": self.found,
                "options": words,
                "numbers": options,
            });
            if problem.has_costs() {
                let cost: u128 = options.iter().map(|&option| u128::from(problem.cost(option))).sum();
                object["cost"] = number(&cost.into());
            }
            return writeln!(self.out, "{object}");
        }
        for (index, &option) in options.iter().enumerate() {
            let separator = if index > 0 { " | " } else { "" };
            write!(self.out, "{separator}{}", problem.option_text(option))?;
        }
        self.out.write_all(b"\n")
    }
}

impl Observer for Listing<'_> {
    fn solution(&mut self, options: &[OptionId]) -> ControlFlow<()> {
        match self.write(options) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.error = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn progress(&mut self, progress: &cover::Progress) {
        // A reader at the end of a pipe sees rare solutions at once.
        self.flush();
        let solutions = u64::try_from(progress.solutions).unwrap_or(u64::MAX);
        self.progress.set_share(progress.fraction, || {
            format!("{} nodes  {} solutions", group_digits(progress.nodes), group_digits(solutions))
        });
    }
}
