//! n queens on an n x n board that do not attack each other.
//!
//! Every row and every column holds one queen: the primary items. A diagonal holds at most one: a secondary item. An
//! option is a queen on a square, which covers its row, its column and its two diagonals. The four diagonals of a
//! single square exclude nothing and are left out.
//!
//! The middle rows and columns come first. Queens there occupy the longest diagonals, so an engine that breaks ties by
//! the first of several shortest items does well to start there ("organ-pipe order").
//!
//! Source: Knuth, "The Art of Computer Programming" 4B, section 7.2.2.1; counts: OEIS A000170.

use std::ops::RangeInclusive;

use super::{Model, ModelError, check};
use crate::order::sort_by_number;
use crate::{ExactCover, ItemId};

pub(super) const MODEL: Model = Model {
    name: "queens",
    usage: "N",
    about: "N queens on an N x N board that do not attack each other",
    make: |words| queens(words.only("N", SIDES)?),
};

pub(super) const SIDES: RangeInclusive<usize> = 1..=1000;

/// `n` queens on an `n` x `n` board, none of which sees another.
///
/// # Errors
/// [`ModelError::Argument`] if `n` is not 1 to 1,000.
pub fn queens(n: usize) -> Result<ExactCover, ModelError> {
    place(n, |_, _| 0)
}

/// n queens, where `cost` gives the cost of a queen in a row and a column.
pub(super) fn place(n: usize, cost: impl Fn(usize, usize) -> u64) -> Result<ExactCover, ModelError> {
    check("N", n, SIDES)?;
    let mut builder = ExactCover::builder();
    let mut lines: Vec<usize> = (0..n).collect();
    sort_by_number(&mut lines, &|line| (2 * line + 1).abs_diff(n) as u64);
    let (mut rows, mut columns) = (vec![ItemId::default(); n], vec![ItemId::default(); n]);
    for &line in &lines {
        rows[line] = builder.primary(&format!("r{line}"));
        columns[line] = builder.primary(&format!("c{line}"));
    }
    let [rising, falling] = ["a", "b"].map(|prefix| -> Vec<Option<ItemId>> {
        let is_long = |diagonal: usize| diagonal > 0 && diagonal + 2 < 2 * n;
        (0..2 * n - 1)
            .map(|diagonal| is_long(diagonal).then(|| builder.secondary(&format!("{prefix}{diagonal}"))))
            .collect()
    });
    for &row in &lines {
        for &column in &lines {
            let diagonals = [rising[row + column], falling[n - 1 + column - row]];
            let places = [rows[row], columns[column]].into_iter().chain(diagonals.into_iter().flatten());
            builder.option_with_cost(places, cost(row, column));
        }
    }
    Ok(builder.finish()?)
}
