//! Columns of strings in the memory of other libraries, read where they are.
//!
//! The Arrow C data interface (arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html): pyarrow, polars,
//! pandas and others lend a column as plain C structures in a capsule.
//!
//! ```text
//! utf8        validity | offsets i32: 0 3 5 ... | bytes: abcde...
//! large utf8  validity | offsets i64            | bytes
//! utf8 view   validity | views of 16 bytes: length, then up to 12 bytes, or prefix, buffer, offset | bytes ... | lengths
//! ```
//!
//! # Safety
//! All unsafe code is here. Each block relies on the interface: a structure in a capsule of the given name has this layout;
//! it and its buffers live until it is released, which the capsule or [`Released`] does; buffers have the sizes that the format,
//! the length and the offset give. What the bytes say (offsets, lengths of views) is relied on as far as the format
//! promises it, too: offsets ascend and end within the data.

#![allow(unsafe_code, reason = "a C interface; see above")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{NonNull, null, null_mut};
use std::slice;

use numpy::PyReadwriteArray2;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods, PyTuple};

use crate::rules::Rules;
use crate::texts::{Collector, Malformed, places};

/// `ArrowSchema`: the type of a column.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

/// `ArrowArray`: a part of a column.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

/// `ArrowArrayStream`: the parts of a column, one after the other.
#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

/// A structure that is released when it is dropped.
struct Released<T: Release>(T);

trait Release {
    fn release(&mut self);
}

impl Release for Schema {
    fn release(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: not yet released, because `release` is set.
            unsafe { release(self) };
        }
    }
}

impl Release for Array {
    fn release(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: not yet released, because `release` is set.
            unsafe { release(self) };
        }
    }
}

impl<T: Release> Drop for Released<T> {
    fn drop(&mut self) {
        self.0.release();
    }
}

const NO_SCHEMA: Schema = Schema {
    format: null(),
    name: null(),
    metadata: null(),
    flags: 0,
    n_children: 0,
    children: null_mut(),
    dictionary: null_mut(),
    release: None,
    private_data: null_mut(),
};

const NO_ARRAY: Array = Array {
    length: 0,
    null_count: 0,
    offset: 0,
    n_buffers: 0,
    n_children: 0,
    buffers: null(),
    children: null_mut(),
    dictionary: null_mut(),
    release: None,
    private_data: null_mut(),
};

/// How the strings of a column are stored.
#[derive(Clone, Copy)]
enum Layout {
    Small,
    Large,
    View,
}

impl Layout {
    /// The layout of a column; an error if it is no column of strings.
    fn of(schema: &Schema) -> PyResult<Layout> {
        // SAFETY: a schema that is not released has a format, which ends with a NUL.
        let format = unsafe { CStr::from_ptr(schema.format) }.to_bytes();
        if !schema.dictionary.is_null() {
            return Err(PyTypeError::new_err("a dictionary of strings"));
        }
        match format {
            b"u" | b"z" => Ok(Layout::Small),
            b"U" | b"Z" => Ok(Layout::Large),
            b"vu" | b"vz" => Ok(Layout::View),
            b"+s" => {
                Err(PyValueError::new_err("a table (expected a column of strings: name one of the table)"))
            }
            _ => Err(PyTypeError::new_err(format!(
                "a column of the Arrow format `{}` (expected strings)",
                String::from_utf8_lossy(format)
            ))),
        }
    }
}

/// The strings of a part of a column.
struct Strings<'a> {
    array: &'a Array,
    layout: Layout,
    at: usize,
}

impl<'a> Strings<'a> {
    fn new(array: &'a Array, layout: Layout) -> PyResult<Strings<'a>> {
        let buffers = if matches!(layout, Layout::View) { 2 } else { 3 };
        if array.n_buffers < buffers || array.buffers.is_null() || array.length < 0 || array.offset < 0 {
            return Err(PyValueError::new_err("an Arrow array without its buffers"));
        }
        Ok(Strings { array, layout, at: 0 })
    }

    /// Buffer `number`, which has at least `len` values; `None` if it is absent.
    fn buffer<T>(&self, number: usize, len: usize) -> Option<&'a [T]> {
        // SAFETY: `number` is below `n_buffers`, which `new` and the callers have checked.
        let buffer = NonNull::new(unsafe { *self.array.buffers.add(number) }.cast_mut())?.cast::<T>();
        // SAFETY: the interface promises the size, that it is aligned to 8 bytes, and that nothing changes it.
        buffer.is_aligned().then(|| unsafe { slice::from_raw_parts(buffer.as_ptr(), len) })
    }

    fn is_valid(&self, place: usize) -> bool {
        self.buffer::<u8>(0, place / 8 + 1).is_none_or(|bits| bits[place / 8] >> (place % 8) & 1 == 1)
    }

    /// The bytes from `start` to `end` of buffer 2.
    fn between(&self, start: usize, end: usize) -> Option<&'a [u8]> {
        if start == end {
            return Some(&[]);
        }
        self.buffer::<u8>(2, end)?.get(start..end)
    }

    fn get(&self, place: usize) -> Option<&'a [u8]> {
        if !self.is_valid(place) {
            return None;
        }
        match self.layout {
            Layout::Small => {
                let offsets = self.buffer::<i32>(1, place + 2)?;
                self.between(usize::try_from(offsets[place]).ok()?, usize::try_from(offsets[place + 1]).ok()?)
            }
            Layout::Large => {
                let offsets = self.buffer::<i64>(1, place + 2)?;
                self.between(usize::try_from(offsets[place]).ok()?, usize::try_from(offsets[place + 1]).ok()?)
            }
            Layout::View => {
                let view = &self.buffer::<[u8; 16]>(1, place + 1)?[place];
                let number =
                    |at: usize| i32::from_ne_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]]);
                let len = usize::try_from(number(0)).ok()?;
                // A string of up to 12 bytes is in the view itself.
                if len <= 12 {
                    return self.buffer::<u8>(1, 16 * place + 4 + len)?.get(16 * place + 4..);
                }
                let (buffer, start) = (usize::try_from(number(8)).ok()?, usize::try_from(number(12)).ok()?);
                // The last buffer has the lengths of those with strings.
                let strings = usize::try_from(self.array.n_buffers).ok()?.checked_sub(3)?;
                let len_of = self.buffer::<i64>(2 + strings, strings)?;
                let held = usize::try_from(*len_of.get(buffer)?).ok()?;
                self.buffer::<u8>(2 + buffer, held)?.get(start..start.checked_add(len)?)
            }
        }
    }
}

impl<'a> Iterator for Strings<'a> {
    type Item = Option<&'a [u8]>;

    #[inline]
    fn next(&mut self) -> Option<Option<&'a [u8]>> {
        if self.at as i64 >= self.array.length {
            return None;
        }
        let place = self.array.offset as usize + self.at;
        self.at += 1;
        Some(self.get(place))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.array.length as usize - self.at;
        (left, Some(left))
    }
}

/// The structure in a capsule, which must live as long as the reference.
#[expect(
    clippy::mut_from_ref,
    reason = "the capsule only holds a pointer; its receiver may change what is behind it"
)]
fn inside<'a, T>(capsule: &'a Bound<'_, PyCapsule>, name: &CStr) -> PyResult<&'a mut T> {
    let pointer = capsule.pointer_checked(Some(name))?;
    // SAFETY: a capsule of this name holds such a structure, which is the receiver's alone.
    Ok(unsafe { pointer.cast::<T>().as_mut() })
}

/// Reads a column of strings that has `__arrow_c_stream__` or `__arrow_c_array__` to the rows of `cells`. Returns how many there
/// are.
#[pyfunction]
pub(crate) fn read_arrow(
    py: Python<'_>,
    rules: &Rules,
    column: &Bound<'_, PyAny>,
    mut cells: PyReadwriteArray2<'_, u8>,
) -> PyResult<(usize, Malformed)> {
    let count = cells.as_array().nrows();
    let mut collector = Collector::new(&rules.rules, places(rules, &mut cells, count)?);
    if column.hasattr("__arrow_c_stream__")? {
        let capsule = column.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
        read_stream(py, inside(&capsule, c"arrow_array_stream")?, &mut collector)?;
    } else {
        let pair = column.call_method0("__arrow_c_array__")?.cast_into::<PyTuple>()?;
        let (schema, array) = (pair.get_item(0)?.cast_into()?, pair.get_item(1)?.cast_into()?);
        let layout = Layout::of(inside(&schema, c"arrow_schema")?)?;
        add(&mut collector, inside(&array, c"arrow_array")?, layout)?;
    }
    Ok((collector.len(), collector.malformed))
}

/// Reads a part of a column.
fn add(collector: &mut Collector<'_>, array: &Array, layout: Layout) -> PyResult<()> {
    Strings::new(array, layout)?.for_each(|text| collector.add(text));
    Ok(())
}

fn read_stream(py: Python<'_>, stream: &mut Stream, collector: &mut Collector<'_>) -> PyResult<()> {
    let (Some(get_schema), Some(get_next)) = (stream.get_schema, stream.get_next) else {
        return Err(PyValueError::new_err("an Arrow stream that was released"));
    };
    let mut schema = Released(NO_SCHEMA);
    // SAFETY: the stream is not released; it writes a schema, which `schema` releases.
    let code = unsafe { get_schema(stream, &mut schema.0) };
    check(stream, code)?;
    let layout = Layout::of(&schema.0)?;
    loop {
        let mut array = Released(NO_ARRAY);
        // SAFETY: the stream is not released; it writes an array, which `array` releases.
        let code = unsafe { get_next(stream, &mut array.0) };
        check(stream, code)?;
        // The end of the stream is an array that is released.
        if array.0.release.is_none() {
            return Ok(());
        }
        add(collector, &array.0, layout)?;
        py.check_signals()?;
    }
}

/// The error of a stream that returned `code`.
fn check(stream: &mut Stream, code: c_int) -> PyResult<()> {
    if code == 0 {
        return Ok(());
    }
    let text = stream.get_last_error.and_then(|last_error| {
        // SAFETY: the stream is not released, and the last call returned an error.
        NonNull::new(unsafe { last_error(stream) }.cast_mut())
    });
    // SAFETY: the text ends with a NUL and lives until the next call.
    let text = text.map(|text| unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy().into_owned());
    Err(PyValueError::new_err(text.unwrap_or_else(|| format!("error {code} of an Arrow stream"))))
}
