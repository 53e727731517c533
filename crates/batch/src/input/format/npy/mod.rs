//! Arrays of numpy: a header, and rows of numbers of one width. A row is a record, and its number is its line.
//!
//! ```text
//! offset  bytes
//! 0       \x93 N U M P Y                     the magic
//! 6       1 0   (or 2 0, 3 0)                the version
//! 8       118 0 (or four bytes)              bytes of the text that follows, least byte first
//! 10      {'descr': '|u1', 'fortran_order': False, 'shape': (1000, 81), }     \n
//! 128     row 1, row 2, ...
//! ```
//! Source: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>. The shape is (rows, 81) or (rows,
//! 9, 9), or the shape of another size. A value is a whole number, perhaps written as a float: 0 or NaN is a blank, n
//! the symbol n. In the data sets of HRM and TRM all values are greater by one: 1 is a blank, and 0 fills rows that are
//! too short.
//!
//! With one more dimension, (rows, 81, 9) or (rows, 9, 9, 9), a cell is one-hot: the channel of its symbol is 1, and
//! the others are 0. The first of 10 channels stands for blanks; with 9 channels, all channels of a blank are 0.
//!
//! The rows of records of a problem are [`Choices`].

mod choices;
mod column;
mod header;
mod value;

use std::ops::Range;

use super::{CellText, EveryColumn, Field, FieldPlaces, Format, Notation, RecordPlaces};
use crate::input::error::{LineError, LineErrorKind};
use crate::input::records::{MissingCells, Records, Run};
use choices::Choices;
use value::Cell;

pub(in crate::input) use column::{ArrayColumn, ColumnType};
pub(in crate::input) use header::{ArchiveFacts, ArrayFacts, HeaderText, MAGIC, NpyHeader};

/// The name of the format if blanks are 1.
pub const OFFSET_NAME: &str = "npy-offset-1";

/// Bytes behind the header that are searched for the values of blanks.
pub(in crate::input) const SEARCHED_BYTES: usize = 32 * 1024;

/// Rows of an array.
struct Npy {
    name: &'static str,
    notation: Notation,
    /// How a row is read, if the rules are a problem.
    choices: Option<Choices>,
    puzzle: Cell,
    /// The number of a blank.
    blank: u8,
    /// The cells of the answer behind the puzzle.
    answer: Option<Cell>,
    /// The values behind the answer.
    others: Vec<ArrayColumn>,
    /// Bytes of the puzzle of a row, of its puzzle and answer, and of all of it.
    ends: [usize; 3],
}

/// The format of the rows of an array with this header, in which `blank` is the number of a blank.
pub(in crate::input) fn format(header: &NpyHeader, notation: &Notation, blank: u8) -> Format {
    let NpyHeader { puzzle, answer, ref names, ref columns, ref left_out, .. } = *header;
    let with_answer = header.width() + notation.cells * answer.map_or(0, Cell::bytes);
    // All arrays, if there are more than the puzzles and the answers.
    let every = names.as_ref().filter(|_| !columns.is_empty()).map(|names| {
        let own = std::iter::once(&names.puzzle).chain(&names.answer);
        let all = own.chain(columns.iter().map(|column| &column.name)).cloned().collect();
        let answer = names.answer.as_ref().map(|_| 1);
        EveryColumn { names: all, puzzle: 0, answer }
    });
    let blank = if puzzle.is_one_hot() { 0 } else { blank };
    let name = if blank == 0 { "npy" } else { OFFSET_NAME };
    let rows = Npy {
        others: if every.is_some() { columns.clone() } else { Vec::new() },
        name,
        notation: notation.clone(),
        choices: notation.choices.as_ref().map(|text| Choices::new(text, header.cells, puzzle.value)),
        puzzle,
        blank,
        answer,
        ends: [header.width(), with_answer, header.stride()],
    };
    Format {
        taken: names.clone(),
        every,
        left_out: left_out.clone(),
        has_answers: answer.is_some(),
        has_many_lines: true,
        ..Format::new(name, notation, rows)
    }
}

impl Npy {
    /// Bytes of a puzzle.
    fn width(&self) -> usize {
        self.ends[0]
    }

    /// Bytes of a row.
    fn stride(&self) -> usize {
        self.ends[2]
    }

    fn symbols(&self) -> u8 {
        self.notation.cells.isqrt() as u8
    }

    /// Appends the cells of a row; the first wrong one is an error, and its number is the column.
    fn push_row(&self, row: &[u8], cells: &mut Vec<u8>) -> Result<(), LineError> {
        if let Some(choices) = &self.choices {
            return choices.push(row, cells);
        }
        let before = cells.len();
        for (bytes, column) in row[..self.width()].chunks_exact(self.puzzle.bytes()).zip(1..) {
            match self.puzzle.read(bytes, self.blank, self.symbols()) {
                Ok(cell) => cells.push(cell),
                Err(kind) => {
                    cells.truncate(before);
                    return Err(LineError { column, kind });
                }
            }
        }
        Ok(())
    }

    /// The cell of an answer. Zeros are always a blank: an array has a row for every puzzle, zeros if it has no answer.
    fn answer_cell(&self, answer: Cell, bytes: &[u8]) -> Result<u8, LineErrorKind> {
        let blank = if answer.is_one_hot() { 0 } else { self.blank };
        match bytes.iter().all(|&byte| byte == 0) {
            true => Ok(0),
            false => answer.read(bytes, blank, self.symbols()),
        }
    }

    /// Appends the cells of all `rows` if every value is good; returns whether it did. Rows of bytes become vector
    /// code.
    fn push_rows(&self, rows: &[u8], cells: &mut Vec<u8>) -> bool {
        let is_plain = self.puzzle.is_plain() && self.choices.is_none();
        if is_plain && self.width() == self.stride() {
            return self.push_values(rows, cells);
        }
        let before = cells.len();
        let are_good = rows.chunks_exact(self.stride()).all(|row| match is_plain {
            true => self.push_values(&row[..self.width()], cells),
            false => self.push_row(row, cells).is_ok(),
        });
        if !are_good {
            cells.truncate(before);
        }
        are_good
    }

    /// The same for whole numbers, least byte first, with nothing between the puzzles.
    #[inline]
    fn push_values(&self, rows: &[u8], cells: &mut Vec<u8>) -> bool {
        let (before, symbols, blank) = (cells.len(), self.symbols(), self.blank);
        let bytes = self.puzzle.value.bytes;
        cells.resize(before + rows.len() / bytes, 0);
        let read = cells[before..].iter_mut();
        // A negative number is a great one, if its sign is not known.
        let greatest = match bytes {
            1 => read.zip(rows).fold(0, |greatest: u8, (cell, byte)| {
                *cell = byte.wrapping_sub(blank);
                greatest.max(*cell)
            }),
            2 => read_values(read.zip(rows.as_chunks::<2>().0), blank),
            4 => read_values(read.zip(rows.as_chunks::<4>().0), blank),
            _ => read_values(read.zip(rows.as_chunks::<8>().0), blank),
        };
        if greatest > symbols {
            cells.truncate(before);
        }
        greatest <= symbols
    }
}

/// Writes each value to its cell, less the value of a blank; returns the greatest cell, or `u8::MAX` if a value has
/// more than one byte.
fn read_values<'a, const N: usize>(values: impl Iterator<Item = (&'a mut u8, &'a [u8; N])>, blank: u8) -> u8 {
    values.fold(0, |greatest, (cell, value)| {
        let rest = value[1..].iter().fold(0, |rest, byte| rest | byte);
        *cell = value[0].wrapping_sub(blank);
        greatest.max(*cell).max(if rest == 0 { 0 } else { u8::MAX })
    })
}

impl FieldPlaces for Npy {
    fn row(&self, row: &[u8], puzzles: &mut Vec<u8>) -> Result<(Range<usize>, usize), LineError> {
        self.push_row(row, puzzles).map(|()| (0..0, 0))
    }

    fn solution(&self, row: &[u8], _puzzle: Range<usize>) -> Option<Range<usize>> {
        self.answer.map(|_| self.width()..self.ends[1].min(row.len()))
    }

    fn for_each_field(&self, row: &[u8], found: &mut dyn FnMut(Option<usize>, Field<'_>)) {
        if self.others.is_empty() {
            return;
        }
        let mut buffer = Vec::new();
        if self.answer.is_some() {
            found(Some(1), Field::Text(self.characters(&row[self.width()..self.ends[1]], &mut buffer)));
        }
        let mut start = self.ends[1];
        for (at, column) in (1 + usize::from(self.answer.is_some())..).zip(&self.others) {
            let end = start + column.width();
            column.read(&row[start..end], |field| found(Some(at), field));
            start = end;
        }
    }
}

impl CellText for Npy {
    /// A value that is no cell becomes a character that no alphabet has.
    fn characters<'b>(&self, field: &'b [u8], buffer: &'b mut Vec<u8>) -> &'b [u8] {
        let Some(answer) = self.answer else { return field };
        buffer.clear();
        buffer.extend(field.chunks_exact(answer.bytes()).map(|bytes| {
            let cell = self.answer_cell(answer, bytes);
            cell.map_or(b'-', |cell| self.notation.alphabet.character(cell))
        }));
        buffer
    }

    fn offset_of_cell(&self, _field: &[u8], index: usize) -> usize {
        index * self.answer.map_or(1, Cell::bytes)
    }

    fn wrong_number(&self, field: &[u8]) -> Option<LineError> {
        let answer = self.answer?;
        field.chunks_exact(answer.bytes()).zip(0..).find_map(|(bytes, cell)| {
            let kind = self.answer_cell(answer, bytes).err()?;
            Some(LineError { column: cell * answer.bytes() as u32 + 1, kind })
        })
    }
}

impl RecordPlaces for Npy {
    /// The column is the number of the cell.
    fn place_in(&self, _row: &[u8], at: usize) -> (u64, u32) {
        let behind = at.saturating_sub(self.width()) / self.answer.map_or(1, Cell::bytes);
        (0, (at.min(self.width()) / self.puzzle.bytes() + behind) as u32 + 1)
    }

    fn lines(&self, bytes: &[u8]) -> u64 {
        (bytes.len() / self.stride()) as u64
    }

    fn line_start(&self, bytes: &[u8], index: u64) -> usize {
        (index as usize).saturating_mul(self.stride()).min(bytes.len())
    }

    fn record_end(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let end = (from / self.stride() + 1) * self.stride();
        (end <= bytes.len()).then_some(end)
    }

    fn read_all(&self, chunk: &[u8], records: &mut Records) -> Option<Result<(), MissingCells>> {
        Some(self.read(chunk, records))
    }
}

impl Npy {
    /// Reads all rows of `chunk`. Rows without a fault are one run.
    fn read(&self, chunk: &[u8], records: &mut Records) -> Result<(), MissingCells> {
        let stride = self.stride();
        let rows = &chunk[..chunk.len() - chunk.len() % stride];
        if self.push_rows(rows, &mut records.puzzles) {
            let len = rows.len() / stride;
            let (line, place) = (records.lines, 0);
            records.lines += len as u64;
            if len == 0 {
                return Ok(());
            }
            records.runs.push(Run {
                line,
                text: 0..stride,
                puzzle: Ok(0..0),
                place,
                stride,
                len,
                missing_fields: 0,
            });
            return Ok(());
        }
        for (index, row) in rows.chunks_exact(stride).enumerate() {
            let line = records.next_line();
            let puzzle = self.push_row(row, &mut records.puzzles).map(|()| 0..0);
            records.push(self.name, line, index * stride..(index + 1) * stride, puzzle)?;
        }
        Ok(())
    }
}
