//! The figures of a search, as text and as JSON.

use std::path::Path;
use std::time::Duration;

use galop::figures::{duration, group_digits};
use galop::printable;
use galop_cover::engine::StageFigures;
use galop_cover::{CoverOutcome, End, ExactCover, Natural, Solver};
use serde_json::json;

use super::at_least;

/// The JSON object after the solutions of a file.
pub(super) fn summary(name: &Path, solver: &Solver<'_>, outcome: &CoverOutcome, time: Duration) -> String {
    let engine = (solver.engine().name, solver.why(), &solver.stages()[..]);
    summary_of(name, engine, solver.threads(), solver.depths(), outcome, time)
}

/// The same, from the parts of the solver.
pub(super) fn summary_of(
    name: &Path,
    (engine, why, stages): (&str, &str, &[StageFigures]),
    threads: usize,
    depths: &[u64],
    outcome: &CoverOutcome,
    time: Duration,
) -> String {
    let object = json!({
        "file": name.to_string_lossy(),
        "solutions": number(&outcome.solutions),
        "is_lower_bound": outcome.end != End::Complete,
        "end": outcome.end.name(),
        "nodes": outcome.nodes,
        "updates": outcome.updates,
        "depths": depths,
        "engine": engine,
        "why": why,
        "stages": stages.iter().map(stage).collect::<Vec<_>>(),
        "threads": threads,
        "seconds": time.as_secs_f64(),
    });
    format!("{object}\n")
}

fn stage(stage: &StageFigures) -> serde_json::Value {
    json!({"name": stage.name, "nodes": stage.nodes, "seconds": stage.time.as_secs_f64()})
}

/// A number in JSON; a string if it has more than 64 bits, because many readers would lose digits.
pub(super) fn number(number: &Natural) -> serde_json::Value {
    small(number).map_or_else(|| json!(number.to_string()), |number| json!(number))
}

fn small(number: &Natural) -> Option<u64> {
    number.to_u128().and_then(|number| u64::try_from(number).ok())
}

/// What the stages of a search took, for people.
pub(super) fn stages(solver: &Solver<'_>) -> String {
    let stages = solver.stages().into_iter().map(|StageFigures { name, nodes, time, .. }| {
        format!("{name} {} nodes in {}", group_digits(nodes), duration(time.as_nanos() as f64))
    });
    stages.collect::<Vec<_>>().join(", ")
}

/// The statistics of a search, for people. The last line has no line feed.
pub(super) fn statistics(
    name: &Path,
    solver: &Solver<'_>,
    problem: &ExactCover,
    outcome: &CoverOutcome,
    time: Duration,
) -> String {
    let rate = outcome.nodes as f64 / time.as_secs_f64().max(1e-9);
    let solutions = if outcome.solutions == 1 { "solution" } else { "solutions" };
    let threads = if solver.threads() == 1 { "thread" } else { "threads" };
    let mut text = format!(
        "{}: {}{} {solutions} in {}, {} on {} {threads}\n",
        printable(name),
        at_least(outcome),
        small(&outcome.solutions).map_or_else(|| outcome.solutions.to_string(), group_digits),
        duration(time.as_nanos() as f64),
        solver.engine().name,
        solver.threads(),
    );
    let secondary = problem.item_count() - problem.primary_count();
    text += &format!(
        "  problem  {} + {} items, {} options\n",
        group_digits(problem.primary_count() as u64),
        group_digits(secondary as u64),
        group_digits(problem.option_count() as u64),
    );
    text += &format!("  nodes    {} ({}/s)\n", group_digits(outcome.nodes), group_digits(rate as u64));
    text += &format!("  updates  {}\n", group_digits(outcome.updates));
    text += "  depth    nodes";
    for (depth, &nodes) in solver.depths().iter().enumerate() {
        text += &format!("\n  {depth:>5}    {}", group_digits(nodes));
    }
    text
}
