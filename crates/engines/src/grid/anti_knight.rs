//! Anti-knight: cells a knight's move of chess apart hold different symbols.
//!
//! ```text
//! . x . x .
//! x . . . x
//! . . o . .     o differs from each x
//! x . . . x
//! . x . x .
//! ```

use super::{Constraints, Kind, constraints};

/// The row in the table of kinds.
pub(super) const KIND: Kind = Kind {
    name: "anti-knight",
    about: "cells a knight's move apart differ",
    sides: super::latin::SIDES,
    division: None,
    constraints: |side| Constraints {
        different: constraints::pairs(side, &[(1, 2), (2, 1), (2, -1), (1, -2)]).collect(),
        ..Constraints::default()
    },
};
