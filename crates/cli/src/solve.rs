//! `galop solve`.

use std::process::ExitCode;

use galop_batch::output::Complete;
use galop_batch::pipeline::{SolveOutcome, SolveRun};
use galop_engines::puzzle::Status;
use galop_report::{self as report, Report, Run};

use super::args::SolveArgs;
use super::plan::{Done, Opened, Published};
use super::whole::is_stdin;
use super::{argument, command, exit, input, messages, other_kinds, plan};

pub(super) fn run(args: &SolveArgs) -> anyhow::Result<ExitCode> {
    let selection = args.selection();
    let plan::Solve { mut opened, sink, engine, options } = plan::Solve::new(args, &selection)?;
    let run = SolveRun::open(&opened.rules, engine, options).map_err(|error| opened.named(error))?;
    let Done { outcome, threads, outputs } = opened.run(Box::new(run), vec![sink], |_| true)?;
    let Published { elapsed, sum, progress } = opened.publish(outputs)?;
    let is_whole = opened.is_whole();
    let Opened { rules, sources, mut reports, .. } = opened;
    let typed = command::typed();
    let command = Some(&*typed);
    let run = Run { rules: &rules, engine, options: &options, threads, elapsed, command };
    let mut report = Report::new(&run, &outcome);
    if let Some((path, sum)) = args.output.as_deref().zip(sum) {
        report.add_output(path, sum);
    }
    // Only now, and only for a report: a checksum may take longer than the run.
    let checksums = if reports.is_empty() { Ok(()) } else { report.add_checksums(&sources) };
    let are_summed = checksums.map_err(|error| messages::error(&error.into())).is_ok();
    let are_reports_written = are_summed && plan::write_reports(&mut reports, &report);
    progress.map_or(Ok(()), Complete::settle)?;
    let is_empty = is_whole && messages::warn_empty(&outcome.inputs);
    if !args.run.quiet && !is_empty {
        let summary = if args.verbose { report::text } else { report::brief };
        let text = summary(&report, &messages::style());
        messages::say(text.strip_suffix('\n').unwrap_or(&text));
        messages::say_left_out_arrays(&outcome.inputs);
    }
    messages::warn_eliminations(&outcome.inputs);
    messages::warn_malformed(outcome.tally.of(Status::Malformed), "");
    messages::warn_wrong_answers(&outcome.answers);
    messages::warn_lost_fields(outcome.lost_fields);
    other_kinds::warn_without_solutions(&args.input, &rules, &outcome.tally, &sources);
    if !args.run.quiet {
        say_next(args, &outcome);
    }
    Ok(match are_reports_written {
        true => code(args, &outcome, is_empty).into(),
        false => ExitCode::from(2),
    })
}

/// Names what may be of use next.
fn say_next(args: &SolveArgs, outcome: &SolveOutcome) {
    let tally = &outcome.tally;
    let is_plain = args.input.grids.kind.is_usual() && args.problem.path().is_none();
    match &args.input.grids.files[..] {
        [puzzle]
            if tally.records() == 1
                && is_plain
                && argument::is_typed(&args.input.grids.files)
                && !is_stdin(puzzle) =>
        {
            let puzzle = command::quoted_path(puzzle);
            match tally.of(Status::Multiple) {
                0 => messages::next(format_args!("galop explain {puzzle}")),
                _ => messages::next(format_args!("galop solve --all {puzzle}")),
            }
        }
        _ if args.verbose || tally.records() == 0 => {}
        _ => messages::next(
            "the same command with -v, or with --report run.html, shows times, guesses and the slowest puzzles",
        ),
    }
}

/// The exit code. The limit of an engine is no reason for [`exit::PARTIAL`]: only the user knows that a limit is too
/// low.
fn code(args: &SolveArgs, outcome: &SolveOutcome, is_empty: bool) -> u8 {
    let tally = &outcome.tally;
    let has_limit = args.search.max_guesses.is_some() || args.search.all();
    let is_limited = has_limit && tally.of(Status::Limit) > 0;
    let has_other_faults = outcome.answers.wrong > 0 || outcome.lost_fields > 0 || is_empty;
    let is_faulty = (tally.of(Status::Malformed) > 0 || has_other_faults) && !args.allow_malformed;
    match args.strict {
        true => u8::from(
            tally.of(Status::Solved) < tally.records() || has_other_faults || input::has_passed_over(),
        ),
        false if is_limited => exit::PARTIAL,
        false => u8::from(is_faulty),
    }
}
