//! The diagram of a problem by the search that suits it: a sweep over its items, a counting search that remembers
//! subproblems, or the [plain](super::plain) search, which solves every problem.

use super::{Diagram, DiagramError, plain};
use crate::engine::{Meter, bitset, sweep};
use crate::{CoverLimits, ExactCover};
use galop_simd::Isa;

/// Options tested by a sweep at most, by the bound of its plan: a few seconds.
const MOST_WORK: f64 = 3e8;

/// The diagram of all solutions of `problem`.
///
/// # Errors
/// [`DiagramError::Stopped`] if a limit ends the search, and [`DiagramError::Memory`] if it needs more than about
/// `memory` bytes.
pub(super) fn build(
    problem: &ExactCover,
    limits: &CoverLimits<'_>,
    memory: usize,
) -> Result<Diagram, DiagramError> {
    let mut meter = Meter::new(limits.max_nodes(), limits.deadline, limits.cancel);
    let recorded = match sweep::SweepPlan::new(problem, MOST_WORK).filter(|plan| plan.work() <= MOST_WORK) {
        Some(plan) => sweep::record(&plan, &mut meter, memory),
        None => match bitset::record(problem, Isa::best(), &mut meter, memory) {
            Ok(recorded) => recorded,
            Err(_) => return plain::build(problem, limits, memory),
        },
    };
    let (builder, root) = recorded?;
    builder.finish(problem, root)
}
