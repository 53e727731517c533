//! Short names of cells: the numbers of row and column, from 0.

use std::fmt::Display;

/// Numbers below this can be written as one digit.
pub(super) const DIGITS: usize = 62;

/// The number as one digit, as Knuth's programs write coordinates: 0 to 9, a to z, A to Z.
pub(super) fn digit(number: usize) -> char {
    let digits = ('0'..='9').chain('a'..='z').chain('A'..='Z');
    digits.into_iter().nth(number).unwrap_or('?')
}

/// A name in digits: `p`, 3 and 10 make `p3a`.
pub(super) fn in_digits(prefix: impl Display, numbers: impl IntoIterator<Item = usize>) -> String {
    let mut name = prefix.to_string();
    name.extend(numbers.into_iter().map(digit));
    name
}

/// A name for boards with longer sides: 3 and 10 make `3.10`.
pub(super) fn dotted(row: usize, column: usize) -> String {
    format!("{row}.{column}")
}

/// The cells of a board, row by row.
pub(super) fn places(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
}
