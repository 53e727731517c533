//! The empty sudoku with blocks of w columns and h rows: 3x3 is the usual one, 2x2 the one for children.
//!
//! It is a Latin square of w x h symbols in which every block has every symbol too. So it has the items of
//! [`latin`](super::latin) and one for each symbol of each block (`b`, block, symbol), and an option covers one of each kind. Symbols
//! are numbered from 1, everything else from 0. (`galop export` writes puzzles with clues.)
//!
//! Source: Knuth, "The Art of Computer Programming" 4B, section 7.2.2.1. Counts: B. Felgenhauer, F. Jarvis,
//! "Mathematics of Sudoku I", Mathematical Spectrum 39 (2006), 15-22: 288 of 2x2, 28,200,960 of 3x2,
//! 6,670,903,752,021,072,936,960 of 3x3.

use super::cells::{DIGITS, in_digits, places};
use super::{Arguments, Model, ModelError};
use crate::ExactCover;

pub(super) const MODEL: Model = Model {
    name: "sudoku",
    usage: "WxH",
    about: "the empty sudoku grid with blocks of W columns and H rows: 3x3 is the usual one",
    make,
};

fn make(words: &[&str]) -> Result<ExactCover, ModelError> {
    let mut words = Arguments::of(words);
    let (width, height) = words.board("WxH", 1..=DIGITS - 1)?;
    words.end()?;
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
