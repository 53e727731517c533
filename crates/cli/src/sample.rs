//! `galop sample`.

use std::process::ExitCode;

use galop::figures::{group_digits, pluralize};
use galop_corpora::{Amount, DrawRun, RecordCounter};

use super::args::SampleArgs;
use super::rewrite::{Ended, Rewriting, draw_seed};

pub(super) fn run(args: &SampleArgs) -> anyhow::Result<ExitCode> {
    let (input, part, rewrite, reports) = (&args.input, &args.part, &args.rewrite, &*args.report);
    let count = args.amount.count;
    let (mut rewriting, mut again, sink) = match count {
        Some(_) => Rewriting::open_twice(input, part, rewrite, reports)?,
        None => {
            let (rewriting, sink) = Rewriting::open(input, part, rewrite, reports)?;
            (rewriting, Vec::new(), sink)
        }
    };
    let amount = match count {
        Some(count) => {
            let mut counter = RecordCounter::open(&rewriting.rules, rewriting.options)
                .map_err(|error| rewriting.named_input(error))?;
            rewriting.each_source(|source, progress| counter.read(source, progress))?;
            let of = counter.finish();
            Amount::Exactly { count: count.min(of), of }
        }
        None => Amount::Share(args.amount.share.unwrap_or(0.0)),
    };
    let seed = args.seed.unwrap_or_else(draw_seed);
    let mut run = DrawRun::open(&rewriting.rules, rewriting.options, amount, seed, sink)
        .map_err(|error| rewriting.named_input(error))?;
    match count {
        Some(_) => rewriting.each_of(&mut again, |source, progress| run.draw(source, progress))?,
        None => rewriting.each_source(|source, progress| run.draw(source, progress))?,
    }
    let threads = run.threads();
    let (sink, outcome) = run.finish().map_err(|error| rewriting.named(error))?;
    let sum = rewriting.finish(sink, &outcome.rewritten)?;
    let mut summary = format!(": {} drawn", pluralize(outcome.drawn, "record", "records"));
    if let Some(lacking) = count.and_then(|count| count.checked_sub(outcome.drawn)).filter(|count| *count > 0)
    {
        summary += &format!(", {} fewer than asked for", group_digits(lacking));
    }
    if args.seed.is_none() {
        summary += &format!(", --seed {seed}");
    }
    let ended = Ended {
        engine: None,
        threads,
        outcome: &outcome.rewritten,
        figures: &[("drawn", outcome.drawn), ("seed", seed)],
        guesses: None,
        sum,
        summary: &summary,
    };
    Ok(rewriting.close(&ended))
}
