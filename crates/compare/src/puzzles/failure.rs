//! An answer that ends a comparison, with its place.

use super::set::Set;
use galop_batch::error::{Error, ErrorKind};

/// An answer that ends the comparison.
#[derive(Debug)]
pub(super) struct Failure {
    /// The place of the puzzle in the pass.
    pub(super) place: usize,
    /// What is wrong.
    pub(super) kind: ErrorKind,
}

impl Failure {
    /// The same failure, with its place in the puzzles as they were read instead of in this order of them.
    pub(super) fn in_order(self, order: &[u32]) -> Failure {
        Failure { place: order.get(self.place).map_or(self.place, |&place| place as usize), ..self }
    }

    /// The error, with the input and line of its puzzle.
    pub(super) fn at(self, puzzles: &Set) -> Error {
        let (input, line) = puzzles.source(self.place);
        Error::at(input, self.kind).in_line(line)
    }
}
