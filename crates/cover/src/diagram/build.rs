//! Builds a diagram, children before their parents. Equal nodes are stored once. A sweep over the items or a counting
//! search that remembers subproblems records it.

use std::sync::OnceLock;

use super::{Branch, DONE, Diagram, DiagramError, NONE, NodeId};
use crate::engine::sweep::{self, SweepPlan};
use crate::engine::{Meter, bitset};
use crate::lists::{Lists, Slots};
use crate::memory::Memory;
use crate::{Bounds, CoverLimits, ExactCover, ItemId};
use galop_simd::Isa;

/// Options tested by a sweep at most, by the bound of its plan: a few seconds.
const MOST_WORK: f64 = 3e8;

/// A node that is not used.
const UNUSED: u32 = u32::MAX;

impl Diagram {
    /// The diagram of all solutions of `problem`.
    ///
    /// ```
    /// use galop_cover::{CoverLimits, diagram::Diagram, models};
    ///
    /// let dominoes = models::dominoes(8, 8)?;
    /// let diagram = Diagram::build(&dominoes, &CoverLimits::NONE, None)?;
    /// assert_eq!(diagram.count(), 12_988_816);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// - [`DiagramError::Bounds`] if an item has bounds, and [`DiagramError::TooWide`] if the options have too many items
    ///   and colours for the searches that record a diagram.
    /// - [`DiagramError::Stopped`] if a limit ends the search. (A limit on solutions does not.)
    /// - [`DiagramError::Memory`] if it needs more than about `memory` bytes; `None` is a quarter of the memory of this
    ///   machine.
    pub fn build(
        problem: &ExactCover,
        limits: &CoverLimits<'_>,
        memory: Option<u64>,
    ) -> Result<Diagram, DiagramError> {
        let mut items = (0..problem.primary_count() as u32).map(ItemId);
        if let Some(item) = items.find(|&item| problem.bounds(item) != Bounds::ONCE) {
            let name = problem.item_name(item).to_owned();
            return Err(DiagramError::Bounds { name, bounds: problem.bounds(item) });
        }
        let memory = Memory::new(memory).bytes();
        let mut meter = Meter::new(limits.max_nodes(), limits.deadline, limits.cancel);
        let plan = SweepPlan::new(problem, MOST_WORK, MOST_WORK).filter(|plan| plan.work() <= MOST_WORK);
        let (builder, root) = match plan {
            Some(plan) => sweep::record(&plan, &mut meter, memory)?,
            None => bitset::record(problem, Isa::best(), &mut meter, memory)
                .map_err(|why| DiagramError::TooWide { why })??,
        };
        Ok(builder.finish(problem, root))
    }
}

/// Builds a [`Diagram`].
#[derive(Clone, Debug, Default)]
pub(crate) struct DiagramBuilder {
    nodes: Lists,
    slots: Slots,
    /// The single child of the node under construction, if it is a node with one branch and no options.
    same_as: Option<NodeId>,
}

impl DiagramBuilder {
    /// Begins a node, which gets its branches one by one. Nothing remains of a node that is not ended.
    pub(crate) fn begin(&mut self) {
        self.nodes.words.truncate(self.nodes.end());
        self.nodes.words.push(0);
        self.same_as = None;
    }

    /// Adds a branch to the node that was begun.
    ///
    /// The branches must be disjoint: no set of options is a solution of two of them. The children of a branch must be
    /// independent: no option occurs in two of them, or in a child and among the options of the branch. A branch with a
    /// child that is [`NONE`](super::NONE) is dropped, and children that are [`DONE`](super::DONE) are.
    pub(crate) fn branch(&mut self, branch: Branch<'_>) {
        if branch.children.contains(&NONE) {
            return;
        }
        let start = self.nodes.end();
        let words = &mut self.nodes.words;
        words[start] += 1;
        let header = words.len();
        words.extend([branch.options.len() as u32, 0]);
        words.extend_from_slice(branch.options);
        let children = words.len();
        words.extend(branch.children.iter().filter(|&&child| child != DONE));
        words[children..].sort_unstable();
        words[header + 1] = (words.len() - children) as u32;
        self.same_as = match words[header..] {
            [0, 1, child] => Some(child),
            [0, 0] => Some(DONE),
            _ => None,
        };
    }

    /// Ends the node that was begun: a node that exists already, or a new one.
    ///
    /// # Errors
    /// [`DiagramError::TooLarge`] after 2^32 - 2 nodes.
    pub(crate) fn end(&mut self) -> Result<NodeId, DiagramError> {
        let start = self.nodes.end();
        let known = match (self.nodes.words[start], self.same_as) {
            (0, _) => Some(NONE),
            (1, Some(same)) => Some(same),
            _ => None,
        };
        if let Some(known) = known {
            return Ok(known);
        }
        let slot = match self.slots.find(&self.nodes, &self.nodes.words[start..]) {
            Ok(known) => return Ok(known),
            Err(slot) => slot,
        };
        let number = u32::try_from(self.nodes.len()).ok().filter(|&number| number < DONE);
        let number = number.ok_or(DiagramError::TooLarge)?;
        self.nodes.ends.push(self.nodes.words.len());
        self.slots.set(slot, number);
        Ok(number)
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        4 * self.nodes.words.capacity() + 8 * self.nodes.ends.capacity() + self.slots.bytes()
    }

    /// The diagram of all solutions of `root`. Nodes that it does not use are dropped.
    pub(crate) fn finish(mut self, problem: &ExactCover, root: NodeId) -> Diagram {
        self.nodes.words.truncate(self.nodes.end());
        Diagram { problem: problem.clone(), nodes: self.nodes.reachable(root), counts: OnceLock::new() }
    }
}

impl Lists {
    /// The nodes that `root` uses, in the same order, without gaps; the root is the last one.
    fn reachable(&self, root: NodeId) -> Lists {
        let mut kept = Lists::default();
        if root == NONE {
            return kept;
        }
        if root == DONE {
            // One branch without options and children.
            (kept.words, kept.ends) = (vec![1, 0, 0], vec![3]);
            return kept;
        }
        let root = root as usize;
        let mut numbers = vec![UNUSED; root + 1];
        numbers[root] = 0;
        for node in (0..=root).rev() {
            if numbers[node] != UNUSED {
                self.branches(node)
                    .flat_map(|branch| branch.children)
                    .for_each(|child| numbers[*child as usize] = 0);
            }
        }
        for node in 0..=root {
            if numbers[node] == UNUSED {
                continue;
            }
            numbers[node] = kept.len() as u32;
            kept.words.push(self.words_of(node)[0]);
            for branch in self.branches(node) {
                kept.words.extend([branch.options.len() as u32, branch.children.len() as u32]);
                kept.words.extend_from_slice(branch.options);
                kept.words.extend(branch.children.iter().map(|child| numbers[*child as usize]));
            }
            kept.ends.push(kept.words.len());
        }
        kept
    }
}
