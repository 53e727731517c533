//! `galop verify`: the records with a fault go to standard output, a summary to standard error.

use std::io::{BufWriter, IsTerminal, Write};
use std::num::NonZero;
use std::process::ExitCode;
use std::time::Instant;

use galop_batch::ErrorKind;
use galop_batch::figures::group_digits;
use galop_batch::input::Source;
use galop_batch::pipeline::{Faults, FaultyRecord, VerifyOptions, VerifyOutcome, VerifyRun};
use galop_report::{Survey, SurveyRun};

use super::args::VerifyArgs;
use super::output::{name_sink, name_stdout};
use super::progress::Progress;
use super::rewrite::say_columns;
use super::{command, input, messages, plan, signals};

pub(super) fn run(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let files = input::expanded(&args.input.grids.files)?;
    let problem = args.problem.path();
    let mut read = plan::read_files(&files, &args.input);
    read.extend(problem);
    let reports = plan::report_writers(&args.report, None, &read)?;
    let (mut sources, rules) = plan::inputs(&files, &args.input, problem)?;
    args.part.apply(&mut sources);
    let mut reports = plan::open_reports(reports, None, args.quiet)?;
    let engine = plan::verifying_engine(args, &rules)?;
    let options =
        VerifyOptions::default().unique(args.unique).threads(NonZero::new(args.threads)).stop(&signals::STOP);

    let started = Instant::now();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let (mut verified, mut faults) = (Vec::new(), Faults::default());
    let mut has_other_symbols = false;
    let total = sources.iter().map(Source::size).sum::<Option<u64>>();
    let mut progress = Progress::new(args.bar.progress, total, args.quiet || std::io::stdout().is_terminal());
    let mut run = VerifyRun::open(&rules, engine, &options)?;
    let mut report = |record: &FaultyRecord<'_>| {
        has_other_symbols |= record.malformed.is_some_and(messages::has_other_symbols);
        faults.add(record);
        Ok(writeln!(out, "{record}").map_err(ErrorKind::Write)?)
    };
    let done = progress.each(&mut sources, |source, progress| {
        verified.push(run.verify(source, progress, &mut report)?);
        Ok(())
    });
    done.map_err(|error| name_sink(error, None))?;
    progress.finish();
    if !args.quiet {
        let inputs = verified.iter().map(|verified: &VerifyOutcome| &verified.input);
        say_columns(inputs);
    }
    out.flush().map_err(name_stdout)?;
    let elapsed = started.elapsed();
    if has_other_symbols {
        messages::warn(messages::ALPHABET_HELP);
    }
    let typed = command::typed();
    let total = VerifyOutcome::total(&verified);
    let is_solved = args.unique || total.is_some_and(|verdicts| verdicts.alone > 0);
    let survey_run =
        SurveyRun { rules: &rules, engine: is_solved.then_some(engine), elapsed, command: Some(&typed) };
    let survey = Survey::of_verdicts(&survey_run, &verified, &faults);
    let are_reports_written = plan::write_surveys(&mut reports, survey, &sources);
    let Some(verdicts) = total else { return Ok(ExitCode::SUCCESS) };
    let inputs: Vec<_> = verified.iter().map(|verified| verified.input.clone()).collect();
    if args.part.is_whole() {
        messages::warn_empty(&inputs);
    }
    if !args.quiet {
        let counts = verdicts.counts().map(|(words, count)| format!("{} {words}", group_digits(count)));
        let records = messages::records_in(verdicts.records, elapsed);
        messages::say(format_args!("{records}: {}", counts.collect::<Vec<_>>().join(", ")));
    }
    // All records that are not right are faulty, unanswered, or puzzles alone.
    let is_failure =
        verdicts.faulty > 0 || args.strict && (verdicts.right < verdicts.records || input::has_passed_over());
    Ok(match are_reports_written {
        true => ExitCode::from(u8::from(is_failure)),
        false => ExitCode::from(2),
    })
}
