//! `json`: one object a line (JSON Lines) with the fields of `csv` as keys. A value that does not exist is null.
//!
//! If JSON objects are read, their members are kept as they are, and all keys but the puzzle's are added. The columns
//! of a table become members. An added key that an object has already gets the prefix `galop_`, as often as it takes.

use super::columns::{Layout, Value, push_prefixes};
use super::copied::{CopiedRecord, Copier, Holds};
use super::{FormatEntry, Printer, Record, push_echo, push_number, push_text, push_thousandths};
use crate::input::format::Field;
use crate::puzzle::Status;

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "json",
    about: "one object per line with the same fields as csv; objects and tables keep their fields",
    columns: &[
        "puzzle",
        "solution",
        "status",
        "solutions",
        "guesses",
        "nanos",
        "calls",
        "depth",
        "partial",
        "solution_number",
        "line",
    ],
    keeps: Some("json"),
    endings: &["json", "jsonl", "ndjson"],
    printer: Printer::Record(print),
    copier: Some(&Copier {
        about: "one object per line with all columns as its keys",
        holds: Holds::Fields,
        unchanged: Some("json"),
        header: None,
        print: print_copied,
    }),
    ..FormatEntry::TEXT
};

fn print_copied(copied: &CopiedRecord<'_>, out: &mut Vec<u8>) {
    let mut separator = b'{';
    for (name, field) in copied.names.iter().zip(copied.fields.iter()) {
        out.push(separator);
        separator = b',';
        push_string(name, out);
        out.push(b':');
        match field {
            Field::Text(text) => push_string(&String::from_utf8_lossy(text), out),
            Field::Literal(literal) => out.extend_from_slice(literal),
            Field::Missing => out.extend_from_slice(b"null"),
        }
    }
    out.extend_from_slice(b"}\n");
}

fn print(record: &Record<'_>, layout: &Layout, out: &mut Vec<u8>) {
    let (mut separator, taken) = (b'{', record.row.map_or(&[][..], |row| row.taken));
    if let Some(row) = record.row {
        if record.status == Status::Malformed {
            out.push(b'{');
            push_string(row.name, out);
            out.push(b':');
            push_puzzle(record, out);
        } else {
            // The object without the brace that closes it.
            let text = row.text.trim_ascii_end();
            out.extend_from_slice(&text[..text.len().saturating_sub(1)]);
        }
        separator = b',';
    }
    for (index, column) in layout.columns(record.row.is_some()).iter().enumerate() {
        out.push(separator);
        separator = b',';
        out.push(b'"');
        push_prefixes(taken.get(index).copied().unwrap_or(0), out);
        out.extend_from_slice(column.name.as_bytes());
        out.extend_from_slice(b"\":");
        match (column.value)(record) {
            Value::Puzzle => push_puzzle(record, out),
            Value::Word(text) => {
                out.push(b'"');
                push_text(text, out);
                out.push(b'"');
            }
            Value::Text(text) => push_string(text, out),
            Value::Number(number) => push_number(number, out),
            Value::Thousandths(number) => push_thousandths(number, out),
            Value::Missing => out.extend_from_slice(b"null"),
        }
    }
    out.extend_from_slice(b"}\n");
}

fn push_puzzle(record: &Record<'_>, out: &mut Vec<u8>) {
    if record.status == Status::Malformed {
        return push_malformed(record, out);
    }
    out.push(b'"');
    push_echo(record, out);
    out.push(b'"');
}

/// JSON escapes only quotes and backslashes of an echo. Well-formed puzzles have neither.
#[cold]
fn push_malformed(record: &Record<'_>, out: &mut Vec<u8>) {
    let mut echo = Vec::with_capacity(record.puzzle.len());
    push_echo(record, &mut echo);
    push_string(&String::from_utf8_lossy(&echo), out);
}

/// Any text, in quotes (RFC 8259, section 7).
fn push_string(text: &str, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push(b'"');
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            ..b' ' => {
                out.extend_from_slice(b"\\u00");
                out.extend_from_slice(&[HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
            }
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}
