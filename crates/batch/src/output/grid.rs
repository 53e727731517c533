//! `grid`: the solution as a drawn grid, or else the status word on a line of its own, and a blank line behind either.
//!
//! The format `grids` of the input reads them again, a record each.

use super::columns::Answered;
use super::{Converted, FormatEntry, Holds, Printer, display, framed, push_text, solution_cells};
use crate::grid::candidates;
use crate::puzzle::Status;

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "grid",
    about: "the solution as a drawn grid, or the status word; unfinished grids with their candidates; a blank line follows",
    printer: Printer::Drawing(print),
    converted: Some(Converted {
        about: "the puzzle as a drawn grid; a blank line follows",
        holds: Holds::Puzzle,
        print: Some(|copied, out| {
            match copied.cells {
                Some(cells) => out.extend_from_slice(framed(&[cells], copied.rules).as_bytes()),
                None => out.extend_from_slice(b"malformed\n"),
            }
            out.push(b'\n');
        }),
    }),
    has_cells: true,
    ..FormatEntry::TEXT
};

fn print(record: &Answered<'_>, out: &mut Vec<u8>) {
    match solution_cells(record) {
        Some(cells) => {
            out.extend_from_slice(framed(&[&cells], record.rules).as_bytes());
            out.push(b'\n');
        }
        None => push_unsolved(record, out),
    }
}

/// Appends the status word, and a blank line. If the engine gave up before it found a solution, the candidates that
/// singles leave come between: an engine that is stuck found nothing else.
fn push_unsolved(record: &Answered<'_>, out: &mut Vec<u8>) {
    push_text(record.status.word().as_bytes(), out);
    out.push(b'\n');
    let is_open = matches!(record.status, Status::Stuck | Status::Limit) && record.solutions == 0;
    match is_open.then(|| candidates(record.rules, record.cells)).flatten() {
        Some(candidates) => out.extend_from_slice(display(&candidates, record.rules).as_bytes()),
        None => out.push(b'\n'),
    }
}
