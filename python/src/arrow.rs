//! Columns of strings that other libraries lend through the Arrow C data interface, read where they are: utf8, large
//! utf8 and views. pyarrow, polars, pandas and others lend a column as plain C structures in a capsule.
//!
//! # Safety
//! A capsule of the name that the interface gives it holds the structure of this name. The structures and their buffers
//! are what they claim to be, and live until they are released; `arrow-array` releases them with the arrays.

#![allow(unsafe_code, reason = "a C interface; see above")]

use std::ffi::CStr;
use std::ptr::NonNull;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, make_array};
use arrow_schema::{ArrowError, DataType};
use numpy::{PyArray2, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};

use crate::error::value_error;
use crate::rules::Rules;
use crate::texts::{Collector, Malformed, places};

/// The structure in a capsule.
fn structure<T>(capsule: &Bound<'_, PyAny>, name: &CStr) -> PyResult<NonNull<T>> {
    let capsule = capsule.cast::<PyCapsule>()?;
    if !capsule.is_valid_checked(Some(name)) {
        let name = name.to_string_lossy();
        return Err(value_error(format_args!("a capsule with another name (expected `{name}`)")));
    }
    Ok(capsule.pointer_checked(Some(name))?.cast())
}

/// Fails if a structure was released, because another reader took it out of its capsule.
fn not_consumed<F>(release: Option<F>) -> PyResult<()> {
    match release {
        Some(_) => Ok(()),
        None => Err(value_error(
            "the capsule was consumed by another reader, so its memory is released (ask the column for a new one)",
        )),
    }
}

fn arrow_error(error: ArrowError) -> PyErr {
    match error {
        ArrowError::CDataInterface(text) => value_error(text),
        error => value_error(error),
    }
}

/// A `TypeError` for a column that is not of strings.
fn strings_expected(kind: &DataType) -> PyResult<()> {
    use DataType::{Binary, BinaryView, LargeBinary, LargeUtf8, Struct, Utf8, Utf8View};
    match kind {
        Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView => Ok(()),
        Struct(_) => Err(value_error("a table (expected one of its columns, of strings)")),
        _ => Err(PyTypeError::new_err(format!("a column of the Arrow type {kind} (expected strings)"))),
    }
}

/// The arrays of a column that has `__arrow_c_stream__` or `__arrow_c_array__`.
fn arrays_of(py: Python<'_>, column: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    if column.hasattr("__arrow_c_stream__")? {
        let capsule = column.call_method0("__arrow_c_stream__")?;
        let stream = structure::<FFI_ArrowArrayStream>(&capsule, c"arrow_array_stream")?;
        // SAFETY: a stream, which nothing else uses while the interpreter is held. It is moved out of the capsule.
        let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) };
        not_consumed(stream.release())?;
        let reader = ArrayStreamReader::try_new(stream).map_err(arrow_error)?;
        strings_expected(arrow_array::ArrayReader::field(&reader).data_type())?;
        let arrays = reader.map(|array| {
            py.check_signals()?;
            array.map_err(arrow_error)
        });
        return arrays.collect();
    }
    let pair = column.call_method0("__arrow_c_array__")?;
    let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
    let schema = structure::<FFI_ArrowSchema>(&schema, c"arrow_schema")?;
    let array = structure::<FFI_ArrowArray>(&array, c"arrow_array")?;
    // SAFETY: a schema and an array, as above.
    let (schema, array) =
        unsafe { (FFI_ArrowSchema::from_raw(schema.as_ptr()), FFI_ArrowArray::from_raw(array.as_ptr())) };
    not_consumed(schema.release())?;
    not_consumed(array.release())?;
    let kind = DataType::try_from(&schema).map_err(|error| PyTypeError::new_err(error.to_string()))?;
    strings_expected(&kind)?;
    if array.is_empty() {
        // It may have null pointers for all its buffers.
        return Ok(Vec::new());
    }
    // SAFETY: the array is not released, and its schema has this type.
    let data = unsafe { from_ffi_and_data_type(array, kind) }.map_err(arrow_error)?;
    Ok(vec![make_array(data)])
}

/// Calls `add` for the bytes of each row of an array of strings, `None` for one that is null, until it returns false.
fn each(array: &ArrayRef, add: impl FnMut(Option<&[u8]>) -> bool) {
    // A loop for each layout: to look at the layout for each row costs 1 to 2 ns.
    match array.data_type() {
        DataType::Utf8 => each_of(array.as_string::<i32>(), add),
        DataType::LargeUtf8 => each_of(array.as_string::<i64>(), add),
        DataType::Utf8View => each_of(array.as_string_view(), add),
        DataType::Binary => each_of(array.as_binary::<i32>(), add),
        DataType::LargeBinary => each_of(array.as_binary::<i64>(), add),
        _ => each_of(array.as_binary_view(), add),
    }
}

#[inline]
fn each_of<'a, T: AsRef<[u8]> + ?Sized + 'a>(
    texts: impl IntoIterator<Item = Option<&'a T>>,
    mut add: impl FnMut(Option<&[u8]>) -> bool,
) {
    for text in texts {
        if !add(text.map(T::as_ref)) {
            break;
        }
    }
}

/// Reads a column of strings that has `__arrow_c_stream__` or `__arrow_c_array__`. `place` is called with the first
/// `sample` texts and the number of rows; it returns the rules and an array for the cells. A `TypeError` if it is no
/// column of strings.
#[pyfunction]
pub(crate) fn read_arrow<'py>(
    py: Python<'py>,
    column: &Bound<'py, PyAny>,
    sample: usize,
    place: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, Rules>, Bound<'py, PyArray2<u8>>, Malformed)> {
    let arrays = arrays_of(py, column)?;
    let mut texts = Vec::new();
    for array in &arrays {
        each(array, |text| {
            if texts.len() < sample {
                texts.push(text.map(|text| String::from_utf8_lossy(text).into_owned()));
            }
            texts.len() < sample
        });
    }
    let count = arrays.iter().map(|array| array.len()).sum();
    let (rules, cells): (Bound<'py, Rules>, Bound<'py, PyArray2<u8>>) =
        place.call1((texts, count))?.extract()?;
    let mut rows = cells.try_readwrite().map_err(value_error)?;
    let mut collector = Collector::new(rules.get(), places(rules.get(), &mut rows, count)?);
    for array in &arrays {
        each(array, |text| {
            collector.add(text);
            true
        });
        py.check_signals()?;
    }
    let malformed = collector.malformed;
    drop(rows);
    Ok((rules, cells, malformed))
}
