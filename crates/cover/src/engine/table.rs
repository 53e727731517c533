//! The table of engines.

use super::{CoverEntry, bitset, links, masks, planes, sparse};

/// Every engine: one row adds one.
pub const ENGINES: &[CoverEntry] =
    &[links::ENTRY, masks::NARROW, masks::WIDE, sparse::ENTRY, bitset::ENTRY, planes::ENTRY];

impl CoverEntry {
    /// Dancing links.
    pub const LINKS: CoverEntry = links::ENTRY;
    /// Option masks.
    pub const MASKS: CoverEntry = masks::NARROW;
}

/// The engine of that name; `None` if the table has none.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static CoverEntry> {
    ENGINES.iter().find(|entry| entry.name == name)
}
