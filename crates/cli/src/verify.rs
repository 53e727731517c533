//! `galop verify`.

use std::num::NonZero;
use std::process::ExitCode;

use galop_batch::pipeline::{InspectOptions, Verdicts, verify};

use super::args::VerifyArgs;
use super::{input, inspect, plan, signals};

pub(super) fn run(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let plan = plan::Audit::new(&args.input, args.problem.path(), &args.audit)?;
    let prover = plan::prover(args, &plan.rules)?;
    let options = InspectOptions::default().threads(NonZero::new(args.audit.threads)).stop(&signals::STOP);
    // All records that are not right are faulty or unanswered.
    let is_failure = |verdicts: &Verdicts| {
        let [(_, right), ..] = verdicts.counts;
        verdicts.faults > 0 || args.strict && (right < verdicts.records || input::has_passed_over())
    };
    inspect::run(plan, prover, &args.audit, is_failure, |rules, source, on_fault| {
        verify(rules, prover, source, &options, on_fault)
    })
}
