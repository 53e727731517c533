//! The options of a contest, for the library.

use std::num::NonZero;
use std::path::PathBuf;

use galop_compare::{Contest, Contestant, Patterns, Plan};
use galop_engines::engine::Isa;

use crate::args::CompareArgs;
use crate::plan::Report;
use crate::{command, plan, signals};

/// The options that puzzles and exact cover problems share.
pub(super) fn plan(args: &CompareArgs, contestants: Vec<Contestant>) -> anyhow::Result<Plan<'static>> {
    Ok(Plan {
        contestants,
        isa: args.isa.unwrap_or_else(Isa::best),
        runs: args.runs,
        threads: NonZero::new(args.threads),
        seed: args.seed,
        is_permuted: !args.as_is,
        budget: (!args.budget.is_zero()).then_some(args.budget),
        patterns: Patterns::new(args.solutions_pattern.as_deref(), args.guesses_pattern.as_deref())?,
        command: Some(command::typed()),
        stop: &signals::STOP,
        ..Plan::new(&[])
    })
}

/// The reports of a contest that reads `files`, opened.
pub(super) fn reports<'a>(
    args: &'a CompareArgs,
    files: &[PathBuf],
) -> anyhow::Result<Vec<Report<'a, Contest>>> {
    let mut read = plan::read_files(files, &args.input);
    read.extend(args.problem.path());
    let writers = plan::report_writers(&args.report, args.per_puzzle.as_deref(), &read)?;
    plan::open_reports(writers, None, args.quiet)
}
