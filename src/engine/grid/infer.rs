//! What follows without a guess: the interface of the two ways to find it.

use super::sweep::Blocks;
use super::word::Word;

/// Where no solution is left: in a cell, by its slot, or in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conflict {
    Cell(usize),
    Unit(usize),
}

/// Infers: singles and locked candidates, until nothing follows.
///
/// The candidates of a grid are words in slots; slots that belong to no cell have none.
pub(super) trait Infer: Send + 'static {
    /// The candidates of a cell.
    type Word: Word;
    /// A vector of them.
    type Blocks: Blocks<Word = Self::Word>;

    /// Everything is to be looked at.
    fn start(&mut self);

    /// Forgets what a contradiction left to do.
    fn clear(&mut self);

    /// Leaves `candidates` alone to the cell.
    fn keep(&mut self, words: &mut [Self::Word], slot: usize, candidates: u32);

    /// Infers until nothing follows.
    fn propagate(&mut self, words: &mut [Self::Word]) -> Result<(), Conflict>;

    /// The slots of cells with two candidates; whether every cell has one.
    fn pairs(&self, words: &[Self::Word], pairs: &mut Vec<u16>) -> bool;
}
