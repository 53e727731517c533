//! What `galop verify` and `galop check` share: the records with a fault go to standard output, a summary to standard
//! error.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use galop_batch::figures::group_digits;
use galop_batch::input::Source;
use galop_batch::pipeline::{Faults, FaultyRecord, InspectOutcome, Verdicts};
use galop_batch::{Error, ErrorKind, printable};
use galop_engines::Rules;
use galop_engines::engine::Entry;
use galop_report::{Survey, SurveyRun};

use super::args::AuditArgs;
use super::output::{name_sink, name_stdout};
use super::{command, messages, plan};

/// Takes a record with a fault.
pub(super) type OnFault<'a> = dyn FnMut(&FaultyRecord<'_>) -> Result<(), Error> + 'a;

/// Inspects all `sources`, puzzles of `rules`. The exit code is 1 if the verdicts are a failure. `engine` is the one
/// that counts solutions, if they are counted.
pub(super) fn run(
    plan::Audit { mut sources, rules, mut reports }: plan::Audit<'_>,
    engine: Option<&Entry>,
    args: &AuditArgs,
    is_failure: impl Fn(&Verdicts) -> bool,
    inspect: impl Fn(&Rules, &mut Source, &mut OnFault<'_>) -> Result<InspectOutcome, Error>,
) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let (mut inspected, mut faults) = (Vec::new(), Faults::default());
    let (mut has_other_symbols, mut lacks_answers) = (false, false);
    for source in &mut sources {
        let name = source.name().to_owned();
        let mut lacking = Lacking::default();
        let found = inspect(&rules, source, &mut |record| {
            has_other_symbols |= record.malformed.is_some_and(messages::has_other_symbols);
            faults.add(record);
            if lacking.keep(record) {
                return Ok(());
            }
            lacking.print(&name, &mut out).map_err(ErrorKind::Write)?;
            Ok(writeln!(out, "{record}").map_err(ErrorKind::Write)?)
        });
        let found = found.map_err(|error| name_sink(error, None))?;
        let records = found.verdicts.records;
        if records > 1 && lacking.records == records {
            let (name, records) = (printable(&name), group_digits(records));
            let example =
                if rules.choices().is_some() { "choices, a tab, solution" } else { "puzzle,solution" };
            writeln!(
                out,
                "{name}: none of {records} records has a solution beside its puzzle (expected {example})"
            )
            .map_err(name_stdout)?;
            lacks_answers = true;
        } else {
            lacking.print(&name, &mut out).map_err(name_stdout)?;
        }
        if !args.quiet
            && let Some(columns) = &found.input.columns
        {
            messages::say(format_args!("{}: {columns}", printable(source.name())));
        }
        inspected.push(found);
    }
    out.flush().map_err(name_stdout)?;
    let elapsed = started.elapsed();
    if has_other_symbols {
        messages::warn(messages::ALPHABET_HELP);
    }
    let typed = command::typed();
    let command = Some(&*typed);
    let survey =
        Survey::of_verdicts(&SurveyRun { rules: &rules, engine, elapsed, command }, &inspected, &faults);
    let are_reports_written = plan::write_surveys(&mut reports, survey, &sources);
    let Some(verdicts) = InspectOutcome::total(&inspected) else { return Ok(ExitCode::SUCCESS) };
    let inputs: Vec<_> = inspected.iter().map(|inspected| inspected.input.clone()).collect();
    if args.part.is_whole() {
        messages::warn_empty(&inputs);
    }
    if !args.quiet {
        let counts = verdicts.counts.map(|(words, count)| format!("{} {words}", group_digits(count)));
        let records = messages::records_in(verdicts.records, elapsed);
        messages::say(format_args!("{records}: {}", counts.join(", ")));
        if lacks_answers {
            messages::say(
                "to solve puzzles: galop solve; to find puzzles that cannot have a solution: galop check",
            );
        }
    }
    Ok(match are_reports_written {
        true => ExitCode::from(u8::from(is_failure(&verdicts))),
        false => ExitCode::from(2),
    })
}

/// Records without an answer, as long as there is no other fault before them. If all records of a source lack one, they
/// are one line.
#[derive(Default)]
struct Lacking {
    records: u64,
    /// Consecutive records with the same column: the first line, and their number.
    runs: Vec<(u64, u64, Option<u32>)>,
    message: String,
    is_over: bool,
}

/// Runs that are kept. Of a file with other records between them, no more than these wait for its end.
const MAX_RUNS: usize = 4096;

impl Lacking {
    /// Keeps `record` if it lacks an answer. If it does not, or too many are kept, no more will be kept.
    fn keep(&mut self, record: &FaultyRecord<'_>) -> bool {
        self.is_over |= !record.lacks_answer || self.runs.len() > MAX_RUNS;
        if self.is_over {
            return false;
        }
        if self.records == 0 {
            self.message = record.message.to_string();
        }
        self.records += 1;
        match self.runs.last_mut() {
            Some((first, len, column)) if *first + *len == record.line && *column == record.column => {
                *len += 1;
            }
            _ => self.runs.push((record.line, 1, record.column)),
        }
        true
    }

    /// Prints those that are kept.
    fn print(&mut self, path: &Path, out: &mut impl Write) -> std::io::Result<()> {
        for (first, len, column) in self.runs.drain(..) {
            for line in first..first + len {
                let (message, reason) = (&self.message, "");
                let record =
                    FaultyRecord { path, line, column, malformed: None, reason, message, lacks_answer: true };
                writeln!(out, "{record}")?;
            }
        }
        Ok(())
    }
}
