//! `galop leak`.

use std::io::{BufWriter, Write};
use std::num::NonZero;
use std::process::ExitCode;
use std::time::Instant;

use galop_batch::figures::{duration, group_digits, pluralize};
use galop_batch::input::Source;
use galop_batch::output::FORMATS;
use galop_batch::pipeline::RewriteOptions;
use galop_batch::{Error, ErrorKind};
use galop_corpora::{By, Leak, LeakOptions, LeakOutcome};
use galop_report::{Survey, SurveyRun};

use super::args::LeakArgs;
use super::output::{name_sink, name_stdout};
use super::progress::Progress;
use super::rewrite::{name_input, say_columns};
use super::{command, input, messages, plan, rules, signals};

pub(super) fn run(args: &LeakArgs) -> anyhow::Result<ExitCode> {
    // Standard input can be only one of them.
    let typed = &args.input;
    input::paths(&typed.grids.files)?;
    let [mut sources, mut again] = [Vec::new(), Vec::new()];
    let mut training = 0;
    let read = plan::read_files(&typed.grids.files, typed);
    let reports = plan::report_writers(&args.report, None, &read)?;
    let choice = rules::choice(&typed.grids.kind)?;
    for path in &typed.grids.files {
        training = sources.len();
        let files = input::expanded(std::slice::from_ref(path))?;
        let [first, second] = plan::open_inputs_twice(&files, typed, &choice)?;
        sources.extend(first);
        again.extend(second);
    }
    let stdout = std::io::stdout();
    let mut reports = plan::open_reports(reports, None, args.quiet)?;
    let rules = rules::of_choice(&choice, &mut sources)?;
    let threads = NonZero::new(args.threads);
    let rewriting = RewriteOptions::default().threads(threads).format(&FORMATS[0]).stop(&signals::STOP);
    let options =
        LeakOptions::default().trusts_answers(args.trust.trust_solutions).memory(args.memory.memory);
    let started = Instant::now();
    let mut leak =
        Leak::open(&rules, rewriting, options).map_err(|error| name_input(error, sources.first()))?;
    let threads = leak.threads();
    each(args, &mut sources, |number, source, progress| match number < training {
        true => leak.read_training(source, progress),
        false => leak.read_tests(source, progress),
    })?;
    let mut reader = leak.find()?;
    let outcome = reader.outcome().clone();
    if outcome.puzzles + outcome.grids > 0 {
        let mut out = BufWriter::new(stdout.lock());
        each(args, &mut again, |number, source, progress| match number < training {
            true => reader.read_training(source, progress),
            false => reader.read_tests(source, progress, &mut |leaked| {
                let is = if leaked.is_puzzle { "equals" } else { "has the solution of" };
                writeln!(out, "{}: {is} {} by {}", leaked.test, leaked.training, leaked.symmetry)
                    .map_err(|error| ErrorKind::Write(error).into())
            }),
        })?;
        out.flush().map_err(name_stdout)?;
    }
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
    if !args.quiet {
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

/// Has `read` take one source after the other, with its number.
fn each(
    args: &LeakArgs,
    sources: &mut [Source],
    mut read: impl FnMut(usize, &mut Source, &mut Progress) -> Result<(), Error>,
) -> anyhow::Result<()> {
    let total = sources.iter().map(Source::size).sum::<Option<u64>>();
    let mut progress = Progress::new(args.bar.progress, total, args.quiet);
    let mut numbers = 0..;
    let read = |source: &mut Source, progress: &mut Progress| {
        numbers.next().map_or(Ok(()), |number| read(number, source, progress))
    };
    progress.each(sources, read).map_err(|error| name_sink(error, None))?;
    progress.finish();
    Ok(())
}
