//! How puzzles are written: so many characters a puzzle, of that alphabet.

use super::{is_blank, read_cells, read_cells_of};
use crate::grid::{Alphabet, Rules};
use crate::input::error::{LineError, LineErrorKind};

/// The number of cells and the characters in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// Cells of a puzzle.
    pub cells: usize,
    /// The characters of the symbols.
    pub alphabet: Alphabet,
}

/// A square of so many cells, in the usual alphabet of as many symbols as a row has cells.
impl From<usize> for Spelling {
    fn from(cells: usize) -> Spelling {
        Spelling { cells, alphabet: Alphabet::of_symbols(cells.isqrt().min(255) as u8) }
    }
}

impl From<&Rules> for Spelling {
    fn from(rules: &Rules) -> Spelling {
        Spelling { cells: rules.grid().cells(), alphabet: rules.alphabet().clone() }
    }
}

impl Spelling {
    /// Appends the cells of `text` (0 blank, 1..=n) if every byte of it is a cell, and says whether it did.
    #[inline]
    pub(super) fn push_cells(&self, text: &[u8], puzzles: &mut Vec<u8>) -> bool {
        let start = puzzles.len();
        puzzles.resize(start + text.len(), 0);
        let cells = &mut puzzles[start..];
        let are_cells = self.read(text, cells);
        if !are_cells {
            puzzles.truncate(start);
        }
        are_cells
    }

    /// Fills `cells` from `text`, and says whether all of its bytes are cells.
    #[inline]
    pub(super) fn read(&self, text: &[u8], cells: &mut [u8]) -> bool {
        if self.alphabet.is_nine() { read_cells(text, cells) } else { self.alphabet.read(text, cells) }
    }

    /// Fills `cells` from `text`, a number of them that the compiler knows, and says whether all are cells.
    #[inline(always)]
    pub(super) fn read_of<const CELLS: usize>(&self, text: &[u8; CELLS], cells: &mut [u8; CELLS]) -> bool {
        // Nine digits are compared in vectors; a table serves all other alphabets.
        if CELLS == 81 && self.alphabet.is_nine() {
            read_cells_of(text, cells)
        } else {
            self.alphabet.read(text, cells)
        }
    }

    /// Why `text`, which starts at byte `start` of its line, is no puzzle.
    pub(super) fn explain(&self, text: &[u8], start: usize) -> LineError {
        let is_cell = |byte: u8| match self.alphabet.is_nine() {
            true => byte.is_ascii_digit() || is_blank(byte),
            false => self.alphabet.cell(byte).is_some(),
        };
        match text.iter().position(|&byte| !is_cell(byte)) {
            Some(at) if at < self.cells => {
                let column = (start + at) as u32 + 1;
                let kind = match self.alphabet.is_nine() {
                    true => LineErrorKind::Character(text[at]),
                    false => LineErrorKind::Symbol { byte: text[at], alphabet: self.alphabet.name() },
                };
                LineError { column, kind }
            }
            _ => LineError {
                column: (start + text.len().min(self.cells)) as u32 + 1,
                kind: LineErrorKind::Length { found: text.len() as u32, expected: self.cells as u32 },
            },
        }
    }
}
