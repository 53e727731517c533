//! A board covered with dominoes and straight trominoes, a given number of each.
//!
//! The cells are items that are covered once. The item `D` counts the dominoes and `T` the trominoes: their bounds
//! give the numbers of pieces. An option is a piece on the board: its cells, and `D` or `T`. With D dominoes the
//! trominoes cover the remaining cells; without a number every mixture is allowed.
//!
//! Source: multiplicities after Knuth, "The Art of Computer Programming" 4B, section 7.2.2.1 (Algorithm M), whose
//! examples pack boards with several copies of a piece. The 4 x 6 board with 6 dominoes has 2,498 solutions, 5 x 6
//! with 6 has 18,245.

use std::ops::RangeInclusive;

use super::cells::{dotted, places};
use super::{Model, ModelError, check};
use crate::{ExactCover, ItemId};

pub(super) const MODEL: Model = Model {
    name: "mixed",
    usage: "WxH [D]",
    about: "a board of W columns and H rows in dominoes, D of them, and straight trominoes (multiplicities)",
    make: |words| {
        let (width, height) = words.board("WxH", SIDES)?;
        let dominoes = words.optional_number("D", 0..=width * height / 2)?;
        words.end()?;
        mixed(width, height, dominoes)
    },
};

const SIDES: RangeInclusive<usize> = 1..=500;

/// Tilings of a board of `width` columns and `height` rows with dominoes, as many as given, and straight trominoes.
/// `None` allows every mixture.
///
/// # Errors
/// [`ModelError::Argument`] if a side is not 1 to 500, or if trominoes cannot cover the remaining cells.
pub fn mixed(width: usize, height: usize, dominoes: Option<usize>) -> Result<ExactCover, ModelError> {
    [width, height].into_iter().try_for_each(|side| check("WxH", side, SIDES))?;
    let area = width * height;
    dominoes.map_or(Ok(()), |dominoes| check("D", dominoes, 0..=area / 2))?;
    let mut builder = ExactCover::builder();
    let counts = match dominoes {
        None => [(0, area / 2), (0, area / 3)],
        Some(dominoes) => {
            let left = area - 2 * dominoes;
            if !left.is_multiple_of(3) {
                return Err(ModelError::Argument(format!(
                    "{dominoes} dominoes leave {left} of {area} cells (choose D so that the remaining cells are a \
                     multiple of three, for the trominoes)"
                )));
            }
            [(dominoes, dominoes), (left / 3, left / 3)]
        }
    };
    // A kind of piece that is not used has no item: bounds cannot express "never".
    let [domino, tromino] = [("D", counts[0]), ("T", counts[1])].map(|(name, (low, high))| {
        (high > 0).then(|| builder.primary_with_bounds(name, low as u32, high as u32))
    });
    let cells: Vec<ItemId> =
        places(height, width).map(|(row, column)| builder.primary(&dotted(row, column))).collect();
    for (row, column) in places(height, width) {
        for (piece, length) in [(domino, 2), (tromino, 3)] {
            let Some(piece) = piece else { continue };
            for (step, room) in [(1, width - column), (width, height - row)] {
                if length <= room {
                    let covered = (0..length).map(|place| cells[row * width + column + place * step]);
                    builder.option(std::iter::once(piece).chain(covered));
                }
            }
        }
    }
    Ok(builder.finish()?)
}
