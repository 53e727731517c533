//! `pair`: `puzzle,solution`, or the status word in place of the solution.

use super::record::Copied;
use super::{Converted, FormatEntry, Holds, Printer, pair_separator, push_escaped, push_text};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "pair",
    about: "puzzle,solution (or a status word in its place)",
    endings: &["txt"],
    keeps: Some("lines"),
    printer: Printer::Line(|puzzle, solution, separator, out| {
        push_text(puzzle, out);
        push_behind(solution, separator, out);
    }),
    converted: Some(Converted {
        about: "lines of puzzle,solution, or of the puzzle alone",
        holds: Holds::Line,
        print: Some(print),
    }),
    ..FormatEntry::TEXT
};

/// Appends the puzzle, the answer, and the values that are added.
fn print(copied: &Copied<'_>, out: &mut Vec<u8>) {
    match copied.cells {
        Some(_) => push_text(copied.puzzle, out),
        None => push_escaped(copied.puzzle, out),
    }
    let separator = pair_separator(copied.rules);
    match copied.answer {
        Some(answer) if copied.added == 0 => return push_behind(answer, separator, out),
        Some(answer) => {
            out.push(separator);
            push_text(answer, out);
        }
        None => {}
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

#[inline(always)]
fn push_behind(solution: &[u8], separator: u8, out: &mut Vec<u8>) {
    out.push(separator);
    push_text(solution, out);
    out.push(b'\n');
}
