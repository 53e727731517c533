//! `galop verify`.

use std::num::NonZero;
use std::process::ExitCode;

use galop::pipeline::{InspectOptions, Verdicts, verify};

use super::args::VerifyArgs;
use super::{inspect, plan, signals};

pub(super) fn run(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let (mut sources, rules) = plan::inputs(&args.input)?;
    let prover = plan::prover(args, &rules)?;
    let options = InspectOptions { threads: NonZero::new(args.threads), stop: &signals::STOP };
    // All records that are not right are faulty or unanswered.
    let is_failure = |verdicts: &Verdicts| {
        let [(_, right), ..] = verdicts.counts;
        verdicts.faults > 0 || args.strict && right < verdicts.records
    };
    inspect::run((&mut sources, &rules), args.quiet, is_failure, |source, report| {
        verify(&rules, prover, source, &options, &mut |record| report(record, record.malformed))
    })
}
