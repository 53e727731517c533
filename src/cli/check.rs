//! `galop check`.

use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::time::Instant;

use galop::ErrorKind;
use galop::figures::group_digits;
use galop::pipeline::check::{Checked, Options, Reason, check_source};

use super::args::CheckArgs;
use super::{messages, plan, signals};

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let (mut sources, rules) = plan::inputs(&args.input)?;
    let options = Options { threads: args.threads, stop: &signals::STOP };
    let started = Instant::now();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let (mut checked, mut has_other_symbols) = (Checked::default(), false);
    for source in &mut sources {
        checked += check_source(&rules, source, &options, &mut |hopeless| {
            if let Reason::Malformed(error) = &hopeless.reason {
                has_other_symbols |= messages::has_other_symbols(error);
            }
            Ok(writeln!(out, "{hopeless}").map_err(ErrorKind::Write)?)
        })?;
    }
    out.flush()?;
    if has_other_symbols {
        messages::warn(messages::ALPHABET_HELP);
    }
    if !args.quiet {
        let Checked { possible, impossible, malformed, .. } = checked;
        anstream::eprintln!(
            "{}: {} possible, {} impossible, {} malformed",
            messages::records_in(checked.records(), started.elapsed()),
            group_digits(possible),
            group_digits(impossible),
            group_digits(malformed),
        );
    }
    Ok(ExitCode::from(u8::from(checked.impossible + checked.malformed > 0)))
}
