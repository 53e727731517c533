//! `galop verify`.

use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::time::Instant;

use galop::ErrorKind;
use galop::figures::{duration, group_digits, pluralize};
use galop::pipeline::verify::{Options, Verified, verify};

use super::args::VerifyArgs;
use super::rules::{engine_for, rules};
use super::{exit, input};

pub(super) fn run(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let mut sources = input::open(&args.files, !args.no_mmap)?;
    let rules = rules(&args.kind, &mut sources)?;
    let unique = match args.unique {
        true => Some(engine_for(args.engine, galop::prover_for, &rules)?),
        false => None,
    };
    let options = Options { threads: args.threads, unique, stop: &exit::STOP };
    let started = Instant::now();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut verified = Verified::default();
    for source in &mut sources {
        verified += verify(&rules, source, &options, &mut |faulty| {
            Ok(writeln!(out, "{faulty}").map_err(ErrorKind::Write)?)
        })?;
    }
    out.flush()?;
    if !args.quiet {
        let Verified { right, faulty, unanswered, .. } = verified;
        anstream::eprintln!(
            "{} in {}: {} right, {} faulty, {} without a solution",
            pluralize(verified.records(), "record", "records"),
            duration(started.elapsed().as_nanos() as f64),
            group_digits(right),
            group_digits(faulty),
            group_digits(unanswered),
        );
    }
    Ok(ExitCode::from(u8::from(verified.faulty > 0)))
}
