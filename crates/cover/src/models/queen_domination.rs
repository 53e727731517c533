//! k queens on an n x n board that attack or occupy every square.
//!
//! A square may be covered more than once: it is a primary item with the bounds 1 to k. The item `#` counts the queens
//! and is covered exactly k times. An option is a queen on a square, which covers `#` and all squares on its lines. In
//! this model queens do not block each other's lines, and need not: a blocking queen attacks the squares behind it.
//!
//! Source: Knuth, "The Art of Computer Programming" 4B, section 7.2.2.1, on multiplicities (Algorithm M). Five queens
//! dominate the 8 x 8 board in 4,860 ways, three the 6 x 6 board in 4.

use std::ops::RangeInclusive;

use super::cells::{DIGITS, in_digits, places};
use super::{Model, ModelError, check};
use crate::ExactCover;

pub(super) const MODEL: Model = Model {
    name: "queen-domination",
    usage: "N K",
    about: "K queens that attack or occupy every square of an N x N board (multiplicities)",
    make: |words| {
        let n = words.number("N", SIDES)?;
        queen_domination(n, words.only("K", 1..=n * n)?)
    },
};

const SIDES: RangeInclusive<usize> = 1..=DIGITS;

/// `queens` queens that see every square of an `n` x `n` board.
///
/// # Errors
/// [`ModelError::Argument`] if `n` is not 1 to 62, or if there are no queens or more than squares.
pub fn queen_domination(n: usize, queens: usize) -> Result<ExactCover, ModelError> {
    check("N", n, SIDES)?;
    check("K", queens, 1..=n * n)?;
    let queens = queens as u32;
    let mut builder = ExactCover::builder();
    let count = builder.primary_with_bounds("#", queens, queens);
    let squares: Vec<_> = places(n, n)
        .map(|(row, column)| builder.primary_with_bounds(&in_digits("", [row, column]), 1, queens))
        .collect();
    for (row, column) in places(n, n) {
        let sees = |other: &(usize, usize)| {
            let (rows, columns) = (other.0.abs_diff(row), other.1.abs_diff(column));
            rows == 0 || columns == 0 || rows == columns
        };
        let seen = places(n, n).filter(sees).map(|(row, column)| squares[row * n + column]);
        builder.option(std::iter::once(count).chain(seen));
    }
    Ok(builder.finish()?)
}
