//! `galop verify`.

use std::num::NonZero;
use std::process::ExitCode;

use galop::pipeline::{InspectOptions, verify};

use super::args::VerifyArgs;
use super::{inspect, plan, signals};

pub(super) fn run(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let (mut sources, rules) = plan::inputs(&args.input)?;
    let prover = plan::prover(args, &rules)?;
    let options = InspectOptions { threads: NonZero::new(args.threads), stop: &signals::STOP };
    inspect::run(&mut sources, args.quiet, |source, report| {
        verify(&rules, prover, source, &options, &mut |record| report(record, record.malformed))
    })
}
