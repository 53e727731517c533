//! What `galop verify` and `galop check` share: the records with a fault go to standard output, a summary to standard
//! error.

use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::time::Instant;

use galop::figures::group_digits;
use galop::input::Source;
use galop::pipeline::{Faults, FaultyRecord, Inspected, Verdicts};
use galop::report::{Audit, AuditRun};
use galop::{Entry, Error, ErrorKind, Rules, printable};

use super::args::AuditArgs;
use super::output::{name_sink, name_stdout, stdout};
use super::plan::Report;
use super::{command, messages, plan};

/// Takes a record with a fault.
pub(super) type OnFault<'a> = dyn FnMut(&FaultyRecord<'_>) -> Result<(), Error> + 'a;

/// Inspects all `sources`, puzzles of `rules`. The exit code is 1 if the verdicts are a failure. `engine` is the one that
/// counts solutions, if they are counted.
pub(super) fn run(
    plan::Audit { mut sources, rules, reports }: plan::Audit<'_>,
    engine: Option<&Entry>,
    args: &AuditArgs,
    is_failure: impl Fn(&Verdicts) -> bool,
    inspect: impl Fn(&Rules, &mut Source, &mut OnFault<'_>) -> Result<Inspected, Error>,
) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    let mut out = BufWriter::new(stdout()?.lock());
    let (mut inspected, mut faults, mut has_other_symbols) = (Vec::new(), Faults::default(), false);
    for source in &mut sources {
        let found = inspect(&rules, source, &mut |record| {
            has_other_symbols |= record.malformed.is_some_and(messages::has_other_symbols);
            faults.add(record);
            Ok(writeln!(out, "{record}").map_err(ErrorKind::Write)?)
        });
        let found = found.map_err(|error| name_sink(error, None))?;
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
    let audit = AuditRun { rules: &rules, engine, elapsed, command, inspected: &inspected, faults: &faults };
    let are_reports_written = write_reports(reports, &audit, &sources);
    let Some(verdicts) = Inspected::total(&inspected) else { return Ok(ExitCode::SUCCESS) };
    if !args.quiet {
        let counts = verdicts.counts.map(|(words, count)| format!("{} {words}", group_digits(count)));
        let records = messages::records_in(verdicts.records, elapsed);
        messages::say(format_args!("{records}: {}", counts.join(", ")));
    }
    Ok(match are_reports_written {
        true => ExitCode::from(u8::from(is_failure(&verdicts))),
        false => ExitCode::from(2),
    })
}

/// Writes the reports; false if one was not written.
fn write_reports(reports: Vec<Report<'_>>, run: &AuditRun<'_>, sources: &[Source]) -> bool {
    if reports.is_empty() {
        return true;
    }
    let mut audit = Audit::new(run);
    if let Err(error) = audit.add_checksums(sources) {
        messages::error(&error.into());
        return false;
    }
    let mut are_written = true;
    for (file, format) in reports {
        are_written &= format.audit.is_none_or(|write| file.write(&write(&audit)));
    }
    are_written
}
