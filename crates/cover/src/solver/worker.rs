//! What one thread needs for its searches.

use crate::engine::{CoverEngine, Driver};
use crate::error::CoverError;
use crate::problem::CoverChecker;
use crate::{Assumptions, ExactCover, OptionId};

/// An engine, the check of its solutions, and memory that searches reuse.
pub(super) struct Worker<'p> {
    pub(super) engine: Box<dyn CoverEngine>,
    checker: CoverChecker<&'p ExactCover>,
    /// The last solution taken, its options ascending.
    pub(super) solution: Vec<OptionId>,
    /// Memory for the nodes at each depth.
    pub(super) depths: Vec<u64>,
}

impl<'p> Worker<'p> {
    pub(super) fn new(problem: &'p ExactCover, engine: Box<dyn CoverEngine>) -> Worker<'p> {
        let (solution, depths) = (Vec::new(), Vec::new());
        Worker { engine, checker: CoverChecker::new(problem), solution, depths }
    }

    /// Checks the engine's solution and copies it to `solution`.
    pub(super) fn take_solution(
        &mut self,
        engine: &'static str,
        assumptions: &Assumptions,
    ) -> Result<(), CoverError> {
        self.check_solution(engine, assumptions)?;
        self.solution.clear();
        self.solution.extend_from_slice(self.engine.solution());
        self.solution.sort_unstable();
        Ok(())
    }

    /// Checks the engine's solution. `engine` is named in the error, unless it delegates to another one.
    pub(super) fn check_solution(
        &mut self,
        engine: &'static str,
        assumptions: &Assumptions,
    ) -> Result<(), CoverError> {
        let options = self.engine.solution();
        self.checker.check(options, assumptions).map_err(|violation| {
            let engine =
                self.engine.as_driver().and_then(Driver::delegate).map_or(engine, |selection| selection.name);
            let mut options = options.to_vec();
            options.sort_unstable();
            CoverError::WrongCover { engine, options, violation }
        })
    }
}
