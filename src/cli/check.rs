//! `galop check`.

use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::time::Instant;

use galop::ErrorKind;
use galop::figures::{duration, group_digits, pluralize};
use galop::pipeline::check::{Checked, Options, check_source};

use super::args::CheckArgs;
use super::rules::rules;
use super::{exit, input};

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let mut sources = input::open(&args.files, !args.no_mmap)?;
    let rules = rules(&args.kind, &mut sources)?;
    let options = Options { threads: args.threads, stop: &exit::STOP };
    let started = Instant::now();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut checked = Checked::default();
    for source in &mut sources {
        checked += check_source(&rules, source, &options, &mut |hopeless| {
            Ok(writeln!(out, "{hopeless}").map_err(ErrorKind::Write)?)
        })?;
    }
    out.flush()?;
    if !args.quiet {
        let Checked { possible, impossible, malformed, .. } = checked;
        anstream::eprintln!(
            "{} in {}: {} possible, {} impossible, {} malformed",
            pluralize(checked.records(), "record", "records"),
            duration(started.elapsed().as_nanos() as f64),
            group_digits(possible),
            group_digits(impossible),
            group_digits(malformed),
        );
    }
    Ok(ExitCode::from(u8::from(checked.impossible + checked.malformed > 0)))
}
