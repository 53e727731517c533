//! `solution`: only the solution, or the status word.

use super::{FormatEntry, push_text, solution_or_status};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "solution",
    about: "the solution alone (or a status word)",
    print: |record, _, out| push_line(solution_or_status(record), out),
    print_pair: Some(|_, solution, out| push_line(solution, out)),
    ..FormatEntry::TEXT
};

#[inline(always)]
fn push_line(solution: &[u8], out: &mut Vec<u8>) {
    push_text(solution, out);
    out.push(b'\n');
}
