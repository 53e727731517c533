//! How a puzzle is written: the number of its cells, and the alphabet of its symbols.

use super::digits::{is_blank, read_81_cells, read_cells};
use crate::grid::{Alphabet, Rules};
use crate::input::error::{Count, LineError, LineErrorKind};

/// The number of cells and the characters in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notation {
    /// Cells of a puzzle.
    pub(crate) cells: usize,
    /// The characters of the symbols.
    pub alphabet: Alphabet,
}

/// A square of that many cells, in the usual alphabet of as many symbols as a row has cells.
impl From<usize> for Notation {
    fn from(cells: usize) -> Notation {
        Notation { cells, alphabet: Alphabet::of_symbols(cells.isqrt().min(255) as u8) }
    }
}

impl From<&Rules> for Notation {
    fn from(rules: &Rules) -> Notation {
        Notation { cells: rules.grid().cells(), alphabet: rules.alphabet().clone() }
    }
}

impl Notation {
    /// Appends the cells of `text` (0 blank, 1..=n) if every byte of it is a cell; returns whether it did.
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

    /// Fills `cells` from `text`; returns whether all of its bytes are cells.
    #[inline]
    pub(crate) fn read(&self, text: &[u8], cells: &mut [u8]) -> bool {
        if self.alphabet.is_nine() { read_cells(text, cells) } else { self.alphabet.read(text, cells) }
    }

    /// The same for the 81 cells of a 9x9 grid: digits are read in vectors, other alphabets from a table.
    #[inline(always)]
    pub(in crate::input) fn read_81(&self, text: &[u8; 81], cells: &mut [u8; 81]) -> bool {
        if self.alphabet.is_nine() { read_81_cells(text, cells) } else { self.alphabet.read(text, cells) }
    }

    /// Why `text`, which starts at byte `start` of its line, is not a puzzle.
    pub(super) fn explain(&self, text: &[u8], start: usize) -> LineError {
        match text.iter().position(|&byte| !self.is_cell(byte)) {
            Some(at) if at < self.cells => LineError::at(start + at, self.wrong_character(text[at])),
            _ => {
                let kind = LineErrorKind::Length(Count::new(text.len(), self.cells));
                LineError::at(start + text.len().min(self.cells), kind)
            }
        }
    }

    /// Whether `byte` is a cell.
    pub(in crate::input) fn is_cell(&self, byte: u8) -> bool {
        match self.alphabet.is_nine() {
            true => byte.is_ascii_digit() || is_blank(byte),
            false => self.alphabet.cell(byte).is_some(),
        }
    }

    /// `byte` is not a character of the alphabet.
    pub(crate) fn wrong_character(&self, byte: u8) -> LineErrorKind {
        match self.alphabet.is_nine() {
            true => LineErrorKind::Character(byte),
            false => LineErrorKind::Symbol { byte, alphabet: self.alphabet.name() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_wrong_byte_is_named_or_else_the_length() {
        let nine = Notation::from(81);
        let of_length = |found| LineErrorKind::Length(Count { found, expected: 81 });
        for (text, column, kind) in [
            ("1.w".to_owned(), 13, LineErrorKind::Character(b'w')),
            ("1.0x".to_owned(), 15, of_length(4)),
            (".".repeat(80) + "w", 91, LineErrorKind::Character(b'w')),
            (".".repeat(81) + "w", 92, of_length(82)),
            (".".repeat(82) + "w", 92, of_length(83)),
        ] {
            assert_eq!(nine.explain(text.as_bytes(), 10), LineError { column, kind }, "{text}");
        }
        let hexadoku = Notation::from(256);
        assert_eq!(hexadoku.explain(b"1.Z", 0).column, 3);
    }
}
