//! `json`: one object a line (JSON Lines) with the fields of `csv`; null where there is no solution or no time.

use super::{Format, push_cells, push_echo, push_number};

pub(super) const FORMAT: Format = Format {
    name: "json",
    about: "one object a line with the same fields as csv",
    header: |_, _| (),
    keeps_columns: false,
    print: |record, out| {
        // The only bytes of an echo that JSON escapes are quotes and backslashes.
        let mut echo = Vec::with_capacity(record.puzzle.len());
        push_echo(record, &mut echo);
        out.extend_from_slice(b"{\"puzzle\":\"");
        for byte in echo {
            if matches!(byte, b'"' | b'\\') {
                out.push(b'\\');
            }
            out.push(byte);
        }
        match record.solution {
            Some(cells) => {
                out.extend_from_slice(b"\",\"solution\":\"");
                push_cells(cells, out);
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
        out.extend_from_slice(b"}\n");
    },
};
