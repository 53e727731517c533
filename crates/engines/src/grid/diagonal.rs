//! The diagonal sudoku (sudoku X): both long diagonals are units, too.

use super::{Constraints, Kind, latin};

/// The row in the table of kinds.
pub(super) const KIND: Kind = Kind {
    name: "diagonal",
    about: "sudoku X: both diagonals as well, in all sizes of sudoku",
    sides: latin::SIDES,
    division: None,
    constraints: |side| {
        let down = (0..side).map(|row| side * row + row).collect();
        let up = (0..side).map(|row| side * row + side - 1 - row).collect();
        Constraints { units: vec![down, up], ..Constraints::default() }
    },
};
