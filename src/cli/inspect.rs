//! What `galop verify` and `galop check` share: the records with a fault go to standard output, a summary to standard
//! error.

use std::fmt::Display;
use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::time::Instant;

use galop::figures::group_digits;
use galop::input::{Source, taken_columns};
use galop::pipeline::Verdicts;
use galop::{Error, ErrorKind, Rules, input::LineError, printable};

use super::messages;
use super::output::{name_sink, name_stdout};

/// Prints a record with a fault. If its line is malformed, the error says why.
pub(super) type Report<'a> = dyn FnMut(&dyn Display, Option<&LineError>) -> Result<(), Error> + 'a;

/// Inspects all `sources`. The exit code is 1 if the verdicts are a failure.
pub(super) fn run(
    (sources, rules): (&mut [Source], &Rules),
    is_quiet: bool,
    is_failure: impl Fn(&Verdicts) -> bool,
    inspect: impl Fn(&mut Source, &mut Report<'_>) -> Result<Verdicts, Error>,
) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let (mut total, mut has_other_symbols) = (None::<Verdicts>, false);
    for source in sources {
        if !is_quiet && let Some(columns) = taken_columns(source, rules)? {
            messages::say(format_args!("{}: {columns}", printable(source.name())));
        }
        let verdicts = inspect(source, &mut |record, error| {
            has_other_symbols |= error.is_some_and(messages::has_other_symbols);
            Ok(writeln!(out, "{record}").map_err(ErrorKind::Write)?)
        })
        .map_err(|error| name_sink(error, None))?;
        match &mut total {
            Some(total) => *total += verdicts,
            None => total = Some(verdicts),
        }
    }
    out.flush().map_err(name_stdout)?;
    if has_other_symbols {
        messages::warn(messages::ALPHABET_HELP);
    }
    let Some(verdicts) = total else { return Ok(ExitCode::SUCCESS) };
    if !is_quiet {
        let counts = verdicts.counts.map(|(words, count)| format!("{} {words}", group_digits(count)));
        let records = messages::records_in(verdicts.records, started.elapsed());
        messages::say(format_args!("{records}: {}", counts.join(", ")));
    }
    Ok(ExitCode::from(u8::from(is_failure(&verdicts))))
}
