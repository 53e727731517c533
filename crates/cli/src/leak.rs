//! `galop leak`.

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use galop_batch::ErrorKind;
use galop_batch::figures::{duration, group_digits, pluralize};
use galop_batch::output::FORMATS;
use galop_batch::pipeline::RewriteOptions;
use galop_corpora::{By, Leak, LeakOptions, LeakOutcome};
use galop_engines::Rules;
use galop_report::{Survey, SurveyRun};

use super::args::LeakArgs;
use super::output::name_stdout;
use super::plan::{Opened, Request};
use super::rewrite::{name_input, say_columns};
use super::{command, messages, plan, signals};

pub(super) fn run(args: &LeakArgs) -> anyhow::Result<ExitCode> {
    let request = Request { is_read_twice: true, ..Request::new(&args.input, &args.run, &args.report) };
    let decide = |_: &Rules| Ok(((), Vec::new()));
    let (mut opened, sink, ()) = Opened::open(request, decide, |stdout, _, ()| Ok(stdout.sink()))?;
    let training = opened.last_from;
    let rewriting =
        RewriteOptions::default().threads(args.run.threads()).format(&FORMATS[0]).stop(&signals::STOP);
    let options =
        LeakOptions::default().trusts_answers(args.trust.trust_solutions).memory(args.memory.memory);
    let mut leak = Leak::open(&opened.rules, rewriting, options)
        .map_err(|error| name_input(error, opened.sources.first()))?;
    let threads = leak.threads();
    let mut numbers = 0..;
    opened.read_first(|source, progress| match numbers.next() < Some(training) {
        true => leak.read_training(source, progress),
        false => leak.read_tests(source, progress),
    })?;
    let mut reader = leak.find()?;
    let outcome = reader.outcome().clone();
    if outcome.puzzles + outcome.grids > 0 {
        let mut out = BufWriter::new(sink);
        let mut numbers = 0..;
        opened.read_again(|source, progress| match numbers.next() < Some(training) {
            true => reader.read_training(source, progress),
            false => reader.read_tests(source, progress, &mut |leaked| {
                let is = if leaked.is_puzzle { "equals" } else { "has the solution of" };
                writeln!(out, "{}: {is} {} by {}", leaked.test, leaked.training, leaked.symmetry)
                    .map_err(|error| ErrorKind::Write(error).into())
            }),
        })?;
        out.flush().map_err(name_stdout)?;
    }
    opened.progress.finish();
    let Opened { sources, rules, mut reports, started, .. } = opened;
    let LeakOutcome { training, tests, puzzles, grids, without_grid, spilled_bytes, .. } = outcome;
    let typed = command::typed();
    let engine = By::Puzzle.engine(&rules);
    let run = SurveyRun { rules: &rules, engine, elapsed: started.elapsed(), command: Some(&typed) };
    let figures = [
        ("training", training),
        ("tests", tests),
        ("leaked_puzzles", puzzles),
        ("leaked_solutions", grids),
        ("without_single_solution", without_grid),
        ("temporary_bytes", spilled_bytes),
    ];
    let survey = Survey::of_puzzles(&run, threads, &outcome.read, &figures, None);
    let are_written = plan::write_surveys(&mut reports, survey, &sources);
    if !args.run.quiet {
        say_columns(&outcome.read.inputs);
        messages::say(format_args!(
            "{} training and {} test records in {}: {} and the solutions of {} are in the training data",
            group_digits(training),
            group_digits(tests),
            duration(started.elapsed().as_nanos() as f64),
            pluralize(puzzles, "test puzzle", "test puzzles"),
            group_digits(grids),
        ));
    }
    let malformed = outcome.read.malformed_count;
    messages::warn_malformed(malformed, "");
    Ok(ExitCode::from(match are_written {
        true => u8::from(puzzles + grids + malformed > 0),
        false => 2,
    }))
}
