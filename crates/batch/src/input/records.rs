//! The records of a chunk: each one together with its puzzle.

use std::ops::Range;
use std::path::PathBuf;

use super::error::{InputError, LineError};
use super::notation::Notation;
use crate::error::Error;
use crate::printable::printable;
use crate::puzzle::Puzzles;

/// Malformed records that a run shows with their reasons. All of them are counted.
pub const MALFORMED_KEPT: usize = 10;

/// One record: a line that is neither blank nor a comment, a row of a table, or a grid of several lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// The number of its line in the chunk, from 0. Of a grid of several lines the first, or the one that is wrong.
    pub line: u64,
    /// Its bytes, without the last line end.
    pub text: &'a [u8],
    /// The puzzle, or why the record is malformed.
    pub puzzle: Result<Puzzle<'a>, LineError>,
    /// How many fields of its table's header a well-formed row lacks. 0 for a record that is not a row of a table.
    pub missing_fields: usize,
}

/// The puzzle of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle<'a> {
    /// Its index in `Records::puzzles`: the place of its answer.
    pub place: usize,
    /// Its bytes in the text of the record. An empty place at its end if it is not one character a cell.
    pub at: Range<usize>,
    /// Those bytes. As many as there are cells if it is one character a cell.
    pub text: &'a [u8],
    /// Its cells, row by row: 0 blank, 1..=n.
    pub cells: &'a [u8],
}

impl<'a> Puzzle<'a> {
    /// The puzzle on one line: as it was read, or written to `buffer` if the text is another one there.
    #[inline]
    pub fn on_one_line<'b>(&self, notation: &Notation, buffer: &'b mut Vec<u8>) -> &'b [u8]
    where
        'a: 'b,
    {
        let is_plain = match notation.choices {
            None => self.text.len() == self.cells.len(),
            Some(_) => are_plain_choices(self.text),
        };
        if is_plain { self.text } else { write_cells(self.cells, notation, buffer) }
    }
}

/// Whether choices are the same text in every format: without quotes, backslashes and control characters, and not what
/// a line of its own would take for a comment or for nothing.
fn are_plain_choices(text: &[u8]) -> bool {
    let is_plain = |&byte: &u8| byte >= b' ' && !matches!(byte, b'"' | b'\\' | 0x7f);
    text.iter().all(is_plain) && text.trim_ascii() == text && !matches!(text, [] | [b'#', ..])
}

/// Writes a puzzle to `buffer`, on one line.
#[inline(never)]
pub(crate) fn write_cells<'b>(cells: &[u8], notation: &Notation, buffer: &'b mut Vec<u8>) -> &'b [u8] {
    buffer.clear();
    notation.write(cells, buffer);
    buffer
}

/// A malformed record and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{line}:{}: {error}", printable(.path), .error.column)]
pub struct MalformedRecord {
    /// The source.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: u64,
    /// The column and the reason.
    pub error: LineError,
}

/// A format gave a record without its cells, which is a bug of the format. The answers of all later records would
/// belong to other puzzles, so that no record of the chunk is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MissingCells {
    /// The line in the chunk, from 0.
    pub(crate) line: u64,
    /// The name of the format.
    pub(crate) format: &'static str,
}

impl MissingCells {
    /// The error in the source `path`, `lines_before` lines of which come before the chunk.
    pub(crate) fn at(self, path: impl Into<PathBuf>, lines_before: u64) -> Error {
        Error::at(path, InputError::MissingCells { format: self.format })
            .in_line(lines_before + self.line + 1)
    }
}

/// Records that are alike: consecutive lines of one length, with the puzzle at the same place in each.
///
/// A chunk of regular lines is one run, and its records take no memory. Every other record is a run of its own.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// The first line in the chunk, from 0.
    pub(super) line: u64,
    /// The first text in the chunk.
    pub(super) text: Range<usize>,
    /// The place of the puzzle in the text, or why the record is malformed.
    pub(super) puzzle: Result<Range<usize>, LineError>,
    /// The place of the first puzzle.
    pub(super) place: usize,
    /// Bytes from the start of a line to the start of the next one.
    pub(super) stride: usize,
    /// How many records there are.
    pub(super) len: usize,
    /// How many fields of the header each of them lacks.
    pub(super) missing_fields: usize,
}

impl Run {
    /// How many of its records begin before byte `at` of the chunk.
    pub(super) fn records_before(&self, at: usize) -> usize {
        match at.checked_sub(self.text.start) {
            None | Some(0) => 0,
            Some(bytes) => bytes.div_ceil(self.stride.max(1)).min(self.len),
        }
    }
}

/// The records of a chunk. Filled again for every chunk.
#[derive(Debug)]
pub(crate) struct Records {
    /// The well-formed puzzles, flat. A format appends the cells of the next puzzle here.
    pub(super) puzzles: Vec<u8>,
    /// Cells of a puzzle.
    cells: usize,
    pub(super) runs: Vec<Run>,
    pub(super) lines: u64,
}

impl Default for Records {
    fn default() -> Records {
        Records { puzzles: Vec::new(), cells: 1, runs: Vec::new(), lines: 0 }
    }
}

impl Records {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.runs.iter().map(|run| run.len).sum()
    }

    /// Lines of the chunk, whether they are records or not.
    pub(crate) fn lines(&self) -> u64 {
        self.lines
    }

    /// The well-formed puzzles: flat cells (0 blank, 1..=n).
    pub(crate) fn puzzles(&self) -> Puzzles<'_> {
        // The parser appends whole puzzles.
        Puzzles::new(&self.puzzles, self.cells).unwrap_or_default()
    }

    /// Every record with its puzzle, in order. `chunk` is the one that was read.
    pub(crate) fn iter<'a>(&'a self, chunk: &'a [u8]) -> RecordIter<'a> {
        RecordIter { chunk, puzzles: &self.puzzles, cells: self.cells, runs: &self.runs, index: 0 }
    }

    /// Empties it, for records of `cells` cells.
    pub(super) fn clear(&mut self, cells: usize) {
        self.puzzles.clear();
        self.runs.clear();
        self.lines = 0;
        self.cells = cells.max(1);
    }

    /// Counts a line; returns its number, from 0.
    pub(super) fn next_line(&mut self) -> u64 {
        self.lines += 1;
        self.lines - 1
    }

    /// Appends a record. The cells of a well-formed puzzle, at `puzzle` in the text, must have been appended to
    /// `puzzles` before.
    pub(super) fn push(
        &mut self,
        format: &'static str,
        line: u64,
        text: Range<usize>,
        puzzle: Result<Range<usize>, LineError>,
    ) -> Result<(), MissingCells> {
        // Runs of many records have their cells: they were appended together.
        let (place, found) = (self.puzzles_before(), self.puzzles.len());
        if found != (place + usize::from(puzzle.is_ok())) * self.cells {
            return Err(MissingCells { line, format });
        }
        self.runs.push(Run { line, text, puzzle, place, stride: 0, len: 1, missing_fields: 0 });
        Ok(())
    }

    /// Drops the puzzles that are not in `places`.
    pub(super) fn keep_puzzles(&mut self, places: Range<usize>) {
        self.puzzles.truncate(places.end * self.cells);
        self.puzzles.drain(..(places.start * self.cells).min(self.puzzles.len()));
    }

    /// Puzzles of all runs so far.
    pub(super) fn puzzles_before(&self) -> usize {
        self.runs.last().map_or(0, |run| run.place + if run.puzzle.is_ok() { run.len } else { 0 })
    }
}

/// The records of a chunk, one after the other.
///
/// (`flat_map` over the runs kept each record in memory, in parts that were read back as a whole before they were
/// stored: on easy puzzles that was a fortieth of all time.)
pub(crate) struct RecordIter<'a> {
    chunk: &'a [u8],
    puzzles: &'a [u8],
    cells: usize,
    /// The runs that are not finished.
    runs: &'a [Run],
    /// The next record of the first of them.
    index: usize,
}

/// Puzzles in lines, or rows of an array, that are alike.
pub(crate) struct AlikePuzzles<'a> {
    /// The line of the first one in the chunk, from 0.
    pub(crate) line: u64,
    /// Their indices in `Records::puzzles`.
    pub(crate) places: Range<usize>,
    /// The bytes from the first puzzle on; `None` if the puzzles are not one character a cell.
    texts: Option<&'a [u8]>,
    stride: usize,
}

impl<'a> AlikePuzzles<'a> {
    /// The texts of the `puzzles`, and the bytes from the start of one to the start of the next: as they were read, or
    /// written to `buffer`.
    pub(crate) fn texts<'b>(
        &self,
        notation: &Notation,
        puzzles: Puzzles<'_>,
        buffer: &'b mut Vec<u8>,
    ) -> (&'b [u8], usize)
    where
        'a: 'b,
    {
        if let Some(texts) = self.texts {
            return (texts, self.stride);
        }
        buffer.clear();
        puzzles.iter().for_each(|puzzle| notation.write(puzzle, buffer));
        (buffer, puzzles.stride())
    }
}

impl<'a> RecordIter<'a> {
    /// The run of the next record.
    #[inline(always)]
    fn run(&mut self) -> Option<&'a Run> {
        loop {
            let (run, later) = self.runs.split_first()?;
            if self.index < run.len {
                return Some(run);
            }
            (self.runs, self.index) = (later, 0);
        }
    }

    /// The next records, at most `most`, if they are puzzles in lines that are alike, one character a cell, or in rows of
    /// an array. They stay the next ones.
    pub(crate) fn alike(&mut self, most: usize) -> Option<AlikePuzzles<'a>> {
        let run = self.run()?;
        let at = run.puzzle.as_ref().ok()?;
        let is_text = at.len() == self.cells;
        if !is_text && run.len == 1 {
            return None;
        }
        let (start, place) = (run.text.start + self.index * run.stride, run.place + self.index);
        Some(AlikePuzzles {
            line: run.line + self.index as u64,
            places: place..place + most.min(run.len - self.index),
            texts: is_text.then(|| &self.chunk[start + at.start..]),
            stride: run.stride,
        })
    }

    /// Skips records that were [alike](Self::alike).
    pub(crate) fn skip_alike(&mut self, count: usize) {
        self.index += count;
    }
}

impl<'a> Iterator for RecordIter<'a> {
    type Item = Record<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Record<'a>> {
        let run = self.run()?;
        let index = self.index;
        self.index += 1;
        let start = run.text.start + index * run.stride;
        let text = &self.chunk[start..start + run.text.len()];
        let puzzle = run.puzzle.as_ref().map_err(|error| *error).map(|at| {
            let place = run.place + index;
            let cells = &self.puzzles[place * self.cells..][..self.cells];
            Puzzle { place, at: at.clone(), text: &text[at.clone()], cells }
        });
        let missing_fields = run.missing_fields;
        Some(Record { line: run.line + index as u64, text, puzzle, missing_fields })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Alphabet;

    #[test]
    fn a_puzzle_is_written_on_one_line() {
        let cells = [1, 0, 2, 0];
        let (notation, mut buffer) = (Notation::of_grid(4, Alphabet::of_symbols(9)), b"old".to_vec());
        let mut on_one_line = |text: &str| {
            let puzzle = Puzzle { place: 0, at: 0..text.len(), text: text.as_bytes(), cells: &cells };
            String::from_utf8(puzzle.on_one_line(&notation, &mut buffer).to_vec()).unwrap()
        };
        assert_eq!(on_one_line("1x20"), "1x20", "as it was read");
        assert_eq!(on_one_line("1x\n20\n"), "1.2.", "as the alphabet writes it");
    }
}
