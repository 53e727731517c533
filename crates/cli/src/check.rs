//! `galop check`.

use std::num::NonZero;
use std::process::ExitCode;

use galop_batch::pipeline::{InspectOptions, Verdicts, check_source};

use super::args::CheckArgs;
use super::{inspect, plan, signals};

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let plan = plan::Audit::new(&args.input, None, &args.audit)?;
    let options = InspectOptions::default().threads(NonZero::new(args.audit.threads)).stop(&signals::STOP);
    let is_failure = |verdicts: &Verdicts| verdicts.faults > 0;
    inspect::run(plan, None, &args.audit, is_failure, |rules, source, on_fault| {
        check_source(rules, source, &options, on_fault)
    })
}
