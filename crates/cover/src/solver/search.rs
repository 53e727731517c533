//! The questions to a solver: count, list, iterate, or find one solution.

use std::ops::ControlFlow;

use super::parallel::Aim;
use super::{CoverLimits, CoverOutcome, Observer, Progress, Solutions, Solver};
use crate::error::CoverError;
use crate::{Assumptions, OptionId};

/// A search that [`Solver::search`] prepares, and that one of its methods runs.
///
/// ```
/// use galop_cover::{CoverLimits, Progress, models};
///
/// let queens = models::queens(8)?;
/// let mut solver = queens.solver()?;
/// let mut share = 0.0;
/// let mut watch = |progress: &Progress| share = progress.fraction;
/// let outcome = solver.search(&CoverLimits::NONE).observe(&mut watch).count()?;
/// assert!(outcome.solutions == 92 && share == 1.0);
/// for solution in solver.search(&CoverLimits::first(3)) {
///     assert_eq!(solution?.len(), 8);
/// }
/// # Ok::<(), galop_cover::CoverError>(())
/// ```
#[must_use = "a search does nothing until one of its methods runs it"]
pub struct Search<'s, 'p, 'l> {
    solver: &'s mut Solver<'p>,
    limits: CoverLimits<'l>,
    observer: Option<&'s mut (dyn Observer + 's)>,
}

impl<'p> Solver<'p> {
    /// Prepares a search for all solutions that fit the [assumptions](Self::assume), up to `limits`.
    pub fn search<'s, 'l>(&'s mut self, limits: &CoverLimits<'l>) -> Search<'s, 'p, 'l> {
        Search { solver: self, limits: *limits, observer: None }
    }
}

impl<'s, 'p, 'l> Search<'s, 'p, 'l> {
    /// Reports to `observer` while the search runs: the progress about twenty times a second and at the end, and for
    /// [`list`](Self::list) every solution. A closure that takes a [`Progress`] is an observer.
    pub fn observe(self, observer: &'s mut (dyn Observer + 's)) -> Search<'s, 'p, 'l> {
        Search { observer: Some(observer), ..self }
    }

    /// Counts the solutions. (The first thousand and every 64th after them are checked.)
    ///
    /// With [`Choice::Auto`](super::Choice::Auto) and no limit on solutions, one thread first tries to count without
    /// finding each solution. Equal subproblems are searched only once, and independent parts one after the other.
    /// Where a short border lies between the covered items and the others, as on a board, the states of the border are
    /// counted instead. If a limit stops such a count, only the solutions found before are counted.
    ///
    /// # Errors
    /// [`CoverError::WrongCover`] if a solution fails its check, which is a bug; [`CoverError::Threads`] if the threads
    /// cannot be started.
    pub fn count(self) -> Result<CoverOutcome, CoverError> {
        Ok(self.run(Aim::Count, false)?.0)
    }

    /// Counts as [`count`](Self::count) does, and returns also what remains when a limit on nodes, the deadline or the
    /// flag for cancelling ends the count: parts that hold exactly the solutions that were not counted. A later count
    /// of these parts, even by another program, gives the rest. There are none if the count is complete.
    ///
    /// ```
    /// use galop_cover::{CoverLimits, models};
    ///
    /// let queens = models::queens(10)?;
    /// let mut solver = queens.solver()?;
    /// let limits = CoverLimits::NONE.with_nodes(3000);
    /// let (outcome, mut open) = solver.search(&limits).count_and_keep()?;
    /// let mut sum = outcome.solutions;
    /// while !open.is_empty() {
    ///     solver.assume_any(&open)?;
    ///     let (outcome, rest) = solver.search(&limits).count_and_keep()?;
    ///     sum += &outcome.solutions;
    ///     open = rest;
    /// }
    /// assert_eq!(sum, 724);
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`count`](Self::count).
    pub fn count_and_keep(self) -> Result<(CoverOutcome, Vec<Assumptions>), CoverError> {
        self.run(Aim::Count, true)
    }

    /// Reports every solution to the [observer](Self::observe).
    ///
    /// # Errors
    /// The errors of [`count`](Self::count). The observer does not receive a solution that fails its check.
    pub fn list(self) -> Result<CoverOutcome, CoverError> {
        Ok(self.run(Aim::List, false)?.0)
    }

    /// Calls `each` with every solution, its options ascending, until it breaks. The observer receives only the
    /// progress.
    ///
    /// # Errors
    /// The errors of [`list`](Self::list).
    pub fn for_each(
        self,
        each: impl FnMut(&[OptionId]) -> ControlFlow<()> + Send,
    ) -> Result<CoverOutcome, CoverError> {
        let Search { solver, limits, observer } = self;
        let mut calls = Calls { each, observer };
        Search { solver, limits, observer: Some(&mut calls) }.list()
    }

    /// The first solution that is found, its options ascending. With a [seed](super::Setup::seed) the search restarts
    /// where its order is hopeless, so it may not be the first one in order. On several threads it is the one that any
    /// of them finds first, unless they deliver solutions [in order](Solver::set_ordered). `None` if there is no
    /// solution, or if a limit stopped the search ([`Solver::outcome`] says which). Restarts add nodes to the progress;
    /// its share is the share of the search in order.
    ///
    /// # Errors
    /// The errors of [`list`](Self::list).
    pub fn first(self) -> Result<Option<Vec<OptionId>>, CoverError> {
        let Search { solver, limits, observer } = self;
        if solver.threads == 1 && observer.is_none() {
            return solver.first_alone(&limits);
        }
        let mut first = None;
        let each = |options: &[OptionId]| {
            first = Some(options.to_vec());
            ControlFlow::Break(())
        };
        let mut calls = Calls { each, observer };
        solver.keeps_open = false;
        solver.run(&limits, &mut calls, Aim::List, true)?;
        Ok(first)
    }

    /// The outcome, and what remains if `keeps_open`.
    fn run(self, aim: Aim, keeps_open: bool) -> Result<(CoverOutcome, Vec<Assumptions>), CoverError> {
        let Search { solver, limits, observer } = self;
        let wants_some = limits.solutions.is_some();
        solver.keeps_open = keeps_open;
        let outcome = match observer {
            Some(observer) => solver.run(&limits, observer, aim, wants_some),
            None => solver.run(&limits, &mut |_: &Progress| {}, aim, wants_some),
        };
        Ok((outcome?, std::mem::take(&mut solver.open)))
    }
}

/// Iterates over the solutions on the thread that asks for them. The search runs only while the iterator is asked for
/// the next solution; nothing is searched after the iterator is dropped. The observer is not called. (A
/// [`SolutionStream`](super::SolutionStream) searches ahead on threads of its own.)
impl<'s, 'p, 'l> IntoIterator for Search<'s, 'p, 'l> {
    type Item = Result<Vec<OptionId>, CoverError>;
    type IntoIter = Solutions<'s, 'p, 'l>;

    fn into_iter(self) -> Solutions<'s, 'p, 'l> {
        let wants_some = self.limits.solutions.is_some();
        self.solver.iterate(&self.limits, wants_some)
    }
}

impl Solver<'_> {
    /// The first solution, on one thread, without an observer.
    fn first_alone(&mut self, limits: &CoverLimits<'_>) -> Result<Option<Vec<OptionId>>, CoverError> {
        let mut depths = std::mem::take(&mut self.depths);
        depths.clear();
        let mut solutions = self.iterate(limits, true);
        solutions.meter.depths = depths;
        let has_found = solutions.advance();
        let outcome = solutions.outcome();
        let depths = std::mem::take(&mut solutions.meter.depths);
        (self.outcome, self.depths) = (outcome, depths);
        Ok(has_found?.then(|| self.first.solution.clone()))
    }
}

/// Gives the solutions to a closure, and the progress to an observer.
struct Calls<'s, E> {
    each: E,
    observer: Option<&'s mut (dyn Observer + 's)>,
}

impl<E: FnMut(&[OptionId]) -> ControlFlow<()> + Send> Observer for Calls<'_, E> {
    fn solution(&mut self, options: &[OptionId]) -> ControlFlow<()> {
        (self.each)(options)
    }

    fn progress(&mut self, progress: &Progress) {
        if let Some(observer) = &mut self.observer {
            observer.progress(progress);
        }
    }
}

impl std::fmt::Debug for Search<'_, '_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Search")
            .field("solver", &self.solver)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
