//! n queens where a queen in row i and column j, both from 0, costs (i + 1)(j + 1): every solution has a cost, and one
//! is the cheapest.
//!
//! The items and options are the same as in [`queens`](super::queens). Costs do not change which sets of options are
//! solutions.
//!
//! Source: costs after Knuth, "The Art of Computer Programming" 4B, section 7.2.2.1, on exact covers of least cost. The
//! best solutions cost 70 (n = 6), 150 (8) and 275 (10).

use super::{Model, ModelError, queens};
use crate::ExactCover;

pub(super) const MODEL: Model = Model {
    name: "queen-costs",
    usage: "N",
    about: "N queens, each at the cost of its row times its column (from 1)",
    make: |words| queen_costs(words.only("N", queens::SIDES)?),
};

/// `n` queens on an `n` x `n` board, each at the cost of its row times its column, both from 1.
///
/// # Errors
/// [`ModelError::Argument`] if `n` is not 1 to 1,000.
pub fn queen_costs(n: usize) -> Result<ExactCover, ModelError> {
    queens::place(n, |row, column| (row as u64 + 1) * (column as u64 + 1))
}
