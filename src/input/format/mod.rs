//! What a line means: the shapes of puzzle files, and the table of them.
//!
//! The shape of a source is told from its first line; [`FORMATS`] lists the shapes in the order they are
//! asked. One file and one row add one. (The shapes found in the wild are collected in `tests/shapes.rs`.)

mod csv;
mod lines;

use std::ops::Range;

use memchr::memchr;

use super::chunk::MAX_LINE_BYTES;
use crate::error::{LineError, LineErrorKind};

/// A shape of puzzle file.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Its name in reports.
    pub name: &'static str,
    /// One line: how to know it.
    pub about: &'static str,
    /// Looks at the first line that is not blank or a comment; gives the reader if the source has this shape.
    pub recognise: fn(first_line: &[u8], cells: usize) -> Option<Box<dyn Shape>>,
}

/// Every shape, in the order they are asked. The last one takes everything.
pub const FORMATS: &[Format] = &[csv::FORMAT, lines::FORMAT];

/// The reader for a source that begins with `first_line`: its name and its shape.
pub fn recognise(first_line: &[u8], cells: usize) -> (&'static str, Box<dyn Shape>) {
    let mut shapes = FORMATS.iter();
    shapes
        .find_map(|format| Some((format.name, (format.recognise)(first_line, cells)?)))
        .unwrap_or_else(|| (lines::FORMAT.name, Box::new(lines::Lines { cells })))
}

/// The columns of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    /// What stands between them.
    pub delimiter: u8,
    /// How many there are.
    pub count: usize,
    /// Which one holds the puzzle, from 0.
    pub puzzle: usize,
}

/// Finds the puzzle, and the solution beside it, in a line.
pub trait Shape: Send + Sync {
    /// The columns, if this is a table: the first line that is not blank or a comment names them then.
    fn columns(&self) -> Option<Columns>;

    /// Whether the first line that is not blank or a comment names the columns and is no record.
    fn has_header(&self) -> bool {
        self.columns().is_some()
    }

    /// Where the puzzle stands in `line`; its cells (0 blank, 1..=9) are appended to `puzzles`.
    ///
    /// `line` has no line end, is not blank and no comment.
    ///
    /// # Errors
    /// A [`LineError`] with the first wrong column; `puzzles` is then as it was.
    fn puzzle(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<Range<usize>, LineError>;

    /// Where the solution, or the status word in its place, stands in `line` whose puzzle stands at `puzzle`, if
    /// there is one.
    fn solution(&self, line: &[u8], puzzle: Range<usize>) -> Option<Range<usize>>;
}

/// One record: a line that is neither blank nor a comment.
#[derive(Clone, Debug)]
pub struct Record {
    /// The line's number in the chunk, from 0.
    pub line: u64,
    /// The line's bytes in the chunk, without its end.
    pub text: Range<usize>,
    /// The puzzle's bytes in the chunk, or why there is none.
    pub puzzle: Result<Range<usize>, LineError>,
}

/// The records of a chunk. Kept and filled again for the next one.
#[derive(Debug, Default)]
pub struct Records {
    /// The well-formed puzzles, flat: place `i` belongs to the `i`th record whose `puzzle` is `Ok`.
    pub puzzles: Vec<u8>,
    /// Every record, in order.
    pub records: Vec<Record>,
    /// Lines in the chunk, records or not.
    pub lines: u64,
}

impl Records {
    /// Reads `chunk`, whole lines of a source of this `shape`; `is_first` says that the source starts here.
    pub fn read(&mut self, shape: &dyn Shape, chunk: &[u8], is_first: bool) {
        self.puzzles.clear();
        self.records.clear();
        self.lines = 0;
        let mut is_header = is_first && shape.has_header();
        for text in lines(chunk) {
            let line = self.lines;
            self.lines += 1;
            if !is_record(&chunk[text.clone()]) || std::mem::take(&mut is_header) {
                continue;
            }
            let puzzle = self.puzzle(shape, &chunk[text.clone()]);
            let puzzle = puzzle.map(|at| text.start + at.start..text.start + at.end);
            self.records.push(Record { line, text, puzzle });
        }
    }

    fn puzzle(&mut self, shape: &dyn Shape, line: &[u8]) -> Result<Range<usize>, LineError> {
        if line.len() > MAX_LINE_BYTES {
            let column = MAX_LINE_BYTES as u32 + 1;
            return Err(LineError { column, kind: LineErrorKind::TooLong { limit: MAX_LINE_BYTES as u32 } });
        }
        shape.puzzle(line, &mut self.puzzles)
    }
}

/// The line that tells a source's shape: the first one of its first chunk that is neither blank nor a comment;
/// of one that is too long, the beginning.
pub fn first_line(chunk: &[u8]) -> &[u8] {
    let line = lines(chunk).map(|at| &chunk[at]).find(|line| is_record(line)).unwrap_or_default();
    &line[..line.len().min(MAX_LINE_BYTES)]
}

/// The lines of a chunk, without their ends.
fn lines(chunk: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = chunk.get(start..).filter(|rest| !rest.is_empty())?;
        let end = start + memchr(b'\n', rest).unwrap_or(rest.len());
        let line = start..end - usize::from(chunk[start..end].ends_with(b"\r"));
        start = end + 1;
        Some(line)
    })
}

/// Whether `line` is a record: not blank, and no comment (`#` first).
///
/// Only what is kept of a line that is too long is looked at: one that is blank so far is a record.
fn is_record(line: &[u8]) -> bool {
    let first = line.iter().take(MAX_LINE_BYTES).find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
    first.map_or(line.len() > MAX_LINE_BYTES, |&byte| byte != b'#')
}

/// Whether `byte` ends a field.
fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',' | b';' | b':' | b'#')
}

/// Whether `byte` stands for a blank cell: `.` `0` `*` `_` `x` `X` `?`.
#[inline]
fn is_blank(byte: u8) -> bool {
    // Not `matches!` or `||`: vectors compare all of them at once and never jump.
    (byte == b'.') | (byte == b'0') | (byte == b'*') | (byte == b'_') | (byte | 0x20 == b'x') | (byte == b'?')
}

/// Appends the cells of `text` (0 blank, 1..=9) if every byte of it is a cell, and says whether it did.
///
/// One straight loop over two slices with a byte to remember what was wrong: the compiler makes vector code
/// of that, which it does not of `extend` and a `bool`.
#[inline]
fn push_cells(text: &[u8], puzzles: &mut Vec<u8>) -> bool {
    let start = puzzles.len();
    puzzles.resize(start + text.len(), 0);
    let mut wrong = 0;
    for (cell, &byte) in puzzles[start..].iter_mut().zip(text) {
        let digit = byte.wrapping_sub(b'0');
        let is_digit = digit <= 9;
        wrong |= u8::from(!is_digit & !is_blank(byte));
        *cell = if is_digit { digit } else { 0 };
    }
    if wrong != 0 {
        puzzles.truncate(start);
    }
    wrong == 0
}

/// Why `text`, which starts at byte `start` of its line, is no puzzle of `cells` cells.
fn explain(text: &[u8], start: usize, cells: usize) -> LineError {
    let is_cell = |byte: &u8| byte.is_ascii_digit() || is_blank(*byte);
    match text.iter().position(|byte| !is_cell(byte)) {
        Some(at) if at < cells => {
            LineError { column: (start + at) as u32 + 1, kind: LineErrorKind::Character(text[at]) }
        }
        _ => LineError {
            column: (start + text.len().min(cells)) as u32 + 1,
            kind: LineErrorKind::Length { found: text.len() as u32, expected: cells as u32 },
        },
    }
}

/// The field that begins at `start`: up to the next separator or the end.
fn field(line: &[u8], start: usize) -> Range<usize> {
    let end = line[start..].iter().position(|&byte| is_separator(byte)).map_or(line.len(), |at| start + at);
    start..end
}
