//! All solutions of a problem as one object, without listing them.
//!
//! A search that meets a subproblem again need not search it again, and it need not store its solutions again either. A
//! decision diagram stores each subproblem once:
//!
//! ```text
//!   node    = branch | branch | ..           its solutions: all solutions of all branches, which are disjoint
//!   branch  = options, child, child, ..      one solution of each child (they are independent), and the options
//! ```
//! A branch without children is one solution. The board of 16 x 16 cells has 2.4 * 10^30 domino tilings; its diagram
//! has some hundred thousand nodes. Questions about all solutions are passes over the nodes, children first: how many
//! there are, how many contain each option, which is the millionth, ten of them at random.
//!
//! ```text
//! words    | 2 | 1 2  7 3 9 | 1 0  8 | 1 | ..     a node: the number of branches; for each of them the number of
//!            ^   ^                   ^              options, the number of children, the options, the children
//! ends           |                   0        1     where each node ends; children come before their parents
//!                1 option and 2 children: option 7, the product of the nodes 3 and 9
//! ```
//! No option occurs twice on the way to a solution: options of independent children are different options.

mod build;
mod error;
mod query;
mod rank;
mod restrict;
mod solutions;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

pub(crate) use build::DiagramBuilder;
pub use error::DiagramError;
pub use solutions::Solutions;

use crate::lists::Lists;
use crate::{ExactCover, Natural};

/// The number of a node of a diagram: a set of solutions of a part of the problem.
pub(crate) type NodeId = u32;
/// The node without solutions.
pub(crate) const NONE: NodeId = u32::MAX;
/// The node with one solution, which has no options: nothing remains to be chosen.
pub(crate) const DONE: NodeId = u32::MAX - 1;

/// A branch of a node: the solutions that contain `options` and one solution of each child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Branch<'a> {
    /// The options chosen.
    pub(crate) options: &'a [u32],
    /// The independent parts that remain.
    pub(crate) children: &'a [NodeId],
}

impl Lists {
    /// The branches of a node, in order.
    fn branches(&self, node: usize) -> NodeBranches<'_> {
        NodeBranches(&self.words_of(node)[1..])
    }
}

/// The branches of a node that remain: their words.
#[derive(Clone, Debug)]
struct NodeBranches<'a>(&'a [u32]);

impl<'a> Iterator for NodeBranches<'a> {
    type Item = Branch<'a>;

    #[inline]
    fn next(&mut self) -> Option<Branch<'a>> {
        let (&[options, children], rest) = self.0.split_first_chunk()?;
        let (options, rest) = rest.split_at_checked(options as usize)?;
        let (children, rest) = rest.split_at_checked(children as usize)?;
        self.0 = rest;
        Some(Branch { options, children })
    }
}

/// All solutions of a problem, equal parts stored once. [`Diagram::build`] finds them.
#[derive(Clone, Debug)]
pub struct Diagram {
    problem: ExactCover,
    nodes: Lists,
    /// The number of solutions of every node, once they were counted.
    counts: OnceLock<Vec<Natural>>,
}

impl Diagram {
    /// The problem.
    pub fn problem(&self) -> &ExactCover {
        &self.problem
    }

    /// The number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes in memory, without the problem.
    pub fn bytes(&self) -> usize {
        4 * self.nodes.words.len() + 8 * self.nodes.ends.len()
    }
}
