//! The diagram of a problem by the search that suits it: a sweep over its items, a counting search that remembers
//! subproblems, or the [`plain`] search, which solves every problem.

pub(crate) mod plain;

use crate::diagram::{Diagram, DiagramError};
use crate::engine::sweep::{self, SweepPlan};
use crate::engine::{Meter, bitset};
use crate::memory::Memory;
use crate::{CoverLimits, ExactCover};
use galop_simd::Isa;

/// Options tested by a sweep at most, by the bound of its plan: a few seconds.
const MOST_WORK: f64 = 3e8;

impl Diagram {
    /// The diagram of all solutions of `problem`.
    ///
    /// ```
    /// use galop_cover::{CoverLimits, diagram::Diagram, models};
    ///
    /// let dominoes = models::dominoes(8, 8)?;
    /// let diagram = Diagram::build(&dominoes, &CoverLimits::NONE, None)?;
    /// assert_eq!(diagram.count(), 12_988_816);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DiagramError::Stopped`] if a limit ends the search (a limit on solutions does not), and
    /// [`DiagramError::Memory`] if it needs more than about `memory` bytes; `None` is a quarter of the memory of this
    /// machine.
    pub fn build(
        problem: &ExactCover,
        limits: &CoverLimits<'_>,
        memory: Option<u64>,
    ) -> Result<Diagram, DiagramError> {
        let memory = Memory::new(memory).bytes();
        let mut meter = Meter::new(limits.max_nodes(), limits.deadline, limits.cancel);
        let plan = SweepPlan::new(problem, MOST_WORK, MOST_WORK).filter(|plan| plan.work() <= MOST_WORK);
        let recorded = match plan {
            Some(plan) => sweep::record(&plan, &mut meter, memory),
            None => match bitset::record(problem, Isa::best(), &mut meter, memory) {
                Ok(recorded) => recorded,
                Err(_) => return plain::build(problem, limits, memory),
            },
        };
        let (builder, root) = recorded?;
        builder.finish(problem, root)
    }
}
