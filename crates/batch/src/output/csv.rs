//! `csv`, and `tsv` with tabs: a header, the fields that are kept, and the columns that are added. A value that does not
//! exist is an empty field.
//!
//! If a table is read, the fields of its rows are kept as they are. The members of JSON objects become columns. A row
//! that lacks fields gets empty ones, so that the added columns are below their names. An added column whose name the
//! table has already gets the prefix `galop_`.

use memchr::memchr3;

use super::columns::{Heading, Kind, PREFIX, Usual};
use super::record::{Form, KeptText, Written};
use super::{Converted, FormatEntry, Holds, Printer};
use crate::input::format::{field_end, push_in_quotes};
use crate::input::name::bytes_of_name;

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "csv",
    about: "with a header: puzzle,solution,status,count,guesses,nanos; tables and objects keep their fields",
    header: Some(header::<b','>),
    usual: Usual::TEXT,
    keeps: Some("csv"),
    endings: &["csv"],
    printer: Printer::Fields(print::<b','>),
    converted: Some(Converted {
        about: "with a header and all columns, commas between them, and quotes where they are needed",
        holds: Holds::Fields,
        print: None,
    }),
    ..FormatEntry::TEXT
};

pub(super) const TABS: FormatEntry = FormatEntry {
    name: "tsv",
    about: "the same with tabs",
    header: Some(header::<b'\t'>),
    endings: &["tsv"],
    printer: Printer::Fields(print::<b'\t'>),
    converted: Some(Converted { about: "the same with tabs", holds: Holds::Fields, print: None }),
    ..ENTRY
};

/// Appends the header: the header of the input as it is, or else the names of the fields, and the `added` columns, each
/// with its number of prefixes. A header is one line: keys of JSON with line ends get spaces for them.
fn header<const DELIMITER: u8>(
    text: Option<KeptText<'_>>,
    names: &[String],
    added: &[(Heading, u32)],
    out: &mut Vec<u8>,
) {
    let start = out.len();
    match text {
        Some(text) => push_row::<DELIMITER>(text, out),
        None => names.iter().for_each(|name| {
            push_quoted(&bytes_of_name(&name.replace(['\r', '\n'], " ")), out);
            out.push(DELIMITER);
        }),
    }
    for (heading, prefixes) in added {
        (0..*prefixes).for_each(|_| out.extend_from_slice(PREFIX.as_bytes()));
        out.extend_from_slice(heading.name.as_bytes());
        out.push(DELIMITER);
    }
    end_row(start, out);
}

/// Appends a row that was read, its fields as they are, with all delimiters.
#[inline(always)]
fn push_row<const DELIMITER: u8>(KeptText { text, delimiter, missing }: KeptText<'_>, out: &mut Vec<u8>) {
    match delimiter == DELIMITER {
        true => out.extend_from_slice(text),
        false => push_fields(text, delimiter, DELIMITER, out),
    }
    out.resize(out.len() + missing + 1, DELIMITER);
}

/// Appends the fields of `row` with another delimiter between them.
#[inline(never)]
fn push_fields(row: &[u8], before: u8, delimiter: u8, out: &mut Vec<u8>) {
    let mut start = 0;
    loop {
        // (No field of a row that was read breaks the rules of quotes.)
        let end = field_end(row, start, before).unwrap_or(row.len());
        match &row[start..end] {
            field if field.contains(&delimiter) && !field.starts_with(b"\"") => push_in_quotes(field, out),
            field => out.extend_from_slice(field),
        }
        if end >= row.len() {
            return;
        }
        out.push(delimiter);
        start = end + 1;
    }
}

/// Puts the line end in the place of the last delimiter.
#[inline(always)]
fn end_row(start: usize, out: &mut Vec<u8>) {
    out.truncate(out.len().saturating_sub(1).max(start));
    out.push(b'\n');
}

/// Every record comes through here.
fn print<const DELIMITER: u8>(record: &Written<'_>, out: &mut Vec<u8>) {
    let start = out.len();
    if let Some(kept) = record.kept.text {
        push_row::<DELIMITER>(kept, out);
    }
    for (form, text) in record.kept.fields.iter() {
        match form {
            Form::Text | Form::Literal => push_quoted(text, out),
            Form::Echo => push_in_quotes(text, out),
            Form::Missing => {}
        }
        out.push(DELIMITER);
    }
    let are_choices = record.rules.choices().is_some();
    for (index, heading) in record.headings.iter().enumerate() {
        let from = out.len();
        (record.push)(index, out);
        match heading.kind {
            Kind::Grid if record.is_malformed => quote_echo(from, out),
            Kind::Text => quote(from, out),
            Kind::Grid if are_choices => quote(from, out),
            Kind::Grid | Kind::Word(_) | Kind::Whole | Kind::Real => {}
        }
        out.push(DELIMITER);
    }
    // A blank line would be no row.
    if record.headings.is_empty() && out.len() == start + 1 {
        out.truncate(start);
        out.extend_from_slice(b"\"\",");
    }
    end_row(start, out);
}

/// Puts the bytes from `from` on in quotes if they need them.
#[inline(never)]
fn quote(from: usize, out: &mut Vec<u8>) {
    let text = out.split_off(from);
    push_quoted(&text, out);
}

/// Puts the echo of a malformed record, which begins at `from`, in quotes: it may hold any number of quotes and
/// delimiters.
#[cold]
fn quote_echo(from: usize, out: &mut Vec<u8>) {
    if from < out.len() {
        let echo = out.split_off(from);
        push_in_quotes(&echo, out);
    }
}

/// Any text: in quotes if it needs them in a table with any delimiter that is read.
fn push_quoted(text: &[u8], out: &mut Vec<u8>) {
    /// Bytes from which on searches in vectors pay.
    const LONG: usize = 16;
    // Compared byte by byte in a loop that became vectors, a puzzle took 322 instructions, because every machine has to
    // have these vectors.
    let is_plain = match text.len() < LONG {
        true => !text.iter().any(|byte| matches!(byte, b'"' | b'\n' | b'\r' | b',' | b';' | b'\t')),
        false => memchr3(b'"', b'\n', b'\r', text).is_none() && memchr3(b',', b';', b'\t', text).is_none(),
    };
    if is_plain && text == text.trim_ascii() {
        out.extend_from_slice(text);
    } else {
        push_in_quotes(text, out);
    }
}
