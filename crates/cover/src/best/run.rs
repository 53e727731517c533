//! A search for the best covers, from beginning to end.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::branches::Branches;
use super::costs::Costs;
use super::cutoff::Shared;
use super::remainder::Remainder;
use super::{Rank, RankProgress, RankedCover, Ranker, Ranking, cliques, ties};
use crate::engine::{Build, CoverEngine, Selection, Unsuitable};
use crate::error::CoverError;
use crate::{CoverLimits, End, ExactCover, Observer, OptionId, Progress, Solver};
use galop_simd::Isa;

/// The name of the search. It is not in the table of engines, because it does not find all covers.
const NAME: &str = "branch-and-bound";

/// A search for the best covers of a problem, and what it shares with its forks. Each step takes some milliseconds for
/// a million options.
fn engine(
    problem: &ExactCover,
    rank: Rank,
    most: usize,
    build: Build<'_>,
) -> Result<(Box<dyn CoverEngine>, Arc<Shared>), Unsuitable> {
    build.check(0)?;
    let costs = Costs::new(problem, rank);
    build.check(0)?;
    let shared = Arc::new(Shared::new(costs, most, problem.is_simple()));
    let state = Remainder::new(Arc::new(cliques::with_cliques(problem)));
    build.check(0)?;
    let engine = Branches::new(state, Arc::clone(&shared));
    build.check(0)?;
    Ok((Box::new(engine), shared))
}

/// Adds the covers found to the list.
struct Listing<'a, 'w> {
    shared: &'a Shared,
    rank: Rank,
    watch: Option<&'w mut (dyn FnMut(&RankProgress) + Send)>,
}

impl Observer for Listing<'_, '_> {
    fn solution(&mut self, options: &[OptionId]) -> ControlFlow<()> {
        self.shared.add(options);
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: &Progress) {
        let Some(watch) = &mut self.watch else { return };
        let given = |cost| self.shared.costs.given(cost);
        watch(&RankProgress {
            fraction: progress.fraction,
            nodes: progress.nodes,
            best: self.shared.best_cost().map(given),
            bound: self.shared.bound().map(given),
            rank: self.rank,
        });
    }
}

/// Searches for the best covers.
pub(super) fn run(ranker: Ranker<'_>, limits: &CoverLimits<'_>) -> Result<Ranking, CoverError> {
    let Ranker { problem, rank, most, threads, assumptions, watch } = ranker;
    if most == 0 {
        return Ok(nothing(rank, End::Solutions));
    }
    let build = Build::new(Isa::Portable, limits.deadline, limits.cancel);
    let (engine, shared) = match engine(problem, rank, most, build) {
        Err(Unsuitable::Stopped(stop)) => return Ok(nothing(rank, stop.into())),
        built => built.map_err(|why| CoverError::Unsuitable { engine: NAME, why })?,
    };
    let selection = Selection { name: NAME, why: "it finds the best covers" };
    let mut search = Solver::with_engine(problem, selection, engine);
    search.set_threads(threads)?;
    search.assume(&assumptions.chosen, &assumptions.forbidden)?;
    let limits = CoverLimits { solutions: None, ..*limits };
    let outcome = search.search(&limits).observe(&mut Listing { shared: &shared, rank, watch }).list()?;
    let (mut end, mut nodes) = (outcome.end, outcome.nodes);
    let mut bound = shared.bound();
    if end == End::Complete && shared.has_ignored_ties() {
        let left = limits.nodes.map(|most| most.saturating_sub(nodes));
        let sorted = ties::sort(&mut search, &shared, &CoverLimits { nodes: left, ..limits })?;
        (end, nodes, bound) = (sorted.0, nodes + sorted.1, None);
    }
    // No cover is better than the last one of a full list, unless it is still to be found.
    bound = match (bound, shared.last_cost()) {
        (Some(bound), Some(last)) => Some(bound.min(last)),
        (None, last) if end == End::Complete => last,
        (bound, _) => bound,
    };
    let cover = |found: super::cutoff::RatedCover| RankedCover {
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

/// What is known before the search.
fn nothing(rank: Rank, end: End) -> Ranking {
    Ranking { rank, covers: Vec::new(), bound: None, nodes: 0, end }
}
