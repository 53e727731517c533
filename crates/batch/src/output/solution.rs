//! `solution`: only the solution, or the status word.

use super::{FormatEntry, Printer};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "solution",
    about: "the solution alone (or a status word)",
    printer: Printer::Line { has_puzzle: false },
    ..FormatEntry::TEXT
};
