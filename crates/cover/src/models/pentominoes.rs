//! The twelve pentominoes, each used once, in a board of 60 cells or in a board of 64 cells without its middle 2 x 2.
//! As bricks of unit cubes, they fill a box of 60 cells.
//!
//! [`packing`](super::packing) describes the items and options. Symmetries of the board are not removed: every packing
//! of 6 x 10 is found together with its three images, 4 x 2,339 in all.
//!
//! Source: S. W. Golomb, "Polyominoes" (1965), whose letters name the pieces; the 8 x 8 board: D. S. Scott,
//! "Programming a combinatorial puzzle" (1958); Knuth, "The Art of Computer Programming" 4B, section 7.2.2.1.

use std::ops::RangeInclusive;

use super::cells::in_digits;
use super::packing::{Cell, pack};
use super::{Model, ModelError, check};
use crate::ExactCover;

pub(super) const MODEL: Model = Model {
    name: "pentominoes",
    usage: "WxH | WxHxD",
    about: "the twelve pentominoes in 60 cells, or in 64 without the middle 2x2: 6x10, 8x8, 2x5x6",
    make: |words| {
        let sides = words.size("WxH", SIDES)?;
        words.end()?;
        pentominoes(&sides)
    },
};

/// The pieces, drawn row by row.
const PIECES: [(&str, &[&str]); 12] = [
    ("F", &[".##", "##.", ".#."]),
    ("I", &["#####"]),
    ("L", &["####", "#..."]),
    ("P", &["##", "##", "#."]),
    ("N", &["###.", "..##"]),
    ("T", &["###", ".#.", ".#."]),
    ("U", &["#.#", "###"]),
    ("V", &["#..", "#..", "###"]),
    ("W", &["#..", "##.", ".##"]),
    ("X", &[".#.", "###", ".#."]),
    ("Y", &["####", ".#.."]),
    ("Z", &["##.", ".#.", ".##"]),
];

const SIDES: RangeInclusive<usize> = 1..=60;

/// The twelve pentominoes in a board or box with these sides: `[width, height]` or `[width, height, depth]`.
///
/// # Errors
/// [`ModelError::Argument`] if there are not 60 cells, and it is not the board of 8 x 8.
pub fn pentominoes(sides: &[usize]) -> Result<ExactCover, ModelError> {
    sides.iter().try_for_each(|&side| check("WxH", side, SIDES))?;
    let (width, height, depth) = match sides[..] {
        [width, height] => (width, height, 1),
        [width, height, depth] => (width, height, depth),
        _ => return Err(misfit(&format!("{} sides", sides.len()))),
    };
    let has_hole = match width * height * depth {
        60 => false,
        64 if sides.len() == 2 => true,
        cells => return Err(misfit(&format!("{cells} cells"))),
    };
    let is_free = |row: usize, column: usize| {
        let is_middle = |place: usize, side: usize| place + 1 == side / 2 || place == side / 2;
        !(has_hole && is_middle(row, height) && is_middle(column, width))
    };
    let mut cells = Vec::new();
    for (layer, row) in (0..depth).flat_map(|layer| (0..height).map(move |row| (layer, row))) {
        for column in (0..width).filter(|&column| is_free(row, column)) {
            let solid = (depth > 1).then_some(layer);
            let name = in_digits("", solid.into_iter().chain([row, column]));
            cells.push(([layer, row, column].map(|place| place as i32), name));
        }
    }
    let pieces = PIECES.map(|(name, rows)| (name, shape(rows)));
    Ok(pack(&pieces, cells)?)
}

fn shape(rows: &[&str]) -> Vec<Cell> {
    (0..)
        .zip(rows)
        .flat_map(|(row, text)| {
            (0..).zip(text.bytes()).filter(|cell| cell.1 == b'#').map(move |(column, _)| [0, row, column])
        })
        .collect()
}

fn misfit(what: &str) -> ModelError {
    ModelError::Argument(format!(
        "{what} (the pieces cover 60 cells: a board or box of 60, or a board of 64 without the middle 2x2)"
    ))
}
