//! `galop cover`.

mod best;
mod diagram;
mod given;
mod listing;
mod picture;
mod state;
mod statistics;

use std::io::{BufWriter, Write};
use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use galop::figures::group_digits;
use galop::{Error, ErrorKind, printable};
use galop_cover::diagram::text::DiagramTextError;
use galop_cover::diagram::{self as library, Diagram};
use galop_cover::problem::TextError;
use galop_cover::reduce::Reduction;
use galop_cover::text::{self, Dropped};
use galop_cover::{self as cover, threads};
use galop_cover::{
    Assumptions, CoverError, CoverLimits, CoverOutcome, End, ExactCover, Observer, Shards, Sharing, Solver,
};

use crate::args::{CoverArgs, CoverFormat};
use crate::output::{self, Destination, Sink, Writing, name_sink};
use crate::progress::Progress;
use crate::{exit, input, messages, signals};
use diagram::Question;
use listing::Listing;
use picture::Board;
use statistics::{statistics, summary, summary_of};

/// Shards of a search: each of them cuts the search into a hundred times as many leaves.
const MOST_SHARDS: usize = 10_000;

pub(crate) fn run(args: &CoverArgs) -> anyhow::Result<ExitCode> {
    let named = args.best.file().into_iter().chain(args.files.iter().cloned());
    let files = named.collect::<Vec<_>>();
    let files = input::paths(&files)?;
    let single = [("--diagram", args.diagram.diagram.is_some()), ("--resume", args.work.resume.is_some())];
    if let Some((option, _)) = single.iter().find(|(_, is_given)| *is_given && files.len() > 1) {
        bail!("{option} is for one FILE, and there are {}", files.len());
    }
    let threads = NonZero::new(args.threads);
    let writing = Writing { threads, is_quiet: args.quiet, ..Writing::default() };
    let sink = Destination::new(args.output.as_deref(), &files, writing)?.sink();
    let is_hidden = args.quiet || output::is_terminal(args.output.as_deref()) && args.has_listing();
    let mut out = BufWriter::new(sink);
    let named = |error| name_sink(Error::from(ErrorKind::Write(error)), args.output.as_deref());
    let finish = |out: BufWriter<Sink>| {
        let sink = out.into_inner().map_err(|error| named(error.into_error()))?;
        output::finish(sink, args.output.as_deref(), output::End::default())
    };
    let mut is_partial = false;
    for path in &files {
        let name = input::name_of(path);
        let input = Input::read(path)?;
        let problem = input.problem();
        let board = if args.diagram.draw { Some(board(name, problem)?) } else { None };
        let progress = Progress::new(args.progress, Some(Progress::WHOLE), is_hidden);
        let mut listing = Listing::new(args, name, problem, board, &mut out, progress);
        let solved = answer(&mut listing, &input, files.len() > 1);
        listing.progress.finish();
        if let Some(error) = listing.error.take() {
            return Err(named(error));
        }
        let solved = solved?;
        is_partial |= solved.is_partial;
        solved.line.iter().try_for_each(|line| out.write_all(line.as_bytes())).map_err(named)?;
        if solved.is_stopped {
            let _held = signals::hold_end();
            finish(out)?;
            return Err(Error::from(ErrorKind::Stopped).in_file(name).into());
        }
    }
    finish(out)?;
    Ok(if is_partial { exit::PARTIAL.into() } else { ExitCode::SUCCESS })
}

/// What a file has: a problem, or the diagram of its solutions.
enum Input {
    Problem(ExactCover),
    Diagram(Box<Diagram>),
}

impl Input {
    fn read(path: &Path) -> anyhow::Result<Input> {
        let bytes = input::read(path)?;
        if !library::text::is_diagram(&bytes) {
            return Ok(Input::Problem(read_problem(path, &bytes)?));
        }
        let diagram = library::text::read(&bytes).map_err(|DiagramTextError { line, column, fault }| {
            anyhow!("{}:{line}:{column}: {fault}", printable(input::name_of(path)))
        })?;
        Ok(Input::Diagram(Box::new(diagram)))
    }

    fn problem(&self) -> &ExactCover {
        match self {
            Input::Problem(problem) => problem,
            Input::Diagram(diagram) => diagram.problem(),
        }
    }
}

/// Reads the problem of a file.
pub(crate) fn read(path: &Path) -> anyhow::Result<ExactCover> {
    read_problem(path, &input::read(path)?)
}

fn read_problem(path: &Path, bytes: &[u8]) -> anyhow::Result<ExactCover> {
    let name = input::name_of(path);
    let text = text::read(bytes).map_err(|TextError { line, column, fault }| {
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
    /// Whether a signal ended the search, and its result is nevertheless printed.
    is_stopped: bool,
}

/// The board on which solutions are drawn.
fn board(name: &Path, problem: &ExactCover) -> anyhow::Result<Board> {
    Board::of(problem).ok_or_else(|| {
        anyhow!("{}: no items are cells, so --draw draws nothing: a cell is 3.10 or 3a", printable(name))
    })
}

/// Answers what is asked about a file, from a diagram or by a search.
fn answer(listing: &mut Listing<'_>, input: &Input, is_one_of_many: bool) -> anyhow::Result<Solved> {
    let Listing { args, name, problem, .. } = *listing;
    let started = Instant::now();
    let asked = &args.diagram;
    let assumptions = given::assumptions(problem, &asked.with, &asked.without)?;
    let limits = CoverLimits::NONE
        .with_solutions(args.most())
        .with_nodes(Some(args.max_nodes).filter(|&nodes| nodes < u64::MAX))
        .with_deadline(args.time_limit.and_then(|limit| started.checked_add(limit)))
        .with_cancel(&signals::STOP);
    let built;
    let (diagram, is_read) = match input {
        Input::Diagram(_) if args.work.shard.is_some() || args.work.resume.is_some() => {
            bail!("{}: a diagram needs no search, so --shard and --resume do not apply", printable(name));
        }
        Input::Diagram(diagram) => (&**diagram, true),
        Input::Problem(_) if asked.needs_diagram() => {
            built = diagram::build(args, name, problem, &limits)?;
            let Some(diagram) = &built else { return Ok(Solved { is_partial: true, ..Solved::default() }) };
            (diagram, false)
        }
        Input::Problem(_) => {
            return match args.best.wanted() {
                Some(wanted) => best::solve(listing, wanted, &limits, &assumptions, started),
                None => solve(listing, &limits, &assumptions, is_one_of_many, started),
            };
        }
    };
    Question { diagram, is_read, assumptions: &assumptions, is_one_of_many, started }.answer(listing)
}

/// Solves a problem and prints its solutions, if they are wanted, and its statistics.
fn solve(
    listing: &mut Listing<'_>,
    limits: &CoverLimits<'_>,
    assumptions: &Assumptions,
    is_one_of_many: bool,
    started: Instant,
) -> anyhow::Result<Solved> {
    let Listing { args, name, problem, .. } = *listing;
    let mut solver = match Solver::new_within(problem, args.setup(), limits) {
        Err(CoverError::Stopped { end: End::Deadline }) => {
            messages::warn(format_args!(
                "{}: stopped by --time-limit while the problem was prepared: nothing was searched",
                printable(name)
            ));
            let outcome = CoverOutcome { end: End::Deadline, ..CoverOutcome::default() };
            return Ok(stopped_early(args, name, &outcome, is_one_of_many, started.elapsed()));
        }
        Err(CoverError::Stopped { .. }) => return Err(Error::from(ErrorKind::Stopped).in_file(name).into()),
        built => built?,
    };
    solver.set_threads(NonZero::new(args.threads))?;
    solver.set_ordered(args.ordered);
    let shared = share(name, problem, args, assumptions)?;
    let sharing = shared.as_ref().map(|(sharing, _)| *sharing);
    let parts = shared.map(|(_, parts)| parts);
    match &parts {
        Some(parts) => solver.assume_any(parts)?,
        None => solver.assume(&assumptions.chosen, &assumptions.forbidden)?,
    }
    let begun = solver.engine().name;
    if args.verbose {
        if let Some(reduction) = solver.reduction() {
            messages::say(format_args!("{}: {}", printable(name), reduced(problem, reduction)));
        }
        messages::say(format_args!("{}: engine {begun}: {}", printable(name), solver.why()));
    }
    let outcome = match (args.listed(), &args.work.resume) {
        (Some(_), _) => solver.search(limits).observe(listing).list()?,
        (None, Some(path)) => {
            let parts = parts.unwrap_or_else(|| vec![assumptions.clone()]);
            state::count(path, &mut solver, (parts, sharing), limits, listing)?
        }
        (None, None) => solver
            .search(limits)
            .observe(&mut |progress: &cover::Progress| listing.progress(progress))
            .count()?,
    };
    listing.progress.finish();
    if args.verbose && solver.engine().name != begun {
        messages::say(format_args!(
            "{}: then engine {}: {}",
            printable(name),
            solver.engine().name,
            solver.why()
        ));
    }
    if args.verbose && !solver.stages().is_empty() {
        messages::say(format_args!("{}: stages: {}", printable(name), statistics::stages(&solver)));
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
    let line = match args.format {
        CoverFormat::Json => Some(summary(name, &solver, &outcome, seconds)),
        CoverFormat::Options => args.listed().is_none().then(|| count(name, &outcome, is_one_of_many)),
    };
    Ok(Solved { line, is_partial: limit_of(outcome.end).is_some(), is_stopped: false })
}

/// What is printed if a limit ends the work before the search.
fn stopped_early(
    args: &CoverArgs,
    name: &Path,
    outcome: &CoverOutcome,
    is_one_of_many: bool,
    time: Duration,
) -> Solved {
    let line = match args.format {
        CoverFormat::Json => Some(summary_of(
            name,
            (args.engine_name(), "nothing was searched", &[]),
            threads::count(NonZero::new(args.threads)).get(),
            &[],
            outcome,
            time,
        )),
        CoverFormat::Options => args.listed().is_none().then(|| count(name, outcome, is_one_of_many)),
    };
    Solved { line, is_partial: true, is_stopped: false }
}

/// The line with the number of solutions.
fn count(name: &Path, outcome: &CoverOutcome, is_one_of_many: bool) -> String {
    let number = format!("{}{}\n", at_least(outcome), outcome.solutions);
    if is_one_of_many { format!("{}:{number}", printable(name)) } else { number }
}

/// How the search is shared, and the parts of the shard that is searched; `None` if all is searched.
fn share(
    name: &Path,
    problem: &ExactCover,
    args: &CoverArgs,
    assumptions: &Assumptions,
) -> anyhow::Result<Option<(Sharing, Vec<Assumptions>)>> {
    let Some(shard) = args.work.shard else { return Ok(None) };
    let count = usize::try_from(shard.count()).ok().and_then(NonZero::new);
    let count = count.filter(|count| count.get() <= MOST_SHARDS);
    let count = count.ok_or_else(|| anyhow!("--shard: there can be at most {MOST_SHARDS} shards"))?;
    let Shards { sharing, mut shards } = problem.shards(count, assumptions)?;
    let name = printable(name);
    match sharing {
        Sharing::Whole if count.get() > 1 && !args.quiet => messages::say(format_args!(
            "{name}: the search is too short to be shared: shard 1/{count} has all of it, the others are empty"
        )),
        Sharing::Repeated if args.listed().is_none() => messages::warn(format_args!(
            "{name}: a count of this problem remembers what it has counted, and each shard repeats most of that work: \
             one machine without --shard may take as long"
        )),
        _ => {}
    }
    Ok(Some((sharing, shards.swap_remove(shard.index() as usize - 1))))
}

/// The option whose limit ended a search, if one did.
fn limit_of(end: End) -> Option<&'static str> {
    match end {
        End::Nodes => Some("--max-nodes"),
        End::Deadline => Some("--time-limit"),
        _ => None,
    }
}

/// What stands before a number of solutions: `>=` if a limit ended the search.
fn at_least(outcome: &CoverOutcome) -> &'static str {
    if limit_of(outcome.end).is_some() { ">=" } else { "" }
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
    if let Some(limit) = limit_of(outcome.end) {
        messages::warn(format_args!(
            "{}: stopped by {limit}: there may be more than {} solutions",
            printable(name),
            outcome.solutions
        ));
    }
}
