//! `pair`: `puzzle,solution`, or the status word in place of the solution.

use super::record::Copied;
use super::{Converted, FormatEntry, Holds, Printer, pair_separator, push_escaped, push_line, push_text};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "pair",
    about: "puzzle,solution (or a status word in its place)",
    endings: &["txt"],
    keeps: Some("lines"),
    printer: Printer::Line { has_puzzle: true },
    converted: Some(Converted {
        about: "lines of puzzle,solution, or of the puzzle alone",
        holds: Holds::Line,
        print: Some(print),
    }),
    ..FormatEntry::TEXT
};

/// Appends the puzzle, the answer, and the values that are added.
fn print(copied: &Copied<'_>, out: &mut Vec<u8>) {
    let separator = pair_separator(copied.rules);
    match (copied.cells, copied.answer) {
        (Some(_), Some(answer)) if copied.added == 0 => {
            return push_line(Some(copied.puzzle), answer, separator, out);
        }
        (Some(_), _) => push_text(copied.puzzle, out),
        (None, _) => push_escaped(copied.puzzle, out),
    }
    if let Some(answer) = copied.answer {
        out.push(separator);
        push_text(answer, out);
    }
    for index in 0..copied.added {
        out.push(separator);
        let start = out.len();
        (copied.push)(index, out);
        if out.len() == start {
            out.pop();
        }
    }
    out.push(b'\n');
}
