//! A search for all or some solutions of a problem: how it is set up, and what is said about it.

use std::num::NonZero;

use anyhow::anyhow;
use galop_batch::pipeline::Shard;
use galop_batch::printable;
use galop_cover::{
    Assumptions, CoverError, CoverLimits, CoverOutcome, End, Shards, Sharing, Solver, threads,
};

use super::report::Report;
use super::{Question, stopped};
use crate::args::{SearchArgs, Verbosity};
use crate::messages;

/// Shards of a search: each of them cuts the search into a hundred times as many leaves.
const MOST_SHARDS: usize = 10_000;

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    Count,
    List { seed: u64, is_ordered: bool },
}

/// A search that has not begun.
pub(super) struct Search<'a> {
    question: &'a Question<'a>,
    args: &'a SearchArgs,
    is_verbose: bool,
    aim: Aim,
    /// What a machine searches that shares the search with others.
    pub(super) shard: Option<(Sharing, Vec<Assumptions>)>,
}

impl<'a> Search<'a> {
    /// Cuts the search if it is shared.
    pub(super) fn new(
        question: &'a Question<'a>,
        args: &'a SearchArgs,
        verbosity: Verbosity,
        aim: Aim,
    ) -> anyhow::Result<Search<'a>> {
        let is_verbose = verbosity == Verbosity::Verbose;
        let mut search = Search { question, args, is_verbose, aim, shard: None };
        if let Some(shard) = args.shard {
            search.shard = Some(search.share(shard, verbosity)?);
        }
        Ok(search)
    }

    fn share(&self, shard: Shard, verbosity: Verbosity) -> anyhow::Result<(Sharing, Vec<Assumptions>)> {
        let count = usize::try_from(shard.count()).ok().and_then(NonZero::new);
        let count = count.filter(|count| count.get() <= MOST_SHARDS);
        let count = count.ok_or_else(|| anyhow!("--shard: there can be at most {MOST_SHARDS} shards"))?;
        let Shards { sharing, mut shards } =
            self.question.problem.shards(count, &self.question.assumptions)?;
        let name = printable(self.question.name);
        match sharing {
            Sharing::Whole if count.get() > 1 && verbosity != Verbosity::Quiet => {
                messages::say(format_args!(
                    "{name}: the search is too short to be shared: shard 1/{count} has all of it, the others are empty"
                ));
            }
            Sharing::Repeated if self.aim == Aim::Count => messages::warn(format_args!(
                "{name}: a count of this problem remembers equal subproblems, and each shard repeats most of that \
                 work: one machine without --shard may take as long"
            )),
            _ => {}
        }
        Ok((sharing, shards.swap_remove(shard.index() as usize - 1)))
    }

    /// Builds the solver and lets `ask` search with it.
    pub(super) fn run(
        &self,
        limits: &CoverLimits<'_>,
        ask: impl FnOnce(&mut Solver<'_>) -> anyhow::Result<CoverOutcome>,
    ) -> anyhow::Result<Report<'a>> {
        let name = printable(self.question.name);
        let (seed, is_ordered) = match self.aim {
            Aim::Count => (0, false),
            Aim::List { seed, is_ordered } => (seed, is_ordered),
        };
        let mut solver = match Solver::new_within(&self.question.problem, self.args.setup(seed), limits) {
            Err(CoverError::Stopped { end: End::Deadline }) => return Ok(self.nothing_searched()),
            Err(CoverError::Stopped { .. }) => return Err(stopped(self.question.name)),
            built => built?,
        };
        solver.set_threads(NonZero::new(self.args.threads.threads))?;
        solver.set_ordered(is_ordered);
        match (&self.shard, &self.question.assumptions) {
            (Some((_, parts)), _) => solver.assume_any(parts)?,
            (None, Assumptions { chosen, forbidden }) => solver.assume(chosen, forbidden)?,
        }
        let begun = solver.engine();
        if self.is_verbose {
            messages::say(format_args!("{name}: engine {begun}: {}", solver.why()));
        }
        let outcome = ask(&mut solver)?;
        if outcome.end == End::Cancelled {
            return Err(stopped(self.question.name));
        }
        if self.is_verbose && solver.engine() != begun {
            messages::say(format_args!("{name}: then engine {}: {}", solver.engine(), solver.why()));
        }
        Ok(Report::of(self.question, &solver, outcome))
    }

    /// The report if the time is over before the search begins.
    fn nothing_searched(&self) -> Report<'a> {
        Report {
            question: self.question,
            engine: self.args.engine_name(),
            why: "nothing was searched",
            stages: Vec::new(),
            threads: threads::count(NonZero::new(self.args.threads.threads)).get(),
            depths: Vec::new(),
            outcome: CoverOutcome { end: End::Deadline, ..CoverOutcome::default() },
            time: self.question.started.elapsed(),
        }
    }
}
