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
//! Source: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>. The shape is (rows, 81) or
//! (rows, 9, 9), or that of another size. A value is a whole number: 0 is a blank, n the symbol n. In the data sets of HRM and
//! TRM all values are greater by one: 1 is a blank, and 0 fills rows that are too short.

use std::ops::Range;

use super::columns::TakenColumns;
use super::{Format, ManyLines, Notation};
use crate::error::Error;
use crate::input::error::{LineError, LineErrorKind, NpyFault};
use crate::input::records::{MissingCells, Records, Run};

/// The name of the format if blanks are 1.
pub const OFFSET_NAME: &str = "npy-offset-1";

const MAGIC: &[u8] = b"\x93NUMPY";

/// The version of the header that galop itself puts before the rows of two arrays of an archive. A row is then a puzzle and
/// its answer.
const BESIDE: u8 = 0xff;

/// Bytes before the text of a header of version 1, and of the later ones.
const BEFORE_TEXT: [usize; 2] = [10, 12];

/// Bytes of the longest text of a header that is read. numpy refuses texts of more than 10,000.
const MAX_TEXT: usize = 65_536;

/// Bytes behind the header that are searched for the values of blanks.
pub(in crate::input) const SEARCHED_BYTES: usize = 32 * 1024;

/// What a header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::input) struct NpyHeader {
    /// Bytes of the header.
    pub(in crate::input) len: usize,
    pub(in crate::input) rows: u64,
    /// Values of a row.
    pub(in crate::input) cells: usize,
    value: Value,
    /// The values of the answer behind the puzzle.
    answer: Option<Value>,
    /// The names of the arrays in their archive.
    pub(in crate::input) names: Option<TakenColumns>,
}

/// A whole number, least byte first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    bytes: usize,
    is_signed: bool,
}

/// Bytes of the header of a source that begins with `head`.
///
/// # Errors
/// [`NpyFault::Header`].
fn header_len(head: &[u8]) -> Result<usize, NpyFault> {
    let long = match head.get(MAGIC.len()) {
        Some(1) => false,
        Some(&(2 | 3 | BESIDE)) => true,
        _ => return Err(NpyFault::Header),
    };
    let before = head.get(..BEFORE_TEXT[usize::from(long)]).ok_or(NpyFault::Header)?;
    let text = before[8..].iter().rev().fold(0, |len, &byte| len << 8 | usize::from(byte));
    if text > MAX_TEXT { Err(NpyFault::Header) } else { Ok(before.len() + text) }
}

/// The header of a source, if it is an array. `head` gives its first bytes; `at` makes an error of a fault.
pub(in crate::input) fn header_of(
    mut head: impl FnMut(usize) -> Result<Vec<u8>, Error>,
    at: impl Fn(NpyFault) -> Error,
) -> Result<Option<NpyHeader>, Error> {
    let start = head(BEFORE_TEXT[1])?;
    if !start.starts_with(MAGIC) {
        return Ok(None);
    }
    let len = header_len(&start).map_err(&at)?;
    NpyHeader::read(&head(len)?).map(Some).map_err(at)
}

impl NpyHeader {
    /// Reads the header at the start of `head`, which holds all of it.
    ///
    /// # Errors
    /// An [`NpyFault`] if the bytes are no header, or if rows of this kind are not read.
    pub(in crate::input) fn read(head: &[u8]) -> Result<NpyHeader, NpyFault> {
        if !head.starts_with(MAGIC) {
            return Err(NpyFault::Header);
        }
        let len = header_len(head)?;
        let head = head.get(..len).ok_or(NpyFault::Header)?;
        let start = if head.get(MAGIC.len()) == Some(&1) { BEFORE_TEXT[0] } else { BEFORE_TEXT[1] };
        let text =
            head.get(start..).and_then(|text| std::str::from_utf8(text).ok()).ok_or(NpyFault::Header)?;
        let descr = entry(text, "descr").ok_or(NpyFault::Header)?;
        let value = Value::of(descr)?;
        match entry(text, "fortran_order") {
            Some(order) if order.starts_with("False") => {}
            Some(order) if order.starts_with("True") => return Err(NpyFault::ColumnsFirst),
            _ => return Err(NpyFault::Header),
        }
        let shape = entry(text, "shape").and_then(|text| text.strip_prefix('(')?.split_once(')'));
        let shape = shape.ok_or(NpyFault::Header)?.0;
        let sizes: Option<Vec<u64>> = shape
            .split(',')
            .map(str::trim)
            .filter(|size| !size.is_empty())
            .map(|size| size.parse().ok())
            .collect();
        let (rows, cells) = match sizes.as_deref() {
            Some(&[rows, cells]) => (rows, cells),
            Some(&[rows, side, other]) if side == other => (rows, side.saturating_mul(side)),
            _ => return Err(NpyFault::Shape(format!("({})", shape.trim()))),
        };
        let is_square = cells.isqrt() * cells.isqrt() == cells && (16..=625).contains(&cells);
        if !is_square || rows.checked_mul(cells * 16).is_none() {
            return Err(NpyFault::Shape(format!("({})", shape.trim())));
        }
        let word = |name| Some(entry(text, name)?.strip_prefix('\'')?.split_once('\'')?.0.to_owned());
        let is_beside = head.get(MAGIC.len()) == Some(&BESIDE);
        let answer = entry(text, "answer_descr").filter(|_| is_beside).map(Value::of).transpose()?;
        let puzzle = word("puzzle").filter(|_| is_beside);
        let names = puzzle.map(|puzzle| TakenColumns { puzzle, answer: word("answer") });
        Ok(NpyHeader { len, rows, cells: cells as usize, value, answer, names })
    }

    /// The header of rows of this array, each with a row of `answers` behind it.
    #[cfg(feature = "compressed")]
    pub(in crate::input) fn beside(&self, answers: Option<&NpyHeader>, names: &TakenColumns) -> Vec<u8> {
        /// Characters of the name of an array.
        const MAX_NAME: usize = 100;
        // What a name is in Python's text does not matter here.
        let plain = |name: &str| -> String {
            let name = name.chars().take(MAX_NAME);
            name.map(|c| if c == '\'' || c == '\\' || c.is_control() { '_' } else { c }).collect()
        };
        let mut text = format!(
            "{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), 'puzzle': '{}', ",
            self.value.descr(),
            self.rows,
            self.cells,
            plain(&names.puzzle)
        );
        if let Some((answers, name)) = answers.zip(names.answer.as_deref()) {
            text += &format!("'answer_descr': '{}', 'answer': '{}', ", answers.value.descr(), plain(name));
        }
        text += "}\n";
        let mut header = [MAGIC, &[BESIDE, 0]].concat();
        header.extend((text.len() as u32).to_le_bytes());
        header.extend(text.as_bytes());
        header
    }

    /// The cells of the puzzles in the rows in `data`.
    #[cfg(feature = "compressed")]
    pub(in crate::input) fn rows_of(&self, data: &[u8]) -> impl Iterator<Item = Vec<u8>> {
        let blank = i64::from(self.blank(data));
        let cell = move |value: i64| u8::try_from(value.saturating_sub(blank)).unwrap_or(u8::MAX);
        data.chunks_exact(self.stride()).map(move |row| self.values(row).map(cell).collect())
    }

    /// The values of the puzzle of a row.
    fn values(&self, row: &[u8]) -> impl Iterator<Item = i64> {
        row[..self.cells * self.value.bytes]
            .chunks_exact(self.value.bytes)
            .map(|bytes| self.value.read(bytes))
    }

    /// Bytes of a row.
    pub(in crate::input) fn stride(&self) -> usize {
        self.cells * (self.value.bytes + self.answer.map_or(0, |answer| answer.bytes))
    }

    /// The value of a blank, which the rows in `data` show: 1 if no value is 0 and the greatest is one more than the
    /// greatest symbol, else 0.
    pub(in crate::input) fn blank(&self, data: &[u8]) -> u8 {
        let values = data.chunks_exact(self.stride()).flat_map(|row| self.values(row));
        let (least, greatest) =
            values.fold((i64::MAX, 0), |(least, most), value| (value.min(least), value.max(most)));
        u8::from(least >= 1 && greatest == self.cells.isqrt() as i64 + 1)
    }
}

/// The text of a value in a dictionary of Python, from the value on.
fn entry<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let key = |quote: char| text.split_once(&format!("{quote}{name}{quote}"));
    let behind = key('\'').or_else(|| key('"'))?.1.trim_start();
    Some(behind.strip_prefix(':')?.trim_start())
}

impl Value {
    /// The type with a description like `'<i4'`.
    fn of(descr: &str) -> Result<Value, NpyFault> {
        let name = match descr.chars().next() {
            Some(quote @ ('\'' | '"')) => descr[1..].split_once(quote).ok_or(NpyFault::Header)?.0,
            _ => "structure",
        };
        let value = |bytes, is_signed| Ok(Value { bytes, is_signed });
        match name.trim_start_matches(['|', '<']) {
            "u1" => value(1, false),
            "i1" => value(1, true),
            "u2" => value(2, false),
            "i2" => value(2, true),
            "u4" => value(4, false),
            "i4" => value(4, true),
            "u8" => value(8, false),
            "i8" => value(8, true),
            _ if name.starts_with('>') => Err(NpyFault::GreatestByteFirst(name.to_owned())),
            _ => Err(NpyFault::Type(name.to_owned())),
        }
    }

    /// The description of the type.
    #[cfg(feature = "compressed")]
    fn descr(self) -> String {
        format!("<{}{}", if self.is_signed { 'i' } else { 'u' }, self.bytes)
    }

    /// The number that `bytes` are.
    fn read(self, bytes: &[u8]) -> i64 {
        let number = bytes.iter().rev().fold(0, |number: u64, &byte| number << 8 | u64::from(byte));
        let unused = 64 - 8 * self.bytes as u32;
        match self.is_signed {
            true => (number << unused) as i64 >> unused,
            false => i64::try_from(number).unwrap_or(i64::MAX),
        }
    }
}

/// Rows of an array.
pub(in crate::input) struct Npy {
    notation: Notation,
    value: Value,
    /// The value of a blank.
    blank: u8,
    /// The values of the answer behind the puzzle.
    answer: Option<Value>,
    /// The names of the arrays in their archive.
    names: Option<TakenColumns>,
}

impl Npy {
    pub(in crate::input) fn new(header: &NpyHeader, notation: Notation, blank: u8) -> Npy {
        let NpyHeader { value, answer, ref names, .. } = *header;
        Npy { notation, value, blank, answer, names: names.clone() }
    }

    fn stride(&self) -> usize {
        self.notation.cells * (self.value.bytes + self.answer.map_or(0, |answer| answer.bytes))
    }

    /// Bytes of a puzzle.
    fn width(&self) -> usize {
        self.notation.cells * self.value.bytes
    }

    /// Appends the cells of a row; the first wrong one is an error, and its number is the column.
    fn push_row(&self, row: &[u8], cells: &mut Vec<u8>) -> Result<(), LineError> {
        let side = self.notation.cells.isqrt();
        let blank = i64::from(self.blank);
        let before = cells.len();
        for (at, bytes) in row[..self.width()].chunks_exact(self.value.bytes).enumerate() {
            let found = self.value.read(bytes);
            match found.checked_sub(blank) {
                Some(cell) if (0..=side as i64).contains(&cell) => cells.push(cell as u8),
                _ => {
                    cells.truncate(before);
                    return Err(LineError { column: at as u32 + 1, kind: self.no_cell(found) });
                }
            }
        }
        Ok(())
    }

    /// The cell that a value of an answer is.
    fn answer_cell(&self, answer: Value, bytes: &[u8]) -> Option<u8> {
        let value = answer.read(bytes);
        let cell = if value == 0 { 0 } else { value.checked_sub(self.blank.into())? };
        u8::try_from(cell).ok().filter(|&cell| cell <= self.notation.alphabet.symbols())
    }

    /// The error of a value that is no cell.
    fn no_cell(&self, value: i64) -> LineErrorKind {
        let found = value.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        let most = self.notation.cells.isqrt() as u8 + self.blank;
        LineErrorKind::Number { found, blank: self.blank, most }
    }

    /// Appends the cells of all `rows` if every value is good; returns whether it did. Rows of bytes become vector code.
    fn push_rows(&self, rows: &[u8], cells: &mut Vec<u8>) -> bool {
        if self.answer.is_none() {
            return self.push_values(rows, cells);
        }
        let before = cells.len();
        let are_good =
            rows.chunks_exact(self.stride()).all(|row| self.push_values(&row[..self.width()], cells));
        if !are_good {
            cells.truncate(before);
        }
        are_good
    }

    /// The same for puzzles without answers.
    #[inline]
    fn push_values(&self, rows: &[u8], cells: &mut Vec<u8>) -> bool {
        let (before, side, blank) = (cells.len(), self.notation.cells.isqrt() as u8, self.blank);
        cells.resize(before + rows.len() / self.value.bytes, 0);
        let read = cells[before..].iter_mut();
        // A negative number is a great one, if its sign is not known.
        let greatest = match self.value.bytes {
            1 => read.zip(rows).fold(0, |greatest: u8, (cell, byte)| {
                *cell = byte.wrapping_sub(blank);
                greatest.max(*cell)
            }),
            2 => read_values(read.zip(rows.as_chunks::<2>().0), blank),
            4 => read_values(read.zip(rows.as_chunks::<4>().0), blank),
            _ => read_values(read.zip(rows.as_chunks::<8>().0), blank),
        };
        if greatest > side {
            cells.truncate(before);
        }
        greatest <= side
    }
}

/// Writes each value to its cell, less that of a blank; returns the greatest cell, or `u8::MAX` if a value has more than
/// one byte.
fn read_values<'a, const N: usize>(values: impl Iterator<Item = (&'a mut u8, &'a [u8; N])>, blank: u8) -> u8 {
    values.fold(0, |greatest, (cell, value)| {
        let rest = value[1..].iter().fold(0, |rest, byte| rest | byte);
        *cell = value[0].wrapping_sub(blank);
        greatest.max(*cell).max(if rest == 0 { 0 } else { u8::MAX })
    })
}

impl Format for Npy {
    fn name(&self) -> &'static str {
        if self.blank == 0 { "npy" } else { OFFSET_NAME }
    }

    fn notation(&self) -> &Notation {
        &self.notation
    }

    fn puzzle(&self, row: &[u8], puzzles: &mut Vec<u8>) -> Result<Range<usize>, LineError> {
        self.push_row(row, puzzles).map(|()| 0..0)
    }

    fn taken(&self) -> Option<&TakenColumns> {
        self.names.as_ref()
    }

    fn solution(&self, row: &[u8], _puzzle: Range<usize>) -> Option<Range<usize>> {
        self.answer.map(|_| self.width()..row.len())
    }

    fn has_answers(&self) -> bool {
        self.answer.is_some()
    }

    /// A value that is no cell becomes a character that no alphabet has. 0 is always a blank: an array has a row for every
    /// puzzle, zeros if it has no answer.
    fn characters<'b>(&self, field: &'b [u8], buffer: &'b mut Vec<u8>) -> &'b [u8] {
        let Some(answer) = self.answer else { return field };
        buffer.clear();
        buffer.extend(field.chunks_exact(answer.bytes).map(|bytes| {
            self.answer_cell(answer, bytes).map_or(b'-', |cell| self.notation.alphabet.character(cell))
        }));
        buffer
    }

    fn offset_of_cell(&self, _field: &[u8], index: usize) -> usize {
        index * self.answer.map_or(1, |answer| answer.bytes)
    }

    fn wrong_number(&self, field: &[u8]) -> Option<LineError> {
        let answer = self.answer?;
        let mut values = field.chunks_exact(answer.bytes);
        let at = values.position(|bytes| self.answer_cell(answer, bytes).is_none())? * answer.bytes;
        let value = answer.read(&field[at..at + answer.bytes]);
        Some(LineError { column: at as u32 + 1, kind: self.no_cell(value) })
    }

    /// The column is the number of the value.
    fn place_in(&self, _row: &[u8], at: usize) -> (u64, u32) {
        let behind = at.saturating_sub(self.width()) / self.answer.map_or(1, |answer| answer.bytes);
        (0, (at.min(self.width()) / self.value.bytes + behind) as u32 + 1)
    }

    fn lines(&self, bytes: &[u8]) -> u64 {
        (bytes.len() / self.stride()) as u64
    }

    fn line_start(&self, bytes: &[u8], index: u64) -> usize {
        (index as usize).saturating_mul(self.stride()).min(bytes.len())
    }

    fn of_many_lines(&self) -> Option<&dyn ManyLines> {
        Some(self)
    }
}

impl ManyLines for Npy {
    fn record_end(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let end = (from / self.stride() + 1) * self.stride();
        (end <= bytes.len()).then_some(end)
    }

    /// Rows without a fault are one run.
    fn read(&self, chunk: &[u8], _is_first: bool, records: &mut Records) -> Result<(), MissingCells> {
        let stride = self.stride();
        let rows = &chunk[..chunk.len() - chunk.len() % stride];
        if self.push_rows(rows, records.cells_mut()) {
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
            let puzzle = self.puzzle(row, records.cells_mut());
            records.push(self.name(), line, index * stride..(index + 1) * stride, puzzle)?;
        }
        Ok(())
    }
}
