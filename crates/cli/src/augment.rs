//! `galop augment`.

use std::process::ExitCode;

use galop_batch::figures::{group_digits, pluralize};
use galop_corpora::{AugmentCounts, AugmentOptions, GROUP, augment};

use super::args::AugmentArgs;
use super::messages;
use super::rewrite::{Rewriting, Summary, Wanted, draw_seed};

pub(super) fn run(args: &AugmentArgs) -> anyhow::Result<ExitCode> {
    Rewriting::check_seed(&args.rewrite, args.seed)?;
    let wanted = Wanted::new(&args.input, &args.part, &args.rewrite, &args.report);
    let (mut rewriting, sink) = Rewriting::open(Wanted { added: &GROUP, ..wanted })?;
    let seed = args.seed.unwrap_or_else(draw_seed);
    let options = AugmentOptions::default()
        .times(args.times)
        .seed(seed)
        .are_distinct(args.distinct)
        .with_original(args.with_original)
        .with_group(true);
    let run = augment(&rewriting.opened.rules, rewriting.options, options)
        .map_err(|error| rewriting.named_input(error))?;
    let done = rewriting.rewrite(run, vec![sink])?;
    let AugmentCounts { written, lacking, without_solution } = done.outcome.1;
    let mut text = format!(": {} written", pluralize(written, "puzzle", "puzzles"));
    if lacking > 0 {
        text += &format!(", {} fewer than requested", group_digits(lacking));
    }
    if args.seed.is_none() {
        text += &format!(", --seed {seed}");
    }
    let figures =
        [("written", written), ("lacking", lacking), ("without_solution", without_solution), ("seed", seed)];
    let code = rewriting.close(done, &Summary { figures: &figures, text: &text, ..Summary::default() })?;
    if without_solution > 0 && !args.rewrite.run.quiet {
        let one = "answer that is not a solution of its puzzle";
        let many = "answers that are not solutions of their puzzles";
        let answers = pluralize(without_solution, one, many);
        messages::say(format_args!("left out of the images: {answers}"));
    }
    Ok(code)
}
