//! `json`: one object a line (JSON Lines) with the fields of `csv`. A value that does not exist is null.

use super::{FormatEntry, Record, push_echo, push_number, push_text};
use crate::puzzle::Status;

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "json",
    about: "one object a line with the same fields as csv",
    header: |_, _, _| (),
    keeps_columns: false,
    print: |record, out| {
        out.extend_from_slice(b"{\"puzzle\":\"");
        match record.status {
            Status::Malformed => push_malformed(record, out),
            _ => push_echo(record, out),
        }
        match record.solution {
            Some(solution) => {
                out.extend_from_slice(b"\",\"solution\":\"");
                push_text(solution, out);
                out.push(b'"');
            }
            None => out.extend_from_slice(b"\",\"solution\":null"),
        }
        out.extend_from_slice(b",\"status\":\"");
        out.extend_from_slice(record.status.word().as_bytes());
        out.extend_from_slice(b"\",\"solutions\":");
        push_number(record.solutions, out);
        out.extend_from_slice(b",\"guesses\":");
        push_number(record.guesses, out);
        out.extend_from_slice(b",\"nanos\":");
        match record.nanos {
            Some(nanos) => push_number(nanos, out),
            None => out.extend_from_slice(b"null"),
        }
        if let Some((calls, depth)) = record.calls {
            out.extend_from_slice(b",\"calls\":");
            push_number(calls, out);
            out.extend_from_slice(b",\"depth\":");
            push_number(u64::from(depth), out);
        }
        match record.partial {
            None => {}
            Some(b"") => out.extend_from_slice(b",\"partial\":null"),
            Some(partial) => {
                out.extend_from_slice(b",\"partial\":\"");
                push_text(partial, out);
                out.push(b'"');
            }
        }
        out.extend_from_slice(b"}\n");
    },
};

/// JSON escapes only quotes and backslashes of an echo. Well-formed puzzles have neither.
#[cold]
fn push_malformed(record: &Record<'_>, out: &mut Vec<u8>) {
    let mut echo = Vec::with_capacity(record.puzzle.len());
    push_echo(record, &mut echo);
    for byte in echo {
        if matches!(byte, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(byte);
    }
}
