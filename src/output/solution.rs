//! `solution`: only the solution, or the status word.

use super::{FormatEntry, push_solution_or_status};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "solution",
    about: "the solution alone (or a status word)",
    header: |_, _, _| (),
    columns: &[],
    keeps: None,
    print: |record, _, out| {
        push_solution_or_status(record, out);
        out.push(b'\n');
    },
};
