//! What a search for all or some solutions did: as text, as JSON, as a count.

use std::time::Duration;

use galop_batch::figures::{duration, group_digits, pluralize};
use galop_batch::printable;
use galop_cover::engine::StageFigures;
use galop_cover::{CoverOutcome, End, Natural, Solver};
use serde_json::json;

use super::{Question, limit_of};
use crate::args::Verbosity;
use crate::messages;

/// What a search did.
pub(super) struct Report<'a> {
    pub(super) question: &'a Question<'a>,
    pub(super) engine: &'static str,
    pub(super) why: &'static str,
    pub(super) stages: Vec<StageFigures>,
    pub(super) threads: usize,
    pub(super) depths: Vec<u64>,
    pub(super) outcome: CoverOutcome,
    pub(super) time: Duration,
}

impl<'a> Report<'a> {
    /// The report of a search that has just ended.
    pub(super) fn of(question: &'a Question<'a>, solver: &Solver<'_>, outcome: CoverOutcome) -> Report<'a> {
        Report {
            question,
            engine: solver.engine(),
            why: solver.why(),
            stages: solver.stages(),
            threads: solver.threads(),
            depths: solver.depths().to_vec(),
            outcome,
            time: question.started.elapsed(),
        }
    }

    /// What stands before the number of solutions: `>=` if the search was not complete.
    fn at_least(&self) -> &'static str {
        if self.outcome.end == End::Complete { "" } else { ">=" }
    }

    /// The line of a count.
    pub(super) fn count_line(&self) -> String {
        let number = format!("{}{}\n", self.at_least(), self.outcome.solutions);
        match self.question.is_one_of_many {
            true => format!("{}:{number}", printable(self.question.name)),
            false => number,
        }
    }

    /// The JSON object of a count, or after the solutions of a file.
    pub(super) fn json(&self) -> String {
        let stage = |stage: &StageFigures| json!({"name": stage.name, "nodes": stage.nodes, "ticks": stage.ticks, "seconds": stage.time.as_secs_f64()});
        let object = json!({
            "file": self.question.name.to_string_lossy(),
            "solutions": number(&self.outcome.solutions),
            "is_lower_bound": self.outcome.end != End::Complete,
            "end": self.outcome.end.name(),
            "nodes": self.outcome.nodes,
            "ticks": self.outcome.ticks,
            "depths": self.depths,
            "engine": self.engine,
            "why": self.why,
            "stages": self.stages.iter().map(stage).collect::<Vec<_>>(),
            "threads": self.threads,
            "seconds": self.time.as_secs_f64(),
        });
        format!("{object}\n")
    }

    /// Prints the figures of the search for people. Warns if a limit ended it, because the output then looks complete
    /// but is not.
    pub(super) fn say(&self, verbosity: Verbosity) {
        if verbosity == Verbosity::Verbose {
            self.say_stages();
        }
        if verbosity >= Verbosity::Summary {
            messages::say(self.summary());
        }
        if verbosity == Verbosity::Verbose {
            messages::say(self.figures());
        }
        let name = printable(self.question.name);
        if let Some(limit) = limit_of(self.outcome.end) {
            let solutions = count_of(&self.outcome.solutions);
            messages::warn(format_args!("{name}: stopped by {limit}: there may be more than {solutions}"));
        }
    }

    /// One line: what was found, and how long it took.
    fn summary(&self) -> String {
        format!(
            "{}: {}{} in {}, {} on {}",
            printable(self.question.name),
            self.at_least(),
            count_of(&self.outcome.solutions),
            duration(self.time.as_nanos() as f64),
            self.engine,
            pluralize(self.threads as u64, "thread", "threads"),
        )
    }

    /// What the stages of the search took, and their shares of all ticks.
    fn say_stages(&self) {
        let all = self.stages.iter().map(|stage| stage.ticks).sum::<u64>().max(1) as f64;
        let stages = self.stages.iter().map(|StageFigures { name, nodes, ticks, time, .. }| {
            let (nodes, time) = (pluralize(*nodes, "node", "nodes"), duration(time.as_nanos() as f64));
            let share = 100.0 * *ticks as f64 / all;
            format!("{name} {nodes} in {time} ({} ticks, {share:.0} %)", group_digits(*ticks))
        });
        let stages = stages.collect::<Vec<_>>().join(", ");
        if !stages.is_empty() {
            messages::say(format_args!("{}: stages: {stages}", printable(self.question.name)));
        }
    }

    /// The size of the problem and of the search tree. The last line has no line feed.
    fn figures(&self) -> String {
        let (problem, outcome) = (&self.question.problem, &self.outcome);
        let rate = outcome.nodes as f64 / self.time.as_secs_f64().max(1e-9);
        let secondary = problem.item_count() - problem.primary_count();
        let mut text = format!(
            "  problem  {} + {}, {}\n",
            group_digits(problem.primary_count() as u64),
            pluralize(secondary as u64, "item", "items"),
            pluralize(problem.option_count() as u64, "option", "options"),
        );
        text += &format!("  nodes    {} ({}/s)\n", group_digits(outcome.nodes), group_digits(rate as u64));
        text += &format!("  ticks    {}\n", group_digits(outcome.ticks));
        text += "  depth    nodes";
        for (depth, &nodes) in self.depths.iter().enumerate() {
            text += &format!("\n  {depth:>5}    {}", group_digits(nodes));
        }
        text
    }
}

/// A number in JSON; a string if it has more than 64 bits, because many readers would lose digits.
pub(super) fn number(number: &Natural) -> serde_json::Value {
    small(number).map_or_else(|| json!(number.to_string()), |number| json!(number))
}

fn small(number: &Natural) -> Option<u64> {
    number.to_u128().and_then(|number| u64::try_from(number).ok())
}

/// A number of solutions for people.
pub(super) fn count_of(solutions: &Natural) -> String {
    small(solutions)
        .map_or_else(|| format!("{solutions} solutions"), |number| pluralize(number, "solution", "solutions"))
}
