//! `galop verify`.

use std::num::NonZero;
use std::process::ExitCode;

use galop::pipeline::inspect::InspectOptions;
use galop::pipeline::verify::verify;

use super::args::{DEFAULT_PROVER, VerifyArgs};
use super::rules::{engine_for, rules};
use super::{exit, input, inspect};

pub(super) fn run(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let mut sources = input::open(&args.files, !args.no_mmap)?;
    let rules = rules(&args.kind, &mut sources)?;
    let unique = match args.unique {
        true => Some(engine_for(args.engine, DEFAULT_PROVER, &rules)?),
        false => None,
    };
    let options = InspectOptions { threads: NonZero::new(args.threads), stop: &exit::STOP };
    inspect::run(&mut sources, args.quiet, |source, report| {
        verify(&rules, unique, source, &options, &mut |record| report(record))
    })
}
