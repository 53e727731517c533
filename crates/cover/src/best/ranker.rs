//! The public interface of the search for the best covers: a problem, assumptions, threads.

use std::num::NonZero;

use super::{Rank, RankProgress, Ranking, run};
use crate::error::CoverError;
use crate::{Assumptions, CoverLimits, ExactCover, OptionId, threads};

/// A search of one problem for its best covers, which [`ExactCover::rank`] prepares.
#[must_use = "a search does nothing until `search` runs it"]
pub struct Ranker<'a> {
    pub(super) problem: &'a ExactCover,
    pub(super) rank: Rank,
    pub(super) most: usize,
    pub(super) threads: Option<NonZero<usize>>,
    pub(super) assumptions: Assumptions,
    pub(super) watch: Option<&'a mut (dyn FnMut(&RankProgress) + Send)>,
}

impl ExactCover {
    /// Prepares a search for the `most` covers of least total cost, or of greatest; fewer if there are no more. Covers
    /// that cost the same are in the order of their options.
    ///
    /// ```
    /// use galop_cover::{CoverLimits, ExactCover, OptionId, Rank};
    ///
    /// let problem: ExactCover = "a b c\na b |5\nc |1\na |2\nb c |3\nb |2\n".parse()?;
    /// let ranking = problem.rank(Rank::Cheapest, 1).search(&CoverLimits::NONE)?;
    /// assert_eq!(ranking.covers[0].cost, 5);
    /// assert_eq!(ranking.covers[0].options, [1, 2, 4]);
    /// // On all cores, and only covers with option 0.
    /// let ranker = problem.rank(Rank::Cheapest, 1).threads(None).assume(&[OptionId(0)], &[]);
    /// assert_eq!(ranker.search(&CoverLimits::NONE)?.covers[0].cost, 6);
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    pub fn rank(&self, rank: Rank, most: usize) -> Ranker<'_> {
        let threads = NonZero::new(1);
        Ranker { problem: self, rank, most, threads, assumptions: Assumptions::default(), watch: None }
    }
}

impl<'a> Ranker<'a> {
    /// Sets how many threads search the problem together; `None` is one for each core. The default is one.
    pub fn threads(self, threads: Option<NonZero<usize>>) -> Ranker<'a> {
        Ranker { threads, ..self }
    }

    /// Sets the assumptions: every cover contains the options `chosen` and none of `forbidden`.
    pub fn assume(self, chosen: &[OptionId], forbidden: &[OptionId]) -> Ranker<'a> {
        let assumptions = Assumptions { chosen: chosen.to_vec(), forbidden: forbidden.to_vec() };
        Ranker { assumptions, ..self }
    }

    /// Reports the progress to `watch`, about twenty times a second.
    pub fn watch(self, watch: &'a mut (dyn FnMut(&RankProgress) + Send)) -> Ranker<'a> {
        Ranker { watch: Some(watch), ..self }
    }

    /// Searches for the best covers. The limit on solutions is ignored.
    ///
    /// If another limit ends the search, the best covers found so far are returned, with a bound on all others. The
    /// deadline and the flag for cancelling hold from the start: a large problem takes a while to be prepared.
    ///
    /// # Errors
    /// [`CoverError::UnknownOption`] if an assumption names one; [`CoverError::WrongCover`] if a solution fails its
    /// check, which is a bug; [`CoverError::Threads`] if the threads cannot be started.
    pub fn search(self, limits: &CoverLimits<'_>) -> Result<Ranking, CoverError> {
        self.assumptions.check(self.problem)?;
        threads::check_room(threads::count(self.threads).get())?;
        run::run(self, limits)
    }
}

impl std::fmt::Debug for Ranker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Ranker { rank, most, threads, assumptions, .. } = self;
        let mut text = f.debug_struct("Ranker");
        text.field("rank", rank).field("most", most).field("threads", threads);
        text.field("assumptions", assumptions).finish_non_exhaustive()
    }
}
