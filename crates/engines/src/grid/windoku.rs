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
//! With rows 1, 5 and 9 behind the others, and columns as well, the windows are four blocks of a second system. Its
//! other five blocks hold every symbol once, too: what three rows or columns leave of two blocks in them.

use super::{Constraints, Kind};

/// The row in the table of kinds.
pub(super) const KIND: Kind = Kind {
    name: "windoku",
    about: "9x9 hyper sudoku: four windows of 3x3 between the blocks as well",
    sides: &[9],
    division: None,
    constraints: |_| Constraints { units: windows().into(), ..Constraints::default() },
};

/// The rows, and the columns, in the order of the second system of blocks.
pub(crate) const WINDOW_LINES: [usize; 9] = [1, 2, 3, 5, 6, 7, 0, 4, 8];

/// A block of the second system; those of the first two bands and stacks are the windows.
pub(crate) fn second_block(band: usize, stack: usize) -> Vec<usize> {
    let at = |place: usize| 9 * WINDOW_LINES[3 * band + place / 3] + WINDOW_LINES[3 * stack + place % 3];
    (0..9).map(at).collect()
}

fn windows() -> [Vec<usize>; 4] {
    [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(band, stack)| second_block(band, stack))
}

/// The units behind the four windows, if `extra` units of a grid with `side` rows begin with them.
pub(crate) fn without_windows(side: usize, extra: &[Vec<usize>]) -> Option<&[Vec<usize>]> {
    let (first, other) = (side == 9).then(|| extra.split_at_checked(4))??;
    let sorted = |unit: &Vec<usize>| {
        let mut cells = unit.clone();
        cells.sort_unstable();
        cells
    };
    first.iter().map(sorted).eq(windows()).then_some(other)
}
