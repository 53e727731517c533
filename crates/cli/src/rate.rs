//! `galop rate`.

use std::process::ExitCode;

use anyhow::bail;
use galop_batch::figures::group_digits;
use galop_batch::output;
use galop_corpora::rate;
use galop_explain::Level;

use super::args::RateArgs;
use super::rate_one;
use super::rewrite::{Rewriting, Summary, Wanted, draw_seed};

pub(super) fn run(args: &RateArgs) -> anyhow::Result<ExitCode> {
    if args.is_plain() && rate_one::is_wanted(&args.input.grids) {
        return rate_one::run(args);
    }
    if let Some(column) = args.column_of_other_rating() {
        let by = if args.is_by_guesses() { "techniques" } else { "guesses" };
        bail!("the column `{column}` is only for ratings by {by}: add --by {by}");
    }
    if let Some(option) = args.has_other_option() {
        let by = if args.is_by_guesses() { "techniques" } else { "guesses" };
        bail!("{option} is only for ratings by {by}: add --by {by}");
    }
    if let Some(column) = args.column_without_images() {
        bail!("the column `{column}` is only for images of the puzzles: add --symmetries N");
    }
    if args.symmetries > 0 {
        Rewriting::check_seed(&args.rewrite, args.seed)?;
    }
    let usual = output::format("csv");
    let seed = args.seed.unwrap_or_else(draw_seed);
    let options = args.options(seed);
    let added: Vec<_> = options.written_columns().iter().map(|column| column.heading()).collect();
    let wanted = Wanted::new(&args.input, &args.part, &args.rewrite, &args.report);
    let (mut rewriting, sink) = Rewriting::open(Wanted { usual, added: &added, ..wanted })?;
    let run = rate(&rewriting.opened.rules, rewriting.options, &options)
        .map_err(|error| rewriting.named_input(error))?;
    let mut done = rewriting.rewrite(run, vec![sink])?;
    let (counts, engine) = (std::mem::take(&mut done.outcome.1), options.engine_for(&rewriting.opened.rules));
    let mut figures = if options.by_guesses {
        vec![("solved", counts.guesses.count())]
    } else {
        let names = ["easy", "medium", "hard", "very_hard", "fiendish", "ultra_hard"];
        names.into_iter().zip(counts.levels).collect()
    };
    figures.extend([("none", counts.none), ("multiple", counts.multiple), ("undecided", counts.undecided)]);
    if options.images > 0 {
        figures.extend([("symmetries", options.images), ("seed", seed)]);
    }
    let (name, version) = (engine.name, env!("CARGO_PKG_VERSION"));
    let mut text = if options.by_guesses {
        let (mean, most) = (counts.guesses.mean(), group_digits(counts.guesses.max()));
        format!(": {mean:.3} guesses per puzzle on average, at most {most} (engine {name}, galop {version})")
    } else {
        let level = |(level, count): (Level, u64)| format!("{} {}", group_digits(count), level.name());
        let levels: Vec<String> = Level::ALL.into_iter().zip(counts.levels).map(level).collect();
        format!(": {} (galop {version})", levels.join(", "))
    };
    let unrated = [
        (counts.none, "without a solution"),
        (counts.multiple, "with several solutions"),
        (counts.undecided, "left open by the engine"),
    ];
    for (count, what) in unrated.into_iter().filter(|(count, _)| *count > 0) {
        text += &format!(", {} {what}", group_digits(count));
    }
    if options.images > 0 && args.seed.is_none() {
        text += &format!(", --seed {seed}");
    }
    let guesses = Some(&counts.guesses).filter(|_| options.by_guesses);
    rewriting.close(done, &Summary { engine: Some(engine), figures: &figures, guesses, text: &text })
}
