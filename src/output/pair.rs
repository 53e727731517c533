//! `pair`: `puzzle,solution`, or the status word in place of the solution.

use super::{FormatEntry, push_echo, push_solution_or_status};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "pair",
    about: "puzzle,solution (or a status word in its place)",
    header: |_, _, _| (),
    columns: &[],
    keeps: None,
    print: |record, _, out| {
        push_echo(record, out);
        out.push(b',');
        push_solution_or_status(record, out);
        out.push(b'\n');
    },
};
