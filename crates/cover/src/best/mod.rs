//! Cheapest covers: the solutions of least total cost, or of greatest, proved.
//!
//! ```
//! use galop_cover::{CoverLimits, ExactCover, Rank};
//!
//! let problem: ExactCover = "a b c\na b |5\nc |1\na |2\nb c |3\nb |2\n".parse()?;
//! let ranking = problem.rank(Rank::Cheapest, 2).search(&CoverLimits::NONE)?;
//! assert_eq!(ranking.covers.iter().map(|cover| cover.cost).collect::<Vec<_>>(), [5, 5]);
//! assert_eq!((ranking.gap(), ranking.end.name()), (Some(0), "complete"));
//! # Ok::<(), galop_cover::CoverError>(())
//! ```
//!
//! The search is a branch and bound ([`branches`]) in the manner of Knuth's program dlx5. Its bound comes from prices
//! of the items ([`prices`]); a linear program ([`program`]) finds the best prices. The search has the interface of an
//! engine, so a [`Solver`](crate::Solver) runs it: on any number of threads, with all limits, and with the independent
//! check of every cover found.
//! ```text
//! costs      scaled costs, exact costs            remainder  the chosen and the live options of a branch
//! cliques    items that let colours have prices   dive       a first cover, by the linear program
//! prices     the bound                            program    the best prices at the root
//! branches   the search                           ties       the first of very many covers of the same cost
//! cutoff     the best covers, for all threads     run        a search from beginning to end
//! ranker     the public interface
//! ```

mod branches;
mod cliques;
mod costs;
mod cutoff;
mod dive;
mod prices;
mod program;
mod ranker;
mod remainder;
mod run;
#[cfg(test)]
mod tests;
mod ties;

use crate::{End, OptionId};
pub use ranker::Ranker;

/// Which covers are best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// The covers of least total cost.
    Cheapest,
    /// The covers of greatest total cost.
    Dearest,
}

/// A cover and what it costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedCover {
    /// The sum of the costs of its options.
    pub cost: u128,
    /// Its options, ascending.
    pub options: Vec<OptionId>,
}

/// The best covers of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a limit may have ended the search: `end` says so"]
pub struct Ranking {
    /// Which covers are best.
    pub rank: Rank,
    /// The best covers found, the best first. Of covers that cost the same, the one with the smaller first option
    /// comes first, then the one with the smaller second option, and so on.
    pub covers: Vec<RankedCover>,
    /// A bound that is proved: no cover that is not in `covers` costs less (or more, for [`Rank::Dearest`]). `None`
    /// if the search is complete and there is no other cover, or if it was stopped at the very start.
    pub bound: Option<u128>,
    /// States examined.
    pub nodes: u64,
    /// What ended the search. If it is [`Complete`](End::Complete), no other cover is better than the listed ones.
    pub end: End,
}

impl Ranking {
    /// By how much the best cover of the problem may be better than the first of the list: 0 if it is the best one.
    /// `None` if nothing is known: no cover was found, or no bound.
    #[must_use]
    pub fn gap(&self) -> Option<u128> {
        let best = self.covers.first()?.cost;
        match self.bound {
            None => (self.end == End::Complete).then_some(0),
            Some(bound) => Some(gap(self.rank, best, bound)),
        }
    }
}

/// How far a search for the best covers is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankProgress {
    /// The share that is done, 0 to 1; all branches of a choice count alike.
    pub fraction: f64,
    /// States examined.
    pub nodes: u64,
    /// The cost of the best cover found.
    pub best: Option<u128>,
    /// What a cover that was not found yet costs at least (or at most, for [`Rank::Dearest`]).
    pub bound: Option<u128>,
    /// Which covers are best.
    pub rank: Rank,
}

impl RankProgress {
    /// By how much the best cover of the problem may be better than the best one found.
    #[must_use]
    pub fn gap(&self) -> Option<u128> {
        Some(gap(self.rank, self.best?, self.bound?))
    }
}

fn gap(rank: Rank, best: u128, bound: u128) -> u128 {
    match rank {
        Rank::Cheapest => best.saturating_sub(bound),
        Rank::Dearest => bound.saturating_sub(best),
    }
}
