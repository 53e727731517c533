//! Non-consecutive: neighbours in a row or column do not hold consecutive symbols.
//!
//! ```text
//! . x .
//! x 4 x     no x is 3 or 5
//! . x .
//! ```

use super::{Constraints, Kind, constraints};

/// The row in the table of kinds.
pub(super) const KIND: Kind = Kind {
    name: "non-consecutive",
    about: "neighbours in a row or column do not hold consecutive symbols",
    // 4x4 has no grid; of 25x25 with blocks `grid` found none within 20,000 guesses, where 16x16 took 9,622.
    sides: super::latin::SIDES.split_at(1).1.split_at(20).0,
    division: None,
    constraints: |side| {
        let exclusive = constraints::pairs(side, &[(0, 1), (1, 0)]).flat_map(|[one, other]| {
            let (one, other) = (side * one, side * other);
            (1..side).flat_map(move |symbol| {
                [[one + symbol - 1, other + symbol], [one + symbol, other + symbol - 1]]
            })
        });
        Constraints { exclusive: exclusive.collect(), ..Constraints::default() }
    },
};
