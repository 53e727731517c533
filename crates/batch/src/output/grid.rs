//! `grid`: the solution as a drawn grid, or else the status word on a line of its own, and a blank line behind either.
//!
//! The drivers of the published solvers print grids like these. The format `grids` of the input reads them again, a
//! record each.

use super::copied::{Copier, Holds};
use super::{FormatEntry, Layout, Printer, Record, framed, push_unsolved, solution_cells};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "grid",
    about: "the solution as a drawn grid, or the status word; unfinished grids with their candidates; a blank line follows",
    printer: Printer::Record(print),
    copier: Some(&Copier {
        about: "the puzzle as a drawn grid; a blank line follows",
        holds: Holds::Puzzle,
        unchanged: None,
        header: None,
        print: |copied, out| {
            match copied.cells {
                Some(cells) => out.extend_from_slice(framed(&[cells], copied.rules).as_bytes()),
                None => out.extend_from_slice(b"malformed\n"),
            }
            out.push(b'\n');
        },
    }),
    has_cells: true,
    ..FormatEntry::TEXT
};

fn print(record: &Record<'_>, _: &Layout, out: &mut Vec<u8>) {
    match solution_cells(record) {
        Some((cells, rules)) => {
            out.extend_from_slice(framed(&[&cells], rules).as_bytes());
            out.push(b'\n');
        }
        None => push_unsolved(record, out),
    }
}
