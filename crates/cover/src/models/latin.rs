//! Latin squares: n symbols in an n x n board, each once in every row and every column.
//!
//! The items are what must happen: a cell is filled (`p`, row, column), a row has a symbol (`r`, row, symbol), a column
//! has a symbol (`c`, column, symbol). An option puts a symbol into a cell and covers one item of each kind.
//!
//! Source: L. Euler, "Recherches sur une nouvelle espece de quarres magiques" (1782); Knuth, "The Art of Computer
//! Programming" 4B, section 7.2.2.1. Counts: OEIS A002860.

use std::ops::RangeInclusive;

use super::cells::{DIGITS, in_digits, places};
use super::{Model, ModelError, check};
use crate::ExactCover;

pub(super) const MODEL: Model = Model {
    name: "latin",
    usage: "N",
    about: "Latin squares of N symbols",
    make: |words| latin(words.only("N", SYMBOLS)?),
};

const SYMBOLS: RangeInclusive<usize> = 1..=DIGITS;

/// Latin squares of `n` symbols.
///
/// # Errors
/// [`ModelError::Argument`] if `n` is not 1 to 62.
pub fn latin(n: usize) -> Result<ExactCover, ModelError> {
    check("N", n, SYMBOLS)?;
    let mut builder = ExactCover::builder();
    let [filled, rows, columns] = ["p", "r", "c"].map(|prefix| -> Vec<_> {
        places(n, n).map(|(one, other)| builder.primary(&in_digits(prefix, [one, other]))).collect()
    });
    for (row, column) in places(n, n) {
        for symbol in 0..n {
            builder.option([filled[row * n + column], rows[row * n + symbol], columns[column * n + symbol]]);
        }
    }
    Ok(builder.finish()?)
}
