//! The errors of diagrams.

use crate::engine::Unsuitable;
use crate::problem::clip;
use crate::{Bounds, End, OptionId};

/// Why a diagram was not built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DiagramError {
    /// A primary item is not covered exactly once.
    #[error(
        "item `{}` has bounds, {}:{}, and a diagram needs primary items that are covered exactly once (an item that is \
         covered at most once can be a secondary item)", clip(name), bounds.low, bounds.high
    )]
    Bounds {
        /// The first such item.
        name: String,
        /// How often it is covered.
        bounds: Bounds,
    },
    /// Options have too many items and colours.
    #[error(
        "the problem is too large for a diagram: {why}; each item takes a bit, and the colours of an item take more"
    )]
    TooWide {
        /// What is too large.
        why: Unsuitable,
    },
    /// The options to have, or not to have, include one that the problem does not have.
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
