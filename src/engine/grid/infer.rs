//! Inference without guesses: the interface of the two ways to do it.

use super::blocks::Blocks;
use super::word::Word;

/// A cell without candidates, by its slot, or a unit in which a symbol has no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contradiction {
    Cell(usize),
    Unit(usize),
}

/// Infers: singles and locked candidates, until nothing follows.
///
/// The candidates of a grid are words in slots. Slots that belong to no cell are empty.
pub(super) trait Infer: Send + 'static {
    /// The candidates of a cell.
    type Word: Word;
    /// A vector of them.
    type Blocks: Blocks<Word = Self::Word>;

    /// Prepares to look at all cells and units.
    fn start(&mut self);

    /// Forgets the work that was left after a contradiction.
    fn clear(&mut self);

    /// Eliminates all but `candidates` from the cell.
    fn keep(&mut self, words: &mut [Self::Word], slot: usize, candidates: u32);

    /// Infers until nothing follows.
    fn propagate(&mut self, words: &mut [Self::Word]) -> Result<(), Contradiction>;

    /// Collects the slots of cells with two candidates. Returns whether every cell has one candidate.
    fn pairs(&self, words: &[Self::Word], pairs: &mut Vec<u16>) -> bool;
}
