//! `pair`: `puzzle,solution`, or the status word in place of the solution.

use super::copied::{Copier, Holds};
use super::{FormatEntry, Printer, pair_separator, push_escaped, push_text};
use crate::input::format::Field;

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "pair",
    about: "puzzle,solution (or a status word in its place)",
    endings: &["txt"],
    printer: Printer::Pair(|puzzle, solution, separator, out| {
        push_text(puzzle, out);
        push_behind(solution, separator, out);
    }),
    copier: Some(&Copier {
        about: "lines of puzzle,solution, or of the puzzle alone",
        holds: Holds::Answer,
        unchanged: Some("lines"),
        header: None,
        print: |copied, out| {
            match copied.cells {
                Some(_) => push_text(copied.puzzle, out),
                None => push_escaped(copied.puzzle, out),
            }
            let separator = pair_separator(copied.rules);
            match copied.answer {
                Some(answer) if copied.added.is_empty() => push_behind(answer, separator, out),
                None if copied.added.is_empty() => out.push(b'\n'),
                answer => push_all(answer, copied.added, separator, out),
            }
        },
    }),
    ..FormatEntry::TEXT
};

/// Appends the answer and the added fields that are there.
fn push_all(answer: Option<&[u8]>, added: &[Field<'_>], separator: u8, out: &mut Vec<u8>) {
    let added = added.iter().filter_map(|field| match *field {
        Field::Text(text) | Field::Literal(text) => Some(text),
        Field::Missing => None,
    });
    for text in answer.into_iter().chain(added) {
        out.push(separator);
        push_text(text, out);
    }
    out.push(b'\n');
}

#[inline(always)]
fn push_behind(solution: &[u8], separator: u8, out: &mut Vec<u8>) {
    out.push(separator);
    push_text(solution, out);
    out.push(b'\n');
}
