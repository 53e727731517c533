//! `galop check`.

use std::num::NonZero;
use std::process::ExitCode;

use galop::pipeline::check::check_source;
use galop::pipeline::inspect::InspectOptions;

use super::args::CheckArgs;
use super::rules::rules;
use super::{exit, input, inspect};

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let mut sources = input::open(&args.files, !args.no_mmap)?;
    let rules = rules(&args.kind, &mut sources)?;
    let options = InspectOptions { threads: NonZero::new(args.threads), stop: &exit::STOP };
    inspect::run(&mut sources, args.quiet, |source, report| {
        check_source(&rules, source, &options, &mut |record| report(record))
    })
}
