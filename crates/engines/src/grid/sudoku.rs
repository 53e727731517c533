//! The sudoku: rows, columns and blocks.
//!
//! ```text
//! cell = 9 * row + column      units  0..9  rows, 9..18 columns, 18..27 blocks
//!   0  1  2 |  3  4  5 |  6  7  8
//!   9 10 11 | 12 13 14 | 15 16 17     block 0 is {0 1 2 9 10 11 18 19 20}
//!  18 19 20 | 21 22 23 | 24 25 26
//! ```
//! Other sizes are similar. A block has as many cells as a row: √n x √n. If n is not a square, the nearest rectangle
//! that is wider than high: 2 x 3 for six, 3 x 4 for twelve; other blocks are given as rows and columns.

use super::{Division, Kind, latin};

/// The row in the table of kinds.
pub(super) const KIND: Kind = Kind {
    name: "sudoku",
    about: "rows, columns and blocks: 4x4, 6x6 (blocks of 2x3), 8x8 (2x4), 9x9, 10x10 (2x5), 12x12 (3x4), 15x15 (3x5), \
            16x16, 25x25",
    sides: SIDES,
    division: Some(Division::Blocks),
    constraints: |_| Default::default(),
};

/// The side lengths of grids with blocks, unless the blocks are given.
pub(super) const SIDES: &[usize] = &[4, 6, 8, 9, 10, 12, 15, 16, 25];

/// Rows, columns and blocks of a grid of this side length.
pub(super) fn units(side: usize) -> Vec<Vec<usize>> {
    let mut units = latin::units(side);
    units.extend(blocks(usual_block(side)));
    units
}

/// The blocks, in reading order, of the grid with blocks of that many rows and columns.
pub(super) fn blocks((height, width): (usize, usize)) -> impl Iterator<Item = Vec<usize>> {
    let side = height * width;
    (0..side).map(move |block| {
        let corner = side * height * (block / height) + width * (block % height);
        (0..side).map(|place| corner + side * (place / width) + place % width).collect()
    })
}

/// Rows and columns of a block, unless they are given.
pub(super) fn usual_block(side: usize) -> (usize, usize) {
    let height = (1..=side.isqrt()).rev().find(|height| side.is_multiple_of(*height)).unwrap_or(1);
    (height, side / height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_squares_or_wider_than_high() {
        assert_eq!([4, 6, 8, 9].map(usual_block), [(2, 2), (2, 3), (2, 4), (3, 3)]);
        assert_eq!([10, 12, 15, 16, 25].map(usual_block), [(2, 5), (3, 4), (3, 5), (4, 4), (5, 5)]);
        assert_eq!(units(6)[12 + 1], [3, 4, 5, 9, 10, 11]);
        assert_eq!(units(6)[12 + 2], [12, 13, 14, 18, 19, 20]);
        assert_eq!(units(12)[24 + 3], [36, 37, 38, 39, 48, 49, 50, 51, 60, 61, 62, 63]);
    }

    #[test]
    fn every_cell_has_a_row_a_column_and_a_block() {
        for &side in SIDES {
            let units = units(side);
            assert_eq!(units.len(), 3 * side);
            let mut seen = vec![0; side * side];
            units.iter().flatten().for_each(|&cell| seen[cell] += 1);
            assert!(seen.iter().all(|&seen| seen == 3), "{side}");
            assert!(units.iter().all(|unit| unit.len() == side));
        }
    }
}
