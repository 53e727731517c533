//! The jigsaw: rows, columns, and regions of any shape, given by a map.

use super::{Division, Kind, latin};

/// The row in the table of kinds.
pub(super) const KIND: Kind = Kind {
    name: "jigsaw",
    about: "rows, columns, and the regions of a map, 4x4 to 25x25",
    sides: latin::SIDES,
    division: Some(Division::Regions),
    constraints: |_| Default::default(),
};
