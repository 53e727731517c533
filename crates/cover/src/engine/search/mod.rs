//! The search stack: levels, the branches that are left, splitting, progress and metering, once for several engines.
//!
//! An engine is its data structure, and says how to choose an option and how to go back. There are two kinds of level:
//! ```text
//! branches                          choices
//!          item i                           item i
//!       /    |    \                       /        \
//!   choose  choose  choose         choose o of i    forbid o, examine again
//!     o1      o2      o3
//! ```
//! [Branches](super::sparse) try the options of one item in turn, if each item is covered once. [`Choices`] chooses an
//! option and then forbids it in place, on its [`Levels`]. So an item with bounds meets every set of its options once,
//! and a search with restarts may take another item after each failure.

mod choices;
mod levels;
mod restarts;

pub(crate) use choices::{Choices, Moves};
pub(crate) use levels::Levels;
pub(crate) use restarts::{Failed, Luck, Path, Restarting, States, Walk};

/// Where a search continues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Step {
    /// At a new state, a node: its option is not chosen yet.
    Enter,
    /// At a state to propagate and to branch on.
    Examine,
    /// At the last choice, to backtrack.
    Leave,
    /// The search is complete.
    #[default]
    Done,
}
