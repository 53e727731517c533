//! The empty sudoku with blocks of w columns and h rows: 3x3 is the usual one, 2x2 the one for children.
//!
//! It is a Latin square of w x h symbols in which every block has every symbol too. So it has the items of
//! [`latin`](super::latin) and one for each symbol of each block (`b`, block, symbol), and an option covers one of each
//! kind. Symbols are numbered from 1, everything else from 0. (`galop make sudoku PUZZLE` writes puzzles with clues.)
//!
//! Source: Knuth, "The Art of Computer Programming" 4B, section 7.2.2.1. Counts: B. Felgenhauer, F. Jarvis,
//! "Mathematics of Sudoku I", Mathematical Spectrum 39 (2006), 15-22: 288 of 2x2, 28,200,960 of 3x2,
//! 6,670,903,752,021,072,936,960 of 3x3.

use std::ops::RangeInclusive;

use super::cells::{DIGITS, in_digits, places};
use super::{Model, ModelError, check};
use crate::ExactCover;

pub(super) const MODEL: Model = Model {
    name: "sudoku",
    usage: "WxH",
    about: "the empty sudoku grid with blocks of W columns and H rows: 3x3 is the usual one",
    make: |words| {
        let (width, height) = words.board("WxH", SIDES)?;
        words.end()?;
        sudoku(width, height)
    },
};

const SIDES: RangeInclusive<usize> = 1..=DIGITS - 1;

/// The empty sudoku with blocks of `width` columns and `height` rows. Symbol s + 1 in cell c is option n c + s, with
/// n symbols and the cells row by row.
///
/// # Errors
/// [`ModelError::Argument`] if a side is 0 or a block has more than 61 cells.
pub fn sudoku(width: usize, height: usize) -> Result<ExactCover, ModelError> {
    [width, height].into_iter().try_for_each(|side| check("WxH", side, SIDES))?;
    let n = width * height;
    if n >= DIGITS {
        return Err(ModelError::Argument(format!(
            "blocks of {n} cells (61 at most; WxH is the size of a block, and the usual grid is 3x3)"
        )));
    }
    let mut builder = ExactCover::builder();
    let filled: Vec<_> =
        places(n, n).map(|(row, column)| builder.primary(&in_digits("p", [row, column]))).collect();
    let [rows, columns, blocks] = ["r", "c", "b"].map(|prefix| -> Vec<_> {
        places(n, n).map(|(unit, symbol)| builder.primary(&in_digits(prefix, [unit, symbol + 1]))).collect()
    });
    for (row, column) in places(n, n) {
        let block = row / height * height + column / width;
        for symbol in 0..n {
            builder.option([
                filled[row * n + column],
                rows[row * n + symbol],
                columns[column * n + symbol],
                blocks[block * n + symbol],
            ]);
        }
    }
    Ok(builder.finish()?)
}
