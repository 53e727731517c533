//! The 9x9 sudoku: rows, columns and blocks.
//!
//! ```text
//! cell = 9 * row + column      units  0..9  rows, 9..18 columns, 18..27 blocks
//!   0  1  2 |  3  4  5 |  6  7  8
//!   9 10 11 | 12 13 14 | 15 16 17     block 0 is {0 1 2 9 10 11 18 19 20}
//!  18 19 20 | 21 22 23 | 24 25 26
//! ```

use super::{Grid, Kind};

/// Its row in the table of kinds.
pub(super) const KIND: Kind =
    Kind { name: "sudoku", about: "9x9 sudoku: rows, columns and 3x3 blocks hold 1 to 9", grid };

fn grid() -> Grid {
    let rows = (0..9).map(|row| (0..9).map(|column| 9 * row + column).collect());
    let columns = (0..9).map(|column| (0..9).map(|row| 9 * row + column).collect());
    let blocks = (0..9).map(|block| {
        let corner = 27 * (block / 3) + 3 * (block % 3);
        (0..9).map(|place| corner + 9 * (place / 3) + place % 3).collect()
    });
    Grid::new(81, 9, rows.chain(columns).chain(blocks).collect())
}
