//! Tables of results, lent to other libraries as an Arrow stream.
//!
//! Numbers are not copied: their memory is that of an array of numpy. Texts come from cells of grids, from numpy's
//! strings of fixed width, or from a list, and are lent as large utf8. No string of Python is made for a row of the
//! first two. A reader asks for batches of [`BATCH_ROWS`] rows; the texts of a batch are written then, so that a reader
//! that drops its batches needs little memory.

#![allow(
    unsafe_code,
    reason = "memory of numpy that is read without the interpreter, and texts that are not checked again"
)]

use std::panic::RefUnwindSafe;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_array::builder::LargeStringBuilder;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    Array, ArrayRef, BooleanArray, LargeStringArray, RecordBatch, RecordBatchReader, make_array,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList, PyString};

use crate::error::value_error;
use crate::rules::Rules;

/// Rows of a batch. With fewer rows than this, a table is one batch, and its numbers are one piece of memory for every
/// reader. The texts of a column of 9x9 grids take 85 MB a batch.
const BATCH_ROWS: usize = 1 << 20;

/// An array of numpy whose memory is lent.
struct Kept(Option<Py<PyArray1<u8>>>);

/// Only its drop uses the array.
impl RefUnwindSafe for Kept {}

impl Drop for Kept {
    fn drop(&mut self) {
        // A reader may release an array on a thread that does not hold the interpreter. Without one, at the end of the
        // program, nothing needs to be freed.
        let array = self.0.take();
        Python::try_attach(|_| drop(array));
    }
}

/// The memory of an array of numpy.
fn lent(array: &Bound<'_, PyArray1<u8>>) -> PyResult<Buffer> {
    let bytes = array.try_readonly().map_err(value_error)?;
    let bytes = bytes.as_slice().map_err(value_error)?;
    let kept = Arc::new(Kept(Some(array.clone().unbind())));
    // SAFETY: the buffer keeps a reference to the array, and with it its memory. The arrays of a result are written before
    // the result is made; a program that writes to them must not do so while a reader of the stream runs, as for all memory
    // that libraries lend each other.
    Ok(unsafe { Buffer::from_custom_allocation(NonNull::from(bytes).cast(), bytes.len(), kept) })
}

/// The flags of an array of bool, as bits.
fn bits(flags: &Bound<'_, PyArray1<u8>>) -> PyResult<BooleanBuffer> {
    let flags = lent(flags)?;
    Ok(BooleanBuffer::collect_bool(flags.len(), |row| flags[row] != 0))
}

/// The values of a column.
enum Values {
    /// Numbers, flags, or the texts of a list.
    Array(ArrayRef),
    Texts {
        rows: TextRows,
        values: Buffer,
        row_bytes: usize,
        nulls: Option<NullBuffer>,
    },
}

/// How rows of bytes become texts.
enum TextRows {
    /// Code points of four bytes, with zeros at the end.
    Wide,
    /// Bytes, with zeros at the end.
    Narrow,
    /// Cells, written in the alphabet of the rules.
    Cells(Py<Rules>),
}

impl TextRows {
    /// Adds the text of a row, in UTF-8.
    fn write(&self, row: &[u8], bytes: &mut Vec<u8>) {
        match self {
            TextRows::Wide => {
                let points = row.as_chunks::<4>().0.iter().map(|&point| u32::from_ne_bytes(point));
                for point in points.take_while(|&point| point != 0) {
                    let character = char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER);
                    bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
            }
            TextRows::Narrow => {
                let end = row.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                bytes.extend_from_slice(String::from_utf8_lossy(&row[..end]).as_bytes());
            }
            TextRows::Cells(rules) => rules.get().notation.write(row, bytes),
        }
    }
}

/// A column of a table that is lent.
#[pyclass(frozen, module = "galop._galop")]
pub(crate) struct ArrowColumn(Arc<Column>);

struct Column {
    values: Values,
    rows: usize,
}

impl Column {
    fn data_type(&self) -> DataType {
        match &self.values {
            Values::Array(array) => array.data_type().clone(),
            Values::Texts { .. } => DataType::LargeUtf8,
        }
    }

    fn part(&self, start: usize, count: usize) -> ArrayRef {
        let (rows, values, row_bytes, nulls) = match &self.values {
            Values::Array(array) => return array.slice(start, count),
            Values::Texts { rows, values, row_bytes, nulls } => (rows, values, *row_bytes, nulls),
        };
        let nulls = nulls.as_ref().map(|nulls| nulls.slice(start, count));
        let values = &values[start * row_bytes..][..count * row_bytes];
        let (mut offsets, mut bytes) = (Vec::with_capacity(count + 1), Vec::with_capacity(values.len()));
        offsets.push(0);
        for (at, row) in values.chunks_exact(row_bytes).enumerate() {
            if nulls.as_ref().is_none_or(|nulls| nulls.is_valid(at)) {
                rows.write(row, &mut bytes);
            }
            offsets.push(bytes.len() as i64);
        }
        let offsets = OffsetBuffer::new(offsets.into());
        // SAFETY: each text is UTF-8, and lies between two offsets.
        Arc::new(unsafe { LargeStringArray::new_unchecked(offsets, Buffer::from_vec(bytes), nulls) })
    }
}

impl ArrowColumn {
    fn array(array: ArrayRef) -> ArrowColumn {
        let rows = array.len();
        ArrowColumn(Arc::new(Column { values: Values::Array(array), rows }))
    }

    fn text_rows(
        rows: TextRows,
        row_bytes: usize,
        values: &Bound<'_, PyArray1<u8>>,
        is_there: Option<Bound<'_, PyArray1<u8>>>,
    ) -> PyResult<ArrowColumn> {
        let values = lent(values)?;
        let count = values.len().checked_div(row_bytes).unwrap_or(0);
        let nulls = is_there.as_ref().map(bits).transpose()?.map(NullBuffer::new);
        if count * row_bytes != values.len() || nulls.as_ref().is_some_and(|nulls| nulls.len() != count) {
            return Err(value_error("an array of another size"));
        }
        let values = Values::Texts { rows, values, row_bytes, nulls };
        Ok(ArrowColumn(Arc::new(Column { values, rows: count })))
    }
}

#[pymethods]
impl ArrowColumn {
    /// Numbers of a type that numpy calls `kind`.
    #[staticmethod]
    fn numbers(kind: &str, values: &Bound<'_, PyArray1<u8>>) -> PyResult<ArrowColumn> {
        let kind = match kind {
            "int8" => DataType::Int8,
            "int16" => DataType::Int16,
            "int32" => DataType::Int32,
            "int64" => DataType::Int64,
            "uint8" => DataType::UInt8,
            "uint16" => DataType::UInt16,
            "uint32" => DataType::UInt32,
            "uint64" => DataType::UInt64,
            "float16" => DataType::Float16,
            "float32" => DataType::Float32,
            "float64" => DataType::Float64,
            _ => return Err(value_error(format_args!("{kind} is not a type of numbers that Arrow has"))),
        };
        let values = lent(values)?;
        let rows = values.len() / kind.primitive_width().unwrap_or(1);
        let array = ArrayData::builder(kind).len(rows).add_buffer(values).align_buffers(true).build();
        Ok(ArrowColumn::array(make_array(array.map_err(value_error)?)))
    }

    /// Bytes of an array of bool.
    #[staticmethod]
    fn flags(values: &Bound<'_, PyArray1<u8>>) -> PyResult<ArrowColumn> {
        Ok(ArrowColumn::array(Arc::new(BooleanArray::new(bits(values)?, None))))
    }

    /// Strings of numpy: rows of `width` code points of four bytes.
    #[staticmethod]
    #[pyo3(signature = (width, values, is_there=None))]
    fn wide(
        width: usize,
        values: &Bound<'_, PyArray1<u8>>,
        is_there: Option<Bound<'_, PyArray1<u8>>>,
    ) -> PyResult<ArrowColumn> {
        ArrowColumn::text_rows(TextRows::Wide, width.saturating_mul(4), values, is_there)
    }

    /// Bytes of numpy: rows of `width` bytes.
    #[staticmethod]
    #[pyo3(signature = (width, values, is_there=None))]
    fn narrow(
        width: usize,
        values: &Bound<'_, PyArray1<u8>>,
        is_there: Option<Bound<'_, PyArray1<u8>>>,
    ) -> PyResult<ArrowColumn> {
        ArrowColumn::text_rows(TextRows::Narrow, width, values, is_there)
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
        ArrowColumn::text_rows(TextRows::Cells(rules), cells, values, is_there)
    }

    /// A list of strings, or `None`.
    #[staticmethod]
    fn texts(list: &Bound<'_, PyList>) -> PyResult<ArrowColumn> {
        let mut texts = LargeStringBuilder::new();
        for (row, text) in list.iter().enumerate() {
            if text.is_none() {
                texts.append_null();
            } else if let Ok(text) = text.cast::<PyString>() {
                texts.append_value(text.to_string_lossy());
            } else {
                let name = text.get_type().name()?;
                return Err(PyTypeError::new_err(format!("row {row}: {name} (expected str or None)")));
            }
        }
        Ok(ArrowColumn::array(Arc::new(texts.finish())))
    }
}

/// A table, as far as a reader has read it.
struct Table {
    schema: SchemaRef,
    columns: Vec<Arc<Column>>,
    rows: usize,
    next: usize,
}

impl Iterator for Table {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.next;
        let count = BATCH_ROWS.min(self.rows - start);
        self.next += count;
        let columns = || self.columns.iter().map(|column| column.part(start, count)).collect();
        (count > 0).then(|| RecordBatch::try_new(Arc::clone(&self.schema), columns()))
    }
}

impl RecordBatchReader for Table {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// A capsule with a stream of a table of these columns.
#[pyfunction]
pub(crate) fn lend_table<'py>(
    py: Python<'py>,
    columns: Vec<(String, Bound<'py, ArrowColumn>)>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let rows = columns.first().map_or(0, |(_, column)| column.get().0.rows);
    let mut fields = Vec::new();
    let mut parts = Vec::new();
    for (name, column) in columns {
        let column = Arc::clone(&column.get().0);
        if column.rows != rows {
            let found = column.rows;
            return Err(value_error(format_args!(
                "the column {name} has {found} rows (the first one has {rows})"
            )));
        }
        if name.contains('\0') {
            return Err(value_error("a name of a column with a NUL character"));
        }
        fields.push(Field::new(name, column.data_type(), true));
        parts.push(column);
    }
    let table = Table { schema: Arc::new(Schema::new(fields)), columns: parts, rows, next: 0 };
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(table)), c"arrow_array_stream")
}
