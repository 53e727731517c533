//! Solutions in order of their cost.
//!
//! One pass finds the least cost of every node. Then partial solutions are extended, the cheapest first: a partial
//! solution has chosen branches for some nodes and must still choose for others, whose least costs are known exactly.
//! So its bound is exact, no step is in vain, and the k-th solution that is complete is the k-th cheapest.
//!
//! ```text
//! steps    | above, branch | ..     the branches chosen: a list that shares its beginning with other lists
//! open     | node, next    | ..     the nodes that must still choose, in the same manner
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Branch, Diagram};
use crate::OptionId;

/// The largest cost of an option: sums of 2^32 of them fit in 128 bits.
const MOST_COST: i128 = 1 << 90;
/// Solutions that are compared with the last one of the same cost.
const MOST_TIES: usize = 100_000;
/// The end of a list of steps or open nodes.
const END: usize = usize::MAX;

impl Diagram {
    /// All solutions with their costs, the cheapest first, each with its options ascending, by the
    /// problem's own costs.
    ///
    /// ```
    /// use galop_cover::{CoverLimits, ExactCover, OptionId, diagram::Diagram};
    ///
    /// let problem: ExactCover = "a b\na |4\nb |3\na b |5\n".parse()?;
    /// let diagram = Diagram::build(&problem, &CoverLimits::NONE, None)?;
    /// let solutions: Vec<_> = diagram.cheapest().collect();
    /// assert_eq!(solutions, [(5, vec![OptionId(2)]), (7, vec![OptionId(0), OptionId(1)])]);
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    pub fn cheapest(&self) -> Cheapest<'_> {
        self.cheapest_by(|option| self.problem.cost(option).into())
    }

    /// All solutions in order of other costs, the cheapest first. `cost` is called once for each option. Costs may be
    /// negative: the negative costs of the problem give the dearest solutions first.
    ///
    /// Costs beyond 2^90 count as 2^90. The iterator takes memory for each solution.
    pub fn cheapest_by(&self, mut cost: impl FnMut(OptionId) -> i128) -> Cheapest<'_> {
        let cost = |option| cost(option).clamp(-MOST_COST, MOST_COST);
        let costs: Vec<i128> = (0..self.problem.option_count() as u32).map(OptionId).map(cost).collect();
        let mut least: Vec<i128> = Vec::with_capacity(self.nodes.len());
        for node in 0..self.nodes.len() {
            let branches = self.nodes.branches(node);
            least.push(branches.map(|branch| least_cost(&costs, &least, &branch)).min().unwrap_or(0));
        }
        let mut queue = BinaryHeap::new();
        let mut open = Vec::new();
        if let Some(root) = self.nodes.len().checked_sub(1) {
            open.push((root as u32, END));
            queue.push(Reverse(Partial { cost: least[root], unborn: usize::MAX, step: END, open: 0 }));
        }
        Cheapest { diagram: self, costs, least, steps: Vec::new(), open, queue }
    }
}

/// The least cost of a solution of a branch.
fn least_cost(costs: &[i128], least: &[i128], branch: &Branch<'_>) -> i128 {
    let own: i128 = branch.options.iter().map(|&option| costs[option as usize]).sum();
    own + branch.children.iter().map(|&child| least[child as usize]).sum::<i128>()
}

/// A partial solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Partial {
    /// The least cost of its solutions.
    cost: i128,
    /// Of equal costs the youngest is extended first, so that solutions are complete soon.
    unborn: usize,
    /// Its last step.
    step: usize,
    /// Its first open node.
    open: usize,
}

/// Solutions in order of their cost; see [`Diagram::cheapest`].
#[derive(Clone, Debug)]
#[must_use = "the iterator does nothing unless it is used"]
pub struct Cheapest<'d> {
    diagram: &'d Diagram,
    costs: Vec<i128>,
    /// The least cost of every node.
    least: Vec<i128>,
    /// The step before, and the options chosen.
    steps: Vec<(usize, &'d [u32])>,
    /// A node, and the open node after it.
    open: Vec<(u32, usize)>,
    queue: BinaryHeap<Reverse<Partial>>,
}

/// The first `most` of `solutions`, which are in the order of their cost. Of solutions that cost the same it takes the
/// first ones in the order of their options, as [`ExactCover::rank`](crate::ExactCover::rank) does. (If more than
/// 100,000 cost the same as the last one, any of them.)
///
/// ```
/// use galop_cover::diagram::{Diagram, first_of_ties};
/// use galop_cover::{CoverLimits, ExactCover, OptionId};
///
/// let problem: ExactCover = "a b\na |1\nb |1\na b |2\n".parse()?;
/// let diagram = Diagram::build(&problem, &CoverLimits::NONE, None)?;
/// assert_eq!(first_of_ties(diagram.cheapest(), 1), [(2, vec![OptionId(0), OptionId(1)])]);
/// # Ok::<(), galop_cover::CoverError>(())
/// ```
pub fn first_of_ties(
    mut solutions: impl Iterator<Item = (i128, Vec<OptionId>)>,
    most: usize,
) -> Vec<(i128, Vec<OptionId>)> {
    let mut best: Vec<(i128, Vec<OptionId>)> = solutions.by_ref().take(most).collect();
    let last = best.last().map(|(cost, _)| *cost);
    best.extend(solutions.take_while(|(cost, _)| Some(*cost) == last).take(MOST_TIES));
    best.sort();
    best.truncate(most);
    best
}

impl Cheapest<'_> {
    /// Queues the partial solution in every way extended by its first open node.
    fn extend(&mut self, partial: Partial) {
        let (node, rest) = self.open[partial.open];
        let base = partial.cost - self.least[node as usize];
        for branch in self.diagram.nodes.branches(node as usize) {
            self.steps.push((partial.step, branch.options));
            let mut open = rest;
            for &child in branch.children.iter().rev() {
                self.open.push((child, open));
                open = self.open.len() - 1;
            }
            let step = self.steps.len() - 1;
            let cost = base + least_cost(&self.costs, &self.least, &branch);
            self.queue.push(Reverse(Partial { cost, unborn: usize::MAX - step, step, open }));
        }
    }
}

impl Iterator for Cheapest<'_> {
    type Item = (i128, Vec<OptionId>);

    fn next(&mut self) -> Option<(i128, Vec<OptionId>)> {
        loop {
            let Reverse(partial) = self.queue.pop()?;
            if partial.open != END {
                self.extend(partial);
                continue;
            }
            let mut solution = Vec::new();
            let mut step = partial.step;
            while let Some(&(above, options)) = self.steps.get(step) {
                solution.extend(options.iter().map(|&option| OptionId(option)));
                step = above;
            }
            solution.sort_unstable();
            return Some((partial.cost, solution));
        }
    }
}
