//! Windoku (hyper sudoku): four windows of 3x3 between the blocks are units, too.
//!
//! ```text
//! . . . . . . . . .
//! . a a a . b b b .
//! . a a a . b b b .
//! . a a a . b b b .
//! . . . . . . . . .
//! . c c c . d d d .
//! . c c c . d d d .
//! . c c c . d d d .
//! . . . . . . . . .
//! ```

use super::{Grid, Kind, sizes, sudoku};

/// The row in the table of kinds.
pub(super) const KIND: Kind = Kind {
    name: "windoku",
    about: "9x9 hyper sudoku: four windows of 3x3 between the blocks as well",
    sizes: sizes!("windoku": 9),
    grid: |side, _| {
        let window = |corner: usize| (0..9).map(|place| corner + side * (place / 3) + place % 3).collect();
        let windows = [10, 14, 46, 50].map(window);
        Some(Grid::new(81, 9, sudoku::units(side).into_iter().chain(windows).collect()))
    },
};
