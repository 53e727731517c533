//! One engine, searched step by step by the caller.

use super::{CoverEngine, CoverEntry, Event, Meter, Unsuitable};
use crate::{Assumptions, ExactCover, OptionId};
use galop_simd::Isa;

/// An engine that a caller starts again and again, for thousands of small related problems a second. Its solutions are
/// not checked. (A [`Solver`](crate::Solver) has limits, threads and the check.
/// [`Setup::stepper`](crate::Setup::stepper) makes a stepper that changes its engine during the search.)
///
/// ```
/// use galop_cover::engine::{self, Step, Stepper};
/// use galop_cover::{Assumptions, Isa, models};
///
/// let mut stepper = Stepper::new(&models::queens(6)?, &engine::LINKS, Isa::best())?;
/// stepper.start(&Assumptions::default(), u64::MAX);
/// assert_eq!(stepper.next(u64::MAX), Step::Solution);
/// assert_eq!(stepper.solution().len(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Stepper {
    engine: Box<dyn CoverEngine>,
    meter: Meter<'static>,
}

/// What ended a step of a [`Stepper`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Another solution.
    Solution,
    /// There are no more solutions.
    End,
    /// The limit on nodes or on guesses; the next step continues.
    Stopped,
}

impl Stepper {
    /// Builds an engine for `problem`.
    ///
    /// # Errors
    /// [`Unsuitable`] if the engine cannot solve this problem, or only counts.
    pub fn new(problem: &ExactCover, entry: &CoverEntry, isa: Isa) -> Result<Stepper, Unsuitable> {
        entry.check_lists()?;
        Ok(Stepper::with_engine((entry.make)(problem, isa.into())?))
    }

    pub(crate) fn with_engine(engine: Box<dyn CoverEngine>) -> Stepper {
        Stepper { engine, meter: Meter::new(u64::MAX, None, None) }
    }

    /// Starts a search that makes at most `guesses` guesses, and drops the search under way.
    pub fn start(&mut self, assumptions: &Assumptions, guesses: u64) {
        self.engine.start(assumptions);
        self.meter.begin(guesses);
    }

    /// Searches to the next solution, for at most `nodes` nodes.
    pub fn next(&mut self, nodes: u64) -> Step {
        self.meter.set_max_nodes(self.meter.nodes.saturating_add(nodes));
        match self.engine.next(&mut self.meter) {
            Event::Solution => Step::Solution,
            Event::End => Step::End,
            Event::Stopped(_) => Step::Stopped,
        }
    }

    /// The options of the last solution: the assumed ones first, the others in no particular order.
    #[must_use]
    pub fn solution(&self) -> &[OptionId] {
        self.engine.solution()
    }

    /// Nodes since the start: the root, and one for every option tried, or for every contradiction that a clause is
    /// learnt from.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.meter.nodes
    }

    /// Guesses since the start: options tried while another option of the same item was still open.
    #[must_use]
    pub fn guesses(&self) -> u64 {
        self.meter.guesses
    }
}

impl std::fmt::Debug for Stepper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stepper").field("meter", &self.meter).finish_non_exhaustive()
    }
}
