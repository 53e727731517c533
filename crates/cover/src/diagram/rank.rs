//! The k-th solution, and solutions at random.
//!
//! The solutions have an order: a node's first branch comes before its second one; within a
//! branch, the solution of the first child changes last. The counts of the nodes tell in which branch the k-th solution
//! is, so one way from the root to the end finds it. A random number below the count is a random solution: all are
//! exactly equally likely, because no step rounds.

use super::query::product;
use super::{Branch, Diagram};
use crate::chance::Chance;
use crate::{Natural, OptionId};

impl Diagram {
    /// The solution that has `rank` solutions before it, its options ascending; `None` if there are not more than
    /// `rank`.
    ///
    /// The order is the order of [`solutions`](Self::solutions). The first call counts the solutions of every node.
    ///
    /// ```
    /// use galop_cover::{CoverLimits, ExactCover, diagram::Diagram};
    ///
    /// let problem: ExactCover = "a b c d\na b\nc d\na c\nb d\n".parse()?;
    /// let diagram = Diagram::build(&problem, &CoverLimits::NONE, None)?;
    /// assert_eq!(diagram.nth(&1.into()).unwrap_or_default(), [2, 3]);
    /// assert_eq!(diagram.nth(&2.into()), None);
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    pub fn nth(&self, rank: &Natural) -> Option<Vec<OptionId>> {
        let total = self.counts().last()?;
        (rank < total).then(|| self.descend(rank.clone(), &mut |branch, rank| self.split(branch, rank)))
    }

    /// Solutions at random, each equally likely, their options ascending. The same seed gives the same ones. There is
    /// no end of them, unless the problem has no solution.
    ///
    /// The first call counts the solutions of every node; then a solution takes one way through the diagram.
    ///
    /// ```
    /// use galop_cover::{CoverLimits, diagram::Diagram, models};
    ///
    /// let dominoes = models::dominoes(8, 8)?;
    /// let diagram = Diagram::build(&dominoes, &CoverLimits::NONE, None)?;
    /// let tilings: Vec<_> = diagram.sample(7).take(10).collect();
    /// assert!(tilings.iter().all(|tiling| tiling.len() == 32));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample(&self, seed: u64) -> impl Iterator<Item = Vec<OptionId>> {
        let mut chance = Chance::new(seed);
        std::iter::from_fn(move || {
            let counts = self.counts();
            let rank = chance.below(counts.last()?);
            Some(self.descend(rank, &mut |branch, rank| match *branch.children {
                // Among the solutions of the branch each rank is still equally likely.
                [_] => vec![rank],
                _ => branch.children.iter().map(|&child| chance.below(&counts[child as usize])).collect(),
            }))
        })
    }

    /// The solution of this rank, which is below the count. `split` gives each child of a branch the rank of its
    /// solution, from the rank among the solutions of the branch.
    fn descend(
        &self,
        rank: Natural,
        split: &mut dyn FnMut(&Branch<'_>, Natural) -> Vec<Natural>,
    ) -> Vec<OptionId> {
        let counts = self.counts();
        let mut solution = Vec::new();
        let mut open = vec![(self.nodes.len() - 1, rank)];
        while let Some((node, mut rank)) = open.pop() {
            for branch in self.nodes.branches(node) {
                let many;
                let count = match *branch.children {
                    [child] => &counts[child as usize],
                    _ => {
                        many = product(counts, branch.children);
                        &many
                    }
                };
                if let Some(rest) = rank.checked_sub(count) {
                    rank = rest;
                    continue;
                }
                solution.extend(branch.options.iter().map(|&option| OptionId(option)));
                let ranks = split(&branch, rank);
                open.extend(branch.children.iter().map(|&child| child as usize).zip(ranks));
                break;
            }
        }
        solution.sort_unstable();
        solution
    }

    /// The rank of each child's solution: the rank among the solutions of the branch is a number whose digits they are.
    fn split(&self, branch: &Branch<'_>, mut rank: Natural) -> Vec<Natural> {
        if let [_] = branch.children {
            return vec![rank];
        }
        let mut ranks = vec![Natural::ZERO; branch.children.len()];
        for (digit, &child) in ranks.iter_mut().zip(branch.children).rev() {
            if let Some((above, own)) = rank.div_rem(&self.counts()[child as usize]) {
                (rank, *digit) = (above, own);
            }
        }
        ranks
    }
}
