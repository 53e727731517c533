//! Rows of a table and the fields in them.
//!
//! A field may be in double quotes, and may then hold delimiters, quotes (written twice) and line ends (RFC 4180,
//! section 2). A row therefore ends at the first line end outside quotes. That rule alone has no bound: one quote that
//! is never closed would make the rest of a file a single row. So a row has several lines only if each of its quoted
//! fields ends as it should within [`MAX_RECORD_BYTES`] of the start of the row, and if it has not many more fields than
//! the header. (Else text such as `a","b` would be searched again from each of its lines to that bound.) Otherwise its
//! first line alone is the row, whose quote is then not closed, and reading goes on at the next line. What is behind
//! these bytes in the last
//! line of a row changes nothing, because a stream does not keep it: the row is too long.
//!
//! [`row_at`] is the only function that decides where a row ends: the cutter of chunks and the reader of rows call it.

use std::ops::Range;

use memchr::{memchr, memchr2, memrchr};

use crate::input::error::{LineError, LineErrorKind};
use crate::input::line::{MAX_RECORD_BYTES, line_at};

/// Fields more than the header has that a row of several lines may have.
const MORE_FIELDS: usize = 16;

/// How the rows of a table are divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) delimiter: u8,
    /// Fields of the header.
    pub(super) fields: usize,
}

/// The row that begins at `start`, without its line end, and the start of the next row. `None` at the end of `bytes`.
/// `None` also if `bytes` do not show where the row ends; they do if they are `all` bytes of the source.
pub(super) fn row_at(bytes: &[u8], start: usize, layout: Layout, all: bool) -> Option<(Range<usize>, usize)> {
    // The start of the next line is behind the last byte if the line end is not among the bytes.
    let line_from = |at| {
        let (line, next) = line_at(bytes, at).unwrap_or((at..at, at + 1));
        (all || next <= bytes.len()).then_some((line, next))
    };
    let (first, next) = line_at(bytes, start).and_then(|_| line_from(start))?;
    if memchr(b'"', &bytes[first.clone()]).is_none() {
        return Some((first, next));
    }
    let limit = bytes.len().min(start + MAX_RECORD_BYTES);
    let (mut row, mut behind_row, mut at, mut fields) = (first.clone(), next, start, 0);
    loop {
        let text = &bytes[..row.end.min(limit)];
        match field_end(text, at, layout.delimiter) {
            Ok(end) if end == text.len() => return Some((row, behind_row)),
            Ok(_) if row.end > first.end && fields > layout.fields + MORE_FIELDS => {
                return Some((first, next));
            }
            Ok(end) => (at, fields) = (end + 1, fields + 1),
            Err(LineError { kind: LineErrorKind::OpenQuote, .. }) => {
                let Some(behind) = behind_quotes(&bytes[..limit], at) else {
                    let is_known = all || limit == start + MAX_RECORD_BYTES;
                    return is_known.then_some((first, next));
                };
                let (line, behind) = line_from(behind)?;
                if line.end <= row.end {
                    return Some((first, next));
                }
                (row, behind_row) = (start..line.end, behind);
            }
            Err(_) => return Some((first, next)),
        }
    }
}

/// Where a chunk of rows may end: the start of the first row behind the line end at or after `from`. `bytes` begin with
/// a row.
pub(super) fn rows_end(bytes: &[u8], from: usize, layout: Layout) -> Option<usize> {
    let line_end = from + memchr(b'\n', bytes.get(from..)?)?;
    // A row that is open at the line end has its opening quote within the greatest length before it.
    let window = line_end.saturating_sub(MAX_RECORD_BYTES)..line_end;
    if memchr(b'"', &bytes[window]).is_none() {
        return Some(line_end + 1);
    }
    let mut start = 0;
    while start <= line_end {
        // Rows without quotes are lines.
        let quote = start + memchr(b'"', &bytes[start..line_end]).unwrap_or(line_end - start);
        start += memrchr(b'\n', &bytes[start..quote]).map_or(0, |before| before + 1);
        (_, start) = row_at(bytes, start, layout, false)?;
    }
    Some(start)
}

/// The fields of a row, one after the other, without the spaces and quotes around them. A field that breaks the rules
/// of quotes or holds a carriage return is the last one.
pub(super) fn fields(row: &[u8], delimiter: u8) -> impl Iterator<Item = Result<Range<usize>, LineError>> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next.take()?;
        let end = match field_end(row, start, delimiter) {
            Ok(end) => end,
            Err(error) => return Some(Err(error)),
        };
        next = (end < row.len()).then_some(end + 1);
        Some(Ok(trim(row, start..end)))
    })
}

/// The end of the field that begins at `start`: the next delimiter or the end of the row.
///
/// Programs differ in how they read a field that breaks the rule of quotes, or a carriage return outside quotes: some
/// end the row there. Such a row is an error, because a copy of it would give other columns, or other rows.
pub(crate) fn field_end(row: &[u8], start: usize, delimiter: u8) -> Result<usize, LineError> {
    let error = |at: usize, kind| Err(LineError::at(at, kind));
    if row.get(start) != Some(&b'"') {
        return match memchr2(delimiter, b'\r', &row[start..]) {
            Some(at) if row[start + at] != delimiter => error(start + at, LineErrorKind::CarriageReturn),
            Some(at) => Ok(start + at),
            None => Ok(row.len()),
        };
    }
    let Some(behind) = behind_quotes(row, start) else { return error(start, LineErrorKind::OpenQuote) };
    let end = behind + row[behind..].iter().take_while(|&&byte| byte == b' ').count();
    match row.get(end) {
        Some(&byte) if byte != delimiter => error(end, LineErrorKind::BehindQuote),
        _ => Ok(end),
    }
}

/// The place behind the quote that closes the one at `start`.
pub(super) fn behind_quotes(row: &[u8], start: usize) -> Option<usize> {
    let mut behind = start + 1;
    loop {
        behind += memchr(b'"', row.get(behind..)?)? + 1;
        if row.get(behind) != Some(&b'"') {
            return Some(behind);
        }
        behind += 1;
    }
}

fn trim(row: &[u8], mut at: Range<usize>) -> Range<usize> {
    let is_space = |byte: u8| byte == b' ';
    while !at.is_empty() && is_space(row[at.start]) {
        at.start += 1;
    }
    while !at.is_empty() && is_space(row[at.end - 1]) {
        at.end -= 1;
    }
    if at.len() >= 2 && row[at.start] == b'"' && row[at.end - 1] == b'"' {
        at.start += 1;
        at.end -= 1;
    }
    at
}

/// Appends `text` as a field in quotes. RFC 4180 doubles the quotes inside.
pub(crate) fn push_in_quotes(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in text {
        if byte == b'"' {
            out.push(b'"');
        }
        out.push(byte);
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: Layout = Layout { delimiter: b',', fields: 9 };

    /// The rows of `text`, read from its start.
    fn rows(text: &str) -> Vec<&str> {
        let (mut start, mut rows) = (0, Vec::new());
        while let Some((row, next)) = row_at(text.as_bytes(), start, LAYOUT, true) {
            rows.push(&text[row]);
            start = next;
        }
        rows
    }

    #[test]
    fn a_row_ends_at_a_line_end_outside_quotes() {
        for (text, expected) in [
            ("1,a\n2,b\n", &["1,a", "2,b"][..]),
            ("1,\"a\nb\"\r\n2,b", &["1,\"a\nb\"", "2,b"]),
            ("\"a\n\n\",\"b\r\nc\"\"\nd\" ,e\n2", &["\"a\n\n\",\"b\r\nc\"\"\nd\" ,e", "2"]),
            ("1,5\" disk\n2,\"x\ny\"\n", &["1,5\" disk", "2,\"x\ny\""]),
            // Quotes that are not closed as they should be: the first line alone.
            ("1,\"a\n2,b\n", &["1,\"a", "2,b"]),
            ("1,\"a\n2,\"b\"\n3\n", &["1,\"a", "2,\"b\"", "3"]),
            ("1,\"a\nb\",\"c\n2\n", &["1,\"a", "b\",\"c", "2"]),
            ("1,\"a\nb\",c\rd\n2\n", &["1,\"a", "b\",c\rd", "2"]),
            ("1,\"a\"b,\"c\nd\"\n", &["1,\"a\"b,\"c", "d\""]),
        ] {
            assert_eq!(rows(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_quoted_field_closes_within_the_greatest_length() {
        for (len, count) in [(MAX_RECORD_BYTES - 4, 2), (MAX_RECORD_BYTES - 3, 3)] {
            // The closing quote is byte 3 + len of the row.
            let text = format!("1,\"{}\n\"\n2\n", "x".repeat(len - 1));
            assert_eq!(rows(&text).len(), count, "{len}");
        }
    }

    /// A stream cuts a line that is too long. The rows are the same, whatever was behind the cut.
    #[test]
    fn a_row_does_not_depend_on_bytes_behind_the_greatest_length() {
        for tail in ["", ",b", ",\"b\"", ",\"b", "\"", ",\"\"", "\"\"", "\rb", " b"] {
            // Where the tail begins, in the second line of the row.
            for at in MAX_RECORD_BYTES - 5..MAX_RECORD_BYTES + 5 {
                let second = format!("\",{}{tail},{}", "x".repeat(at - 2), "y".repeat(10));
                let found = |second: &str| {
                    let text = format!("\"\n{second}\n3\n");
                    let lines = |row: &&str| row.lines().count();
                    rows(&text).iter().map(lines).collect::<Vec<_>>()
                };
                assert_eq!(found(&second), found(&second[..MAX_RECORD_BYTES + 2]), "{tail:?} {at}");
            }
        }
    }

    /// The definition: rows are read from the start until one begins behind `from`.
    fn plain_end(bytes: &[u8], from: usize) -> Option<usize> {
        let line_end = from + bytes.get(from..)?.iter().position(|&byte| byte == b'\n')?;
        let mut start = 0;
        while start <= line_end {
            (_, start) = row_at(bytes, start, LAYOUT, false)?;
        }
        Some(start)
    }

    proptest::proptest! {
        /// A chunk ends where a row ends; more bytes do not change that, and the rows of all chunks are the rows of the
        /// whole.
        #[test]
        fn chunks_end_with_rows(
            text in "[a,\" ]{0,3}(\n|,|\"|\"\"|\r\n|a){0,40}",
            from in 0..60usize,
            cut in 0..60usize,
        ) {
            let bytes = text.as_bytes();
            let end = rows_end(bytes, from, LAYOUT);
            proptest::prop_assert_eq!(end, plain_end(bytes, from));
            let part = rows_end(&bytes[..cut.min(bytes.len())], from, LAYOUT);
            proptest::prop_assert!(part.is_none() || part == end);
            if let Some(end) = end {
                let mut parts = rows(&text[..end]);
                parts.extend(rows(&text[end..]));
                proptest::prop_assert_eq!(parts, rows(&text));
            }
        }
    }
}
