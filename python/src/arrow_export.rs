//! Tables of results, lent to other libraries as an Arrow stream. [`arrow`](crate::arrow) has the structures of the
//! interface, and reads what others lend; [`arrow_columns`](crate::arrow_columns) has the columns.
//!
//! A reader asks for batches of [`BATCH_ROWS`] rows. The texts of a batch are written then, so that a reader that drops its
//! batches needs little memory.
//!
//! # Safety
//! A structure owns what its pointers point to: `private_data` is a box with the buffers, the names and the children.
//! `release` frees the box, and sets `release` to nothing, as the interface demands; a reader calls it once. Boxes of
//! arrays keep the column alive, and with it the memory of numpy. Nothing that is freed needs the thread that made it.

#![allow(unsafe_code, reason = "a C interface; see above")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrow::{Array, Owned, Schema, Stream, Structure};
use crate::arrow_columns::{ArrowColumn, Buffer, Column, Part};
use crate::error::value_error;

/// Rows of a batch. With fewer rows than this, a table is one batch, and its numbers are one piece of memory for every
/// reader. The texts of a column of 9x9 grids take 85 MB a batch.
const BATCH_ROWS: usize = 1 << 20;

/// `ARROW_FLAG_NULLABLE`.
const NULLABLE: i64 = 2;

/// A table, as far as a reader has read it.
struct Table {
    columns: Vec<(CString, Arc<Column>)>,
    rows: usize,
    next: usize,
}

/// The children of a structure. A reader may move them out: it then sets their `release` to nothing.
struct Children<T: Structure>(Vec<*mut T>);

impl<T: Structure> Children<T> {
    fn new(children: impl Iterator<Item = Owned<T>>) -> Children<T> {
        // An `Owned<T>` has the layout of a `T`.
        Children(children.map(|child| Box::into_raw(Box::new(child)).cast()).collect())
    }
}

impl<T: Structure> Drop for Children<T> {
    fn drop(&mut self) {
        for child in self.0.drain(..) {
            // SAFETY: `new` made it of a box with an `Owned<T>`, and this is the only place that makes a box of it
            // again. `Owned` releases it unless a reader did, or moved it.
            drop(unsafe { Box::from_raw(child.cast::<Owned<T>>()) });
        }
    }
}

/// What a schema points to.
struct SchemaParts {
    format: CString,
    name: CString,
    children: Children<Schema>,
}

fn schema(format: &CStr, name: &CStr, children: impl Iterator<Item = Owned<Schema>>) -> Owned<Schema> {
    let children = Children::new(children);
    let mut parts = Box::new(SchemaParts { format: format.to_owned(), name: name.to_owned(), children });
    Owned(Schema {
        format: parts.format.as_ptr(),
        name: parts.name.as_ptr(),
        metadata: null(),
        flags: NULLABLE,
        n_children: parts.children.0.len() as i64,
        children: parts.children.0.as_mut_ptr(),
        dictionary: null_mut(),
        release: Some(release_schema),
        private_data: Box::into_raw(parts).cast(),
    })
}

unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: a reader gives a structure that is not released. [`schema`] made its `private_data`, and this, which
    // runs once, is the only place that frees it.
    let (schema, parts) =
        unsafe { (&mut *schema, Box::from_raw((*schema).private_data.cast::<SchemaParts>())) };
    schema.release = None;
    drop(parts);
}

/// What an array points to.
struct ArrayParts {
    pointers: Vec<*const c_void>,
    children: Children<Array>,
    _part: Part,
    _column: Option<Arc<Column>>,
}

fn array(
    length: usize,
    part: Part,
    column: Option<Arc<Column>>,
    children: impl Iterator<Item = Owned<Array>>,
) -> Owned<Array> {
    let validity = part.validity.as_ref().map_or(null(), |bits| bits.as_ptr());
    let buffers = part.buffers.iter().map(|buffer| match buffer {
        Buffer::Lent(start) => *start,
        Buffer::Bytes(bytes) => bytes.as_ptr(),
        Buffer::Offsets(offsets) => offsets.as_ptr().cast(),
    });
    let pointers = std::iter::once(validity).chain(buffers).map(<*const u8>::cast).collect();
    let (nulls, children) = (part.nulls, Children::new(children));
    let mut parts = Box::new(ArrayParts { pointers, children, _part: part, _column: column });
    Owned(Array {
        length: length as i64,
        null_count: nulls as i64,
        offset: 0,
        n_buffers: parts.pointers.len() as i64,
        n_children: parts.children.0.len() as i64,
        buffers: parts.pointers.as_ptr(),
        children: parts.children.0.as_mut_ptr(),
        dictionary: null_mut(),
        release: Some(release_array),
        private_data: Box::into_raw(parts).cast(),
    })
}

unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: as in `release_schema`; [`array`] made the `private_data`.
    let (array, parts) = unsafe { (&mut *array, Box::from_raw((*array).private_data.cast::<ArrayParts>())) };
    array.release = None;
    drop(parts);
}

fn stream(table: Table) -> Owned<Stream> {
    Owned(Stream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private_data: Box::into_raw(Box::new(table)).cast(),
    })
}

unsafe extern "C" fn get_schema(stream: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: the stream is not released, so its table lives. A reader calls one function of it at a time.
    let table = unsafe { &*(*stream).private_data.cast::<Table>() };
    let columns = table.columns.iter();
    let children = columns.map(|(name, column)| schema(column.format(), name, std::iter::empty()));
    // SAFETY: the reader gives a place for a schema, and releases what is written there. What the place held before is
    // not a structure.
    unsafe { out.cast::<Owned<Schema>>().write(schema(c"+s", c"", children)) };
    0
}

unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: as in `get_schema`.
    let table = unsafe { &mut *(*stream).private_data.cast::<Table>() };
    let rows = table.next..table.rows.min(table.next + BATCH_ROWS);
    table.next = rows.end;
    let next = if rows.is_empty() {
        Owned(Array::released())
    } else {
        let columns = table.columns.iter().map(|(_, column)| {
            array(rows.len(), column.part(rows.clone()), Some(Arc::clone(column)), std::iter::empty())
        });
        array(rows.len(), Part { nulls: 0, validity: None, buffers: Vec::new() }, None, columns)
    };
    // SAFETY: as in `get_schema`, for an array.
    unsafe { out.cast::<Owned<Array>>().write(next) };
    0
}

/// No call fails, so there is no error to describe.
unsafe extern "C" fn get_last_error(_: *mut Stream) -> *const c_char {
    null()
}

unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: as in `release_schema`; [`stream`] made the `private_data`.
    let (stream, table) = unsafe { (&mut *stream, Box::from_raw((*stream).private_data.cast::<Table>())) };
    stream.release = None;
    drop(table);
}

/// What a capsule holds: a stream that is released with the capsule, unless a reader moves it out.
#[repr(transparent)]
struct InCapsule(Owned<Stream>);

// SAFETY: a table has only columns and names, which any thread may read and drop.
unsafe impl Send for InCapsule {}

/// A capsule with a stream of a table of these columns.
#[pyfunction]
pub(crate) fn lend_table<'py>(
    py: Python<'py>,
    columns: Vec<(String, Bound<'py, ArrowColumn>)>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let rows = columns.first().map_or(0, |(_, column)| column.get().0.rows);
    let named = columns.into_iter().map(|(name, column)| {
        let column = Arc::clone(&column.get().0);
        if column.rows != rows {
            let found = column.rows;
            return Err(value_error(format_args!(
                "the column {name} has {found} rows (the first one has {rows})"
            )));
        }
        let name = CString::new(name).map_err(|_| value_error("a name of a column with a NUL character"))?;
        Ok((name, column))
    });
    let columns = named.collect::<PyResult<_>>()?;
    let stream = InCapsule(stream(Table { columns, rows, next: 0 }));
    PyCapsule::new_with_value(py, stream, Stream::CAPSULE)
}
