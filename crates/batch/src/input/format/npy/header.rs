//! The header of an array.

use super::super::columns::TakenColumns;
use super::column::ArrayColumn;
#[cfg(feature = "compressed")]
use super::column::ColumnType;
use super::value::{Cell, Number, Value, type_name};
use crate::error::Error;
use crate::input::error::NpyFault;

/// The start of an array.
pub(in crate::input) const MAGIC: &[u8] = b"\x93NUMPY";

/// The version of the header that galop itself puts before the rows of several arrays of an archive. A row is then a
/// puzzle, its answer, and the values of the other arrays.
const BESIDE: u8 = 0xff;

/// Bytes before the text of a header of version 1, and of the later ones.
const BEFORE_TEXT: [usize; 2] = [10, 12];

/// Bytes of the longest text of a header that is read. numpy refuses texts of more than 10,000.
const MAX_TEXT: usize = 65_536;

/// Bytes of the longest text of a header of version [`BESIDE`], which names many arrays.
const MAX_BESIDE_TEXT: usize = 1 << 20;

/// What a header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::input) struct NpyHeader {
    /// Bytes of the header.
    pub(in crate::input) len: usize,
    pub(in crate::input) rows: u64,
    /// Cells of a row.
    pub(in crate::input) cells: usize,
    pub(super) puzzle: Cell,
    /// The cells of the answer behind the puzzle.
    pub(super) answer: Option<Cell>,
    /// The names of the arrays in their archive.
    pub(in crate::input) names: Option<TakenColumns>,
    /// The values behind the answer.
    pub(super) columns: Vec<ArrayColumn>,
    /// The names of the arrays that are left out.
    pub(super) left_out: Vec<String>,
}

/// Bytes of the header of a source that begins with `head`.
///
/// # Errors
/// [`NpyFault::Header`].
fn header_len(head: &[u8]) -> Result<usize, NpyFault> {
    let (is_long, most) = match head.get(MAGIC.len()) {
        Some(1) => (false, MAX_TEXT),
        Some(2 | 3) => (true, MAX_TEXT),
        Some(&BESIDE) => (true, MAX_BESIDE_TEXT),
        _ => return Err(NpyFault::Header),
    };
    let before = head.get(..BEFORE_TEXT[usize::from(is_long)]).ok_or(NpyFault::Header)?;
    let text = before[8..].iter().rev().fold(0, |len, &byte| len << 8 | usize::from(byte));
    if text > most { Err(NpyFault::Header) } else { Ok(before.len() + text) }
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

/// The text of a header, whatever its rows are.
pub(in crate::input) struct HeaderText<'a> {
    /// Bytes of the header.
    pub(in crate::input) len: usize,
    is_beside: bool,
    text: &'a str,
    descr: &'a str,
    /// The number of values in each dimension; `None` if they are no such numbers.
    pub(in crate::input) sizes: Option<Vec<u64>>,
    /// The same as text, without brackets.
    shape: &'a str,
}

impl<'a> HeaderText<'a> {
    /// Reads the header at the start of `head`, which holds all of it.
    ///
    /// # Errors
    /// [`NpyFault::Header`].
    pub(in crate::input) fn read(head: &'a [u8]) -> Result<HeaderText<'a>, NpyFault> {
        if !head.starts_with(MAGIC) {
            return Err(NpyFault::Header);
        }
        let len = header_len(head)?;
        let head = head.get(..len).ok_or(NpyFault::Header)?;
        let start = if head.get(MAGIC.len()) == Some(&1) { BEFORE_TEXT[0] } else { BEFORE_TEXT[1] };
        let text =
            head.get(start..).and_then(|text| std::str::from_utf8(text).ok()).ok_or(NpyFault::Header)?;
        let descr = entry(text, "descr").ok_or(NpyFault::Header)?;
        let shape = entry(text, "shape").and_then(|text| text.strip_prefix('(')?.split_once(')'));
        let shape = shape.ok_or(NpyFault::Header)?.0.trim();
        let sizes = shape
            .split(',')
            .map(str::trim)
            .filter(|size| !size.is_empty())
            .map(|size| size.parse().ok())
            .collect();
        let is_beside = head.get(MAGIC.len()) == Some(&BESIDE);
        Ok(HeaderText { len, is_beside, text, descr, sizes, shape })
    }

    /// The header of an array whose rows are grids.
    ///
    /// # Errors
    /// An [`NpyFault`] if they are not.
    pub(in crate::input) fn grids(&self) -> Result<NpyHeader, NpyFault> {
        let HeaderText { len, is_beside, text, .. } = *self;
        let value = Value::of(self.descr)?;
        match entry(text, "fortran_order") {
            Some(order) if order.starts_with("False") => {}
            Some(order) if order.starts_with("True") => return Err(NpyFault::ColumnsFirst),
            _ => return Err(NpyFault::Header),
        }
        let fault = || NpyFault::Shape(format!("({})", self.shape));
        // Of a cell as many values as there are symbols, or one more.
        let are_channels = |side: u64, channels: u64| channels == side || channels == side.saturating_add(1);
        let (rows, cells, channels) = match self.sizes.as_deref() {
            Some(&[rows, cells]) => (rows, cells, 1),
            Some(&[rows, side, other]) if side == other => (rows, side.saturating_mul(side), 1),
            Some(&[rows, cells, channels]) if are_channels(cells.isqrt(), channels) => {
                (rows, cells, channels)
            }
            Some(&[rows, side, other, channels]) if side == other && are_channels(side, channels) => {
                (rows, side.saturating_mul(side), channels)
            }
            _ => return Err(fault()),
        };
        let is_square = cells.isqrt() * cells.isqrt() == cells && (16..=625).contains(&cells);
        // Puzzles and answers have at most twice 8 bytes a value.
        if !is_square || rows.checked_mul(cells * 16 * channels).is_none() {
            return Err(fault());
        }
        if value.is_bool() && channels == 1 {
            return Err(NpyFault::Type(type_name(self.descr)?.to_owned()));
        }
        let puzzle = Cell { value, channels: channels as usize };
        let header = NpyHeader {
            len,
            rows,
            cells: cells as usize,
            puzzle,
            answer: None,
            names: None,
            columns: Vec::new(),
            left_out: Vec::new(),
        };
        if is_beside { header.with_others(text).ok_or(NpyFault::Header) } else { Ok(header) }
    }

    /// Bytes of the header, and the type of the values, if the array has one value a row and that has a text.
    #[cfg(feature = "compressed")]
    pub(in crate::input) fn column(&self) -> Option<(usize, ColumnType)> {
        let &[_] = self.sizes.as_deref()? else { return None };
        Some((self.len, ColumnType::of(type_name(self.descr).ok()?)?))
    }
}

impl NpyHeader {
    /// Reads the header at the start of `head`, which holds all of it.
    ///
    /// # Errors
    /// An [`NpyFault`] if the bytes are no header, or if rows of this kind are not read.
    pub(in crate::input) fn read(head: &[u8]) -> Result<NpyHeader, NpyFault> {
        HeaderText::read(head)?.grids()
    }

    /// The same header with the other arrays that [`beside`](Self::beside) has written; `None` if they are malformed.
    fn with_others(self, text: &str) -> Option<NpyHeader> {
        let word = |name| Some(entry(text, name)?.strip_prefix('\'')?.split_once('\'')?.0.to_owned());
        let names = TakenColumns { puzzle: word("puzzle")?, answer: word("answer") };
        let answer = match (entry(text, "answer_descr"), entry(text, "answer_channels")) {
            (Some(descr), Some(channels)) => {
                let channels: usize = channels.split_once(',')?.0.parse().ok()?;
                let symbols = self.cells.isqrt();
                if ![1, symbols, symbols + 1].contains(&channels) {
                    return None;
                }
                Some(Cell { value: Value::of(descr).ok()?, channels })
            }
            _ => None,
        };
        // Pairs of a type and a name, and names, in quotes.
        let list = |name| Some(entry(text, name)?.strip_prefix('[')?.split_once(']')?.0);
        let quoted =
            |list: &'_ str| list.split('\'').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        let (columns, left_out) = (quoted(list("columns")?), quoted(list("left_out")?));
        let column = |pair: &[String]| ArrayColumn::new(&pair[0], pair.get(1)?);
        let columns: Option<Vec<ArrayColumn>> = columns.chunks(2).map(column).collect();
        let header = NpyHeader { answer, names: Some(names), columns: columns?, left_out, ..self };
        // Rows times bytes of a row do not overflow.
        header.rows.checked_mul(header.stride() as u64)?;
        Some(header)
    }

    /// The header of rows of this array, each with a row of `answers`, and then the values of `columns`, behind it.
    /// `left_out` are the names of the other arrays.
    #[cfg(feature = "compressed")]
    pub(in crate::input) fn beside(
        &self,
        answers: Option<&NpyHeader>,
        names: &TakenColumns,
        columns: &[(String, ColumnType)],
        left_out: &[String],
    ) -> Vec<u8> {
        /// Characters of the name of an array.
        const MAX_NAME: usize = 100;
        // What a name is in Python's text does not matter here.
        let plain = |name: &str| -> String {
            let name = name.chars().take(MAX_NAME);
            let is_plain = |c: char| !matches!(c, '\'' | '\\' | ']') && !c.is_control();
            name.map(|c| if is_plain(c) { c } else { '_' }).collect()
        };
        let channels = match self.puzzle.channels {
            1 => String::new(),
            channels => format!(", {channels}"),
        };
        let mut text = format!(
            "{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}{channels}), 'puzzle': '{}', ",
            self.puzzle.value.descr(),
            self.rows,
            self.cells,
            plain(&names.puzzle)
        );
        if let Some((answers, name)) = answers.zip(names.answer.as_deref()) {
            let Cell { value, channels } = answers.puzzle;
            text += &format!(
                "'answer_descr': '{}', 'answer_channels': {channels}, 'answer': '{}', ",
                value.descr(),
                plain(name)
            );
        }
        text += "'columns': [";
        columns.iter().for_each(|(name, kind)| text += &format!("('{}', '{}'), ", kind.descr(), plain(name)));
        text += "], 'left_out': [";
        left_out.iter().for_each(|name| text += &format!("'{}', ", plain(name)));
        text += "]}\n";
        let mut header = [MAGIC, &[BESIDE, 0]].concat();
        header.extend((text.len() as u32).to_le_bytes());
        header.extend(text.as_bytes());
        header
    }

    /// The cells of the puzzles in the rows in `data`; `u8::MAX` for a value that is no cell.
    #[cfg(feature = "compressed")]
    pub(in crate::input) fn rows_of(&self, data: &[u8]) -> impl Iterator<Item = Vec<u8>> {
        let (blank, symbols) = (self.blank(data), self.cells.isqrt() as u8);
        let cell = move |bytes: &[u8]| self.puzzle.read(bytes, blank, symbols).unwrap_or(u8::MAX);
        data.chunks_exact(self.stride())
            .map(move |row| row[..self.width()].chunks_exact(self.puzzle.bytes()).map(cell).collect())
    }

    /// Bytes of the puzzle of a row.
    pub(super) fn width(&self) -> usize {
        self.cells * self.puzzle.bytes()
    }

    /// Bytes of a row.
    pub(in crate::input) fn stride(&self) -> usize {
        let answer = self.answer.map_or(0, Cell::bytes);
        let columns: usize = self.columns.iter().map(ArrayColumn::width).sum();
        self.cells * (self.puzzle.bytes() + answer) + columns
    }

    /// The value of a blank, which the rows in `data` show: 1 if no value is 0 and the greatest is one more than the
    /// greatest symbol, else 0.
    pub(in crate::input) fn blank(&self, data: &[u8]) -> u8 {
        if self.puzzle.is_one_hot() {
            return 0;
        }
        let values = data
            .chunks_exact(self.stride())
            .flat_map(|row| row[..self.width()].chunks_exact(self.puzzle.bytes()))
            .filter_map(|bytes| match self.puzzle.value.read(bytes) {
                Number::Whole(number) => Some(number),
                _ => None,
            });
        let (least, greatest) =
            values.fold((i128::MAX, 0), |(least, most), value| (value.min(least), value.max(most)));
        u8::from(least >= 1 && greatest == self.cells.isqrt() as i128 + 1)
    }
}

/// The text of a value in a dictionary of Python, from the value on.
fn entry<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let find = |key: String| {
        let mut found = text.match_indices(&key);
        found.find_map(|(at, _)| Some(text[at + key.len()..].trim_start().strip_prefix(':')?.trim_start()))
    };
    find(format!("'{name}'")).or_else(|| find(format!("\"{name}\"")))
}
