//! A board covered with dominoes.
//!
//! The cells are the items, and an option is a domino: two cells side by side. Few problems are simpler, and few have
//! as many solutions: the 8 x 8 board has 12,988,816.
//!
//! Source: P. W. Kasteleyn, "The statistics of dimers on a lattice", Physica 27 (1961), 1209-1225, who counts them by
//! a formula; OEIS A004003 lists the square boards.

use std::ops::RangeInclusive;

use super::cells::{dotted, places};
use super::{Model, ModelError, check};
use crate::{ExactCover, ItemId};

pub(super) const MODEL: Model = Model {
    name: "dominoes",
    usage: "WxH",
    about: "domino tilings of a board of W columns and H rows",
    make: |words| {
        let (width, height) = words.board("WxH", SIDES)?;
        words.end()?;
        dominoes(width, height)
    },
};

const SIDES: RangeInclusive<usize> = 1..=500;

/// Domino tilings of a board of `width` columns and `height` rows.
///
/// # Errors
/// [`ModelError::Argument`] if a side is not 1 to 500.
pub fn dominoes(width: usize, height: usize) -> Result<ExactCover, ModelError> {
    [width, height].into_iter().try_for_each(|side| check("WxH", side, SIDES))?;
    let mut builder = ExactCover::builder();
    let cells: Vec<ItemId> =
        places(height, width).map(|(row, column)| builder.primary(&dotted(row, column))).collect();
    for (row, column) in places(height, width) {
        let cell = row * width + column;
        if column + 1 < width {
            builder.option([cells[cell], cells[cell + 1]]);
        }
        if row + 1 < height {
            builder.option([cells[cell], cells[cell + width]]);
        }
    }
    Ok(builder.finish()?)
}
