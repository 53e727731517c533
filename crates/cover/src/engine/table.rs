//! The table of engines.

use super::{CoverEntry, bitset, links, masks, planes, sparse};

/// Dancing links.
pub const LINKS: CoverEntry = links::ENTRY;

/// Option masks, one narrow block per option.
pub const MASKS: CoverEntry = masks::NARROW;

/// Every engine: one row adds one.
pub static ENGINES: &[CoverEntry] = &[LINKS, MASKS, masks::WIDE, sparse::ENTRY, bitset::ENTRY, planes::ENTRY];

/// The engine of that name; `None` if no row has it.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static CoverEntry> {
    ENGINES.iter().find(|entry| entry.name == name)
}
