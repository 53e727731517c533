//! `galop augment`.

use std::process::ExitCode;

use galop::figures::{group_digits, pluralize};
use galop_corpora::{AugmentOptions, AugmentRun};

use super::args::AugmentArgs;
use super::messages;
use super::rewrite::{Ended, Rewriting, draw_seed};

pub(super) fn run(args: &AugmentArgs) -> anyhow::Result<ExitCode> {
    let group = args.times.saturating_add(u64::from(args.with_original));
    let (mut rewriting, sink) = match args.layout {
        Some(_) => Rewriting::open_folder(&args.input, &args.part, &args.rewrite, &args.report, group)?,
        None => Rewriting::open(&args.input, &args.part, &args.rewrite, &args.report)?,
    };
    let seed = args.seed.unwrap_or_else(draw_seed);
    let options = AugmentOptions {
        times: args.times,
        seed,
        are_distinct: args.distinct,
        with_original: args.with_original,
        with_group: true,
    };
    let mut run = AugmentRun::open(&rewriting.rules, rewriting.options, options, sink)
        .map_err(|error| rewriting.named_input(error))?;
    rewriting.each_source(|source, progress| run.augment(source, progress))?;
    let threads = run.threads();
    let (sink, outcome) = run.finish().map_err(|error| rewriting.named(error))?;
    let sum = rewriting.finish(sink, &outcome.rewritten)?;
    let mut summary = format!(": {} written", pluralize(outcome.written, "puzzle", "puzzles"));
    if outcome.lacking > 0 {
        summary += &format!(", {} fewer than asked for", group_digits(outcome.lacking));
    }
    if args.seed.is_none() {
        summary += &format!(", --seed {seed}");
    }
    let ended = Ended {
        engine: None,
        threads,
        outcome: &outcome.rewritten,
        figures: &[
            ("written", outcome.written),
            ("lacking", outcome.lacking),
            ("without_solution", outcome.without_solution),
            ("seed", seed),
        ],
        guesses: None,
        sum,
        summary: &summary,
    };
    let code = rewriting.close(&ended);
    if outcome.without_solution > 0 && !args.rewrite.quiet {
        let answers = pluralize(outcome.without_solution, "answer", "answers");
        messages::say(format_args!("left out of the images: {answers} that are no solution of their puzzle"));
    }
    Ok(code)
}
