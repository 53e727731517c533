//! `galop split`.

use std::process::ExitCode;

use galop::figures::group_digits;
use galop_corpora::{SplitOptions, SplitRun};

use super::args::SplitArgs;
use super::rewrite::{Ended, Rewriting};

pub(super) fn run(args: &SplitArgs) -> anyhow::Result<ExitCode> {
    let (mut rewriting, sink) = Rewriting::open(&args.input, &args.part, &args.rewrite, &args.report)?;
    let format = rewriting.format();
    let tests = rewriting.open_other(&args.test_output)?;
    tests.check_format(format)?;
    let tests = tests.for_converted(format, &[], &rewriting.rules)?;
    let (by, trusts_answers) = (args.by.by, args.by.trust.trust_solutions);
    let options = SplitOptions { by, trusts_answers, share: args.test, seed: args.seed };
    let mut run = SplitRun::open(&rewriting.rules, rewriting.options, options, [sink, tests])
        .map_err(|error| rewriting.named_input(error))?;
    rewriting.each_source(|source, progress| run.split(source, progress))?;
    let threads = run.threads();
    let ([sink, tests], outcome) = run.finish().map_err(|error| rewriting.named(error))?;
    rewriting.finish(tests, &outcome.rewritten)?;
    let sum = rewriting.finish(sink, &outcome.rewritten)?;
    let [training, tests] = outcome.parts;
    let summary = format!(": {} for training, {} for tests", group_digits(training), group_digits(tests));
    let engine = by.engine(&rewriting.rules);
    let ended = Ended {
        engine,
        threads,
        outcome: &outcome.rewritten,
        figures: &[("training", training), ("tests", tests)],
        guesses: None,
        sum,
        summary: &summary,
    };
    Ok(rewriting.close(&ended))
}
