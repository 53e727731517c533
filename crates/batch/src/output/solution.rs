//! `solution`: only the solution, or the status word.

use super::{FormatEntry, Printer, push_text};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "solution",
    about: "the solution alone (or a status word)",
    printer: Printer::Line(|_, solution, _, out| {
        push_text(solution, out);
        out.push(b'\n');
    }),
    ..FormatEntry::TEXT
};
