//! The public interface of the search for the best covers: a problem, assumptions, threads.

use std::num::NonZero;

use super::{Rank, RankProgress, Ranking, run};
use crate::error::CoverError;
use crate::{Assumptions, CoverLimits, ExactCover, OptionId, Solver, threads};

/// Searches one problem for its best covers. It does what [`Solver::rank`] does, without a solver's engine, which that
/// search does not use: building one takes longer than a short search.
///
/// ```
/// use galop_cover::{CoverLimits, ExactCover, Rank, Ranker};
///
/// let problem: ExactCover = "a b c\na b |5\nc |1\na |2\nb c |3\nb |2\n".parse()?;
/// let mut ranker = Ranker::new(&problem);
/// ranker.assume(&[0], &[])?;
/// assert_eq!(ranker.rank(Rank::Cheapest, 1, &CoverLimits::NONE)?.covers[0].cost, 6);
/// # Ok::<(), galop_cover::CoverError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ranker<'p> {
    pub(super) problem: &'p ExactCover,
    pub(super) threads: usize,
    pub(super) assumptions: Assumptions,
    pub(super) parts: Option<Vec<Assumptions>>,
}

impl<'p> Ranker<'p> {
    /// A search of `problem` on one thread, without assumptions. Nothing is built yet.
    #[must_use]
    pub fn new(problem: &'p ExactCover) -> Ranker<'p> {
        Ranker { problem, threads: 1, assumptions: Assumptions::default(), parts: None }
    }

    /// Sets how many threads search the problem together; `None` is one for each core.
    ///
    /// # Errors
    /// [`CoverError::Threads`] if there is no memory for their stacks.
    pub fn set_threads(&mut self, threads: Option<NonZero<usize>>) -> Result<(), CoverError> {
        let count = threads::count(threads).get();
        threads::check_room(count)?;
        self.threads = count;
        Ok(())
    }

    /// How many threads search the problem together.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Sets the assumptions of all further searches, as [`Solver::assume`] does.
    ///
    /// # Errors
    /// [`CoverError::UnknownOption`]; the assumptions stay as they were.
    pub fn assume(&mut self, chosen: &[OptionId], forbidden: &[OptionId]) -> Result<(), CoverError> {
        let assumptions = Assumptions { chosen: chosen.to_vec(), forbidden: forbidden.to_vec() };
        assumptions.check(self.problem)?;
        self.assumptions = assumptions;
        Ok(())
    }

    /// Searches for the `most` cheapest or dearest covers that fit the assumptions. The limit on solutions is ignored.
    ///
    /// If another limit ends the search, the best covers found so far are returned, with a bound on all others. The
    /// deadline and the flag for cancelling hold from the start: a large problem takes a while to be prepared.
    ///
    /// # Errors
    /// [`CoverError::WrongCover`] if a solution fails its check, which is a bug; [`CoverError::Threads`] if the threads
    /// cannot be started.
    pub fn rank(&self, rank: Rank, most: usize, limits: &CoverLimits<'_>) -> Result<Ranking, CoverError> {
        self.rank_and_watch(rank, most, limits, &mut |_: &RankProgress| {})
    }

    /// Searches as [`rank`](Self::rank) does and reports the progress to `watch`, about twenty times a second.
    ///
    /// # Errors
    /// The errors of [`rank`](Self::rank).
    pub fn rank_and_watch(
        &self,
        rank: Rank,
        most: usize,
        limits: &CoverLimits<'_>,
        watch: &mut (dyn FnMut(&RankProgress) + Send),
    ) -> Result<Ranking, CoverError> {
        run::run(self, rank, most, limits, watch)
    }
}

impl ExactCover {
    /// The `most` covers of least total cost, the cheapest first; fewer if there are no more. Covers that cost the
    /// same are in the order of their options.
    ///
    /// ```
    /// let queens = galop_cover::models::model("queen-costs").map(|queens| (queens.make)(&["8"]));
    /// let best = queens.expect("a row of MODELS")?.best(1)?;
    /// assert_eq!(best[0].cost, 150);
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Ranker::rank`].
    pub fn best(&self, most: usize) -> Result<Vec<super::RankedCover>, CoverError> {
        Ok(Ranker::new(self).rank(Rank::Cheapest, most, &CoverLimits::NONE)?.covers)
    }

    /// The `most` covers of greatest total cost, the dearest first; fewer if there are no more.
    ///
    /// # Errors
    /// The errors of [`Ranker::rank`].
    pub fn worst(&self, most: usize) -> Result<Vec<super::RankedCover>, CoverError> {
        Ok(Ranker::new(self).rank(Rank::Dearest, most, &CoverLimits::NONE)?.covers)
    }
}

impl Solver<'_> {
    /// Searches for the `most` cheapest or dearest covers that fit the assumptions, on the threads of this solver.
    /// The engine of the solver is not used: a [`Ranker`] does the same and builds none.
    ///
    /// # Errors
    /// The errors of [`Ranker::rank`].
    pub fn rank(&self, rank: Rank, most: usize, limits: &CoverLimits<'_>) -> Result<Ranking, CoverError> {
        self.ranker().rank(rank, most, limits)
    }

    /// Searches as [`rank`](Self::rank) does and reports the progress to `watch`, about twenty times a second.
    ///
    /// # Errors
    /// The errors of [`Ranker::rank`].
    pub fn rank_and_watch(
        &self,
        rank: Rank,
        most: usize,
        limits: &CoverLimits<'_>,
        watch: &mut (dyn FnMut(&RankProgress) + Send),
    ) -> Result<Ranking, CoverError> {
        self.ranker().rank_and_watch(rank, most, limits, watch)
    }

    /// The problem, the assumptions and the number of threads.
    fn ranker(&self) -> Ranker<'_> {
        Ranker {
            problem: self.problem(),
            threads: self.threads(),
            assumptions: self.assumptions().clone(),
            parts: self.parts().map(<[_]>::to_vec),
        }
    }
}
