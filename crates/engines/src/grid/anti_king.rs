//! Anti-king: cells that touch, also at a corner, hold different symbols.
//!
//! ```text
//! x x x
//! x o x     o differs from each x; rows and columns say so of four of them
//! x x x
//! ```

use super::{Constraints, Kind, constraints};

/// The row in the table of kinds.
pub(super) const KIND: Kind = Kind {
    name: "anti-king",
    about: "cells that touch at a corner differ",
    // The first one, 4x4, has no grid.
    sides: super::latin::SIDES.split_at(1).1,
    division: None,
    constraints: |side| Constraints {
        different: constraints::pairs(side, &[(1, 1), (1, -1)]).collect(),
        ..Constraints::default()
    },
};
