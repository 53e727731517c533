//! Strings and lines, read as cells.
//!
//! The arrays come from numpy, which asks for large pages: the first write to fresh memory costs 35 ns a puzzle
//! otherwise, as much as reading the text. Strings are read while the interpreter is held: to let go of it, all of them
//! would have to be held, which takes longer than reading them.
//!
//! A text that is not a puzzle becomes a row of [`MALFORMED`] bytes, so that every text keeps its row. Engines find no
//! solution for such a row.

use std::io::Cursor;
use std::slice::ChunksExactMut;

use galop::{SolveError, Solver};
use galop_batch::input::{ChunkRecords, MALFORMED_KEPT, Record, RecordReader, Source};
use galop_batch::pipeline::CHUNK_BYTES;
use galop_cover::Assumptions;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyReadwriteArray2};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyList, PyString};

use crate::error::{of_run, value_error};
use crate::rules::{MALFORMED, Rules};

/// The first malformed rows: the number of each from 0, and what is wrong.
pub(crate) type Malformed = Vec<(usize, String)>;

/// What is wrong with `text`.
fn fault(rules: &galop_engines::Rules, text: &[u8]) -> String {
    if let Some(choices) = rules.choices() {
        let fault = choices.read(text, &mut Assumptions::default()).err();
        return fault.map_or_else(String::new, |error| error.to_string());
    }
    let Ok(text) = std::str::from_utf8(text) else { return "the text is not UTF-8".to_owned() };
    let solver = Solver::builder().rules(rules.clone()).build().map_err(SolveError::from);
    match solver.and_then(|mut solver| solver.count(text, 1)) {
        Err(error @ (SolveError::Character { .. } | SolveError::Length { .. })) => error.to_string(),
        _ => "not a puzzle".to_owned(),
    }
}

/// The places for `count` rows in an array.
pub(crate) fn places<'a>(
    rules: &Rules,
    cells: &'a mut PyReadwriteArray2<'_, u8>,
    count: usize,
) -> PyResult<&'a mut [u8]> {
    let flat = cells.as_slice_mut().map_err(value_error)?;
    flat.get_mut(..count * rules.cells()).ok_or_else(|| value_error("an array with too few rows"))
}

/// Reads strings to the rows of `cells`. Anything else in the list is a malformed row.
#[pyfunction]
pub(crate) fn read_texts(
    py: Python<'_>,
    rules: &Rules,
    texts: &Bound<'_, PyList>,
    mut cells: PyReadwriteArray2<'_, u8>,
) -> PyResult<Malformed> {
    let mut collector = Collector::new(rules, places(rules, &mut cells, texts.len())?);
    for text in texts.iter() {
        match text.cast::<PyString>() {
            Ok(text) => match text.to_str() {
                Ok(text) => collector.add(Some(text.as_bytes())),
                Err(_) => collector.refuse("the text is not UTF-8"),
            },
            Err(_) => collector.add(text.cast::<PyBytes>().ok().map(|bytes| bytes.as_bytes())),
        }
        if collector.row.is_multiple_of(1 << 20) {
            py.check_signals()?;
        }
    }
    Ok(collector.malformed)
}

/// Reads rows of characters, each of which ends before the NUL bytes at its end.
#[pyfunction]
pub(crate) fn read_rows(
    py: Python<'_>,
    rules: &Rules,
    characters: PyReadonlyArray2<'_, u8>,
    mut cells: PyReadwriteArray2<'_, u8>,
) -> PyResult<Malformed> {
    let [count, width] = *characters.as_array().shape() else { return Ok(Malformed::new()) };
    let characters = characters.as_slice().map_err(value_error)?;
    let places = places(rules, &mut cells, count)?;
    Ok(py.detach(|| {
        let mut collector = Collector::new(rules, places);
        for row in characters.chunks_exact(width.max(1)) {
            let end = row.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
            collector.add(Some(&row[..end]));
        }
        collector.malformed
    }))
}

/// Reads texts to rows, one after the other.
pub(crate) struct Collector<'a> {
    rules: &'a Rules,
    rows: ChunksExactMut<'a, u8>,
    /// The number of the next row.
    row: usize,
    pub(crate) malformed: Malformed,
}

impl<'a> Collector<'a> {
    pub(crate) fn new(rules: &'a Rules, places: &'a mut [u8]) -> Collector<'a> {
        let rows = places.chunks_exact_mut(rules.cells());
        Collector { rules, rows, row: 0, malformed: Malformed::new() }
    }

    /// Reads `text` to the next row. `None` is no text.
    #[inline]
    pub(crate) fn add(&mut self, text: Option<&[u8]>) {
        let Some(text) = text else { return self.refuse("no text") };
        let Some(row) = self.rows.next() else { return };
        if !self.rules.read(text, row) && self.malformed.len() < MALFORMED_KEPT {
            self.malformed.push((self.row, fault(&self.rules.rules, text)));
        }
        self.row += 1;
    }

    /// The next row is malformed.
    #[cold]
    pub(crate) fn refuse(&mut self, why: &str) {
        let Some(row) = self.rows.next() else { return };
        row.fill(MALFORMED);
        if self.malformed.len() < MALFORMED_KEPT {
            self.malformed.push((self.row, why.to_owned()));
        }
        self.row += 1;
    }
}

/// The rows of `cells` cells in `flat`, as an array.
pub(crate) fn rows_of(py: Python<'_>, flat: Vec<u8>, cells: usize) -> PyResult<Bound<'_, PyArray2<u8>>> {
    let count = flat.len() / cells.max(1);
    PyArray1::from_vec(py, flat).reshape([count, cells])
}

/// Reads the records of `source` one after the other. `take` gets the cells of each, or `None` of a malformed one, and
/// the record itself; it returns whether the next one is read, too. Returns whether all of them were. The first malformed
/// ones go to `malformed`, with their rows, which count from `row` on.
pub(crate) fn each_record(
    source: &mut Source,
    rules: &galop_engines::Rules,
    row: &mut usize,
    malformed: &mut Malformed,
    mut take: impl FnMut(Option<&[u8]>, &ChunkRecords<'_>, &Record<'_>) -> PyResult<bool>,
) -> PyResult<bool> {
    let mut reader = RecordReader::new(source, CHUNK_BYTES, rules);
    while let Some(records) = reader.next_chunk().map_err(of_run)? {
        for record in records.iter() {
            let cells = record.puzzle.as_ref().ok().map(|puzzle| puzzle.cells);
            if !take(cells, &records, &record)? {
                return Ok(false);
            }
            if let Err(error) = &record.puzzle
                && malformed.len() < MALFORMED_KEPT
            {
                malformed.push((*row, records.malformed(&record, *error).to_string()));
            }
            *row += 1;
        }
    }
    Ok(true)
}

/// Reads the records of a file that is in memory, in any format that the tool reads, to the rows of `cells`. Returns
/// how many there are; `None` if there are more than rows.
#[pyfunction]
pub(crate) fn read_lines(
    py: Python<'_>,
    rules: &Rules,
    text: PyBackedBytes,
    mut cells: PyReadwriteArray2<'_, u8>,
) -> PyResult<(Option<usize>, Malformed)> {
    let stride = rules.cells();
    let flat = cells.as_slice_mut().map_err(value_error)?;
    py.detach(|| {
        let mut source = Source::stream("<bytes>", Cursor::new(text));
        let mut rows = flat.chunks_exact_mut(stride);
        let (mut count, mut malformed) = (0, Malformed::new());
        let is_whole = each_record(&mut source, &rules.rules, &mut count, &mut malformed, |cells, _, _| {
            let Some(row) = rows.next() else { return Ok(false) };
            match cells {
                Some(cells) => row.copy_from_slice(cells),
                None => row.fill(MALFORMED),
            }
            Ok(true)
        })?;
        Ok((is_whole.then_some(count), malformed))
    })
}
