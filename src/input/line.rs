//! Lines of a chunk, and fields of a line.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memrchr};

/// Bytes of the longest line that is read, without its end. A longer line is one malformed record.
pub const MAX_LINE_BYTES: usize = 65_536;

/// Where the first record of a chunk begins, or the header of a table: the first line that is not blank and not a
/// comment, cut to [`MAX_LINE_BYTES`].
pub(super) fn first_line(chunk: &[u8]) -> Option<Range<usize>> {
    let line = lines(chunk).find(|at| is_record(&chunk[at.clone()]))?;
    Some(line.start..line.end.min(line.start + MAX_LINE_BYTES))
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

/// The place of byte `at` of a record of one or several lines: its line, from 0, and its column there, from 1.
pub(crate) fn line_and_column(record: &[u8], at: usize) -> (u64, u32) {
    let before = &record[..at.min(record.len())];
    let line_start = memrchr(b'\n', before).map_or(0, |line_end| line_end + 1);
    (memchr_iter(b'\n', before).count() as u64, (at - line_start) as u32 + 1)
}

/// Whether `line` is a record: not blank, and not a comment (`#` first).
///
/// Only the first [`MAX_LINE_BYTES`] are looked at, because a stream keeps no more. A longer line that is blank up
/// to there is a record.
pub(super) fn is_record(line: &[u8]) -> bool {
    let first = line.iter().take(MAX_LINE_BYTES).find(|byte| !is_space(**byte));
    first.map_or(line.len() > MAX_LINE_BYTES, |&byte| byte != b'#')
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

/// The field that begins at `start`: up to the next separator or the end of the line.
pub(super) fn field(line: &[u8], start: usize) -> Range<usize> {
    let end = line[start..].iter().position(|&byte| is_separator(byte)).map_or(line.len(), |at| start + at);
    start..end
}
