//! Cuts a problem into parts of about equal work, for searches on several machines.
//!
//! The search tree is expanded as an engine would search it: at the item with the fewest options, the largest subtree
//! first, until there are a hundred leaves for each part. The size of a subtree is estimated by random ways down: if
//! the nodes on one have d1, d2, .. children, it stands for 1 + d1 + d1 d2 + .. nodes (Knuth, "Estimating the efficiency
//! of backtrack programs", Mathematics of Computation 29, 1975). The leaves are dealt, the largest first, to the part that
//! has least. All this depends on the problem and the number of parts alone, so that each machine finds the same parts.
//!
//! A leaf is a list of assumptions. At an item that is covered once, the assumption is that its other options are
//! forbidden, and not that one is chosen: then [`Choice::Auto`](crate::Choice::Auto) counts the leaf with memory, as it
//! would count the whole problem.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::num::NonZero;

use crate::chance::Chance;
use crate::residual::{Residual, Set, remove};
use crate::{Assumptions, Bounds, CoverError, ExactCover, ItemId, Natural, OptionId};

/// Leaves for each part. The largest of 8 parts of pentominoes 5x12 has 1.16 times the mean; with 30 leaves it had 1.43.
const LEAVES: usize = 100;
/// Random ways down that estimate one leaf, and all leaves together: about a second. (With 30 leaves a part and 8 ways, the
/// largest of 20 parts of pentominoes 6x10 had 3.4 times the mean; with these it has 1.6 times.)
const MOST_WAYS: usize = 64;
const ALL_WAYS: usize = 1 << 16;
/// Expansions for each leaf that is needed, if leaves end without a solution.
const EXPANSIONS: usize = 4;

impl ExactCover {
    /// Cuts the solutions that fit `assumptions` into `count` parts, whose searches take about equally long. Every solution
    /// fits exactly one of the assumptions of one part. The parts are always the same. A part may be empty.
    ///
    /// ```
    /// use std::num::NonZero;
    /// use galop_cover::{Assumptions, CoverLimits, models};
    ///
    /// let queens = models::model("queens").map(|queens| (queens.make)(&["8"])).expect("a row of MODELS")?;
    /// let mut solver = queens.solver()?;
    /// let mut sum = 0;
    /// for part in queens.parts(NonZero::new(3).expect("not 0"), &Assumptions::default())? {
    ///     solver.assume_any(&part)?;
    ///     sum += solver.count(&CoverLimits::NONE)?.solutions.to_u128().unwrap_or(0);
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
        let leaves = match count.get() {
            1 => vec![Leaf::root(assumptions.clone())],
            _ => Cutter::new(self, count.get()).cut(assumptions),
        };
        Ok(deal(leaves, count.get()))
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

/// What a leaf consists of.
struct Open {
    live: Set,
    /// Its primary items that have live options.
    items: Vec<ItemId>,
}

struct Cutter<'p> {
    residual: Residual<'p>,
    chance: Chance,
    /// Leaves that are needed.
    needed: usize,
    /// Random ways down for each leaf.
    ways: usize,
}

impl<'p> Cutter<'p> {
    fn new(problem: &'p ExactCover, parts: usize) -> Cutter<'p> {
        let needed = parts.saturating_mul(LEAVES);
        Cutter {
            residual: Residual::new(problem),
            chance: Chance::new(1),
            needed,
            ways: (ALL_WAYS / needed).clamp(1, MOST_WAYS),
        }
    }

    /// The leaves, in any order.
    fn cut(&mut self, assumptions: &Assumptions) -> Vec<Leaf> {
        // The largest first; of equal ones the first.
        let mut queue = BinaryHeap::from([(1, Reverse(Vec::new()), 0)]);
        let mut leaves = vec![Some(Leaf::root(assumptions.clone()))];
        let mut finished = Vec::new();
        for _ in 0..self.needed.saturating_mul(EXPANSIONS) {
            if queue.len() + finished.len() >= self.needed {
                break;
            }
            let Some((_, _, place)) = queue.pop() else { break };
            let Some(leaf) = leaves[place].take() else { continue };
            match self.expand(&leaf) {
                None => finished.push(leaf),
                Some(children) => {
                    for child in children {
                        queue.push((child.size, Reverse(child.path.clone()), leaves.len()));
                        leaves.push(Some(child));
                    }
                }
            }
        }
        finished.extend(leaves.into_iter().flatten());
        finished
    }

    /// The state that the assumptions lead to, and the options taken on the way; `None` if they have no solution.
    fn open(&mut self, assumptions: &Assumptions, taken: &mut Vec<OptionId>) -> Option<Open> {
        let (mut live, items) = (self.residual.all(), self.residual.items());
        for &option in &assumptions.chosen {
            if !taken.contains(&option) {
                self.residual.take_if_live(&mut live, option, taken)?;
            }
        }
        if assumptions.forbidden.iter().any(|option| taken.contains(option)) {
            return None;
        }
        assumptions.forbidden.iter().for_each(|&option| remove(&mut live, option));
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
        children.retain_mut(|child| {
            let size = self.estimate(&child.assumptions);
            child.size = size.unwrap_or(0);
            size.is_some()
        });
        Some(children)
    }

    fn children(&mut self, leaf: &Leaf, open: &Open) -> Option<Vec<Leaf>> {
        let item = self.residual.choose(&open.items)?;
        let choices = self.residual.live_options(&open.live, item);
        let is_once = self.residual.problem.bounds(item) == Bounds::ONCE;
        let may_skip = self.residual.need(item) == 0;
        let child = |place: usize| {
            let mut assumptions = leaf.assumptions.clone();
            let others = choices.iter().enumerate();
            if is_once {
                let others = others.filter(|&(other, _)| other != place);
                assumptions.forbidden.extend(others.map(|(_, &option)| option));
            } else {
                assumptions.forbidden.extend(&choices[..place]);
                assumptions.chosen.extend(choices.get(place));
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

/// Deals leaves to parts: each, the largest first, to the part that has least. In a part they have the order of the search.
fn deal(mut leaves: Vec<Leaf>, count: usize) -> Vec<Vec<Assumptions>> {
    leaves.sort_by(|one, other| other.size.cmp(&one.size).then_with(|| one.path.cmp(&other.path)));
    let mut sizes: BinaryHeap<Reverse<(u64, usize)>> = (0..count).map(|part| Reverse((0, part))).collect();
    let mut parts: Vec<Vec<Leaf>> = (0..count).map(|_| Vec::new()).collect();
    for leaf in leaves {
        if let Some(Reverse((size, part))) = sizes.pop() {
            sizes.push(Reverse((size.saturating_add(leaf.size), part)));
            parts[part].push(leaf);
        }
    }
    let in_order = |mut part: Vec<Leaf>| {
        part.sort_by(|one, other| one.path.cmp(&other.path));
        part.into_iter().map(|leaf| leaf.assumptions).collect()
    };
    parts.into_iter().map(in_order).collect()
}
