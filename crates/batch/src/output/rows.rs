//! `rows`: the solution as the driver of `satisfy` prints it, with dashes and bars between the blocks.
//!
//! ```text
//! -------------------------
//! 8  1  2| 7  5  3| 6  4  9
//! ```
//! `printSudoku` prints the same bytes under Python 2, whose `print` puts a space between two items. The format `grids`
//! of the input reads them again.

use super::copied::{Copier, Holds};
use super::{FormatEntry, Printer, push_unsolved, solution_cells};
use crate::grid::{Alphabet, Rules};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "rows",
    about: "the solution as satisfy's driver prints it, 8  1  2| 7 ..., or the status word; a blank line follows",
    printer: Printer::Record(|record, _, out| match solution_cells(record) {
        Some((cells, rules)) => push_rows(&cells, rules, out),
        None => push_unsolved(record, out),
    }),
    copier: Some(&Copier {
        about: "the puzzle as satisfy's driver prints it; a blank line follows",
        holds: Holds::Puzzle,
        unchanged: None,
        header: None,
        print: |copied, out| match copied.cells {
            Some(cells) => push_rows(cells, copied.rules, out),
            None => out.extend_from_slice(b"malformed\n\n"),
        },
    }),
    has_cells: true,
    ..FormatEntry::TEXT
};

fn push_rows(cells: &[u8], rules: &Rules, out: &mut Vec<u8>) {
    let side = rules.grid().side().max(1);
    let (height, width) = rules.grid().block().unwrap_or((side, side));
    let dashes = [b"-".repeat(3 * side - 2), b"\n".to_vec()].concat();
    for (row, cells) in cells.chunks(side).enumerate() {
        if row % height == 0 {
            out.extend_from_slice(&dashes);
        }
        for (column, &cell) in cells.iter().enumerate() {
            out.push(character(rules.alphabet(), cell));
            let is_last = column + 1 == side;
            out.extend_from_slice(match (column + 1) % width {
                _ if is_last => b"\n",
                0 => b"| ",
                _ => b"  ",
            });
        }
    }
    out.extend_from_slice(&dashes);
    out.push(b'\n');
}

/// The program prints 0 for a blank. An alphabet that has 0 for a symbol keeps its own blank.
fn character(alphabet: &Alphabet, cell: u8) -> u8 {
    if cell == 0 && alphabet.is_digits() { b'0' } else { alphabet.character(cell) }
}
