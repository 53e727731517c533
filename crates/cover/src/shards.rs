//! Shares a search among machines, if that pays.
//!
//! Every machine computes its own share first, so all parts together take longer than the whole. A count that remembers
//! equal subproblems also repeats most of its work in each part. So there are three ways:
//! ```text
//! the search is expected to have few nodes for each shard   ──▶ Whole    the first shard has all
//! its first nodes, with all that counts remember:
//!     counted within them                                   ──▶ Whole
//!     a sweep, a memory of subproblems, independent parts   ──▶ Repeated few leaves: each repeats much
//!     none of these                                         ──▶ Parts    as many leaves as take little of the whole
//! ```
//! All of it depends on the problem, the assumptions and the number of shards alone: the nodes are counted by portable
//! engines with a fixed memory, and nothing looks at a clock.

use std::num::NonZero;

use crate::parts::{Estimate, LEAVES};
use crate::solver::{FirstNodes, count_first_nodes};
use crate::{Assumptions, CoverError, ExactCover};

/// When a search is shared.
#[derive(Clone, Copy, Debug)]
struct Rule {
    /// Nodes that a shard must be expected to have, however fast the parts are found.
    nodes_of_shard: u64,
    /// Nodes counted to see how the problem is counted, and nodes in which a count that remembers may be over.
    first_nodes: [u64; 2],
    /// Nodes of a shard for each node that is searched to find the parts.
    nodes_of_cut: u64,
}

/// 8 million nodes take half a second to two seconds, the first nodes in a portable engine some hundredths; a sweep
/// takes a fifth of a second for a million.
const RULE: Rule = Rule { nodes_of_shard: 1 << 23, first_nodes: [1 << 16, 1 << 20], nodes_of_cut: 10 };
/// Leaves for each shard at least: fewer would make shards uneven.
const FEWEST_LEAVES: u64 = 20;

/// How a search is shared; see [`ExactCover::shards`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// The first shard has the whole search, and the others are empty: it is over sooner than it is shared.
    Whole,
    /// The shards take about equally long, and together little longer than the whole search.
    Parts,
    /// As `Parts`, but a count of the whole remembers what it has counted, and each shard repeats most of that work.
    Repeated,
}

impl Sharing {
    /// One word for files and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Sharing::Whole => "whole",
            Sharing::Parts => "parts",
            Sharing::Repeated => "repeated",
        }
    }
}

/// The shares of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shards {
    /// How it is shared.
    pub sharing: Sharing,
    /// What each machine searches; see [`Solver::assume_any`](crate::Solver::assume_any).
    pub shards: Vec<Vec<Assumptions>>,
}

impl ExactCover {
    /// Shares the solutions that fit `assumptions` among `count` machines. Every solution fits exactly one of the
    /// assumptions of one shard. A search that is over sooner than it is shared is left to the first one, as
    /// [`Sharing`] says; to cut it nevertheless, there is [`parts`](Self::parts).
    ///
    /// The shards depend on the problem, the assumptions and `count` alone, so that each machine finds the same ones.
    /// That takes some hundredths of a second for a short search, up to some seconds for a very long one.
    ///
    /// ```
    /// use std::num::NonZero;
    /// use galop_cover::{Assumptions, Sharing, models};
    ///
    /// let queens = models::queens(8)?;
    /// let shared = queens.shards(NonZero::new(3).expect("not 0"), &Assumptions::default())?;
    /// assert_eq!(shared.sharing, Sharing::Whole);
    /// assert_eq!(shared.shards, [vec![Assumptions::default()], vec![], vec![]]);
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    ///
    /// # Errors
    /// [`CoverError::UnknownOption`].
    pub fn shards(&self, count: NonZero<usize>, assumptions: &Assumptions) -> Result<Shards, CoverError> {
        assumptions.check(self)?;
        Ok(self.share(count.get(), assumptions, RULE))
    }

    fn share(&self, count: usize, assumptions: &Assumptions, rule: Rule) -> Shards {
        let estimate = self.estimate(assumptions);
        let sharing = self.sharing(count as u64, assumptions, estimate, rule);
        let shards = match sharing {
            Sharing::Whole => {
                let mut shards = vec![Vec::new(); count];
                shards[0].push(assumptions.clone());
                shards
            }
            Sharing::Repeated => self.deal_leaves(count, count, assumptions),
            Sharing::Parts => {
                self.deal_leaves(count, leaves(count as u64, estimate, rule) as usize, assumptions)
            }
        };
        Shards { sharing, shards }
    }

    fn sharing(&self, count: u64, assumptions: &Assumptions, estimate: Estimate, rule: Rule) -> Sharing {
        let cut = (FEWEST_LEAVES * rule.nodes_of_cut * count).saturating_mul(estimate.work_of_leaf);
        let needed = rule.nodes_of_shard.max(cut);
        if count == 1 || estimate.nodes < count.saturating_mul(needed) {
            return Sharing::Whole;
        }
        match count_first_nodes(self, assumptions, rule.first_nodes) {
            FirstNodes::Everything => Sharing::Whole,
            FirstNodes::Remembered => Sharing::Repeated,
            FirstNodes::Plain => Sharing::Parts,
        }
    }
}

/// Leaves of all shards: as many as take little of the time of the search.
fn leaves(count: u64, estimate: Estimate, rule: Rule) -> u64 {
    let work = estimate.nodes / count / rule.nodes_of_cut.max(1);
    (work / estimate.work_of_leaf).clamp(count * FEWEST_LEAVES, count * LEAVES as u64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tests::made;
    use crate::tests::{brute_force_with, problems};
    use crate::{CoverLimits, OptionId};

    /// The solutions of all shards, and the nodes that counting them takes.
    fn counted(problem: &ExactCover, shards: &[Vec<Assumptions>]) -> (u128, u64) {
        let mut solver = problem.solver().unwrap();
        let mut sum = (0, 0);
        for shard in shards {
            solver.assume_any(shard).unwrap();
            let outcome = solver.search(&CoverLimits::NONE).count().unwrap();
            sum = (sum.0 + outcome.solutions.to_u128().unwrap(), sum.1 + outcome.nodes);
        }
        sum
    }

    proptest! {
        /// Whatever the way, the counts add up.
        #[test]
        fn shards_divide_the_solutions(
            problem in problems(),
            count in 2_usize..6,
            first_nodes in [0_u64..60, 0_u64..90],
        ) {
            let options = problem.option_count() as u32;
            let forbidden = (options > 2).then_some(OptionId(1)).into_iter().collect();
            let assumed = Assumptions { chosen: vec![], forbidden };
            for assumptions in [Assumptions::default(), assumed] {
                let expected = brute_force_with(&problem, &[], &assumptions.forbidden).len() as u128;
                for nodes_of_shard in [0, 1 << 22] {
                    let rule = Rule { nodes_of_shard, first_nodes, nodes_of_cut: 0 };
                    let shared = problem.share(count, &assumptions, rule);
                    prop_assert_eq!(shared.shards.len(), count);
                    prop_assert!(shared.sharing == Sharing::Whole || nodes_of_shard == 0);
                    prop_assert_eq!(counted(&problem, &shared.shards).0, expected, "{:?}", shared.sharing);
                    prop_assert_eq!(&problem.share(count, &assumptions, rule), &shared);
                }
            }
        }
    }

    /// A hundred machines do not spend a hundred times a second on a quarter of a second.
    #[test]
    fn a_short_search_is_not_shared() {
        let problem = made("pentominoes 6x10");
        let count = NonZero::new(100).unwrap();
        let shared = problem.shards(count, &Assumptions::default()).unwrap();
        assert_eq!((shared.sharing, shared.shards.len()), (Sharing::Whole, 100));
        assert!(shared.shards[0] == [Assumptions::default()] && shared.shards[1..].iter().all(Vec::is_empty));
        let estimate = problem.estimate(&Assumptions::default());
        assert!((100_000..30_000_000).contains(&estimate.nodes), "it has 3,230,243 nodes: {estimate:?}");
        // A count that is over within its first nodes is not shared, however large the tree is.
        let problem = made("dominoes 8x8");
        assert!(problem.estimate(&Assumptions::default()).nodes > 1 << 22);
        let rule = Rule { nodes_of_shard: 1, nodes_of_cut: 0, ..RULE };
        assert_eq!(problem.share(2, &Assumptions::default(), rule).sharing, Sharing::Whole);
    }

    /// The parts of a search that remembers nothing take as many nodes as the whole, or little more, and to find them
    /// takes little of the time of the search.
    #[test]
    fn parts_take_little_more_than_the_whole() {
        let problem = made("queens 12");
        let rule = Rule { nodes_of_shard: 1, first_nodes: [1 << 14, 1 << 14], nodes_of_cut: 0 };
        let shared = problem.share(4, &Assumptions::default(), rule);
        assert_eq!(shared.sharing, Sharing::Parts);
        let whole = counted(&problem, &[vec![Assumptions::default()]]);
        let parts = counted(&problem, &shared.shards);
        assert_eq!((whole.0, parts.0), (14_200, 14_200));
        assert!(10 * parts.1 <= 11 * whole.1, "{} nodes, and the whole {}", parts.1, whole.1);
        for count in [2, 10, 100, 10_000] {
            for nodes in [1 << 24, 1 << 32, 1 << 40] {
                let estimate = Estimate { nodes: nodes * count, work_of_leaf: 500 };
                let leaves = leaves(count, estimate, RULE);
                assert!(leaves >= 20 * count && leaves <= 100 * count);
                // Such a search is shared only if it has the nodes that fewer leaves would take.
                let is_shared = nodes >= FEWEST_LEAVES * RULE.nodes_of_cut * count * estimate.work_of_leaf;
                assert!(
                    !is_shared || leaves * estimate.work_of_leaf <= nodes / RULE.nodes_of_cut,
                    "{count} {nodes}"
                );
            }
        }
    }

    /// A count that remembers is cut into few leaves: each is counted from the beginning.
    #[test]
    fn a_count_that_remembers_has_few_leaves() {
        let problem = made("dominoes 8x8");
        let rule = Rule { nodes_of_shard: 1, first_nodes: [1000, 1000], nodes_of_cut: 0 };
        let shared = problem.share(3, &Assumptions::default(), rule);
        assert_eq!(shared.sharing, Sharing::Repeated);
        assert!(shared.shards.iter().map(Vec::len).sum::<usize>() <= 6, "{:?}", shared.shards);
        assert_eq!(counted(&problem, &shared.shards).0, 12_988_816);
    }
}
