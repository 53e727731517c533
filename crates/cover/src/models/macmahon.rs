//! MacMahon's squares: the 24 squares with three-coloured edges, each used once, in a 4 x 6 board, so that touching
//! edges have the same colour and the border has the colour a.
//!
//! The squares and the cells are primary items. An edge of the board is a secondary item *with a colour*: any number
//! of options may name it as long as they agree, and two squares that touch name the same edge. An option is a square
//! in a cell, turned in one of up to four ways, with the colours of its four edges. Options that contradict the colour
//! of the border are left out.
//!
//! ```text
//!       h00     h01           a square is named by its colours, clockwise, in the rotation that comes first in the
//!   v00 p00 v01 p01 v02       alphabet: with a above, c to the right, b below and a to the left it is aacb
//!       h10     h11
//! ```
//!
//! Source: P. A. MacMahon, "New Mathematical Pastimes" (1921); Knuth, "The Art of Computer Programming" 4B, section
//! 7.2.2.1, on colours (Algorithm C).

use std::collections::BTreeSet;

use super::cells::{in_digits, places};
use super::{Model, ModelError};
use crate::ExactCover;

pub(super) const MODEL: Model = Model {
    name: "macmahon",
    usage: "",
    about: "MacMahon's 24 three-coloured squares in a 4x6 board with a border of one colour (colours)",
    make: |words| {
        words.end()?;
        macmahon()
    },
};

const ROWS: usize = 4;
const COLUMNS: usize = 6;
const COLOURS: [&str; 3] = ["a", "b", "c"];

/// The colours of a square's edges, clockwise: top, right, bottom, left.
type Square = [usize; 4];

/// MacMahon's 24 three-coloured squares in a board of 4 rows and 6 columns.
///
/// # Errors
/// None.
pub fn macmahon() -> Result<ExactCover, ModelError> {
    let squares = squares();
    let mut builder = ExactCover::builder();
    let tiles: Vec<_> = squares.iter().map(|square| builder.primary(&letters(square))).collect();
    let cells: Vec<_> =
        places(ROWS, COLUMNS).map(|(row, column)| builder.primary(&in_digits("p", [row, column]))).collect();
    let mut edges = |prefix, rows, columns| -> Vec<_> {
        places(rows, columns)
            .map(|(row, column)| builder.secondary(&in_digits(prefix, [row, column])))
            .collect()
    };
    let level = edges("h", ROWS + 1, COLUMNS);
    let upright = edges("v", ROWS, COLUMNS + 1);
    for (square, &tile) in squares.iter().zip(&tiles) {
        let turns: BTreeSet<Square> = turns(*square).into();
        for (row, column) in places(ROWS, COLUMNS) {
            let is_border = [row == 0, column + 1 == COLUMNS, row + 1 == ROWS, column == 0];
            let edges = [
                level[row * COLUMNS + column],
                upright[row * (COLUMNS + 1) + column + 1],
                level[(row + 1) * COLUMNS + column],
                upright[row * (COLUMNS + 1) + column],
            ];
            for turned in &turns {
                if turned.iter().zip(is_border).all(|(&colour, is_border)| !is_border || colour == 0) {
                    let coloured = edges.into_iter().zip(turned.map(|colour| COLOURS[colour]));
                    builder.option_with_colours([tile, cells[row * COLUMNS + column]], coloured);
                }
            }
        }
    }
    Ok(builder.finish()?)
}

/// All squares; only the smallest of squares that are rotations of each other.
fn squares() -> BTreeSet<Square> {
    let colours = COLOURS.len();
    let all = (0..colours.pow(4)).map(|number| [27, 9, 3, 1].map(|power| number / power % colours));
    all.map(|square| turns(square).into_iter().min().unwrap_or(square)).collect()
}

fn turns([a, b, c, d]: Square) -> [Square; 4] {
    [[a, b, c, d], [b, c, d, a], [c, d, a, b], [d, a, b, c]]
}

fn letters(square: &Square) -> String {
    square.map(|colour| COLOURS[colour]).concat()
}
