//! The formats of puzzle files, and the table of them.
//!
//! The first lines of a source show its format. [`FORMATS`] lists the formats in the order in which they are tried.
//! One file and one row add one. (The formats found in the wild are collected in the tests of formats and grids.)

mod csv;
mod digits;
mod frame;
mod grids;
mod lines;
mod notation;
pub(crate) mod npy;
pub(super) mod pasted;
mod row;

use std::ops::Range;

use memchr::memrchr;

use super::line::{first_line, is_record};
use super::records::{MissingCells, Records};
use crate::input::error::{InputError, LineError};

pub(crate) use notation::Notation;

pub(super) use frame::is_drawn;

/// A row of the table of formats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FormatEntry {
    /// Its name in reports.
    pub(crate) name: &'static str,
    /// Looks at the first line that is neither blank nor a comment, and at the whole lines of the `head` that begins
    /// with it. Returns the reader if the source has this format.
    recognise: fn(first_line: &[u8], head: &[u8], notation: &Notation) -> Option<Box<dyn Format>>,
}

/// Bytes of a source that are searched for its format, from its first line that is neither blank nor a comment. That
/// line is searched whole, whatever its length.
pub(crate) const HEAD_BYTES: usize = 8192;

/// Every format, in the order in which they are tried. The last one accepts everything.
pub(crate) const FORMATS: &[FormatEntry] = &[csv::ENTRY, grids::ENTRY, lines::ENTRY];

/// The format of a source that begins with `text`. Bytes more than [`HEAD_BYTES`] behind the start of the first
/// record are not looked at.
///
/// The notation may be given as a number of cells: 81 means nine by nine digits.
pub(crate) fn recognise(text: &[u8], notation: impl Into<Notation>) -> Box<dyn Format> {
    let notation = notation.into();
    let first_line = first_line(text).unwrap_or_default();
    let mut head = &text[first_line.start..];
    if head.len() > HEAD_BYTES {
        head = &head[..memrchr(b'\n', &head[..HEAD_BYTES]).map_or(0, |line_end| line_end + 1)];
    }
    FORMATS
        .iter()
        .find_map(|entry| (entry.recognise)(&text[first_line.clone()], head, &notation))
        .unwrap_or_else(|| Box::new(lines::Lines { notation }))
}

/// The columns of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    /// The byte between them.
    pub(crate) delimiter: u8,
    /// How many there are.
    pub(crate) count: usize,
    /// The column of the puzzle, from 0.
    pub(crate) puzzle: usize,
}

/// The line that names the columns of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header<'a> {
    /// The line, without its end.
    pub(crate) line: &'a [u8],
    /// The columns it names.
    pub(crate) columns: Columns,
}

/// What comes behind the puzzle in a regular line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Regular<'a> {
    /// The line end, or one of these bytes and then anything.
    Ends(&'a [u8]),
    /// The other fields of a row of a table: exactly those of the header, without quotes.
    Fields(Columns),
}

/// Finds the puzzle in a line, and the solution beside it.
pub(crate) trait Format: Send + Sync {
    /// Its name in the table.
    fn name(&self) -> &'static str;

    /// How its puzzles are written.
    fn notation(&self) -> &Notation;

    /// The columns, if this is a table. The first line that is neither blank nor a comment then names them and is not
    /// a record.
    fn columns(&self) -> Option<Columns> {
        None
    }

    /// Whether `line` is a record. In a table this is asked of the lines behind the header.
    fn is_record(&self, line: &[u8]) -> bool {
        is_record(line)
    }

    /// What is wrong with the header, if this is a table. Its rows are then not read.
    fn header_fault(&self) -> Option<&InputError> {
        None
    }

    /// `Some` if most lines are regular: they begin with the puzzle. Regular lines are read without
    /// [`puzzle`](Self::puzzle), which must find the same in them.
    fn regular(&self) -> Option<Regular<'_>> {
        None
    }

    /// Where the puzzle is in `line`; its cells (0 blank, 1..=n) are appended to `puzzles`.
    ///
    /// `line` has no line end, and is a record.
    ///
    /// # Errors
    /// A [`LineError`] with the first wrong column; `puzzles` is then unchanged.
    fn puzzle(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<Range<usize>, LineError>;

    /// The same, and how many fields of the header `line` lacks, if this is a table.
    ///
    /// # Errors
    /// Those of [`puzzle`](Self::puzzle).
    fn row(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<(Range<usize>, usize), LineError> {
        Ok((self.puzzle(line, puzzles)?, 0))
    }

    /// Where the solution, or the status word in its place, is in `line`, if there is one. `puzzle` is the place of
    /// the puzzle.
    fn solution(&self, line: &[u8], puzzle: Range<usize>) -> Option<Range<usize>>;

    /// The reader of whole chunks, if a record may have several lines.
    fn of_many_lines(&self) -> Option<&dyn ManyLines> {
        None
    }
}

/// A format whose records may have several lines.
pub(crate) trait ManyLines {
    /// Where a chunk may end: the offset behind the first line end at or after `from` at which no record is open.
    /// `bytes` begin where a record may begin. `None` if the bytes hold no such end.
    fn record_end(&self, bytes: &[u8], from: usize) -> Option<usize>;

    /// Reads all records of `chunk`.
    ///
    /// # Errors
    /// [`MissingCells`] if a record lacks its cells.
    fn read(&self, chunk: &[u8], records: &mut Records) -> Result<(), MissingCells>;
}
