//! Strings and lines, read as cells.
//!
//! A text that is not a puzzle becomes a row of [`MALFORMED`] bytes, so that every text keeps its row. Engines find no
//! solution for such a row.

use std::io::Cursor;

use galop::input::{MALFORMED_KEPT, RecordReader, Source};
use galop::pipeline::CHUNK_BYTES;
use galop::{SolveError, Solver};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBytes, PyList, PyString};
use rayon::prelude::*;

use crate::call::threads_of;
use crate::error::{of_batch, of_run, value_error};
use crate::rules::Rules;

/// Every cell of a row that is not a puzzle.
pub(crate) const MALFORMED: u8 = u8::MAX;

/// Texts above which several threads read them.
const MANY: usize = 16_384;

/// The first malformed rows: the number of each from 0, and what is wrong.
pub(crate) type Malformed = Vec<(usize, String)>;

/// Reads texts as rows of cells.
pub(crate) struct Reader<'a> {
    rules: &'a galop::Rules,
    cells: usize,
    /// The cell that a byte means.
    table: [u8; 256],
    is_space: [bool; 256],
}

impl Reader<'_> {
    pub(crate) fn new(rules: &galop::Rules) -> Reader<'_> {
        let (mut table, mut is_space) = ([MALFORMED; 256], [false; 256]);
        for byte in 0..=u8::MAX {
            table[usize::from(byte)] = rules.alphabet().cell(byte).unwrap_or(MALFORMED);
            is_space[usize::from(byte)] = byte.is_ascii_whitespace();
        }
        Reader { rules, cells: rules.grid().cells(), table, is_space }
    }

    /// Reads `text` to `row`; false if it is not a puzzle. White space is skipped.
    #[inline]
    pub(crate) fn read(&self, text: &[u8], row: &mut [u8]) -> bool {
        if text.len() == self.cells {
            let mut wrong = 0;
            for (cell, &byte) in row.iter_mut().zip(text) {
                *cell = self.table[usize::from(byte)];
                wrong |= *cell;
            }
            if wrong < 128 {
                return true;
            }
        }
        self.read_spaced(text, row)
    }

    #[inline(never)]
    fn read_spaced(&self, text: &[u8], row: &mut [u8]) -> bool {
        let mut bytes = text.iter().filter(|&&byte| !self.is_space[usize::from(byte)]);
        for cell in &mut *row {
            *cell = bytes.next().map_or(MALFORMED, |&byte| self.table[usize::from(byte)]);
            if *cell == MALFORMED {
                row.fill(MALFORMED);
                return false;
            }
        }
        if bytes.next().is_some() {
            row.fill(MALFORMED);
            return false;
        }
        true
    }

    /// What is wrong with `text`.
    pub(crate) fn fault(&self, text: &[u8]) -> String {
        let Ok(text) = std::str::from_utf8(text) else { return "the text is not UTF-8".to_owned() };
        match Solver::new().rules(self.rules.clone()).count(text, 1) {
            Err(error @ (SolveError::Character { .. } | SolveError::Length { .. })) => error.to_string(),
            _ => "not a puzzle".to_owned(),
        }
    }
}

/// An array of rows, and the first malformed ones.
type Rows<'py> = (Bound<'py, PyArray2<u8>>, Malformed);

/// The rows of `cells` cells in `flat`, as an array.
pub(crate) fn rows_of(py: Python<'_>, flat: Vec<u8>, cells: usize) -> PyResult<Bound<'_, PyArray2<u8>>> {
    let count = flat.len() / cells.max(1);
    PyArray1::from_vec(py, flat).reshape([count, cells])
}

/// Reads strings. Anything else in the list is a malformed row.
#[pyfunction]
#[pyo3(signature = (rules, texts, threads=None))]
pub(crate) fn read_texts<'py>(
    py: Python<'py>,
    rules: &Rules,
    texts: &Bound<'py, PyList>,
    threads: Option<usize>,
) -> PyResult<Rows<'py>> {
    enum Text {
        Str(PyBackedStr),
        Bytes(Vec<u8>),
        Other(&'static str),
    }
    let mut held = Vec::with_capacity(texts.len());
    for text in texts.iter() {
        held.push(match text.cast_into::<PyString>() {
            Ok(text) => PyBackedStr::try_from(text).map_or(Text::Other("the text is not UTF-8"), Text::Str),
            Err(error) => match error.into_inner().cast::<PyBytes>() {
                Ok(bytes) => Text::Bytes(bytes.as_bytes().to_vec()),
                Err(_) => Text::Other("no text"),
            },
        });
        if held.len() % (1 << 20) == 0 {
            py.check_signals()?;
        }
    }
    let (reader, cells) = (Reader::new(&rules.rules), rules.cells());
    let (flat, malformed) = py.detach(|| {
        let mut flat = vec![0; held.len() * cells];
        let read = |(text, row): (&Text, &mut [u8])| match text {
            Text::Str(text) => reader.read(text.as_bytes(), row),
            Text::Bytes(text) => reader.read(text, row),
            Text::Other(_) => {
                row.fill(MALFORMED);
                false
            }
        };
        let is_all = match held.len() {
            ..MANY => held.iter().zip(flat.chunks_exact_mut(cells)).map(read).fold(true, |all, is| all & is),
            _ => {
                let pool = galop_cover::threads::start(threads_of(threads));
                let pool = pool.map_err(|error| of_batch(error.into()))?;
                pool.install(|| {
                    let rows = held.par_iter().zip(flat.par_chunks_exact_mut(cells)).with_min_len(1_024);
                    rows.map(read).reduce(|| true, |one, other| one & other)
                })
            }
        };
        let mut malformed = Malformed::new();
        if !is_all {
            let rows = held.iter().zip(flat.chunks_exact(cells)).enumerate();
            let rows = rows.filter(|(_, (_, row))| row[0] == MALFORMED).take(MALFORMED_KEPT);
            malformed.extend(rows.map(|(number, (text, _))| match text {
                Text::Str(text) => (number, reader.fault(text.as_bytes())),
                Text::Bytes(text) => (number, reader.fault(text)),
                Text::Other(why) => (number, (*why).to_owned()),
            }));
        }
        PyResult::Ok((flat, malformed))
    })?;
    Ok((rows_of(py, flat, cells)?, malformed))
}

/// Reads rows of characters, each of which ends at its first NUL byte or at its end.
#[pyfunction]
pub(crate) fn read_rows<'py>(
    py: Python<'py>,
    rules: &Rules,
    characters: PyReadonlyArray2<'py, u8>,
) -> PyResult<Rows<'py>> {
    let width = characters.as_array().ncols();
    let characters = characters.as_slice().map_err(value_error)?;
    let texts = characters.chunks_exact(width.max(1)).map(|row| {
        let end = row.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        &row[..end]
    });
    let (flat, malformed) = py.detach(|| read_all(&rules.rules, texts.map(Some)));
    Ok((rows_of(py, flat, rules.cells())?, malformed))
}

/// Reads texts one after the other. `None` is no text.
pub(crate) fn read_all<'t>(
    rules: &galop::Rules,
    texts: impl Iterator<Item = Option<&'t [u8]>>,
) -> (Vec<u8>, Malformed) {
    let (mut flat, mut malformed) = (Vec::new(), Malformed::new());
    read_more(&Reader::new(rules), texts, &mut flat, &mut malformed);
    (flat, malformed)
}

/// Appends texts to `flat`.
pub(crate) fn read_more<'t>(
    reader: &Reader<'_>,
    texts: impl Iterator<Item = Option<&'t [u8]>>,
    flat: &mut Vec<u8>,
    malformed: &mut Malformed,
) {
    flat.reserve(texts.size_hint().0 * reader.cells);
    for text in texts {
        let start = flat.len();
        flat.resize(start + reader.cells, MALFORMED);
        let is_read = text.is_some_and(|text| reader.read(text, &mut flat[start..]));
        if !is_read && malformed.len() < MALFORMED_KEPT {
            let fault = text.map_or("no text".to_owned(), |text| reader.fault(text));
            malformed.push((start / reader.cells, fault));
        }
    }
}

/// Reads the records of a file that is in memory, in any format that the tool reads.
#[pyfunction]
pub(crate) fn read_lines<'py>(py: Python<'py>, rules: &Rules, text: &Bound<'py, PyBytes>) -> PyResult<Rows<'py>> {
    let bytes = text.as_bytes().to_vec();
    let cells = rules.cells();
    let (flat, malformed) = py.detach(|| {
        let mut source = Source::stream("<bytes>", Cursor::new(bytes));
        let mut reader = RecordReader::new(&mut source, CHUNK_BYTES, &rules.rules);
        let (mut flat, mut malformed) = (Vec::new(), Malformed::new());
        while let Some(records) = reader.next_chunk().map_err(of_run)? {
            for record in records.iter() {
                match &record.puzzle {
                    Ok(puzzle) => flat.extend_from_slice(puzzle.cells),
                    Err(error) => {
                        if malformed.len() < MALFORMED_KEPT {
                            let fault = records.malformed(&record, *error).to_string();
                            malformed.push((flat.len() / cells, fault));
                        }
                        flat.resize(flat.len() + cells, MALFORMED);
                    }
                }
            }
        }
        PyResult::Ok((flat, malformed))
    })?;
    Ok((rows_of(py, flat, cells)?, malformed))
}
