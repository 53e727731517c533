//! A puzzle's solution, as text and as cells.

use std::fmt;

/// The solution of a puzzle. Prints as text: one character per cell, in the symbols of the puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    pub(super) text: String,
    pub(super) cells: Vec<u8>,
    pub(super) guesses: u64,
}

impl Solution {
    /// The solution as text: one character per cell, row by row.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The cells, row by row: `1..=n` for the symbols.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The number of guesses that the engine made.
    pub fn guesses(&self) -> u64 {
        self.guesses
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}
