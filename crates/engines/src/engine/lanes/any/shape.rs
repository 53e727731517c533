//! The measures of a grid: as constants, for loops that are unrolled, or as numbers.

use std::ops::IndexMut;

/// The most cells of a row. In grids of 16x16 and more the engine `grid` is faster: hard ones took lanes twice as long.
pub(super) const MOST_SIDE: usize = 15;

/// The most rows or columns of a block; grids of larger blocks are taken for grids of regions.
const MOST_BLOCK: usize = 4;

/// The measures of a grid.
pub(super) trait Shape: Copy + Send + Sync + 'static {
    /// Whether the measures are constants. Code for other measures is kept small.
    const IS_KNOWN: bool;
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

    /// Bits from one symbol to the next: one for each cell.
    #[inline(always)]
    fn stride(self) -> usize {
        self.side() * self.side()
    }
}

/// Constant measures: `S` cells a row, blocks of `R` rows and `C` columns.
#[derive(Clone, Copy)]
pub(super) struct Fixed<const S: usize, const R: usize, const C: usize>;

impl<const S: usize, const R: usize, const C: usize> Shape for Fixed<S, R, C> {
    const IS_KNOWN: bool = true;
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
    const IS_KNOWN: bool = false;
    type OfSide<T: Copy> = [T; MOST_SIDE];
    type OfRows<T: Copy> = [T; MOST_BLOCK];
    type OfColumns<T: Copy> = [T; MOST_BLOCK];

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
    fn of_rows<T: Copy>(value: T) -> [T; MOST_BLOCK] {
        [value; MOST_BLOCK]
    }

    #[inline(always)]
    fn of_columns<T: Copy>(value: T) -> [T; MOST_BLOCK] {
        [value; MOST_BLOCK]
    }
}
