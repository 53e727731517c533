//! `json`: one object a line (JSON Lines) with the fields of `csv` as keys. A value that does not exist is null.
//!
//! If JSON objects are read, their members are kept as they are, and all keys but the puzzle's are added. The columns
//! of a table become members. An added key that an object has already gets the prefix `galop_`, as often as it takes.

use super::columns::{Kind, PREFIX, Usual};
use super::record::{Form, KeptText, Written};
use super::{Converted, FormatEntry, Holds, Printer};

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "json",
    about: "one object per line with the same fields as csv; objects and tables keep their fields",
    usual: Usual::TEXT,
    keeps: Some("json"),
    endings: &["json", "jsonl", "ndjson"],
    printer: Printer::Fields(print),
    converted: Some(Converted {
        about: "one object per line with all columns as its keys",
        holds: Holds::Fields,
        print: None,
    }),
    ..FormatEntry::TEXT
};

fn print(record: &Written<'_>, out: &mut Vec<u8>) {
    let mut separator = b'{';
    if let Some(KeptText { text, .. }) = record.kept.text {
        // The object without the brace that closes it.
        let text = text.trim_ascii_end();
        out.extend_from_slice(&text[..text.len().saturating_sub(1)]);
        separator = b',';
    }
    for (name, (form, text)) in record.kept.names.iter().zip(record.kept.fields.iter()) {
        out.push(separator);
        separator = b',';
        push_string(name, out);
        out.push(b':');
        match form {
            Form::Text | Form::Echo => push_string(&String::from_utf8_lossy(text), out),
            Form::Literal => out.extend_from_slice(text),
            Form::Missing => out.extend_from_slice(b"null"),
        }
    }
    let are_choices = record.rules.choices().is_some();
    for (index, heading) in record.headings.iter().enumerate() {
        out.push(separator);
        separator = b',';
        out.push(b'"');
        (0..record.kept.taken.prefixes(index)).for_each(|_| out.extend_from_slice(PREFIX.as_bytes()));
        out.extend_from_slice(heading.name.as_bytes());
        out.extend_from_slice(b"\":");
        let from = out.len();
        match heading.kind {
            Kind::Whole | Kind::Real => {
                (record.push)(index, out);
                if out.len() == from {
                    out.extend_from_slice(b"null");
                }
            }
            kind => {
                out.push(b'"');
                (record.push)(index, out);
                match kind {
                    _ if out.len() == from + 1 => {
                        out.truncate(from);
                        out.extend_from_slice(b"null");
                    }
                    Kind::Word(_) => out.push(b'"'),
                    Kind::Grid if !are_choices && !record.is_malformed => out.push(b'"'),
                    _ => escape(from, out),
                }
            }
        }
    }
    out.extend_from_slice(b"}\n");
}

/// Writes the text behind the quote at `from` again, as JSON.
#[cold]
fn escape(from: usize, out: &mut Vec<u8>) {
    let text = out.split_off(from);
    push_string(&String::from_utf8_lossy(&text[1..]), out);
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
