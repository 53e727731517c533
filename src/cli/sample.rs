//! `galop sample`.

use std::process::ExitCode;

use galop::figures::{group_digits, pluralize};
use galop::pipeline::{Amount, DrawRun, RecordCounter};
use galop::report::{Corpus, CorpusRun};

use super::args::SampleArgs;
use super::command;
use super::rewrite::{Rewriting, draw_seed};

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
    let typed = command::typed();
    let corpus = Corpus::new(&CorpusRun {
        rules: &rewriting.rules,
        engine: None,
        threads,
        elapsed: rewriting.started.elapsed(),
        command: Some(&typed),
        outcome: &outcome.rewritten,
        figures: &[("drawn", outcome.drawn), ("seed", seed)],
    });
    let are_reports_written = rewriting.write_reports(corpus, sum);
    let mut summary = format!(": {} drawn", pluralize(outcome.drawn, "record", "records"));
    if let Some(lacking) = count.and_then(|count| count.checked_sub(outcome.drawn)).filter(|count| *count > 0)
    {
        summary += &format!(", {} fewer than asked for", group_digits(lacking));
    }
    if args.seed.is_none() {
        summary += &format!(", --seed {seed}");
    }
    let is_faulty = rewriting.say(&outcome.rewritten, &summary);
    Ok(ExitCode::from(if are_reports_written { u8::from(is_faulty) } else { 2 }))
}
