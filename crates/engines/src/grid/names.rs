//! How people name cells and units. All numbers count from 1.

use std::fmt;

/// A cell by its row and column, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// The row, from 1 at the top.
    pub row: usize,
    /// The column, from 1 at the left.
    pub column: usize,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {}", self.row, self.column)
    }
}

/// A unit by its type and its number from 1: rows from the top, columns from the left, blocks in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum UnitName {
    /// A row.
    Row(usize),
    /// A column.
    Column(usize),
    /// A block, or a region of a jigsaw.
    Block(usize),
    /// Any other unit: a diagonal or a window.
    Extra(usize),
}

impl fmt::Display for UnitName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnitName::Row(number) => write!(f, "row {number}"),
            UnitName::Column(number) => write!(f, "column {number}"),
            UnitName::Block(number) => write!(f, "block {number}"),
            UnitName::Extra(number) => write!(f, "extra unit {number} (a diagonal or window)"),
        }
    }
}
