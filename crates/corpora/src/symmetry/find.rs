//! What finds canonical forms: for grids of one size, or for puzzles of one problem.

use super::forms::{Forms, NoForm};
use crate::puzzle::Puzzles;

/// The records of a call.
#[derive(Clone, Copy)]
pub(super) struct Records<'a> {
    /// None: the records are solution grids.
    pub(super) puzzles: Option<Puzzles<'a>>,
    pub(super) solutions: Option<Puzzles<'a>>,
    pub(super) is_single: &'a dyn Fn(usize) -> bool,
}

impl<'a> Records<'a> {
    /// The puzzle and the solution of the record at `place`, as far as they are asked for.
    #[inline(always)]
    pub(super) fn get(&self, place: usize) -> (Option<&'a [u8]>, Option<&'a [u8]>) {
        let puzzle = self.puzzles.and_then(|puzzles| puzzles.get(place));
        let solution = self.solutions.and_then(|solutions| solutions.get(place));
        (puzzle, solution.filter(|_| (self.is_single)(place)))
    }
}

/// Finds the forms of one size, or of one problem.
pub(super) trait Find: std::fmt::Debug + Send {
    /// Writes the form of each record to `forms`, which has places for them.
    fn find(&mut self, records: Records<'_>, forms: &mut Forms);
}

/// Whether the clues are symbols up to `side`, or 0.
#[inline(always)]
pub(super) fn check_symbols(puzzle: &[u8], side: usize) -> Result<(), NoForm> {
    let largest = puzzle.iter().fold(0, |largest, &symbol| symbol.max(largest));
    if usize::from(largest) > side {
        Err(NoForm::Symbol { found: largest, largest: side as u8 })
    } else {
        Ok(())
    }
}
