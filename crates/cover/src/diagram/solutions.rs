//! Every solution, one after the other.
//!
//! A solution is the list of branches chosen, node by node, the first child of a branch before the others. The next one
//! advances the last node that has another branch, and takes the first branch of every node after it.

use std::ops::{Deref, Range};

use super::{Diagram, NodeBranches};
use crate::OptionId;

impl Diagram {
    /// All solutions, each with its options ascending: first the solutions of the root's first branch.
    ///
    /// Each takes time for its own length, however many there are.
    pub fn solutions(&self) -> Solutions<&Diagram> {
        Solutions::new(self)
    }
}

/// All solutions of a [`Diagram`], of a reference to it or of an `Arc`; see [`Diagram::solutions`].
#[derive(Clone, Debug)]
#[must_use = "the iterator does nothing unless it is used"]
pub struct Solutions<D> {
    diagram: D,
    /// For each node on the way, in order, the places of the branches that remain among the words of all nodes: the
    /// first of them is the chosen one.
    chosen: Vec<Range<usize>>,
    is_begun: bool,
}

impl<D: Deref<Target = Diagram>> Solutions<D> {
    /// All solutions of `diagram`.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use galop_cover::diagram::{Diagram, Solutions};
    /// use galop_cover::{CoverLimits, models};
    ///
    /// let queens = models::queens(6)?;
    /// let diagram = Arc::new(Diagram::build(&queens, &CoverLimits::NONE, None)?);
    /// // The iterator has a share in the diagram, so it can be returned, stored and sent to other threads.
    /// let solutions: Solutions<Arc<Diagram>> = Solutions::new(diagram);
    /// assert_eq!(solutions.count(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(diagram: D) -> Solutions<D> {
        Solutions { diagram, chosen: Vec::new(), is_begun: false }
    }
}

impl<D: Deref<Target = Diagram>> Iterator for Solutions<D> {
    type Item = Vec<OptionId>;

    fn next(&mut self) -> Option<Vec<OptionId>> {
        let nodes = &self.diagram.nodes;
        let root = nodes.len().checked_sub(1)?;
        if std::mem::replace(&mut self.is_begun, true) {
            loop {
                let last = self.chosen.pop()?;
                let mut branches = NodeBranches(&nodes.words[last.clone()]);
                branches.next();
                if !branches.0.is_empty() {
                    self.chosen.push(last.end - branches.0.len()..last.end);
                    break;
                }
            }
        }
        let mut solution = Vec::new();
        let (mut open, mut place) = (vec![root], 0);
        while let Some(node) = open.pop() {
            if place == self.chosen.len() {
                let end = nodes.ends[node];
                self.chosen.push(end - nodes.branches(node).0.len()..end);
            }
            let branch = NodeBranches(&nodes.words[self.chosen[place].clone()]).next()?;
            place += 1;
            solution.extend(branch.options.iter().map(|&option| OptionId(option)));
            open.extend(branch.children.iter().rev().map(|&child| child as usize));
        }
        solution.sort_unstable();
        Some(solution)
    }
}
