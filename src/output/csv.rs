//! `csv`: a header and six columns, more for engines that report more. A value that does not exist is an empty field.
//!
//! If a table is read, its columns are kept as they are, and all columns but the puzzle's are added, with the table's
//! own delimiter. A row that lacks fields gets empty ones, so that the added columns are below their names.

use super::{Extras, FormatEntry, Record, Row, push_echo, push_number, push_text};
use crate::puzzle::Status;

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "csv",
    about: "with a header: puzzle,solution,status,solutions,guesses,nanos; a table keeps its columns",
    header,
    keeps_columns: true,
    print,
};

/// The columns besides the puzzle.
const COLUMNS: [&str; 5] = ["solution", "status", "solutions", "guesses", "nanos"];
const CALLS: [&str; 2] = ["calls", "depth"];
const PARTIAL: [&str; 1] = ["partial"];

fn header(table: Option<&Row<'_>>, extras: Extras, out: &mut Vec<u8>) {
    let (names, delimiter) = table.map_or((&b"puzzle"[..], b','), |row| (row.text, row.delimiter));
    out.extend_from_slice(names);
    let calls = CALLS.iter().filter(|_| extras.calls);
    let partial = PARTIAL.iter().filter(|_| extras.partial);
    for column in COLUMNS.iter().chain(calls).chain(partial) {
        out.push(delimiter);
        let is_taken = names.split(|&byte| byte == delimiter).any(|name| {
            let name = name.trim_ascii();
            let name = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")).unwrap_or(name);
            name.eq_ignore_ascii_case(column.as_bytes())
        });
        out.extend_from_slice(if is_taken { b"galop_" } else { b"" });
        out.extend_from_slice(column.as_bytes());
    }
    out.push(b'\n');
}

fn print(record: &Record<'_>, out: &mut Vec<u8>) {
    let delimiter = record.row.map_or(b',', |row| row.delimiter);
    match record.row {
        _ if record.status == Status::Malformed => push_malformed(record, out),
        Some(row) => {
            out.extend_from_slice(row.text);
            out.resize(out.len() + row.missing, delimiter);
        }
        None => push_echo(record, out),
    }
    out.push(delimiter);
    push_text(record.solution.unwrap_or_default(), out);
    out.push(delimiter);
    out.extend_from_slice(record.status.word().as_bytes());
    for number in [Some(record.solutions), Some(record.guesses), record.nanos] {
        out.push(delimiter);
        if let Some(number) = number {
            push_number(number, out);
        }
    }
    if let Some((calls, depth)) = record.calls {
        for number in [calls, u64::from(depth)] {
            out.push(delimiter);
            push_number(number, out);
        }
    }
    if let Some(partial) = record.partial {
        out.push(delimiter);
        push_text(partial, out);
    }
    out.push(b'\n');
}

/// A malformed line, in the column of the puzzle. It may hold any number of quotes and delimiters.
fn push_malformed(record: &Record<'_>, out: &mut Vec<u8>) {
    let (columns, puzzle, delimiter) =
        record.row.map_or((1, 0, b','), |row| (row.columns, row.puzzle, row.delimiter));
    out.resize(out.len() + puzzle, delimiter);
    out.push(b'"');
    let start = out.len();
    push_echo(record, out);
    // RFC 4180 doubles quotes inside a quoted field.
    let echo = String::from_utf8_lossy(&out[start..]).replace('"', "\"\"");
    out.truncate(start);
    out.extend_from_slice(echo.as_bytes());
    out.push(b'"');
    out.resize(out.len() + columns.saturating_sub(puzzle + 1), delimiter);
}
