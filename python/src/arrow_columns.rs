//! Columns of results, and their buffers in the layout of Arrow. [`arrow_export`](crate::arrow_export) lends tables of them.
//!
//! ```text
//! numbers   values, the memory of the array of numpy             formats c C s S i I l L e f g
//! flags     bits, packed from the bytes of an array of bool      b
//! texts     offsets i64: 0 81 162 ... | bytes: 4173698...        U (large utf8)
//! ```
//!
//! Texts come from cells of grids, from numpy's strings of fixed width, or from a list. No string of Python is made for a
//! row of the first two. Numbers are not copied: a column keeps a reference to the array of numpy, which frees its memory
//! only after its last reference.

#![allow(unsafe_code, reason = "memory of numpy that is read without the interpreter; see `Lent`")]

use std::ffi::{CStr, CString};
use std::ops::Range;
use std::slice;
use std::sync::Arc;

use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::error::value_error;
use crate::rules::Rules;

/// The bytes of an array of numpy, which is not freed before this is dropped.
struct Lent {
    start: *const u8,
    len: usize,
    array: Option<Py<PyArray1<u8>>>,
}

// SAFETY: the bytes are only read, and a reference to an object of Python may be dropped on any thread.
unsafe impl Send for Lent {}
// SAFETY: as above.
unsafe impl Sync for Lent {}

impl Lent {
    fn new(array: &Bound<'_, PyArray1<u8>>) -> PyResult<Lent> {
        let bytes = array.try_readonly().map_err(value_error)?;
        let bytes = bytes.as_slice().map_err(value_error)?;
        Ok(Lent { start: bytes.as_ptr(), len: bytes.len(), array: Some(array.clone().unbind()) })
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: `new` took the slice from the array, which has been referenced since, so numpy keeps its memory. The
        // arrays of a result are written before the result is made; a program that writes to them must not do so while
        // a reader of the stream runs, as for all memory that libraries lend each other.
        unsafe { slice::from_raw_parts(self.start, self.len) }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        // A reader may release an array on a thread that does not hold the interpreter. Without one, at the end of the
        // program, nothing needs to be freed.
        let array = self.array.take();
        Python::try_attach(|_| drop(array));
    }
}

/// The values of a column.
enum Values {
    /// Numbers of `size` bytes.
    Numbers { format: CString, size: usize, values: Lent },
    /// A byte for each row, 0 or 1.
    Flags(Lent),
    /// Rows of code points of four bytes, with zeros at the end.
    Wide { width: usize, values: Lent },
    /// Rows of bytes, with zeros at the end.
    Narrow { width: usize, values: Lent },
    /// Rows of cells, written in the alphabet of the rules.
    Cells { rules: Py<Rules>, cells: usize, values: Lent },
    /// The texts one after the other, and where each ends.
    List { ends: Vec<usize>, bytes: Vec<u8> },
}

/// A column of a table: values, and which rows have one.
pub(crate) struct Column {
    values: Values,
    pub(crate) rows: usize,
    /// A byte for each row, 0 for null; nothing if no row is null.
    is_there: Option<Flags>,
}

/// A flag for each row.
enum Flags {
    Lent(Lent),
    Own(Vec<u8>),
}

impl Flags {
    fn bytes(&self) -> &[u8] {
        match self {
            Flags::Lent(lent) => lent.bytes(),
            Flags::Own(own) => own,
        }
    }
}

/// A part of a column: its buffers after the validity, in the order of the format.
pub(crate) struct Part {
    pub(crate) nulls: usize,
    pub(crate) validity: Option<Vec<u8>>,
    pub(crate) buffers: Vec<Buffer>,
}

pub(crate) enum Buffer {
    /// Memory of the column.
    Lent(*const u8),
    Bytes(Vec<u8>),
    Offsets(Vec<i64>),
}

impl Column {
    pub(crate) fn format(&self) -> &CStr {
        match &self.values {
            Values::Numbers { format, .. } => format,
            Values::Flags(_) => c"b",
            _ => c"U",
        }
    }

    pub(crate) fn part(&self, rows: Range<usize>) -> Part {
        let is_there = self.is_there.as_ref().map(|flags| &flags.bytes()[rows.clone()]);
        let nulls = is_there.map_or(0, |flags| flags.iter().filter(|&&flag| flag == 0).count());
        let validity = is_there.filter(|_| nulls > 0).map(packed);
        let buffers = match &self.values {
            Values::Numbers { size, values, .. } => {
                vec![Buffer::Lent(values.bytes()[rows.start * size..].as_ptr())]
            }
            Values::Flags(values) => vec![Buffer::Bytes(packed(&values.bytes()[rows]))],
            _ => {
                let (mut offsets, mut bytes) = (Vec::with_capacity(rows.len() + 1), Vec::new());
                bytes.reserve(rows.len() * self.width());
                offsets.push(0);
                for (at, row) in rows.enumerate() {
                    if is_there.is_none_or(|flags| flags[at] != 0) {
                        self.write(row, &mut bytes);
                    }
                    offsets.push(bytes.len() as i64);
                }
                vec![Buffer::Offsets(offsets), Buffer::Bytes(bytes)]
            }
        };
        Part { nulls, validity, buffers }
    }

    /// About how many bytes a text has.
    fn width(&self) -> usize {
        match &self.values {
            Values::Wide { width, .. } | Values::Narrow { width, .. } => *width,
            Values::Cells { cells, .. } => *cells,
            Values::List { ends, bytes } => bytes.len() / ends.len().max(1),
            Values::Numbers { .. } | Values::Flags(_) => 0,
        }
    }

    /// Adds the text of a row, in UTF-8.
    fn write(&self, row: usize, bytes: &mut Vec<u8>) {
        match &self.values {
            Values::Wide { width, values } => {
                let points = values.bytes()[row * width * 4..][..width * 4].as_chunks::<4>().0;
                let points = points.iter().map(|&point| u32::from_ne_bytes(point));
                for point in points.take_while(|&point| point != 0) {
                    let character = char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER);
                    bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
            }
            Values::Narrow { width, values } => {
                let text = &values.bytes()[row * width..][..*width];
                let end = text.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                bytes.extend_from_slice(String::from_utf8_lossy(&text[..end]).as_bytes());
            }
            Values::Cells { rules, cells, values } => {
                rules.get().notation.write(&values.bytes()[row * cells..][..*cells], bytes);
            }
            Values::List { ends, bytes: texts } => {
                let start = row.checked_sub(1).map_or(0, |before| ends[before]);
                bytes.extend_from_slice(&texts[start..ends[row]]);
            }
            Values::Numbers { .. } | Values::Flags(_) => {}
        }
    }
}

/// A bit for each byte that is not 0, the lowest first.
fn packed(flags: &[u8]) -> Vec<u8> {
    let byte = |flags: &[u8]| (0..).zip(flags).fold(0, |byte, (at, &flag)| byte | u8::from(flag != 0) << at);
    flags.chunks(8).map(byte).collect()
}

/// A column of a table that is lent.
#[pyclass(frozen, module = "galop._galop")]
pub(crate) struct ArrowColumn(pub(crate) Arc<Column>);

impl ArrowColumn {
    /// The column whose values `of` makes of an array with rows of `row_bytes` bytes.
    fn new(
        array: &Bound<'_, PyArray1<u8>>,
        row_bytes: usize,
        is_there: Option<Bound<'_, PyArray1<u8>>>,
        of: impl FnOnce(Lent) -> Values,
    ) -> PyResult<ArrowColumn> {
        let values = Lent::new(array)?;
        let rows = values.len.checked_div(row_bytes).unwrap_or(0);
        let is_there = is_there.as_ref().map(Lent::new).transpose()?.map(Flags::Lent);
        if rows * row_bytes != values.len
            || is_there.as_ref().is_some_and(|flags| flags.bytes().len() != rows)
        {
            return Err(value_error("an array of another size"));
        }
        Ok(ArrowColumn(Arc::new(Column { values: of(values), rows, is_there })))
    }
}

#[pymethods]
impl ArrowColumn {
    /// Numbers of `size` bytes, of a format of one letter.
    #[staticmethod]
    #[pyo3(signature = (format, size, values, is_there=None))]
    fn numbers(
        format: &str,
        size: usize,
        values: &Bound<'_, PyArray1<u8>>,
        is_there: Option<Bound<'_, PyArray1<u8>>>,
    ) -> PyResult<ArrowColumn> {
        let expected = match format {
            "c" | "C" => 1,
            "s" | "S" | "e" => 2,
            "i" | "I" | "f" => 4,
            "l" | "L" | "g" => 8,
            _ => return Err(value_error(format_args!("the format `{format}` is none of numbers"))),
        };
        if size != expected {
            return Err(value_error(format_args!("numbers of {size} bytes (`{format}` has {expected})")));
        }
        let format = CString::new(format)?;
        ArrowColumn::new(values, size, is_there, |values| Values::Numbers { format, size, values })
    }

    /// Bytes of an array of bool.
    #[staticmethod]
    #[pyo3(signature = (values, is_there=None))]
    fn flags(
        values: &Bound<'_, PyArray1<u8>>,
        is_there: Option<Bound<'_, PyArray1<u8>>>,
    ) -> PyResult<ArrowColumn> {
        ArrowColumn::new(values, 1, is_there, Values::Flags)
    }

    /// Strings of numpy: rows of `width` code points of four bytes.
    #[staticmethod]
    #[pyo3(signature = (width, values, is_there=None))]
    fn wide(
        width: usize,
        values: &Bound<'_, PyArray1<u8>>,
        is_there: Option<Bound<'_, PyArray1<u8>>>,
    ) -> PyResult<ArrowColumn> {
        let row_bytes = width.saturating_mul(4);
        ArrowColumn::new(values, row_bytes, is_there, |values| Values::Wide { width, values })
    }

    /// Bytes of numpy: rows of `width` bytes.
    #[staticmethod]
    #[pyo3(signature = (width, values, is_there=None))]
    fn narrow(
        width: usize,
        values: &Bound<'_, PyArray1<u8>>,
        is_there: Option<Bound<'_, PyArray1<u8>>>,
    ) -> PyResult<ArrowColumn> {
        ArrowColumn::new(values, width, is_there, |values| Values::Narrow { width, values })
    }

    /// Rows of cells, as text.
    #[staticmethod]
    #[pyo3(signature = (rules, values, is_there=None))]
    fn cells(
        rules: Py<Rules>,
        values: &Bound<'_, PyArray1<u8>>,
        is_there: Option<Bound<'_, PyArray1<u8>>>,
    ) -> PyResult<ArrowColumn> {
        let cells = rules.get().cells();
        ArrowColumn::new(values, cells, is_there, |values| Values::Cells { rules, cells, values })
    }

    /// A list of strings, or `None`.
    #[staticmethod]
    fn texts(list: &Bound<'_, PyList>) -> PyResult<ArrowColumn> {
        let (mut ends, mut bytes, mut is_there) = (Vec::new(), Vec::new(), Vec::new());
        for (row, text) in list.iter().enumerate() {
            if !text.is_none() {
                let Ok(text) = text.cast::<PyString>() else {
                    let name = text.get_type().name()?;
                    return Err(PyTypeError::new_err(format!("row {row}: {name} (expected str or None)")));
                };
                bytes.extend_from_slice(text.to_string_lossy().as_bytes());
            }
            is_there.push(u8::from(!text.is_none()));
            ends.push(bytes.len());
        }
        let rows = ends.len();
        let is_there = is_there.contains(&0).then_some(Flags::Own(is_there));
        Ok(ArrowColumn(Arc::new(Column { values: Values::List { ends, bytes }, rows, is_there })))
    }
}
