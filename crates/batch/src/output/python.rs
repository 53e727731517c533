//! `python`: the solution as a list of rows, each a list of numbers. The input reads lists of numbers again.

use super::copied::{Copier, Holds};
use super::{FormatEntry, Printer, Record, push_number, solution_cells};
use crate::grid::Rules;

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "python",
    about: "the solution as a list of lists of numbers, or None and the status word as a comment; a blank line follows",
    printer: Printer::Record(print),
    copier: Some(&Copier {
        about: "the puzzle as a list of lists of numbers, 0 for a blank; a blank line follows",
        holds: Holds::Puzzle,
        unchanged: None,
        header: None,
        print: |copied, out| match copied.cells {
            Some(cells) => push_lists(cells, copied.rules, "", out),
            None => push_none("malformed", out),
        },
    }),
    has_cells: true,
    ..FormatEntry::TEXT
};

fn print(record: &Record<'_>, _: &super::Layout, out: &mut Vec<u8>) {
    let word = record.status.word();
    let partial = record.partial.filter(|partial| !partial.is_empty()).zip(Some(record.rules));
    match (solution_cells(record), partial) {
        (Some((cells, rules)), _) => push_lists(&cells, rules, "", out),
        // The published programs return the grid as far as they filled it.
        (None, Some((partial, rules))) => {
            let cell = |&byte: &u8| rules.alphabet().cell(byte).unwrap_or(0);
            let cells: Vec<u8> = partial.iter().map(cell).collect();
            push_lists(&cells, rules, &format!("  # {word}"), out);
        }
        (None, None) => push_none(word, out),
    }
}

fn push_none(word: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("None  # {word}\n\n").as_bytes());
}

fn push_lists(cells: &[u8], rules: &Rules, comment: &str, out: &mut Vec<u8>) {
    for (row, cells) in cells.chunks(rules.grid().side().max(1)).enumerate() {
        out.extend_from_slice(if row == 0 { b"[[" } else { b",\n [" });
        for (column, &cell) in cells.iter().enumerate() {
            if column > 0 {
                out.extend_from_slice(b", ");
            }
            push_number(cell.into(), out);
        }
        out.push(b']');
    }
    out.extend_from_slice(format!("]{comment}\n\n").as_bytes());
}
