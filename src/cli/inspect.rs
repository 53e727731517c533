//! What `galop verify` and `galop check` share: the records with a fault go to standard output, a summary to standard
//! error.

use std::fmt::Display;
use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::time::Instant;

use galop::input::source::Source;
use galop::pipeline::inspect::{Verdict, Verdicts};
use galop::report::{counted, duration, thousands};
use galop::{Error, ErrorKind};

/// Prints a record with a fault.
pub(super) type Report<'a> = dyn FnMut(&dyn Display) -> Result<(), Error> + 'a;

/// Inspects all `sources`. The exit code is 1 if a record has a fault.
pub(super) fn run<V: Verdict>(
    sources: &mut [Source],
    is_quiet: bool,
    inspect: impl Fn(&mut Source, &mut Report<'_>) -> Result<Verdicts<V>, Error>,
) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut verdicts = Verdicts::default();
    for source in sources {
        verdicts += inspect(source, &mut |record| Ok(writeln!(out, "{record}").map_err(ErrorKind::Write)?))?;
    }
    out.flush()?;
    if !is_quiet {
        let counts = V::ALL.map(|verdict| format!("{} {}", thousands(verdicts.of(verdict)), verdict.words()));
        anstream::eprintln!(
            "{} in {}: {}",
            counted(verdicts.records(), "record", "records"),
            duration(started.elapsed().as_nanos() as f64),
            counts.join(", "),
        );
    }
    Ok(ExitCode::from(u8::from(verdicts.faults() > 0)))
}
