//! `galop check`.

use std::num::NonZero;
use std::process::ExitCode;

use galop::pipeline::{InspectOptions, check_source};

use super::args::CheckArgs;
use super::{inspect, plan, signals};

pub(super) fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let (mut sources, rules) = plan::inputs_or_puzzles(&args.input)?;
    let options = InspectOptions { threads: NonZero::new(args.threads), stop: &signals::STOP };
    inspect::run(
        &mut sources,
        args.quiet,
        |verdicts| verdicts.faults > 0,
        |source, report| {
            check_source(&rules, source, &options, &mut |record| report(record, record.malformed))
        },
    )
}
