//! Perfect matchings of the complete graph: n people in pairs.
//!
//! The people are the items, and an option is a pair. There are (n - 1)(n - 3) .. 3 * 1 matchings if n is even, and
//! none if n is odd. A search without memory finds them one by one: this model measures how fast solutions come.
//!
//! Counts: OEIS A001147.

use std::ops::RangeInclusive;

use super::{Model, ModelError, check};
use crate::{ExactCover, ItemId};

pub(super) const MODEL: Model = Model {
    name: "matching",
    usage: "N",
    about: "perfect matchings of the complete graph on N vertices",
    make: |words| matching(words.only("N", VERTICES)?),
};

const VERTICES: RangeInclusive<usize> = 1..=1000;

/// The perfect matchings of the complete graph on `n` vertices.
///
/// # Errors
/// [`ModelError::Argument`] if `n` is not 1 to 1,000.
pub fn matching(n: usize) -> Result<ExactCover, ModelError> {
    check("N", n, VERTICES)?;
    let mut builder = ExactCover::builder();
    let vertices: Vec<ItemId> = (0..n).map(|vertex| builder.primary(&format!("v{vertex}"))).collect();
    for (index, &one) in vertices.iter().enumerate() {
        for &other in &vertices[index + 1..] {
            builder.option([one, other]);
        }
    }
    Ok(builder.finish()?)
}
