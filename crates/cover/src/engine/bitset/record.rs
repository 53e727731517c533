//! Recording the solutions of a counting search as a diagram.
//!
//! What the search remembers of a state is then the number of its node. The branches of the levels under way are on a
//! stack of words; a level that is left becomes a node, and a branch of the level above.
//! ```text
//! stack    | 2 child 7 3 | 1 child 9 | 1 child 4 | ..      the number of options, the node behind them, the options
//! starts     0                         1                   the first branch of each level
//! ```
//! A number that the table of counts replaces costs time, and no node: the builder finds equal nodes by itself.

use crate::diagram::{Branch, DONE, DiagramBuilder, DiagramError, NONE, NodeId};
use crate::{Natural, OptionId};

/// Nodes between two looks at the memory in use.
const MEMORY_CHECK_NODES: u32 = 256;

/// A diagram under construction.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    builder: DiagramBuilder,
    memory: usize,
    error: Option<DiagramError>,
    stack: Vec<u32>,
    starts: Vec<usize>,
    nodes: u32,
}

impl Recorder {
    /// A recorder that takes at most `memory` bytes, with the table of counts.
    pub(super) fn new(memory: usize) -> Recorder {
        Recorder {
            builder: DiagramBuilder::default(),
            memory,
            error: None,
            stack: Vec::new(),
            starts: Vec::new(),
            nodes: 0,
        }
    }

    /// Begins a level.
    #[inline(never)]
    pub(super) fn begin(&mut self) {
        self.starts.push(self.stack.len());
    }

    /// Adds a solution to the last level.
    #[inline(never)]
    pub(super) fn end(&mut self, options: &[OptionId]) {
        self.push(options, DONE);
    }

    /// Adds a branch that leads to a known node to the last level.
    #[inline(never)]
    pub(super) fn branch(&mut self, options: &[OptionId], node: &Natural) {
        self.push(options, node.to_u128().map_or(NONE, |node| node as NodeId));
    }

    fn push(&mut self, options: &[OptionId], node: NodeId) {
        if node != NONE {
            self.stack.extend([options.len() as u32, node]);
            self.stack.extend(options.iter().map(|option| option.0));
        }
    }

    /// Ends the last level, to which `options` led from the one above, and returns the number of its node.
    #[inline(never)]
    pub(super) fn leave(&mut self, options: &[OptionId], memo_bytes: usize) -> Natural {
        let node = self.end_level();
        self.push(options, node);
        self.nodes += 1;
        if self.nodes.is_multiple_of(MEMORY_CHECK_NODES)
            && self.builder.bytes() + memo_bytes + 4 * self.stack.capacity() > self.memory
        {
            self.error = Some(DiagramError::Memory { bytes: self.memory });
        }
        Natural::from(u128::from(node))
    }

    /// The node of the last level; [`NONE`] after an error.
    fn end_level(&mut self) -> NodeId {
        let start = self.starts.pop().unwrap_or(0);
        let result = self.error.clone().map_or_else(|| node(&mut self.builder, &self.stack[start..]), Err);
        self.stack.truncate(start);
        result.unwrap_or_else(|error| {
            self.error = Some(error);
            NONE
        })
    }

    /// Why the diagram cannot be built.
    pub(super) fn error(&self) -> Option<&DiagramError> {
        self.error.as_ref()
    }

    /// The diagram and its root, after the search has ended.
    pub(super) fn finish(mut self) -> Result<(DiagramBuilder, NodeId), DiagramError> {
        let root = self.end_level();
        self.error.map_or(Ok((self.builder, root)), Err)
    }
}

/// The node with these branches.
fn node(builder: &mut DiagramBuilder, mut branches: &[u32]) -> Result<NodeId, DiagramError> {
    builder.begin();
    while let [len, child, rest @ ..] = branches {
        let (options, rest) = rest.split_at(*len as usize);
        builder.branch(Branch { options, children: &[*child] });
        branches = rest;
    }
    builder.end()
}
