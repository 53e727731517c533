//! Lines of a chunk, and fields of a line.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memrchr};

/// The byte-order mark, which is not a part of the first record.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bytes of the longest line that is read, without its end. A longer line is one malformed record.
pub const MAX_LINE_BYTES: usize = 65_536;

/// Bytes of the longest row of a table and of the longest value of JSON, line ends included. No more of a line is kept.
pub const MAX_RECORD_BYTES: usize = 16 << 20;

/// Where the first record of a chunk begins, or the header of a table: the first line that is not blank and not a
/// comment, cut to [`MAX_RECORD_BYTES`].
pub(crate) fn first_line(chunk: &[u8]) -> Option<Range<usize>> {
    let line = lines(chunk).find(|at| is_record(&chunk[at.clone()]))?;
    Some(line.start..line.end.min(line.start + MAX_RECORD_BYTES))
}

/// The lines of a chunk, without their ends.
pub(super) fn lines(chunk: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let (line, next) = line_at(chunk, start)?;
        start = next;
        Some(line)
    })
}

/// The line that begins at `start`, without its end, and the start of the next one.
pub(super) fn line_at(chunk: &[u8], start: usize) -> Option<(Range<usize>, usize)> {
    let rest = chunk.get(start..).filter(|rest| !rest.is_empty())?;
    let end = start + memchr(b'\n', rest).unwrap_or(rest.len());
    Some((start..end - usize::from(chunk[start..end].ends_with(b"\r")), end + 1))
}

/// The offset behind the first line end at or after `from`.
pub(super) fn line_end(bytes: &[u8], from: usize) -> Option<usize> {
    memchr(b'\n', bytes.get(from..)?).map(|at| from + at + 1)
}

/// The place of byte `at` of a record of one or several lines: its line, from 0, and its column there, from 1.
pub(super) fn line_and_column(record: &[u8], at: usize) -> (u64, u32) {
    let before = &record[..at.min(record.len())];
    let line_start = memrchr(b'\n', before).map_or(0, |line_end| line_end + 1);
    (memchr_iter(b'\n', before).count() as u64, (at - line_start) as u32 + 1)
}

/// Whether `line` is a record: not blank, not a comment (`#` first), and neither the line with which Excel names the
/// delimiter of a table (`sep=;`) nor the [end of a text](is_text_end).
///
/// Only the first [`MAX_LINE_BYTES`] are looked at, because a stream keeps no more. A longer line that is blank up
/// to there is a record.
pub(super) fn is_record(line: &[u8]) -> bool {
    let first = line.iter().take(MAX_LINE_BYTES).find(|byte| !is_space(**byte));
    match first {
        None => line.len() > MAX_LINE_BYTES,
        Some(b'#') => false,
        Some(b's') => !matches!(line.trim_ascii_end(), [b's', b'e', b'p', b'=', _]),
        Some(0x1a) => !is_text_end(line),
        Some(_) => true,
    }
}

/// Whether `line` is the end of a text of DOS: Ctrl-Z.
pub(super) fn is_text_end(line: &[u8]) -> bool {
    line == [0x1a]
}

/// `line` without the byte-order mark that it has where files were put one behind the other.
pub(super) fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line)
}

/// Whether `byte` is a space, a tab or a carriage return.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// The bytes that end a field.
pub(super) const SEPARATORS: &[u8] = b" \t,;:#";

/// Whether `byte` ends a field.
pub(super) fn is_separator(byte: u8) -> bool {
    const IS_SEPARATOR: [bool; 256] = {
        let mut is_separator = [false; 256];
        let mut at = 0;
        while at < SEPARATORS.len() {
            is_separator[SEPARATORS[at] as usize] = true;
            at += 1;
        }
        is_separator
    };
    IS_SEPARATOR[usize::from(byte)]
}

/// Whether `text` is nothing but digits from 1, as nearly every answer is. The 81 bytes of a grid become straight
/// vector code; a search for the end of a field does not.
pub(super) fn are_digits(text: &[u8]) -> bool {
    let is_digit = |are: bool, &byte: &u8| are & (byte.wrapping_sub(b'1') < 9);
    match <&[u8; 81]>::try_from(text) {
        Ok(text) => text.iter().fold(true, is_digit),
        Err(_) => text.iter().fold(true, is_digit),
    }
}

/// The field that begins at `start`: up to the next separator or the end of the line.
pub(super) fn field(line: &[u8], start: usize) -> Range<usize> {
    let end = line[start..].iter().position(|&byte| is_separator(byte)).map_or(line.len(), |at| start + at);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_and_comments_are_no_records() {
        for line in ["", " ", "\t", "\r", " \t\r ", "#", " \t# 123"] {
            assert!(!is_record(line.as_bytes()), "{line:?}");
        }
        for line in ["1", ".#", " 1", "\t x", "1 # comment"] {
            assert!(is_record(line.as_bytes()), "{line:?}");
        }
        // A stream does not keep enough of a longer line to see whether it is blank.
        assert!(!is_record(&[b' '; MAX_LINE_BYTES]));
        assert!(is_record(&[b' '; MAX_LINE_BYTES + 1]));
    }

    #[test]
    fn the_first_line_is_cut_to_the_greatest_length() {
        let text = format!("# c\n\n  {}\n", "1".repeat(MAX_RECORD_BYTES));
        assert_eq!(first_line(text.as_bytes()), Some(5..5 + MAX_RECORD_BYTES));
        assert_eq!(first_line(b"# c\r\n12\r\n34"), Some(5..7));
        assert_eq!(first_line(b"# c\n"), None);
    }

    #[test]
    fn a_field_ends_before_a_separator() {
        for separator in SEPARATORS {
            let line = [b"12", &[*separator][..], b"345"].concat();
            assert_eq!((field(&line, 0), field(&line, 3)), (0..2, 3..6));
            assert!(is_separator(*separator) && !is_separator(b'1'));
        }
    }
}
