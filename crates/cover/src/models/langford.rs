//! Langford's problem: the numbers 1, 1, 2, 2, .., n, n in a row, so that there are k other numbers between the two
//! k's.
//!
//! The numbers and the 2n places are the items. An option is a pair: the number k with the places i and i + k + 1.
//! There are solutions if n or n + 1 is a multiple of 4. A solution and its mirror image count as two.
//!
//! Source: C. Dudley Langford, "Problem", The Mathematical Gazette 42 (1958), 228; Knuth, "The Art of Computer
//! Programming" 4B, section 7.2.2.1. Counts: OEIS A014552, doubled.

use std::ops::RangeInclusive;

use super::{Model, ModelError, check};
use crate::{ExactCover, ItemId};

pub(super) const MODEL: Model = Model {
    name: "langford",
    usage: "N",
    about: "Langford pairs: two of each of 1 to N in a row, k numbers between the two k's",
    make: |words| langford(words.only("N", PAIRS)?),
};

const PAIRS: RangeInclusive<usize> = 1..=500;

/// Langford sequences of the numbers 1 to `n`, two of each.
///
/// # Errors
/// [`ModelError::Argument`] if `n` is not 1 to 500.
pub fn langford(n: usize) -> Result<ExactCover, ModelError> {
    check("N", n, PAIRS)?;
    let mut builder = ExactCover::builder();
    let numbers: Vec<ItemId> = (1..=n).map(|k| builder.primary(&format!("d{k}"))).collect();
    let places: Vec<ItemId> = (1..=2 * n).map(|place| builder.primary(&format!("s{place}"))).collect();
    for (k, &number) in (1..).zip(&numbers) {
        for (&first, &second) in places.iter().zip(places.iter().skip(k + 1)) {
            builder.option([number, first, second]);
        }
    }
    Ok(builder.finish()?)
}
