//! A search for the best covers, from beginning to end.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::branches::Branches;
use super::costs::Costs;
use super::cutoff::Shared;
use super::{Rank, RankProgress, RankedCover, Ranking, ties};
use crate::engine::{CoverEngine, CoverEntry, Selection};
use crate::error::CoverError;
use crate::{CoverLimits, End, ExactCover, Observer, OptionId, Progress, Solver};

/// The search as an engine. It is not in the table of engines, because it does not find all covers.
static ENTRY: CoverEntry = CoverEntry {
    name: "branch-and-bound",
    about: "branch and bound with prices of items",
    make: |problem, _| Ok(engine(problem, Rank::Cheapest, 1).0),
};

/// A search for the best covers of a problem, and what it shares with its forks.
fn engine(problem: &ExactCover, rank: Rank, most: usize) -> (Box<dyn CoverEngine>, Arc<Shared>) {
    let shared = Arc::new(Shared::new(Costs::new(problem, rank), most, problem.is_simple()));
    let engine = Branches::new(Arc::new(problem.without_names()), Arc::clone(&shared));
    (Box::new(engine), shared)
}

/// Adds the covers found to the list.
struct Listing<'a> {
    shared: &'a Shared,
    rank: Rank,
    watch: &'a mut (dyn FnMut(&RankProgress) + Send),
}

impl Observer for Listing<'_> {
    fn solution(&mut self, options: &[OptionId]) -> ControlFlow<()> {
        self.shared.add(options);
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &Progress) {
        let given = |cost| self.shared.costs.given(cost);
        (self.watch)(&RankProgress {
            fraction: progress.fraction,
            nodes: progress.nodes,
            best: self.shared.best_cost().map(given),
            bound: self.shared.bound().map(given),
            rank: self.rank,
        });
    }
}

/// Searches for the best covers of the problem of `solver`, with its assumptions and its number of threads.
pub(super) fn run(
    solver: &Solver<'_>,
    rank: Rank,
    most: usize,
    limits: &CoverLimits<'_>,
    watch: &mut (dyn FnMut(&RankProgress) + Send),
) -> Result<Ranking, CoverError> {
    if most == 0 {
        return Ok(Ranking { rank, covers: Vec::new(), bound: None, nodes: 0, end: End::Solutions });
    }
    let (engine, shared) = engine(solver.problem(), rank, most);
    let selection = Selection { entry: &ENTRY, why: "it finds the best covers" };
    let mut search = solver.with_engine(selection, engine)?;
    let limits = CoverLimits { solutions: None, ..*limits };
    let outcome = search.watch(&limits, &mut Listing { shared: &shared, rank, watch })?;
    let (mut end, mut nodes) = (outcome.end, outcome.nodes);
    let mut bound = shared.bound();
    if end == End::Complete && shared.has_ignored_ties() {
        let left = limits.nodes.map(|most| most.saturating_sub(nodes));
        (end, nodes) = {
            let (end, more) = ties::sort(&mut search, &shared, &CoverLimits { nodes: left, ..limits })?;
            (end, nodes + more)
        };
        bound = None;
    }
    // No cover is better than the last one of a full list, unless it is still to be found.
    if let Some(last) = shared.last_cost() {
        bound = Some(bound.map_or(last, |bound| bound.min(last)));
    }
    let cover = |found: super::cutoff::Found| RankedCover {
        cost: shared.costs.given(found.cost),
        options: found.options,
    };
    Ok(Ranking {
        rank,
        covers: shared.covers().into_iter().map(cover).collect(),
        bound: bound.map(|bound| shared.costs.given(bound)),
        nodes,
        end,
    })
}
