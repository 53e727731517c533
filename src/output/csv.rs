//! `csv`: a header and six columns; an empty field where there is no solution or no time.

use super::{Format, push_cells, push_echo, push_number};
use crate::puzzle::Status;

pub(super) const FORMAT: Format = Format {
    name: "csv",
    about: "with a header: puzzle,solution,status,solutions,guesses,nanos",
    header: "puzzle,solution,status,solutions,guesses,nanos\n",
    print: |record, out| {
        // A malformed line may hold quotes: RFC 4180 doubles them inside a quoted field.
        let start = out.len();
        push_echo(record, out);
        if record.status == Status::Malformed {
            let echo = String::from_utf8_lossy(&out[start..]).replace('"', "\"\"");
            out.truncate(start);
            out.extend([b"\"", echo.as_bytes(), b"\""].concat());
        }
        out.push(b',');
        push_cells(record.solution.unwrap_or_default(), out);
        out.push(b',');
        out.extend_from_slice(record.status.word().as_bytes());
        for number in [Some(record.solutions), Some(record.guesses), record.nanos] {
            out.push(b',');
            if let Some(number) = number {
                push_number(number, out);
            }
        }
        out.push(b'\n');
    },
};
