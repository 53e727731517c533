//! How a puzzle is written: as cells of an alphabet, or as choices of a problem.

use std::borrow::Cow;
use std::sync::Arc;

use galop_cover::Assumptions;
use galop_cover::text::ChoiceText;

use crate::grid::{Alphabet, Rules, SIDES};
use crate::input::error::{Count, LineError, LineErrorKind};
use crate::puzzle::{read_options, write_options};

/// The number of cells and the characters in them, or the choices of a problem.
#[derive(Clone, Debug)]
pub struct Notation {
    /// Bytes of a puzzle: cells of a grid, options of a problem.
    pub(crate) cells: usize,
    /// The characters of the symbols.
    pub alphabet: Alphabet,
    /// How choices are written, if the rules are a problem.
    pub(crate) choices: Option<Arc<ChoiceText>>,
}

/// A square of that many cells, in the usual alphabet of as many symbols as a row has cells.
impl From<usize> for Notation {
    fn from(cells: usize) -> Notation {
        Notation::of_grid(cells, Alphabet::of_symbols(cells.isqrt().min(255) as u8))
    }
}

impl From<&Rules> for Notation {
    fn from(rules: &Rules) -> Notation {
        let choices = rules.choices().cloned();
        Notation { cells: rules.stride(), alphabet: rules.alphabet().clone(), choices }
    }
}

impl Notation {
    /// Puzzles of this many cells in this alphabet.
    pub(crate) fn of_grid(cells: usize, alphabet: Alphabet) -> Notation {
        Notation { cells, alphabet, choices: None }
    }

    /// The options of the problem, if the rules are one.
    pub(super) fn options(&self) -> Option<usize> {
        self.choices.as_ref().map(|_| self.cells)
    }

    /// Appends the puzzle that `text` is, which starts at byte `start` of its line.
    ///
    /// # Errors
    /// The first wrong byte, or the first byte of the wrong choice.
    pub(super) fn push(&self, text: &[u8], start: usize, puzzles: &mut Vec<u8>) -> Result<(), LineError> {
        match &self.choices {
            Some(choices) => push_choices(choices, self.cells, text, puzzles)
                .map_err(|(at, kind)| LineError::at(start + at, kind)),
            None if text.len() == self.cells && self.push_cells(text, puzzles) => Ok(()),
            None => Err(self.explain(text, start)),
        }
    }

    /// Fills `cells` from `text`, in which white space is skipped; returns whether it is a puzzle.
    #[inline]
    pub fn read_puzzle(&self, text: &[u8], cells: &mut [u8]) -> bool {
        let is_plain = self.choices.is_none() && text.len() == cells.len();
        is_plain && self.alphabet.read(text, cells) || self.read_other(text, cells)
    }

    /// As [`read_puzzle`](Self::read_puzzle), for a text of any length.
    #[inline(never)]
    fn read_other(&self, text: &[u8], cells: &mut [u8]) -> bool {
        if let Some(choices) = &self.choices {
            let mut assumptions = Assumptions::default();
            let is_read = choices.read(text, &mut assumptions).is_ok();
            write_options(&assumptions, cells);
            return is_read;
        }
        let text = without_spaces(text);
        text.len() == cells.len() && self.alphabet.read(&text, cells)
    }

    /// Fills `cells` from `text`, an answer; returns whether it is one.
    pub fn read_answer(&self, text: &[u8], cells: &mut Vec<u8>) -> bool {
        cells.clear();
        match &self.choices {
            Some(choices) => push_choices(choices, self.cells, text, cells).is_ok(),
            None => text.len() == self.cells && self.push_cells(text, cells),
        }
    }

    /// Appends the puzzle or grid that `text` is, with white space between its cells or rows; returns whether it is one.
    #[cold]
    pub(super) fn push_spaced(&self, text: &[u8], puzzles: &mut Vec<u8>) -> bool {
        let text = without_spaces(text);
        self.choices.is_none() && text.len() == self.cells && self.push_cells(&text, puzzles)
    }

    /// Appends a puzzle on one line.
    #[inline(always)]
    pub fn write(&self, cells: &[u8], out: &mut Vec<u8>) {
        match &self.choices {
            Some(choices) => write_choices(choices, cells, out),
            None => push_cells(cells, &self.alphabet, out),
        }
    }

    /// Appends the cells of `text` (0 blank, 1..=n) if every byte of it is a cell; returns whether it did.
    #[inline]
    pub(super) fn push_cells(&self, text: &[u8], puzzles: &mut Vec<u8>) -> bool {
        let start = puzzles.len();
        puzzles.extend_from_slice(text);
        let are_cells = self.alphabet.read_in_place(&mut puzzles[start..]) == text.len();
        if !are_cells {
            puzzles.truncate(start);
        }
        are_cells
    }

    /// Why `text`, which starts at byte `start` of its line, is not a puzzle.
    pub(super) fn explain(&self, text: &[u8], start: usize) -> LineError {
        match text.iter().position(|&byte| !self.is_cell(byte)) {
            _ if has_lost_digits(text, self.cells) => LineError::at(start, LineErrorKind::LostDigits),
            Some(at) if at < self.cells && !is_of_other_size(text, self.cells) => {
                LineError::at(start + at, self.wrong_character(text[at]))
            }
            _ => {
                let kind = LineErrorKind::Length(Count::new(text.len(), self.cells));
                LineError::at(start + text.len().min(self.cells), kind)
            }
        }
    }

    /// Whether `byte` is a cell.
    pub(in crate::input) fn is_cell(&self, byte: u8) -> bool {
        self.alphabet.cell(byte).is_some()
    }

    /// `byte` is not a character of the alphabet.
    pub(crate) fn wrong_character(&self, byte: u8) -> LineErrorKind {
        match self.alphabet.is_nine() {
            true => LineErrorKind::Character(byte),
            false => LineErrorKind::Symbol { byte, alphabet: self.alphabet.name() },
        }
    }
}

/// The text in a `field` with the marks that keep a spreadsheet from taking it for a number: `="..."` or `'...`.
pub(super) fn without_marks(field: &[u8]) -> &[u8] {
    match field {
        // In a field in quotes, those in it are written twice.
        [b'=', b'"', b'"', inner @ .., b'"', b'"'] if !inner.is_empty() => inner,
        [b'=', b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] | [b'\'', inner @ ..] => inner,
        _ => field,
    }
}

/// Whether `text` is what is left of the digits of a puzzle that a program took for a number: `4.17E+80`, or two to nine
/// digits less than `cells`, the first ones, which were zeros.
fn has_lost_digits(text: &[u8], cells: usize) -> bool {
    let is_digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let exponent = text.iter().position(|byte| matches!(byte, b'E' | b'e')).filter(|_| cells >= 81);
    match exponent {
        Some(at) => {
            let mut number = text[..at].splitn(2, |&byte| byte == b'.');
            number.all(is_digits) && text[at + 1..].strip_prefix(b"+").is_some_and(is_digits)
        }
        None => {
            (cells - cells / 9..cells - 1).contains(&text.len()) && is_digits(text) && text.contains(&b'0')
        }
    }
}

/// Whether `text` looks like a puzzle of more cells.
fn is_of_other_size(text: &[u8], cells: usize) -> bool {
    let is_cell = |byte: &u8| byte.is_ascii_alphanumeric() || b".*_?".contains(byte);
    text.len() > cells && SIDES.iter().any(|side| side * side == text.len()) && text.iter().all(is_cell)
}

/// Whether `word` is written for a blank in a list of numbers.
pub(super) fn is_blank_word(word: &[u8]) -> bool {
    ["none", "null", "nan", "nil", "na", "-1"].iter().any(|blank| word.eq_ignore_ascii_case(blank.as_bytes()))
}

/// `text` with a dot for each `blank`, if it has symbols beside them and no other blank.
pub(super) fn with_dots(text: &[u8], blank: u8) -> Cow<'_, [u8]> {
    let has_others = || text.iter().any(|byte| b".*_?+=".contains(byte));
    if !text.contains(&blank) || has_others() || !text.iter().any(u8::is_ascii_alphanumeric) {
        return text.into();
    }
    text.iter().map(|&byte| if byte == blank { b'.' } else { byte }).collect()
}

/// `text` without white space: a field may hold a grid as it is drawn.
pub(super) fn without_spaces(text: &[u8]) -> Cow<'_, [u8]> {
    match text.iter().any(u8::is_ascii_whitespace) {
        true => text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect(),
        false => text.into(),
    }
}

/// Appends the cells of a grid to `buffer`, one character each.
#[inline(always)]
fn push_cells(cells: &[u8], alphabet: &Alphabet, buffer: &mut Vec<u8>) {
    match <&[u8; 81]>::try_from(cells) {
        Ok(cells) if alphabet.is_nine() => {
            // Straight vector code: all rows of an array are written so.
            let mut text = [b'.'; 81];
            for at in 0..81 {
                text[at] = if cells[at] == 0 { b'.' } else { cells[at].wrapping_add(b'0') };
            }
            buffer.extend_from_slice(&text);
        }
        _ => buffer.extend(cells.iter().map(|&cell| alphabet.character(cell))),
    }
}

/// Appends a byte an option: those that `text` chooses or forbids are not 0.
///
/// # Errors
/// The byte of the wrong choice, and what is wrong with it.
fn push_choices(
    choices: &ChoiceText,
    stride: usize,
    text: &[u8],
    puzzles: &mut Vec<u8>,
) -> Result<(), (usize, LineErrorKind)> {
    let mut assumptions = Assumptions::default();
    let read = choices.read(text, &mut assumptions);
    read.map_err(|error| (error.column - 1, LineErrorKind::Choice(error.fault)))?;
    push_options(&assumptions, stride, puzzles);
    Ok(())
}

/// Appends a byte an option, of `stride` options.
pub(super) fn push_options(assumptions: &Assumptions, stride: usize, puzzles: &mut Vec<u8>) {
    let start = puzzles.len();
    puzzles.resize(start + stride, 0);
    write_options(assumptions, &mut puzzles[start..]);
}

#[inline(never)]
fn write_choices(choices: &ChoiceText, cells: &[u8], out: &mut Vec<u8>) {
    let mut assumptions = Assumptions::default();
    read_options(cells, &mut assumptions);
    choices.write(&assumptions, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_of_a_puzzle_is_skipped() {
        for (cells, text) in [(81, "4.".to_owned() + &"x".repeat(79)), (16, "12.. 34.. ..1. ...4".to_owned())]
        {
            let (notation, mut read) = (Notation::from(cells), vec![7; cells]);
            let expected = text.bytes().filter(|&byte| byte != b' ');
            let expected: Vec<u8> =
                expected.map(|byte| if byte.is_ascii_digit() { byte - b'0' } else { 0 }).collect();
            for text in [text.clone(), format!(" {text}\r\n"), text.replacen('.', "\t.\n", 1)] {
                read.fill(7);
                assert!(notation.read_puzzle(text.as_bytes(), &mut read), "{text}");
                assert_eq!(read, expected);
            }
            for wrong in [text.clone() + "1", text[1..].to_owned(), text.replace('.', "w")] {
                assert!(!notation.read_puzzle(wrong.as_bytes(), &mut read), "{wrong}");
            }
        }
    }

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
