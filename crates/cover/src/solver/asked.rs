//! What a solver is asked: to count, to list, or for one solution.

use std::ops::ControlFlow;

use super::parallel::Aim;
use super::{CoverLimits, CoverOutcome, Observer, Progress, Solver};
use crate::OptionId;
use crate::error::CoverError;

impl Solver<'_> {
    /// Counts the solutions. (The first thousand and every 64th after them are checked.)
    ///
    /// With [`Choice::Auto`](super::Choice::Auto) and no limit on solutions, one thread tries whether equal subproblems occur again: each
    /// is then searched only once, and of the solutions found one by one the first and every 64th are checked. If
    /// subproblems do not repeat, this shows after some hundred choices, and the search continues without. Where a
    /// short border lies between the items that are covered and the others, as on a board, one thread counts the
    /// states of the border instead, and finds no solutions. Independent parts are counted one after the other, also
    /// those into which the problem falls during the search. If a limit stops such a count, only the solutions found
    /// before are counted. A search that meets no solution learns which items fail, and covers these first.
    ///
    /// # Errors
    /// [`CoverError::WrongCover`] if a solution fails its check, which is a bug.
    pub fn count(&mut self, limits: &CoverLimits<'_>) -> Result<CoverOutcome, CoverError> {
        self.count_and_watch(limits, |_: &Progress| {})
    }

    /// Counts the solutions as [`count`](Self::count) does, and calls `watch` with the progress about twenty times a
    /// second and at the end.
    ///
    /// ```
    /// # let problem: galop_cover::ExactCover = "a b\na\nb\na b\n".parse()?;
    /// use galop_cover::CoverLimits;
    ///
    /// let mut share = 0.0;
    /// let mut solver = problem.solver()?;
    /// let outcome = solver.count_and_watch(&CoverLimits::NONE, |progress| share = progress.fraction)?;
    /// assert!(outcome.solutions == 2 && share == 1.0);
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    ///
    /// # Errors
    /// The same as those of `count`.
    pub fn count_and_watch(
        &mut self,
        limits: &CoverLimits<'_>,
        watch: impl FnMut(&Progress) + Send,
    ) -> Result<CoverOutcome, CoverError> {
        struct Counting<F>(F);
        impl<F: FnMut(&Progress) + Send> Observer for Counting<F> {
            fn solution(&mut self, _: &[OptionId]) -> ControlFlow<()> {
                ControlFlow::Continue(())
            }

            fn progress(&mut self, progress: &Progress) {
                (self.0)(progress);
            }
        }
        self.run(limits, &mut Counting(watch), Aim::Count, limits.solutions.is_some())
    }

    /// Calls `each` with every solution, its options ascending, until it breaks.
    ///
    /// # Errors
    /// [`CoverError::WrongCover`] if a solution fails its check, which is a bug; `each` does not receive it.
    pub fn for_each(
        &mut self,
        limits: &CoverLimits<'_>,
        each: impl FnMut(&[OptionId]) -> ControlFlow<()> + Send,
    ) -> Result<CoverOutcome, CoverError> {
        self.for_each_and_watch(limits, each, |_: &Progress| {})
    }

    /// Calls `each` with every solution as [`for_each`](Self::for_each) does, and `watch` with the progress about
    /// twenty times a second and at the end. (An [`Observer`] receives both, for state that they share.)
    ///
    /// # Errors
    /// The same as those of `for_each`.
    pub fn for_each_and_watch(
        &mut self,
        limits: &CoverLimits<'_>,
        each: impl FnMut(&[OptionId]) -> ControlFlow<()> + Send,
        watch: impl FnMut(&Progress) + Send,
    ) -> Result<CoverOutcome, CoverError> {
        struct Calls<E, W>(E, W);
        impl<E, W> Observer for Calls<E, W>
        where
            E: FnMut(&[OptionId]) -> ControlFlow<()> + Send,
            W: FnMut(&Progress) + Send,
        {
            fn solution(&mut self, options: &[OptionId]) -> ControlFlow<()> {
                (self.0)(options)
            }

            fn progress(&mut self, progress: &Progress) {
                (self.1)(progress);
            }
        }
        self.watch(limits, &mut Calls(each, watch))
    }

    /// Reports every solution and the progress to `observer`.
    ///
    /// # Errors
    /// [`CoverError::WrongCover`] if a solution fails its check, which is a bug; the observer does not receive it.
    pub fn watch(
        &mut self,
        limits: &CoverLimits<'_>,
        observer: &mut dyn Observer,
    ) -> Result<CoverOutcome, CoverError> {
        self.run(limits, observer, Aim::List, limits.solutions.is_some())
    }

    /// The first solution that is found, its options ascending. With a [seed](super::Setup::seed) the search restarts where
    /// its order is hopeless, so it may not be the first one in order; on several threads it is the one that any of them
    /// finds first, unless they deliver solutions [in order](Self::set_ordered). `None` if there is no solution, or if a
    /// limit stopped the search ([`outcome`](Self::outcome) says which).
    ///
    /// # Errors
    /// [`CoverError::WrongCover`] if the solution fails its check, which is a bug; [`CoverError::Threads`] if the threads
    /// cannot be started.
    pub fn first(&mut self, limits: &CoverLimits<'_>) -> Result<Option<Vec<OptionId>>, CoverError> {
        if self.threads > 1 {
            return self.first_and_watch(limits, |_: &Progress| {});
        }
        let mut depths = std::mem::take(&mut self.depths);
        depths.clear();
        let mut solutions = self.search(limits, true);
        solutions.meter.depths = depths;
        let found = solutions.advance();
        let outcome = solutions.outcome();
        let depths = std::mem::take(&mut solutions.meter.depths);
        (self.outcome, self.depths) = (outcome, depths);
        Ok(found?.then(|| self.first.solution.clone()))
    }

    /// Searches as [`first`](Self::first) does, and calls `watch` with the progress about twenty times a second, also
    /// while the search restarts, and at the end. Restarts add nodes; the share is that of the search in order.
    ///
    /// ```
    /// use galop_cover::{CoverLimits, models};
    ///
    /// let queens = models::model("queens").map(|queens| (queens.make)(&["20"])).expect("a row of MODELS")?;
    /// let mut nodes = 0;
    /// let first = queens.solver()?.first_and_watch(&CoverLimits::NONE, |progress| nodes = progress.nodes)?;
    /// assert!(first.is_some_and(|queens| queens.len() == 20) && nodes > 0);
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    ///
    /// # Errors
    /// The same as those of `first`.
    pub fn first_and_watch(
        &mut self,
        limits: &CoverLimits<'_>,
        watch: impl FnMut(&Progress) + Send,
    ) -> Result<Option<Vec<OptionId>>, CoverError> {
        struct First<W>(Option<Vec<OptionId>>, W);
        impl<W: FnMut(&Progress) + Send> Observer for First<W> {
            fn solution(&mut self, options: &[OptionId]) -> ControlFlow<()> {
                self.0 = Some(options.to_vec());
                ControlFlow::Break(())
            }

            fn progress(&mut self, progress: &Progress) {
                (self.1)(progress);
            }
        }
        let mut first = First(None, watch);
        self.run(limits, &mut first, Aim::List, true)?;
        Ok(first.0)
    }
}
