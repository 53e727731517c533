//! `galop sample`.

use std::process::ExitCode;

use anyhow::bail;
use galop_batch::figures::{group_digits, pluralize};
use galop_corpora::{Amount, RecordCounter, draw};

use super::args::SampleArgs;
use super::rewrite::{Rewriting, Summary, Wanted, draw_seed};

pub(super) fn run(args: &SampleArgs) -> anyhow::Result<ExitCode> {
    if args.rewrite.long_run.shard.is_some() {
        bail!("what galop sample draws depends on how many records come before, so it has no --shard");
    }
    Rewriting::check_seed(&args.rewrite, args.seed)?;
    let count = args.amount.count;
    let wanted = Wanted::new(&args.input, &args.part, &args.rewrite, &args.report);
    let (mut rewriting, sink) = Rewriting::open(Wanted { is_read_twice: count.is_some(), ..wanted })?;
    let amount = match count {
        Some(count) => {
            let mut counter = RecordCounter::open(&rewriting.opened.rules, rewriting.options)
                .map_err(|error| rewriting.named_input(error))?;
            rewriting.opened.read_first(|source, progress| counter.read(source, progress))?;
            let of = counter.finish();
            Amount::Exactly { count: count.min(of), of }
        }
        None => Amount::Share(args.amount.share.unwrap_or(0.0)),
    };
    let seed = args.seed.unwrap_or_else(draw_seed);
    let run = draw(&rewriting.opened.rules, rewriting.options, amount, seed)
        .map_err(|error| rewriting.named_input(error))?;
    let done = rewriting.rewrite(run, vec![sink])?;
    let drawn = done.outcome.1.drawn;
    let mut text = format!(": {} drawn", pluralize(drawn, "record", "records"));
    if let Some(lacking) = count.and_then(|count| count.checked_sub(drawn)).filter(|count| *count > 0) {
        text += &format!(", {} fewer than requested", group_digits(lacking));
    }
    if args.seed.is_none() {
        text += &format!(", --seed {seed}");
    }
    let figures = [("drawn", drawn), ("seed", seed)];
    rewriting.close(done, &Summary { figures: &figures, text: &text, ..Summary::default() })
}
