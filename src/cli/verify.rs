//! `galop verify`.

use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::time::Instant;

use galop::ErrorKind;
use galop::figures::group_digits;
use galop::pipeline::verify::{Fault, Options, Verified, verify};

use super::args::VerifyArgs;
use super::{messages, plan, signals};

pub(super) fn run(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let (mut sources, rules) = plan::inputs(&args.input)?;
    let unique = plan::prover(args, &rules)?;
    let options = Options { threads: args.threads, unique, stop: &signals::STOP };
    let started = Instant::now();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let (mut verified, mut has_other_symbols) = (Verified::default(), false);
    for source in &mut sources {
        verified += verify(&rules, source, &options, &mut |faulty| {
            if let Fault::Puzzle(error) | Fault::Solution(error) = &faulty.fault {
                has_other_symbols |= messages::has_other_symbols(error);
            }
            Ok(writeln!(out, "{faulty}").map_err(ErrorKind::Write)?)
        })?;
    }
    out.flush()?;
    if has_other_symbols {
        messages::warn(messages::ALPHABET_HELP);
    }
    if !args.quiet {
        let Verified { right, faulty, unanswered, .. } = verified;
        anstream::eprintln!(
            "{}: {} right, {} faulty, {} without a solution",
            messages::records_in(verified.records(), started.elapsed()),
            group_digits(right),
            group_digits(faulty),
            group_digits(unanswered),
        );
    }
    Ok(ExitCode::from(u8::from(verified.faulty > 0)))
}
