//! k queens on an n x n board that attack or occupy every square.
//!
//! A square may be covered more than once: it is a primary item with the bounds 1 to k. The item `#` counts the queens
//! and is covered exactly k times. An option is a queen on a square, which covers `#` and all squares on its lines. In
//! this model queens do not block each other's lines, and need not: a blocking queen attacks the squares behind it.
//!
//! Source: Knuth, "The Art of Computer Programming" 4B, section 7.2.2.1, on multiplicities (Algorithm M). Five queens
//! dominate the 8 x 8 board in 4,860 ways, three the 6 x 6 board in 4.

use super::cells::{DIGITS, in_digits, places};
use super::{Arguments, Model, ModelError};
use crate::ExactCover;

pub(super) const MODEL: Model = Model {
    name: "queen-domination",
    usage: "N K",
    about: "K queens that see every square of an N x N board (multiplicities)",
    make,
};

fn make(words: &[&str]) -> Result<ExactCover, ModelError> {
    let mut words = Arguments::of(words);
    let n = words.number("N", 1..=DIGITS)?;
    let queens = words.number("K", 1..=n * n)? as u32;
    words.end()?;
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
