//! `csv`, and `tsv` with tabs: a header and six columns, more for engines that report more, or those that the user
//! chose. A value that does not exist is an empty field.
//!
//! If a table is read, its columns are kept as they are, and all columns but the puzzle's are added, in `csv` with the
//! table's own delimiter. The members of JSON objects become columns. A row that lacks fields gets empty ones, so that
//! the added columns are below their names. An added column whose name the table has already gets the prefix `galop_`.

use super::columns::{Layout, Value, new_name};
use super::copied::{Copier, Holds};
use super::{FormatEntry, Printer, Record, Row, push_echo, push_number, push_text, push_thousandths};
use crate::input::format::{Field, push_in_quotes};
use crate::input::name::bytes_of_name;
use crate::puzzle::Status;

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "csv",
    about: "with a header: puzzle,solution,status,count,guesses,nanos; tables and objects keep their fields",
    header: header::<b','>,
    columns: &[
        "puzzle",
        "solution",
        "status",
        "count",
        "guesses",
        "nanos",
        "calls",
        "depth",
        "partial",
        "solution_number",
        "line",
    ],
    keeps: Some("csv"),
    endings: &["csv"],
    printer: Printer::Record(print::<b','>),
    copier: Some(&Copier {
        about: "with a header and all columns, commas between them, and quotes where they are needed",
        holds: Holds::Fields,
        unchanged: None,
        header: Some(push_names::<b','>),
        print: |copied, out| push_row_of::<b','>(copied.fields.iter(), out),
    }),
    ..FormatEntry::TEXT
};

pub(super) const TABS: FormatEntry = FormatEntry {
    name: "tsv",
    about: "the same with tabs",
    header: header::<b'\t'>,
    delimiter: Some(b'\t'),
    endings: &["tsv"],
    printer: Printer::Record(print::<b'\t'>),
    copier: Some(&Copier {
        about: "the same with tabs",
        holds: Holds::Fields,
        unchanged: None,
        header: Some(push_names::<b'\t'>),
        print: |copied, out| push_row_of::<b'\t'>(copied.fields.iter(), out),
    }),
    ..ENTRY
};

fn push_names<const DELIMITER: u8>(names: &[String], out: &mut Vec<u8>) {
    let names: Vec<Vec<u8>> = names.iter().map(|name| bytes_of_name(name)).collect();
    push_row_of::<DELIMITER>(names.iter().map(|name| Field::Text(name)), out);
}

/// Appends a row of all `fields`. Every record that is converted comes through here: as a call of its own it makes
/// `convert` 5 % slower.
#[inline(always)]
fn push_row_of<'a, const DELIMITER: u8>(fields: impl Iterator<Item = Field<'a>>, out: &mut Vec<u8>) {
    let start = out.len();
    for field in fields {
        match field {
            Field::Text(text) | Field::Literal(text) => push_quoted(text, DELIMITER, out),
            Field::Missing => {}
        }
        out.push(DELIMITER);
    }
    out.truncate(out.len().saturating_sub(1).max(start));
    // A blank line would be no row.
    if out.len() == start {
        out.extend_from_slice(b"\"\"");
    }
    out.push(b'\n');
}

fn header<const DELIMITER: u8>(table: Option<&Row<'_>>, layout: &Layout, out: &mut Vec<u8>) {
    let (text, delimiter) = table.map_or((&b""[..], DELIMITER), |row| (row.text, row.delimiter));
    out.extend_from_slice(text);
    let is_taken = |column: &str| {
        text.split(|&byte| byte == delimiter).any(|name| {
            let name = name.trim_ascii();
            let name = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")).unwrap_or(name);
            name.eq_ignore_ascii_case(column.as_bytes())
        })
    };
    for (index, column) in layout.columns(table.is_some()).iter().enumerate() {
        if index > 0 || table.is_some() {
            out.push(delimiter);
        }
        out.extend_from_slice(new_name(column.name, is_taken).as_bytes());
    }
    out.push(b'\n');
}

fn print<const DELIMITER: u8>(record: &Record<'_>, layout: &Layout, out: &mut Vec<u8>) {
    let delimiter = match record.row {
        Some(row) => {
            push_row(record, &row, out);
            out.push(row.delimiter);
            row.delimiter
        }
        None => DELIMITER,
    };
    for column in layout.columns(record.row.is_some()) {
        match (column.value)(record) {
            Value::Puzzle if record.status == Status::Malformed => push_malformed(record, out),
            Value::Puzzle => push_echo(record, out),
            Value::Word(text) => push_text(text, out),
            Value::Text(text) => push_quoted(text.as_bytes(), delimiter, out),
            Value::Number(number) => push_number(number, out),
            Value::Thousandths(number) => push_thousandths(number, out),
            Value::Missing => {}
        }
        out.push(delimiter);
    }
    // The line end is in the place of the last delimiter.
    if let Some(last) = out.last_mut() {
        *last = b'\n';
    }
}

/// The row of the input with all its columns. Of a malformed one the echo is in the column of the puzzle.
fn push_row(record: &Record<'_>, row: &Row<'_>, out: &mut Vec<u8>) {
    if record.status != Status::Malformed {
        out.extend_from_slice(row.text);
        out.resize(out.len() + row.missing, row.delimiter);
        return;
    }
    out.resize(out.len() + row.puzzle, row.delimiter);
    push_malformed(record, out);
    out.resize(out.len() + row.columns.saturating_sub(row.puzzle + 1), row.delimiter);
}

/// The echo of a malformed record. It may hold any number of quotes and delimiters.
#[cold]
fn push_malformed(record: &Record<'_>, out: &mut Vec<u8>) {
    let mut echo = Vec::new();
    push_echo(record, &mut echo);
    push_in_quotes(&echo, out);
}

/// Any text: in quotes if it needs them.
fn push_quoted(text: &[u8], delimiter: u8, out: &mut Vec<u8>) {
    // All bytes are looked at, and compared without jumps: that is vector code, and fields are short.
    let needs_quotes = text.iter().fold(false, |found, &byte| {
        let is_end = (byte == b'"') | (byte == b'\n') | (byte == b'\r');
        found | is_end | (byte == b',') | (byte == b';') | (byte == b'\t') | (byte == delimiter)
    });
    if needs_quotes || text != text.trim_ascii() {
        push_in_quotes(text, out);
    } else {
        out.extend_from_slice(text);
    }
}
