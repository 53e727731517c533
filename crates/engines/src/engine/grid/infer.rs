//! Inference without guesses: the interface of the two ways to do it.

use super::pairs::Pairs;
use super::plan::Plan;
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
///
/// The search calls it through a table of functions, a few times a guess, so that it is compiled once for each word
/// instead of once for each size and instruction set.
pub(super) trait Infer<W: Word>: Send {
    /// Prepares to look at all cells and units of a grid whose clues are placed.
    fn start(&mut self, words: &[W]);

    /// Forgets the work that was left after a contradiction.
    fn clear(&mut self);

    /// Eliminates all but `candidates` from the cell.
    fn keep(&mut self, words: &mut [W], slot: usize, candidates: u32);

    /// Infers until nothing follows.
    fn propagate(&mut self, words: &mut [W]) -> Result<(), Contradiction>;

    /// Collects the slots of cells with two candidates. Returns whether every cell has one candidate.
    fn pairs(&self, words: &[W], pairs: &mut Vec<u16>) -> bool;

    /// Compares the pairs of such cells with each other.
    fn compare(&self, plan: &Plan, words: &[W], pairs: &mut Pairs<W>);
}
