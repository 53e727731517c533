//! `galop cover --best` and `--worst`: the solutions of least and of greatest total cost.

use std::num::NonZero;
use std::path::Path;
use std::time::{Duration, Instant};

use galop::figures::{duration, group_digits};
use galop::printable;
use galop_cover::{Assumptions, CoverLimits, End, Natural, Rank, RankProgress, Ranking, threads};
use serde_json::{Value, json};

use super::listing::Listing;
use super::statistics::number;
use super::{Solved, limit_of};
use crate::args::CoverFormat;
use crate::messages;

/// Prints the `most` best solutions of a problem, and the figures of the search.
pub(super) fn solve(
    listing: &mut Listing<'_>,
    (rank, most): (Rank, usize),
    limits: &CoverLimits<'_>,
    assumptions: &Assumptions,
    started: Instant,
) -> anyhow::Result<Solved> {
    let Listing { args, name, problem, .. } = *listing;
    let threads = NonZero::new(args.threads);
    let mut watch = |progress: &RankProgress| show(listing, progress);
    let ranker = problem.rank(rank, most).threads(threads).watch(&mut watch);
    let ranking = ranker.assume(&assumptions.chosen, &assumptions.forbidden).search(limits)?;
    let threads = threads::count(threads).get();
    listing.progress.finish();
    let time = started.elapsed();
    for cover in &ranking.covers {
        listing.solution_of_cost(&cover.options, cover.cost);
    }
    // The messages come after the solutions.
    listing.flush();
    if listing.error.is_some() {
        return Ok(Solved::default());
    }
    if !args.quiet {
        messages::say(statistics(name, threads, &ranking, time));
    }
    let is_stopped = ranking.end == End::Cancelled;
    if let Some(by) = limit_of(ranking.end).or(is_stopped.then_some("a signal")) {
        messages::warn(format_args!("{}: stopped by {by}: {}", printable(name), known(&ranking)));
    }
    let line = (args.format == CoverFormat::Json).then(|| summary(name, threads, &ranking, time));
    Ok(Solved { line, is_partial: limit_of(ranking.end).is_some(), is_stopped })
}

/// Shows the progress on the bar.
fn show(listing: &mut Listing<'_>, progress: &RankProgress) {
    listing.progress.set_share(progress.fraction, || {
        let mut text = String::new();
        for (what, number) in [("best", progress.best), ("bound", progress.bound), ("gap", progress.gap())] {
            text += &number.map_or_else(String::new, |number| format!("{what} {}  ", group(number)));
        }
        text + &format!("{} nodes", group_digits(progress.nodes))
    });
}

/// A cost for people.
fn group(cost: u128) -> String {
    u64::try_from(cost).map_or_else(|_| cost.to_string(), group_digits)
}

/// The word for the best cost, and for the side on which its bound is.
fn words(rank: Rank) -> [&'static str; 3] {
    match rank {
        Rank::Cheapest => ["least", "at least", "cheaper"],
        Rank::Dearest => ["greatest", "at most", "dearer"],
    }
}

/// What a search that was stopped knows.
fn known(ranking: &Ranking) -> String {
    let [_, side, better] = words(ranking.rank);
    let bound = ranking.bound.map(group);
    match (ranking.covers.first(), bound) {
        (None, None) => "no solution was found yet".into(),
        (None, Some(bound)) => format!("no solution was found yet; all cost {side} {bound}"),
        (Some(best), None) => format!("the best solution found costs {}", group(best.cost)),
        (Some(best), Some(bound)) => match ranking.gap() {
            Some(0) => format!(
                "the best solution found costs {}, and none is {better}; the list is not complete",
                group(best.cost)
            ),
            gap => format!(
                "the best solution found costs {}; all others cost {side} {bound}: the gap is {}",
                group(best.cost),
                group(gap.unwrap_or(0))
            ),
        },
    }
}

/// The figures of a search, for people.
fn statistics(name: &Path, threads: usize, ranking: &Ranking, time: Duration) -> String {
    let [best, ..] = words(ranking.rank);
    let result = match (ranking.covers.first(), ranking.end) {
        (None, End::Complete) => "no solution".into(),
        (None, _) => "no solution yet".into(),
        (Some(cover), End::Complete) => format!("{best} cost {}, proved", group(cover.cost)),
        (Some(cover), _) => format!("{best} cost so far {}", group(cover.cost)),
    };
    let noun = if threads == 1 { "thread" } else { "threads" };
    let rate = ranking.nodes as f64 / time.as_secs_f64().max(1e-9);
    format!(
        "{}: {result} in {}, on {threads} {noun}\n  nodes    {} ({}/s)",
        printable(name),
        duration(time.as_nanos() as f64),
        group_digits(ranking.nodes),
        group_digits(rate as u64),
    )
}

/// The JSON object after the solutions of a file.
fn summary(name: &Path, threads: usize, ranking: &Ranking, time: Duration) -> String {
    let cost = |cost: Option<u128>| cost.map_or(Value::Null, |cost| number(&Natural::from(cost)));
    let object = json!({
        "file": name.to_string_lossy(),
        "solutions": ranking.covers.len(),
        "cost": cost(ranking.covers.first().map(|cover| cover.cost)),
        "bound": cost(ranking.bound),
        "gap": cost(ranking.gap()),
        "end": ranking.end.name(),
        "nodes": ranking.nodes,
        "threads": threads,
        "seconds": time.as_secs_f64(),
    });
    format!("{object}\n")
}
