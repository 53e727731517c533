//! `galop cover best`: the solutions of least or of greatest total cost.

use std::num::NonZero;
use std::process::ExitCode;
use std::time::Duration;

use galop_batch::figures::{duration, group_digits, pluralize};
use galop_batch::printable;
use galop_cover::{Assumptions, End, Natural, Rank, RankProgress, Ranking, threads};
use serde_json::{Value, json};

use super::listing::Listing;
use super::report::number;
use super::{Ending, Out, Question, answer_each, limit_of, stopped};
use crate::args::{BestArgs, SolutionFormat, Verbosity};
use crate::progress::Progress;
use crate::{messages, output};

pub(super) fn run(args: &BestArgs) -> anyhow::Result<ExitCode> {
    let (writing, is_named) = (&args.speaking.writing, args.format.is_some());
    let format = writing.format(args.format, SolutionFormat::USUAL);
    answer_each(&args.problems.files, &args.problems.given, writing, is_named, |question, out| {
        search(args, format, question, out)
    })
}

impl BestArgs {
    fn rank(&self) -> Rank {
        if self.dearest { Rank::Dearest } else { Rank::Cheapest }
    }

    fn most(&self) -> usize {
        usize::try_from(self.limit).unwrap_or(usize::MAX)
    }
}

/// Searches for the best solutions of a problem, and prints them and the figures of the search.
fn search(
    args: &BestArgs,
    format: SolutionFormat,
    question: &Question<'_>,
    out: &mut Out,
) -> anyhow::Result<Ending> {
    let Assumptions { chosen, forbidden } = &question.assumptions;
    let threads = NonZero::new(args.threads.threads);
    let is_hidden =
        args.speaking.writing.quiet || output::is_terminal(args.speaking.writing.output.as_deref());
    let mut bar = Progress::new(args.bar.progress, Some(Progress::WHOLE), is_hidden);
    let limits = question.limits(&args.limits, None);
    let mut watch = |found: &RankProgress| show(&mut bar, found);
    let ranker = question.problem.rank(args.rank(), args.most()).threads(threads).watch(&mut watch);
    let ranking = ranker.assume(chosen, forbidden).search(&limits);
    bar.finish();
    let threads = threads::count(threads).get();
    let (ranking, time) = (ranking?, question.started.elapsed());
    let mut listing = Listing::new(question.name, &question.problem, format, out)?;
    for cover in &ranking.covers {
        if listing.print(&cover.options, Some(cover.cost)).is_break() {
            break;
        }
    }
    // The messages come after the solutions.
    listing.flush()?;
    let name = printable(question.name);
    if args.speaking.verbosity() >= Verbosity::Summary {
        messages::say(format_args!("{name}: {}", summary(threads, &ranking, time)));
    }
    if args.speaking.verbosity() == Verbosity::Verbose {
        let rate = ranking.nodes as f64 / time.as_secs_f64().max(1e-9);
        messages::say(format_args!(
            "  nodes    {} ({}/s)",
            group_digits(ranking.nodes),
            group_digits(rate as u64)
        ));
    }
    let is_stopped = ranking.end == End::Cancelled;
    if let Some(by) = limit_of(ranking.end).or(is_stopped.then_some("a signal")) {
        messages::warn(format_args!("{name}: stopped by {by}: {}", known(&ranking)));
    }
    let is_json = listing.is_json;
    if is_json {
        listing.write_line(&json(question, threads, &ranking, time))?;
    }
    let is_empty = ranking.covers.is_empty() && !is_json;
    match Ending::of(ranking.end) {
        _ if is_stopped && is_empty => Err(stopped(question.name)),
        _ if is_stopped => Ok(Ending::Stopped),
        Ending::Partial if is_empty => Ok(Ending::Unanswered),
        ending => Ok(ending),
    }
}

/// Shows the progress on the bar.
fn show(bar: &mut Progress, found: &RankProgress) {
    bar.set_share(found.fraction, || {
        let mut text = String::new();
        for (what, number) in [("best", found.best), ("bound", found.bound), ("gap", found.gap())] {
            text += &number.map_or_else(String::new, |number| format!("{what} {}  ", group(number)));
        }
        text + &format!("{} nodes", group_digits(found.nodes))
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
        (None, None) => "no solution has been found yet".into(),
        (None, Some(bound)) => format!("no solution has been found yet; all cost {side} {bound}"),
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

/// One line: what was found, and how long it took.
fn summary(threads: usize, ranking: &Ranking, time: Duration) -> String {
    let [best, ..] = words(ranking.rank);
    let result = match (ranking.covers.first(), ranking.end) {
        (None, End::Complete) => "no solution".into(),
        (None, _) => "no solution yet".into(),
        (Some(cover), End::Complete) => format!("{best} cost {}, proved", group(cover.cost)),
        (Some(cover), _) => format!("{best} cost so far {}", group(cover.cost)),
    };
    let threads = pluralize(threads as u64, "thread", "threads");
    format!("{result} in {} on {threads}", duration(time.as_nanos() as f64))
}

/// The JSON object after the solutions of a file.
fn json(question: &Question<'_>, threads: usize, ranking: &Ranking, time: Duration) -> String {
    let cost = |cost: Option<u128>| cost.map_or(Value::Null, |cost| number(&Natural::from(cost)));
    let object = json!({
        "file": question.name.to_string_lossy(),
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
