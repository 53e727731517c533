//! `galop verify`: the records with a fault go to standard output, a summary to standard error.

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use galop_batch::ErrorKind;
use galop_batch::figures::group_digits;
use galop_batch::pipeline::{Faults, FaultyRecord, VerifyOptions, VerifyOutcome, VerifyRun};
use galop_engines::Rules;
use galop_report::{Survey, SurveyRun};

use super::args::VerifyArgs;
use super::output::name_stdout;
use super::plan::{Opened, Request};
use super::rewrite::say_columns;
use super::{command, input, messages, plan, signals};

pub(super) fn run(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let request = Request {
        problem: args.problem.path(),
        part: &args.part,
        ..Request::new(&args.input, &args.run, &args.report)
    };
    let decide = |rules: &Rules| Ok((plan::verifying_engine(args, rules)?, Vec::new()));
    let (mut opened, sink, engine) = Opened::open(request, decide, |stdout, _, _| Ok(stdout.sink()))?;
    let options =
        VerifyOptions::default().unique(args.unique).threads(args.run.threads()).stop(&signals::STOP);
    let mut out = BufWriter::new(sink);
    let (mut verified, mut faults) = (Vec::new(), Faults::default());
    let mut has_other_symbols = false;
    let mut run = VerifyRun::open(&opened.rules, engine, &options)?;
    let mut report = |record: &FaultyRecord<'_>| {
        has_other_symbols |= record.malformed.is_some_and(messages::has_other_symbols);
        faults.add(record);
        Ok(writeln!(out, "{record}").map_err(ErrorKind::Write)?)
    };
    opened.read_first(|source, progress| {
        verified.push(run.verify(source, progress, &mut report)?);
        Ok(())
    })?;
    opened.progress.finish();
    if !args.run.quiet {
        let inputs = verified.iter().map(|verified: &VerifyOutcome| &verified.input);
        say_columns(inputs);
    }
    out.flush().map_err(name_stdout)?;
    let Opened { sources, rules, mut reports, started, .. } = opened;
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
    if !args.run.quiet {
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
