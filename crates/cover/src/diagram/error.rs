//! The errors of diagrams.

use crate::{End, OptionId};

use super::NodeId;

/// Why a diagram was not built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DiagramError {
    /// A branch has a child that does not exist.
    #[error("unknown node {node} (nodes are numbered from 0, and there are {count})")]
    UnknownNode {
        /// The number of the node.
        node: NodeId,
        /// Nodes of the diagram so far.
        count: usize,
    },
    /// A branch has an option that the problem does not have.
    #[error("unknown option {option} (options are numbered from 0, and there are {count})")]
    UnknownOption {
        /// The number of the option.
        option: OptionId,
        /// Options of the problem.
        count: usize,
    },
    /// The diagram needs more nodes than have numbers.
    #[error("the diagram has more than 4,294,967,293 nodes")]
    TooLarge,
    /// The diagram and what its construction needs exceed the memory allowed.
    #[error("the diagram does not fit in {bytes} bytes")]
    Memory {
        /// The bytes allowed.
        bytes: usize,
    },
    /// A limit ended the search.
    #[error("the search for the diagram was ended: {}", end.name())]
    Stopped {
        /// Which one.
        end: End,
    },
}
