//! The cells of a grid in JSON: a string, or an array of numbers, of strings and of words for blanks.

use std::ops::Range;

use super::scan::{Scanner, elements, unescaped};
use crate::input::error::{Count, LineError, LineErrorKind};
use crate::input::notation::{Notation, is_blank_word};

/// Whether `value` is a grid: with or without blanks, in a string or an array.
pub(super) fn is_grid(value: &[u8], notation: &Notation) -> bool {
    notation.choices.is_none() && cells_of(value, notation).is_some()
}

/// Whether `value` is an array of a puzzle and its solution.
pub(super) fn is_pair(value: &[u8], notation: &Notation) -> bool {
    let (mut grids, mut found) = (Vec::new(), 0);
    elements(value, |at| {
        found += 1;
        grids.push(cells_of(&value[at], notation));
        found < 3
    });
    let [Some(puzzle), Some(answer), ..] = &grids[..] else { return false };
    let agrees = |(&clue, &cell): (&u8, &u8)| clue == 0 || clue == cell;
    found == 2 && !answer.contains(&0) && puzzle.iter().zip(answer).all(agrees)
}

/// The cells of `value` if it is a grid.
pub(super) fn cells_of(value: &[u8], notation: &Notation) -> Option<Vec<u8>> {
    let mut cells = Vec::new();
    push_value(value, notation, &mut cells).is_ok().then_some(cells)
}

/// The characters of the grid that `array` is.
pub(super) fn characters_of(array: &[u8], notation: &Notation) -> Option<Vec<u8>> {
    let cells = cells_of(array, notation)?;
    Some(cells.into_iter().map(|cell| notation.alphabet.character(cell)).collect())
}

/// Appends the cells of `value`, a puzzle. Returns where its text is, without quotes; an empty place at its end if that
/// is not one character a cell.
#[inline]
pub(super) fn push_value(
    value: &[u8],
    notation: &Notation,
    cells: &mut Vec<u8>,
) -> Result<Range<usize>, LineError> {
    match value.first() {
        Some(b'"' | b'\'') if value.len() > 1 => {
            let at = 1..value.len() - 1;
            let mut buffer = Vec::new();
            let text = unescaped(&value[at.clone()], &mut buffer);
            match notation.push(text, at.start, cells) {
                Err(_) if notation.push_spaced(text, cells) => Ok(value.len()..value.len()),
                pushed => pushed.map(|()| at),
            }
        }
        Some(b'[') if notation.choices.is_none() => {
            push_array(value, notation, cells)?;
            Ok(0..value.len())
        }
        _ => Err(LineError::at(0, LineErrorKind::NoGrid)),
    }
}

/// Appends the cells of an array; there must be as many as a puzzle has.
pub(super) fn push_array(array: &[u8], notation: &Notation, cells: &mut Vec<u8>) -> Result<(), LineError> {
    let start = cells.len();
    for (at, item) in items(array) {
        let most = notation.alphabet.symbols();
        cells.push(match item {
            Item::Blank => 0,
            Item::Number(number) if number <= i64::from(most) => number as u8,
            Item::Number(found) => {
                return Err(LineError::at(at, LineErrorKind::Number { found, blank: 0, most }));
            }
            Item::Character(byte) if notation.is_cell(byte) => notation.alphabet.cell(byte).unwrap_or(0),
            Item::Character(byte) | Item::Other(byte) => {
                return Err(LineError::at(at, notation.wrong_character(byte)));
            }
        });
    }
    let found = cells.len() - start;
    match found == notation.cells {
        true => Ok(()),
        false => Err(LineError::at(0, LineErrorKind::Length(Count::new(found, notation.cells)))),
    }
}

/// A cell in an array.
pub(super) enum Item {
    Number(i64),
    /// A word for nothing.
    Blank,
    /// One of the characters of a string.
    Character(u8),
    /// The first byte of anything else.
    Other(u8),
}

/// The cells of `array`, each with its place.
pub(super) fn items(array: &[u8]) -> impl Iterator<Item = (usize, Item)> {
    let (mut at, mut characters) = (0, Vec::new().into_iter());
    std::iter::from_fn(move || {
        loop {
            if let Some(byte) = characters.next() {
                return Some((at, Item::Character(byte)));
            }
            let place = at + array[at..].iter().position(|&byte| !is_between(byte))?;
            let rest = &array[place..];
            if rest[0].is_ascii_digit() {
                let (mut number, mut len) = (0_i64, 0);
                while let Some(byte) = rest.get(len).filter(|byte| byte.is_ascii_digit()) {
                    number = number.saturating_mul(10).saturating_add(i64::from(byte - b'0'));
                    len += 1;
                }
                // A float, as programs write numbers beside NaN.
                let zeros = rest[len..]
                    .strip_prefix(b".")
                    .map(|rest| rest.iter().take_while(|&&b| b == b'0').count());
                at = place + len + zeros.filter(|&zeros| zeros > 0).map_or(0, |zeros| zeros + 1);
                return Some((place, Item::Number(number)));
            }
            if !matches!(rest[0], b'"' | b'\'') {
                let len = rest.iter().position(|&byte| is_between(byte)).unwrap_or(rest.len());
                let is_blank = is_blank_word(&rest[..len]);
                at = if is_blank { place + len } else { array.len() };
                return Some((place, if is_blank { Item::Blank } else { Item::Other(rest[0]) }));
            }
            let Ok(string) = Scanner::new(array, place).string() else {
                at = array.len();
                return Some((place, Item::Other(rest[0])));
            };
            at = string.end;
            let text = unescaped(&array[string.start + 1..string.end - 1], &mut Vec::new()).to_vec();
            if text.trim_ascii().is_empty() {
                return Some((place, Item::Blank));
            }
            characters = text.into_iter();
        }
    })
}

/// Whether `byte` is between the cells of an array.
fn is_between(byte: u8) -> bool {
    matches!(byte, b'[' | b']' | b',') || byte.is_ascii_whitespace()
}

/// The character of a number in the usual alphabet.
pub(super) fn usual_character(number: i64) -> u8 {
    match number {
        0 => b'.',
        1..=9 => b'0' + number as u8,
        _ => b'A' + number.saturating_sub(10).min(25) as u8,
    }
}
