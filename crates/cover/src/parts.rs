//! Cuts a problem into parts of about equal work, for searches on several machines.
//!
//! The search tree is expanded as an engine would search it: at the item with the fewest options, the largest subtree
//! first. It ends with a hundred leaves for each part, or fewer if that would take too long
//! ([`shards`](crate::shards)). Random ways down estimate the size of a subtree: if the nodes on one have d1, d2, ..
//! children, it stands for 1 + d1 + d1 d2 + .. nodes (Knuth, "Estimating the efficiency of backtrack programs",
//! Mathematics of Computation 29, 1975). The leaves are dealt, the largest first, to the part that has least. All this
//! depends on the problem and the number of parts alone, so that each machine finds the same parts.
//!
//! A leaf is a list of assumptions. At an item that is covered once, the assumption is that its other options are
//! forbidden, and not that one is chosen. Then [`Choice::Auto`](crate::Choice::Auto) counts the leaf with memory, as it
//! would count the whole problem.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::num::NonZero;

use crate::chance::Chance;
use crate::residual::{Residual, Set, contains, remove};
use crate::{Assumptions, Bounds, CoverError, ExactCover, ItemId, Natural, OptionId};

/// Leaves for each part. The largest of 8 parts of pentominoes 5x12 has 1.16 times the mean; with 30 leaves it had
/// 1.43.
pub(crate) const LEAVES: usize = 100;
/// Random ways down that estimate one leaf, and all leaves together: about a second. (With 30 leaves a part and 8 ways,
/// the largest of 20 parts of pentominoes 6x10 had 3.4 times the mean; with these it has 1.6 times.)
const MOST_WAYS: usize = 64;
pub(crate) const ALL_WAYS: usize = 1 << 16;
/// Terms counted: at the first limit a leaf is taken to be as large as its share of its parent, at the second one no
/// more leaves are expanded. Only large problems reach them, after some seconds.
const MOST_WORK: [u64; 2] = [2_000_000_000, 4_000_000_000];
/// Leaves, random ways down for each, and terms counted at most, where only the size of the search is estimated: about
/// ten milliseconds, a quarter of a second at most. (From the root alone, without leaves, a rare large branch would be
/// missed.)
const FEW_LEAVES: usize = 64;
const FEW_WAYS: usize = 4;
const FEW_WORK: u64 = 200_000_000;
/// Expansions for each leaf that is needed, if leaves end without a solution.
const EXPANSIONS: usize = 4;

impl ExactCover {
    /// Cuts the solutions that fit `assumptions` into `count` parts, whose searches take about equally long. Every
    /// solution fits exactly one of the assumptions of one part. The parts are always the same. A part may be empty.
    ///
    /// ```
    /// use std::num::NonZero;
    /// use galop_cover::{Assumptions, CoverLimits, models};
    ///
    /// let queens = models::queens(8)?;
    /// let mut solver = queens.solver()?;
    /// let mut sum = 0;
    /// for part in queens.parts(NonZero::new(3).expect("not 0"), &Assumptions::default())? {
    ///     solver.assume_any(&part)?;
    ///     sum += solver.search(&CoverLimits::NONE).count()?.solutions.to_u128().unwrap_or(0);
    /// }
    /// assert_eq!(sum, 92);
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    ///
    /// # Errors
    /// [`CoverError::UnknownOption`].
    pub fn parts(
        &self,
        count: NonZero<usize>,
        assumptions: &Assumptions,
    ) -> Result<Vec<Vec<Assumptions>>, CoverError> {
        assumptions.check(self)?;
        let needed = count.get().saturating_mul(LEAVES);
        Ok(self.deal_leaves(count.get(), needed, ALL_WAYS / needed, assumptions))
    }

    /// Cuts the solutions into `count` parts of at least `needed` leaves together, each estimated by `ways` random ways
    /// down, within reasonable bounds.
    pub(crate) fn deal_leaves(
        &self,
        count: usize,
        needed: usize,
        ways: usize,
        assumptions: &Assumptions,
    ) -> Vec<Vec<Assumptions>> {
        let leaves = match count {
            1 => vec![Leaf::root(assumptions.clone())],
            _ => Cutter::new(self, needed, ways, MOST_WORK).cut(assumptions),
        };
        deal(leaves, count)
    }

    /// The estimated size of the search. It depends on the problem and the assumptions alone.
    pub(crate) fn estimate(&self, assumptions: &Assumptions) -> Estimate {
        let mut cutter = Cutter::new(self, FEW_LEAVES, FEW_WAYS, [FEW_WORK, FEW_WORK]);
        let leaves = cutter.cut(assumptions);
        let nodes = leaves.iter().map(|leaf| leaf.size).fold(0, u64::saturating_add);
        let work = cutter.residual.work;
        // The last leaves were not estimated.
        let nodes = if work > FEW_WORK { u64::MAX } else { nodes };
        Estimate { nodes, work, ways: cutter.ways_gone }
    }
}

/// How large a search is expected to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    /// Nodes; `u64::MAX` if the problem is too large for an estimate.
    pub(crate) nodes: u64,
    /// Terms counted for the estimate, and the random ways down.
    pub(crate) work: u64,
    pub(crate) ways: u64,
}

impl Estimate {
    /// Terms counted on a random way down.
    pub(crate) fn work_of_way(&self) -> u64 {
        (self.work / self.ways.max(1)).max(1)
    }
}

/// A subtree of the search.
#[derive(Debug, PartialEq, Eq)]
struct Leaf {
    /// The estimated number of nodes.
    size: u64,
    /// The branches that lead to it, from 0: leaves have the order of the search.
    path: Vec<u32>,
    assumptions: Assumptions,
}

impl Leaf {
    fn root(assumptions: Assumptions) -> Leaf {
        Leaf { size: 1, path: Vec::new(), assumptions }
    }
}

/// Numbers of leaves or parts, those with the smallest keys first; of equal keys the first.
type Queue = BinaryHeap<Reverse<(u64, usize)>>;

/// An entry that makes the largest leaf the first.
fn smallest_last(size: u64, leaf: usize) -> Reverse<(u64, usize)> {
    Reverse((u64::MAX - size, leaf))
}

/// What a leaf consists of.
struct Open {
    live: Set,
    /// Its primary items that have live options.
    items: Vec<u32>,
}

struct Cutter<'p> {
    residual: Residual<'p>,
    chance: Chance,
    /// Leaves that are needed.
    needed: usize,
    /// Random ways down for each leaf, and those gone so far.
    ways: usize,
    ways_gone: u64,
    /// Terms counted, as in [`MOST_WORK`].
    most_work: [u64; 2],
}

impl<'p> Cutter<'p> {
    fn new(problem: &'p ExactCover, needed: usize, ways: usize, most_work: [u64; 2]) -> Cutter<'p> {
        Cutter {
            residual: Residual::new(problem),
            chance: Chance::new(1),
            needed,
            ways: ways.clamp(1, MOST_WAYS),
            ways_gone: 0,
            most_work,
        }
    }

    /// The leaves, in any order.
    fn cut(&mut self, assumptions: &Assumptions) -> Vec<Leaf> {
        let mut queue = Queue::default();
        let mut leaves = vec![Some(Leaf::root(assumptions.clone()))];
        queue.push(smallest_last(1, 0));
        let mut finished = Vec::new();
        for _ in 0..self.needed.saturating_mul(EXPANSIONS) {
            if queue.len() + finished.len() >= self.needed || self.residual.work > self.most_work[1] {
                break;
            }
            let Some(Reverse((_, place))) = queue.pop() else { break };
            let Some(leaf) = leaves[place].take() else { continue };
            match self.expand(&leaf) {
                None => finished.push(leaf),
                Some(children) => {
                    for child in children {
                        queue.push(smallest_last(child.size, leaves.len()));
                        leaves.push(Some(child));
                    }
                }
            }
        }
        finished.extend(leaves.into_iter().flatten());
        finished
    }

    /// The state that the assumptions lead to, and the options taken on the way; `None` if they have no solution.
    fn open(&mut self, assumptions: &Assumptions, taken: &mut Vec<u32>) -> Option<Open> {
        let (mut live, items) = (self.residual.all(), self.residual.items());
        for &option in &assumptions.chosen {
            if contains(&live, option.0) {
                self.residual.take(&mut live, option.0, taken);
            } else if !taken.contains(&option.0) {
                return None;
            }
        }
        if assumptions.forbidden.iter().any(|option| taken.contains(&option.0)) {
            return None;
        }
        assumptions.forbidden.iter().for_each(|&option| remove(&mut live, option.0));
        self.residual.settle(&mut live, &items, taken).ok()?;
        let items = items.into_iter().filter(|&item| self.residual.has_options(item)).collect();
        Some(Open { live, items })
    }

    /// The children of a leaf that have no contradiction at once; `None` if it is a solution.
    fn expand(&mut self, leaf: &Leaf) -> Option<Vec<Leaf>> {
        let mut taken = Vec::new();
        let children = match self.open(&leaf.assumptions, &mut taken) {
            None => Some(Vec::new()),
            Some(open) => self.children(leaf, &open),
        };
        self.residual.give_back(&mut taken);
        let mut children = children?;
        let share = leaf.size / children.len().max(1) as u64;
        children.retain_mut(|child| {
            let size = match self.residual.work > self.most_work[0] {
                true => Some(share.max(1)),
                false => self.estimate(&child.assumptions),
            };
            child.size = size.unwrap_or(0);
            size.is_some()
        });
        Some(children)
    }

    fn children(&mut self, leaf: &Leaf, open: &Open) -> Option<Vec<Leaf>> {
        let item = self.residual.choose(&open.items)?;
        let choices = self.residual.live_options(&open.live, item);
        let is_once = self.residual.problem.bounds(ItemId(item)) == Bounds::ONCE;
        let may_skip = self.residual.need(item) == 0;
        let child = |place: usize| {
            let mut assumptions = leaf.assumptions.clone();
            let others = choices.iter().enumerate();
            if is_once {
                let others = others.filter(|&(other, _)| other != place);
                assumptions.forbidden.extend(others.map(|(_, &option)| OptionId(option)));
            } else {
                assumptions.forbidden.extend(choices[..place].iter().map(|&option| OptionId(option)));
                assumptions.chosen.extend(choices.get(place).map(|&option| OptionId(option)));
            }
            Leaf { size: 0, path: [&leaf.path[..], &[place as u32]].concat(), assumptions }
        };
        Some((0..choices.len() + usize::from(may_skip && !is_once)).map(child).collect())
    }

    /// The estimated number of nodes of a subtree; `None` if it has a contradiction at once.
    fn estimate(&mut self, assumptions: &Assumptions) -> Option<u64> {
        let mut taken = Vec::new();
        let open = self.open(assumptions, &mut taken);
        let size = open.map(|open| {
            self.ways_gone += self.ways as u64;
            let ways: u64 = (0..self.ways).map(|_| self.way_down(&open)).fold(0, u64::saturating_add);
            (ways / self.ways as u64).max(1)
        });
        self.residual.give_back(&mut taken);
        size
    }

    /// The number of nodes that a random way down stands for.
    fn way_down(&mut self, open: &Open) -> u64 {
        let mut taken = Vec::new();
        let mut live = open.live.clone();
        let (mut sum, mut product) = (1_u64, 1_u64);
        self.residual.count(&live, &open.items);
        while let Some(item) = self.residual.choose(&open.items) {
            let choices = self.residual.live_options(&live, item);
            let degree = choices.len() + usize::from(self.residual.need(item) == 0);
            product = product.saturating_mul(degree as u64);
            sum = sum.saturating_add(product);
            let drawn = self.chance.below(&Natural::from(degree as u128)).to_u128().unwrap_or(0) as usize;
            choices.iter().take(drawn).for_each(|&option| remove(&mut live, option));
            if let Some(&option) = choices.get(drawn) {
                self.residual.take(&mut live, option, &mut taken);
            }
            if self.residual.settle(&mut live, &open.items, &mut taken).is_err() {
                break;
            }
        }
        self.residual.give_back(&mut taken);
        sum
    }
}

/// Deals leaves to parts: each, the largest first, to the part that has least. In a part they have the order of the
/// search.
fn deal(mut leaves: Vec<Leaf>, count: usize) -> Vec<Vec<Assumptions>> {
    leaves.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    let mut largest: Queue =
        leaves.iter().zip(0..).map(|(leaf, place)| smallest_last(leaf.size, place)).collect();
    let mut parts: Queue = (0..count).map(|part| Reverse((0, part))).collect();
    let mut part_of = vec![0; leaves.len()];
    while let (Some(Reverse((_, leaf))), Some(mut least)) = (largest.pop(), parts.peek_mut()) {
        least.0.0 = least.0.0.saturating_add(leaves[leaf].size);
        part_of[leaf] = least.0.1;
    }
    let mut dealt: Vec<Vec<Assumptions>> = (0..count).map(|_| Vec::new()).collect();
    for (leaf, part) in leaves.into_iter().zip(part_of) {
        dealt[part].push(leaf.assumptions);
    }
    dealt
}
