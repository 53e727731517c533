//! The Latin square: rows and columns only.

use super::{Division, Kind};

/// The row in the table of kinds.
pub(super) const KIND: Kind = Kind {
    name: "latin",
    about: "Latin square: rows and columns, 4x4 to 25x25",
    sides: SIDES,
    division: Some(Division::Lines),
    constraints: |_| Default::default(),
};

/// All side lengths.
pub(super) const SIDES: &[usize] =
    &[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25];

/// The rows, then the columns: the first units of every kind.
pub(super) fn units(side: usize) -> Vec<Vec<usize>> {
    let rows = (0..side).map(|row| (0..side).map(|column| side * row + column).collect());
    let columns = (0..side).map(|column| (0..side).map(|row| side * row + column).collect());
    rows.chain(columns).collect()
}
