//! The measures of a grid: as constants, for loops that are unrolled, or as numbers.

use std::ops::IndexMut;

/// The most cells of a row.
pub(super) const MOST_SIDE: usize = 16;

/// Bits from one symbol to the next. Planes of 8 KiB, as 256 cells have, would lie in the same sets of the first-level
/// cache: 16x16 took 1.24 times as long.
pub(super) const fn stride(side: usize) -> usize {
    if side == 16 { 264 } else { side * side }
}

/// The measures of a grid.
pub(super) trait Shape: Copy + Send + Sync + 'static {
    /// A value for each cell of a row.
    type OfSide<T: Copy>: IndexMut<usize, Output = T> + Copy;
    /// A value for each row of a block.
    type OfRows<T: Copy>: IndexMut<usize, Output = T> + Copy;
    /// A value for each column of a block.
    type OfColumns<T: Copy>: IndexMut<usize, Output = T> + Copy;

    /// Cells of a row.
    fn side(self) -> usize;
    /// Rows of a block.
    fn rows(self) -> usize;
    /// Columns of a block.
    fn columns(self) -> usize;

    /// The same value for each cell of a row.
    fn of_side<T: Copy>(value: T) -> Self::OfSide<T>;
    /// The same value for each row of a block.
    fn of_rows<T: Copy>(value: T) -> Self::OfRows<T>;
    /// The same value for each column of a block.
    fn of_columns<T: Copy>(value: T) -> Self::OfColumns<T>;

    /// Bits from one symbol to the next.
    #[inline(always)]
    fn stride(self) -> usize {
        stride(self.side())
    }
}

/// Constant measures: `S` cells a row, blocks of `R` rows and `C` columns.
#[derive(Clone, Copy)]
pub(super) struct Fixed<const S: usize, const R: usize, const C: usize>;

impl<const S: usize, const R: usize, const C: usize> Shape for Fixed<S, R, C> {
    type OfSide<T: Copy> = [T; S];
    type OfRows<T: Copy> = [T; R];
    type OfColumns<T: Copy> = [T; C];

    #[inline(always)]
    fn side(self) -> usize {
        S
    }

    #[inline(always)]
    fn rows(self) -> usize {
        R
    }

    #[inline(always)]
    fn columns(self) -> usize {
        C
    }

    #[inline(always)]
    fn of_side<T: Copy>(value: T) -> [T; S] {
        [value; S]
    }

    #[inline(always)]
    fn of_rows<T: Copy>(value: T) -> [T; R] {
        [value; R]
    }

    #[inline(always)]
    fn of_columns<T: Copy>(value: T) -> [T; C] {
        [value; C]
    }
}

/// Measures that are known when the engine is made.
#[derive(Clone, Copy)]
pub(super) struct Measured {
    pub(super) side: usize,
    pub(super) rows: usize,
    pub(super) columns: usize,
}

impl Shape for Measured {
    type OfSide<T: Copy> = [T; MOST_SIDE];
    type OfRows<T: Copy> = [T; MOST_SIDE / 2];
    type OfColumns<T: Copy> = [T; MOST_SIDE / 2];

    #[inline(always)]
    fn side(self) -> usize {
        self.side
    }

    #[inline(always)]
    fn rows(self) -> usize {
        self.rows
    }

    #[inline(always)]
    fn columns(self) -> usize {
        self.columns
    }

    #[inline(always)]
    fn of_side<T: Copy>(value: T) -> [T; MOST_SIDE] {
        [value; MOST_SIDE]
    }

    #[inline(always)]
    fn of_rows<T: Copy>(value: T) -> [T; MOST_SIDE / 2] {
        [value; MOST_SIDE / 2]
    }

    #[inline(always)]
    fn of_columns<T: Copy>(value: T) -> [T; MOST_SIDE / 2] {
        [value; MOST_SIDE / 2]
    }
}
