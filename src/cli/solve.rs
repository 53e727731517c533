//! `galop solve`.

use std::process::ExitCode;
use std::time::Instant;

use galop::Status;
use galop::input::Source;
use galop::pipeline::{SolveOutcome, SolveRun};
use galop::report::{self, Report, Run};

use super::args::SolveArgs;
use super::output::{name_sink, write_report};
use super::progress::Progress;
use super::{command, exit, messages, plan};

pub(super) fn run(args: &SolveArgs) -> anyhow::Result<ExitCode> {
    let plan::Solve { mut sources, rules, engine, options, sink, reports } = plan::Solve::new(args)?;
    let total = sources.iter().map(Source::size).sum::<Option<u64>>();
    let mut progress = Progress::new(args.progress, total, args.quiet || sink.is_terminal());

    let started = Instant::now();
    let named = |error| name_sink(error, args.output.as_deref());
    let mut run = SolveRun::open(&rules, engine, options, sink).map_err(named)?;
    for source in &mut sources {
        let solved = run.solve(source, &mut progress);
        if solved.is_err() {
            progress.finish();
        }
        solved.map_err(named)?;
        progress.next_source(source.size().unwrap_or(0));
    }
    let threads = run.threads();
    let (sink, outcome) = run.finish().map_err(named)?;
    sink.finish()?;
    progress.finish();
    let (elapsed, typed) = (started.elapsed(), command::typed());
    let command = Some(&*typed);
    let finished = Run { rules: &rules, engine, options: &options, threads, elapsed, command };
    let mut report = Report::new(&finished, &outcome);
    if !reports.is_empty() {
        // Only now, and only for a report: a checksum may take longer than the run.
        report.add_checksums(&sources)?;
    }

    for (path, format) in reports {
        if let Some(write) = format.write {
            write_report(path, &write(&report))?;
        }
    }
    if !args.quiet {
        anstream::eprint!("{}", report::text(&report, &messages::style()));
    }
    messages::warn_malformed(outcome.tally.of(Status::Malformed), "");
    Ok(code(args, &outcome).into())
}

/// The exit code. The limit of an engine is no reason for [`exit::PARTIAL`]: only the user knows that a limit is too
/// low.
fn code(args: &SolveArgs, outcome: &SolveOutcome) -> u8 {
    let tally = &outcome.tally;
    let is_limited = args.search.max_guesses.is_some() && tally.of(Status::Limit) > 0;
    let is_malformed = tally.of(Status::Malformed) > 0 && !args.allow_malformed;
    match args.strict {
        true => u8::from(tally.of(Status::Solved) < tally.records()),
        false if is_limited => exit::PARTIAL,
        false => u8::from(is_malformed),
    }
}
