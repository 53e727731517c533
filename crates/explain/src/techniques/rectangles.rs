//! The rectangles of uniqueness: four blank cells in two rows and two columns with two symbols in common, which they
//! could exchange without any difference for other cells.
//!
//! ```text
//! 0 1     row    each unit has none of the cells, or two beside each other;
//! 2 3     row    the diagonals are 0 3 and 1 2
//! ```
//! A puzzle with one solution cannot have only the two symbols in the four cells.

use crate::deduction::Deduction;
use crate::geometry::{Symbols, bit, each};
use crate::technique::Finder;

/// Four cells, and two symbols that all of them may hold.
#[derive(Clone, Copy)]
pub(super) struct Rectangle {
    pub(super) cells: [u16; 4],
    pub(super) symbols: Symbols,
}

/// The places in a rectangle of the two cells of each side: the rows, then the columns.
pub(super) const SIDES: [[usize; 2]; 4] = [[0, 1], [2, 3], [0, 2], [1, 3]];

impl Rectangle {
    /// What the cells may hold besides the two symbols.
    pub(super) fn extras(&self, finder: &Finder<'_>) -> [Symbols; 4] {
        self.cells.map(|cell| finder.board.marks(cell) & !self.symbols)
    }
}

/// The first deduction that `of` makes of a rectangle.
pub(super) fn find(
    finder: &Finder<'_>,
    of: fn(&Finder<'_>, Rectangle) -> Option<Deduction>,
) -> Option<Deduction> {
    let side = finder.geometry.side as u16;
    for row in 0..side {
        for below in row + 1..side {
            for column in 0..side {
                let marks = |row: u16, column: u16| finder.board.marks(row * side + column);
                let left = marks(row, column) & marks(below, column);
                if left.count_ones() < 2 {
                    continue;
                }
                for right in column + 1..side {
                    let common = left & marks(row, right) & marks(below, right);
                    let cells = [(row, column), (row, right), (below, column), (below, right)];
                    let cells = cells.map(|(row, column)| row * side + column);
                    if common.count_ones() < 2 || !is_deadly(finder, cells) {
                        continue;
                    }
                    for one in each(common) {
                        for other in each(common).filter(|&other| other > one) {
                            let found = of(finder, Rectangle { cells, symbols: bit(one) | bit(other) });
                            if found.is_some() {
                                return found;
                            }
                        }
                    }
                }
            }
        }
    }
    None
}

/// Whether the four cells, in the order of the drawing, can exchange two symbols.
pub(super) fn is_deadly(finder: &Finder<'_>, cells @ [one, other, under_one, under_other]: [u16; 4]) -> bool {
    let has = |unit: u16, cell: u16| finder.geometry.units[usize::from(unit)].set.has(cell);
    let units = cells.iter().flat_map(|&cell| &finder.geometry.units_of[usize::from(cell)]);
    units.map(|&(unit, _)| unit).all(|unit| {
        let first = [one, under_other].map(|cell| has(unit, cell));
        let second = [other, under_one].map(|cell| has(unit, cell));
        let count = |of: [bool; 2]| of.iter().filter(|&&is_in| is_in).count();
        // One of each diagonal: the unit keeps both symbols.
        count(first) == 1 && count(second) == 1
    })
}
