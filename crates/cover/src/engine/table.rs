//! The table of engines.

use super::{CoverEntry, bitset, links, masks, planes, sparse};

/// Dancing links.
pub const LINKS: CoverEntry = links::ENTRY;

/// Option masks, one narrow block per option.
pub const MASKS: CoverEntry = masks::NARROW;

/// Every engine: one row adds one.
pub static ENGINES: &[CoverEntry] = &[LINKS, MASKS, masks::WIDE, sparse::ENTRY, bitset::ENTRY, planes::ENTRY];

/// The engines for many small searches of one problem, the fastest first. The first that can hold the problem is taken.
///
/// Microseconds a record, two solutions looked for (AVX2 of a shared AMD EPYC, 2026-11-26; the problem of all records has
/// 729, 900, 8,000 and 2,056 options):
///
/// | | masks | wide | sparse | links |
/// |---|---|---|---|---|
/// | sudokus with 17 clues | 7.5 | 18 | 18 | 32 |
/// | 30 queens, 15 of them placed | 4.5 | 5.7 | 27 | 21 |
/// | Latin squares of 20x20, 240 cells known | | | 249 | 187 |
/// | pentominoes in 6x10, two placed | | 240 | 4,600 | 4,300 |
///
/// Masks hold small problems. Links and planes cover items several times.
pub(crate) static FOR_RECORDS: [CoverEntry; 5] = [MASKS, masks::WIDE, sparse::ENTRY, LINKS, planes::ENTRY];

/// The engine of that name; `None` if no row has it.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static CoverEntry> {
    ENGINES.iter().find(|entry| entry.name == name)
}
