//! The header of an array.
//!
//! The crate `npyz` 0.9 reads headers with a grammar of `pest`, which takes 28 s to build. It also allocates as many
//! bytes as a header says, up to 4 GiB.

use std::sync::{Arc, Mutex, PoisonError};

use super::super::columns::{ColumnChoice, TakenColumns};
use super::column::{ArrayColumn, ColumnType};
use super::value::{Cell, Number, Value, type_name};
use crate::input::error::NpyFault;

/// The start of an array.
pub(in crate::input) const MAGIC: &[u8] = b"\x93NUMPY";

/// Bytes before the text of a header of version 1, and of the later ones.
const BEFORE_TEXT: [usize; 2] = [10, 12];

/// Bytes of the longest text of a header that is read. numpy refuses texts of more than 10,000.
const MAX_TEXT: usize = 65_536;

/// What a header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::input) struct NpyHeader {
    /// Bytes of the header.
    pub(in crate::input) len: usize,
    pub(in crate::input) rows: u64,
    /// Cells of a row; numbers of a row of choices.
    pub(in crate::input) cells: usize,
    pub(super) puzzle: Cell,
    /// Whether the digits of one-hot grids may be any of three axes of one length.
    is_cube: bool,
    /// The cells of the answer behind the puzzle.
    pub(super) answer: Option<Cell>,
    /// The names of the arrays in their archive.
    pub(in crate::input) names: Option<TakenColumns>,
    /// The values behind the answer.
    pub(super) columns: Vec<ArrayColumn>,
    /// The names of the arrays that are left out.
    pub(super) left_out: Vec<String>,
}

/// What is known of a source if it is an array.
#[derive(Clone, Debug, Default)]
pub(in crate::input) struct ArrayFacts {
    /// The value of a blank; `None`: the rows show it.
    pub(in crate::input) blank: Option<u8>,
    /// If the source is an archive of arrays: what it shares with the stream of their rows.
    pub(in crate::input) archive: Option<Arc<Mutex<ArchiveFacts>>>,
}

/// What is known of an archive of arrays.
#[derive(Debug, Default)]
pub(in crate::input) struct ArchiveFacts {
    /// Which arrays are read.
    pub(in crate::input) choice: ColumnChoice,
    /// The header of the rows of all of them, once the first row was read.
    pub(in crate::input) header: Option<NpyHeader>,
}

impl ArrayFacts {
    /// The header of the source, if it is an array: of grids, or of records of a problem that has `options`. `head` gives
    /// the first bytes, if there are enough.
    ///
    /// # Errors
    /// An [`NpyFault`] if its rows are not read.
    pub(in crate::input) fn header(
        &self,
        options: Option<usize>,
        mut head: impl FnMut(usize) -> Vec<u8>,
    ) -> Result<Option<NpyHeader>, NpyFault> {
        let start = head(MAGIC.len());
        if let Some(archive) = &self.archive {
            if options.is_some() {
                return Err(NpyFault::ChoiceArchive);
            }
            return Ok(archive.lock().unwrap_or_else(PoisonError::into_inner).header.clone());
        }
        if !start.starts_with(MAGIC) {
            return Ok(None);
        }
        let head = head(BEFORE_TEXT[1] + MAX_TEXT);
        let text = HeaderText::read(&head)?;
        options.map_or_else(|| text.grids(), |options| text.choices(options)).map(Some)
    }
}

/// The text of a header, whatever its rows are.
pub(in crate::input) struct HeaderText<'a> {
    /// Bytes of the header.
    pub(in crate::input) len: usize,
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
        HeaderText::find(head).ok_or(NpyFault::Header)
    }

    fn find(head: &'a [u8]) -> Option<HeaderText<'a>> {
        let start = match head.strip_prefix(MAGIC)?.first()? {
            1 => BEFORE_TEXT[0],
            2 | 3 => BEFORE_TEXT[1],
            _ => return None,
        };
        let text_len = head.get(8..start)?.iter().rev().fold(0, |len, &byte| len << 8 | usize::from(byte));
        let len = start + Some(text_len).filter(|&len| len <= MAX_TEXT)?;
        let text = std::str::from_utf8(head.get(start..len)?).ok()?;
        let shape = entry(text, "shape")?.strip_prefix('(')?.split_once(')')?.0.trim();
        let sizes = shape.split(',').map(str::trim).filter(|size| !size.is_empty());
        let sizes = sizes.map(|size| size.parse().ok()).collect();
        Some(HeaderText { len, text, descr: entry(text, "descr")?, sizes, shape })
    }

    /// The header of an array whose rows are grids.
    ///
    /// # Errors
    /// An [`NpyFault`] if they are not.
    pub(in crate::input) fn grids(&self) -> Result<NpyHeader, NpyFault> {
        let value = self.value()?;
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
        let is_cube =
            self.sizes.as_deref().is_some_and(|sizes| sizes.len() == 4) && channels * channels == cells;
        let puzzle = Cell { value, channels: channels as usize };
        Ok(NpyHeader { is_cube, ..self.of_rows(rows, cells, puzzle) })
    }

    /// The header of an array whose rows are records of a problem that has `options`. See
    /// [`Choices`](super::choices::Choices).
    ///
    /// # Errors
    /// An [`NpyFault`] if they are not.
    fn choices(&self, options: usize) -> Result<NpyHeader, NpyFault> {
        let value = self.value()?;
        match self.sizes.as_deref() {
            Some(&[rows, numbers])
                if (1..=options.max(1) as u64).contains(&numbers)
                    && rows.checked_mul(16 * numbers).is_some() =>
            {
                Ok(self.of_rows(rows, numbers, Cell { value, channels: 1 }))
            }
            _ => Err(NpyFault::ChoiceShape { found: format!("({})", self.shape), options }),
        }
    }

    /// The type of the values.
    ///
    /// # Errors
    /// An [`NpyFault`] if they are no numbers, or not row by row.
    fn value(&self) -> Result<Value, NpyFault> {
        let value = Value::of(self.descr)?;
        match entry(self.text, "fortran_order") {
            Some(order) if order.starts_with("False") => Ok(value),
            Some(order) if order.starts_with("True") => Err(NpyFault::ColumnsFirst),
            _ => Err(NpyFault::Header),
        }
    }

    fn of_rows(&self, rows: u64, cells: u64, puzzle: Cell) -> NpyHeader {
        NpyHeader {
            len: self.len,
            rows,
            cells: cells as usize,
            puzzle,
            is_cube: false,
            answer: None,
            names: None,
            columns: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// Bytes of the header, and the type of the values, if the array has one value a row and that has a text.
    pub(in crate::input) fn column(&self) -> Option<(usize, ColumnType)> {
        let &[_] = self.sizes.as_deref()? else { return None };
        Some((self.len, ColumnType::of(type_name(self.descr).ok()?)?))
    }
}

impl NpyHeader {
    /// The header of rows of this array, each with a row of `answers`, and then the values of `columns`, behind it.
    /// `left_out` are the names of the other arrays.
    ///
    /// # Errors
    /// [`NpyFault::Header`] if no file is as large as the header says.
    pub(in crate::input) fn beside(
        self,
        answers: Option<&NpyHeader>,
        names: TakenColumns,
        columns: Vec<ArrayColumn>,
        left_out: Vec<String>,
    ) -> Result<NpyHeader, NpyFault> {
        let answer = answers.map(|answers| answers.puzzle);
        let header = NpyHeader { len: 0, answer, names: Some(names), columns, left_out, ..self };
        let bytes = header.rows.checked_mul(header.stride() as u64);
        bytes.map(|_| header).ok_or(NpyFault::Header)
    }

    /// The cells of the puzzles in the rows in `data`; `u8::MAX` for a value that is no cell.
    pub(in crate::input) fn rows_of(&self, data: &[u8]) -> impl Iterator<Item = Vec<u8>> {
        let (blank, symbols) = (self.blank(data), self.cells.isqrt() as u8);
        let cell = move |bytes: &[u8]| self.puzzle.read(bytes, blank, symbols).unwrap_or(u8::MAX);
        data.chunks_exact(self.stride())
            .map(move |row| row[..self.width()].chunks_exact(self.puzzle.bytes()).map(cell).collect())
    }

    /// Whether the rows in `data`, one-hot cubes, break the rules no less as they are read than with their digits as the
    /// first axis. (Both ways every cell is a symbol or a blank.)
    pub(in crate::input) fn may_have_channels_first(&self, data: &[u8]) -> bool {
        if !self.is_cube {
            return false;
        }
        let side = self.cells.isqrt();
        let (mut wrong, mut wrong_turned, mut has_clue) = (0, 0, false);
        for row in self.rows_of(data) {
            // The digit of row r and column c stands in cell (d, r) as the symbol c.
            let mut turned = vec![0; self.cells];
            for (at, &cell) in
                row.iter().enumerate().filter(|(_, cell)| (1..=side).contains(&usize::from(**cell)))
            {
                turned[at % side * side + usize::from(cell) - 1] = (at / side) as u8 + 1;
            }
            has_clue |= row.iter().any(|&cell| cell > 0);
            wrong += usize::from(!fits(&row));
            wrong_turned += usize::from(!fits(&turned));
        }
        has_clue && wrong >= wrong_turned
    }

    /// The shape of one-hot grids of two axes.
    pub(in crate::input) fn cube(&self) -> String {
        let side = self.cells.isqrt();
        format!("({}, {side}, {side}, {side})", self.rows)
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

/// Whether no symbol stands twice in a row, a column or a square box of `cells`.
fn fits(cells: &[u8]) -> bool {
    let side = cells.len().isqrt();
    let root = side.isqrt();
    let mut seen = std::collections::HashSet::new();
    cells.iter().enumerate().filter(|(_, cell)| **cell > 0).all(|(at, &cell)| {
        let (row, column) = (at / side, at % side);
        let is_new = seen.insert((0, row, cell)) & seen.insert((1, column, cell));
        is_new && (root * root != side || seen.insert((2, row / root * root + column / root, cell)))
    })
}

/// The text of a value in a dictionary of Python, from the value on.
fn entry<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let find = |key: String| {
        let mut found = text.match_indices(&key);
        found.find_map(|(at, _)| Some(text[at + key.len()..].trim_start().strip_prefix(':')?.trim_start()))
    };
    find(format!("'{name}'")).or_else(|| find(format!("\"{name}\"")))
}
