//! Every solution, one after the other.
//!
//! A solution is the list of branches chosen, node by node, the first child of a branch before the others. The next one
//! advances the last node that has another branch, and takes the first branch of every node after it.

use super::{Diagram, NodeBranches};
use crate::OptionId;

impl Diagram {
    /// All solutions, each with its options ascending: first the solutions of the root's first branch.
    ///
    /// Each takes time for its own length, however many there are.
    pub fn solutions(&self) -> Solutions<'_> {
        Solutions { diagram: self, chosen: Vec::new(), is_begun: false }
    }
}

/// All solutions of a [`Diagram`]; see [`Diagram::solutions`].
#[derive(Clone, Debug)]
#[must_use = "the iterator does nothing unless it is used"]
pub struct Solutions<'d> {
    diagram: &'d Diagram,
    /// For each node on the way, in order, the branches that remain: the first of them is the chosen one.
    chosen: Vec<NodeBranches<'d>>,
    is_begun: bool,
}

impl Iterator for Solutions<'_> {
    type Item = Vec<OptionId>;

    fn next(&mut self) -> Option<Vec<OptionId>> {
        let nodes = &self.diagram.nodes;
        let root = nodes.len().checked_sub(1)?;
        if std::mem::replace(&mut self.is_begun, true) {
            loop {
                let mut last = self.chosen.pop()?;
                last.next();
                if !last.0.is_empty() {
                    self.chosen.push(last);
                    break;
                }
            }
        }
        let mut solution = Vec::new();
        let (mut open, mut place) = (vec![root], 0);
        while let Some(node) = open.pop() {
            if place == self.chosen.len() {
                self.chosen.push(nodes.branches(node));
            }
            let branch = self.chosen[place].clone().next()?;
            place += 1;
            solution.extend(branch.options.iter().map(|&option| OptionId(option)));
            open.extend(branch.children.iter().rev().map(|&child| child as usize));
        }
        solution.sort_unstable();
        Some(solution)
    }
}
