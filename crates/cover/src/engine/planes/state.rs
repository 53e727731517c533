//! The numbers of a state. [`Position`](super::position::Position) moves between states.
//!
//! For every primary item a state holds three numbers, bit-sliced:
//! ```text
//! low      how often it must still be covered                  B planes of W words
//! high     how often it may still be covered                   B planes of W words
//! slack    its live options minus `low`: how many of them      K planes of W words
//!          it can lose
//! ```

use super::numbers::Numbers;

/// The numbers of all primary items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State<const W: usize, const K: usize, const B: usize> {
    pub(super) slack: Numbers<W, K>,
    pub(super) low: Numbers<W, B>,
    pub(super) high: Numbers<W, B>,
}
