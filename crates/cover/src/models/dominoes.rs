//! A board covered with dominoes.
//!
//! The cells are the items, and an option is a domino: two cells side by side. Few problems are simpler, and few have
//! as many solutions: the 8 x 8 board has 12,988,816.
//!
//! Source: P. W. Kasteleyn, "The statistics of dimers on a lattice", Physica 27 (1961), 1209-1225, who counts them by
//! a formula; OEIS A004003 lists the square boards.

use super::cells::{dotted, places};
use super::{Arguments, Model, ModelError};
use crate::{ExactCover, ItemId};

pub(super) const MODEL: Model = Model {
    name: "dominoes",
    usage: "WxH",
    about: "domino tilings of a board of W columns and H rows",
    make,
};

fn make(words: &[&str]) -> Result<ExactCover, ModelError> {
    let mut words = Arguments::of(words);
    let (width, height) = words.board("WxH", 1..=500)?;
    words.end()?;
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
