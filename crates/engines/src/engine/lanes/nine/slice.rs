//! The state of all lanes: one vector per candidate.
//!
//! ```text
//!            lane 0  lane 1  lane 2  ...  lane 255
//! 1 in cell 0   1       0       1             1       one vector
//! 2 in cell 0   0       0       1             1       one vector
//! ...
//! 9 in cell 80  1       1       0             0       729 of them: 23 KiB at 256 lanes, the first-level cache
//! ```
//! A column of this picture is a puzzle, and an operation on a vector acts on every puzzle at once: bit-slicing
//! (Biham, "A fast new DES implementation in software", FSE 1997).

use super::adders::any3;
use super::transpose::Rows;
use galop_simd::Vector;

/// The candidates, by block, digit (0..=8) and place in the block.
///
/// ```text
/// block   0 1 2      place in a block   0 1 2        minirow r = places 3r, 3r + 1, 3r + 2
///         3 4 5                         3 4 5        minicolumn x = places x, 3 + x, 6 + x
///         6 7 8                         6 7 8
/// ```
pub(super) type Cells<V> = [[[V; 9]; 9]; 9];

/// By bit of a state, the place in [`Cells`], whose three arrays are taken for one of 729. The bits behind the last
/// one have its place.
static PLACES: [u16; 768] = {
    let mut places = [0; 768];
    let mut bit = 0;
    while bit < 768 {
        let used = if bit < 729 { bit } else { 728 };
        let (block, at) = place(used % 81);
        places[bit] = (81 * block + 9 * (used / 81) + at) as u16;
        bit += 1;
    }
    places
};

impl<V: Vector> Rows<V> for Cells<V> {
    #[inline(always)]
    fn bits(&self) -> usize {
        729
    }

    #[inline(always)]
    fn row(&self, first: usize, offset: usize) -> &V {
        &self.as_flattened().as_flattened()[usize::from(PLACES[first + offset])]
    }

    #[inline(always)]
    fn row_mut(&mut self, first: usize, offset: usize) -> &mut V {
        &mut self.as_flattened_mut().as_flattened_mut()[usize::from(PLACES[first + offset])]
    }
}

/// Lanes in which a digit is possible in a minirow (or minicolumn), by block, digit and minirow.
pub(super) type Minis<V> = [[[V; 3]; 9]; 9];

/// The block, and the place in the block, of bit `81 * digit + cell` of [`Planes`](super::planes::Planes) in
/// [`Cells`].
pub(super) const fn place(cell: usize) -> (usize, usize) {
    let (row, column) = (cell / 9, cell % 9);
    (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3)
}

/// The minirows of the cells of a digit in a block.
#[inline(always)]
pub(super) fn minirows_of<V: Vector>(cells: &[V; 9]) -> [V; 3] {
    [
        any3(cells[0], cells[1], cells[2]),
        any3(cells[3], cells[4], cells[5]),
        any3(cells[6], cells[7], cells[8]),
    ]
}

/// The minicolumns of the cells of a digit in a block.
#[inline(always)]
pub(super) fn minicolumns_of<V: Vector>(cells: &[V; 9]) -> [V; 3] {
    [
        any3(cells[0], cells[3], cells[6]),
        any3(cells[1], cells[4], cells[7]),
        any3(cells[2], cells[5], cells[8]),
    ]
}

/// The minirows (or minicolumns) of digit `d` in the three blocks of a band (or stack).
#[inline(always)]
pub(super) fn of_band<V: Vector>(minis: &Minis<V>, [a, b, c]: [usize; 3], d: usize) -> [[V; 3]; 3] {
    [minis[a][d], minis[b][d], minis[c][d]]
}

/// All lanes.
#[derive(Clone)]
#[repr(C, align(64))]
pub(super) struct Slice<V> {
    pub(super) cells: Cells<V>,
    /// Minirows.
    pub(super) rows: Minis<V>,
    /// Minicolumns.
    pub(super) columns: Minis<V>,
    /// By block and digit: lanes in which the digit has two cells or more in the block.
    pub(super) open: [[V; 9]; 9],
    /// Lanes with a contradiction.
    pub(super) contradictory: V,
    /// Lanes in which every cell has one candidate.
    pub(super) single: V,
    /// Lanes that the last sweep changed, or may have changed if it did not check.
    pub(super) moving: V,
}

impl<V: Vector> Slice<V> {
    /// Every candidate in every lane.
    pub(super) fn new() -> Box<Slice<V>> {
        Box::new(Slice {
            cells: [[[V::ONES; 9]; 9]; 9],
            rows: [[[V::ONES; 3]; 9]; 9],
            columns: [[[V::ONES; 3]; 9]; 9],
            open: [[V::ONES; 9]; 9],
            contradictory: V::ZERO,
            single: V::ZERO,
            moving: V::ZERO,
        })
    }
}
