//! The diagonal sudoku (sudoku X): both long diagonals are units, too.

use super::{Grid, Kind, sizes, sudoku};

/// The row in the table of kinds.
pub(super) const KIND: Kind = Kind {
    name: "diagonal",
    about: "sudoku X: both diagonals as well, in all sizes of sudoku",
    sizes: sizes!("diagonal": 4 6 9 12 16 25),
    grid: |side, _| {
        let mut units = sudoku::units(side);
        units.push((0..side).map(|row| side * row + row).collect());
        units.push((0..side).map(|row| side * row + side - 1 - row).collect());
        Some(Grid::new(side * side, side as u8, units))
    },
};
