//! Columns of strings in the memory of other libraries, read where they are.
//!
//! The Arrow C data interface (arrow.apache.org/docs/format/CDataInterface.html and CStreamInterface.html): pyarrow,
//! polars, pandas and others lend a column as plain C structures in a capsule.
//!
//! ```text
//! utf8        validity | offsets i32: 0 3 5 ... | bytes: abcde...
//! large utf8  validity | offsets i64            | bytes
//! utf8 view   validity | views of 16 bytes: length, then up to 12 bytes, or prefix, buffer, offset | bytes .. | lengths
//! ```
//!
//! [`arrow_export`](crate::arrow_export) lends tables.
//!
//! # Safety
//! The reader checks what the interface allows to check before it reads memory: released structures, missing
//! functions and buffers, and numbers of buffers and children. It also checks for negative or overflowing
//! lengths, and for offsets and views that do not lie within the bytes of the array. It relies on what cannot
//! be seen. A structure in a capsule of the given name has this layout. It and its buffers live until it is
//! released, which [`Owned`] does. Each buffer has the size that follows from the length and the offset of
//! the array, and from its last offset into the bytes or the list of sizes.

#![allow(unsafe_code, reason = "a C interface; see above")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::{forget, zeroed};
use std::ptr::NonNull;
use std::slice;

use numpy::{PyArray2, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};

use crate::error::value_error;
use crate::rules::Rules;
use crate::texts::{Collector, Malformed, places};

/// `ArrowSchema`: the type of a column.
#[repr(C)]
pub(crate) struct Schema {
    pub(crate) format: *const c_char,
    pub(crate) name: *const c_char,
    pub(crate) metadata: *const c_char,
    pub(crate) flags: i64,
    pub(crate) n_children: i64,
    pub(crate) children: *mut *mut Schema,
    pub(crate) dictionary: *mut Schema,
    pub(crate) release: Option<unsafe extern "C" fn(*mut Schema)>,
    pub(crate) private_data: *mut c_void,
}

/// `ArrowArray`: a part of a column.
#[repr(C)]
pub(crate) struct Array {
    pub(crate) length: i64,
    pub(crate) null_count: i64,
    pub(crate) offset: i64,
    pub(crate) n_buffers: i64,
    pub(crate) n_children: i64,
    pub(crate) buffers: *const *const c_void,
    pub(crate) children: *mut *mut Array,
    pub(crate) dictionary: *mut Array,
    pub(crate) release: Option<unsafe extern "C" fn(*mut Array)>,
    pub(crate) private_data: *mut c_void,
}

/// `ArrowArrayStream`: the parts of a column, one after the other.
#[repr(C)]
pub(crate) struct Stream {
    pub(crate) get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    pub(crate) get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    pub(crate) get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    pub(crate) release: Option<unsafe extern "C" fn(*mut Stream)>,
    pub(crate) private_data: *mut c_void,
}

/// A structure of the interface. Its owner releases it, once; a structure without `release` has been released, or moved
/// to another owner.
///
/// # Safety
/// Zeros are a value of the structure: it has only numbers, pointers and optional functions.
pub(crate) unsafe trait Structure: Sized {
    /// What a capsule that holds one is called.
    const CAPSULE: &CStr;

    fn release(&self) -> Option<unsafe extern "C" fn(*mut Self)>;

    /// A structure that has been released.
    fn released() -> Self {
        // SAFETY: zeros are a value of it.
        unsafe { zeroed() }
    }
}

/// The structures, and the names of their capsules.
macro_rules! structures {
    ($($name:ident $capsule:literal),*) => {$(
        // SAFETY: it has only numbers, pointers and optional functions.
        unsafe impl Structure for $name {
            const CAPSULE: &CStr = $capsule;

            fn release(&self) -> Option<unsafe extern "C" fn(*mut $name)> {
                self.release
            }
        }
    )*};
}

structures!(Schema c"arrow_schema", Array c"arrow_array", Stream c"arrow_array_stream");

/// A structure that is released when it is dropped.
#[repr(transparent)]
pub(crate) struct Owned<T: Structure>(pub(crate) T);

impl<T: Structure> Drop for Owned<T> {
    fn drop(&mut self) {
        if let Some(release) = self.0.release() {
            // SAFETY: not yet released, because `release` is set.
            unsafe { release(&mut self.0) };
        }
    }
}

impl<T: Structure> Owned<T> {
    /// Moves the structure out of a capsule. Another reader of the capsule then finds that it was consumed.
    fn take(capsule: &Bound<'_, PyAny>) -> PyResult<Owned<T>> {
        let name = T::CAPSULE.to_string_lossy();
        let capsule = capsule.cast::<PyCapsule>()?;
        if !capsule.is_valid_checked(Some(T::CAPSULE)) {
            return Err(value_error(format_args!("a capsule with another name (expected `{name}`)")));
        }
        let pointer = capsule.pointer_checked(Some(T::CAPSULE))?.cast::<T>();
        // SAFETY: a capsule of this name holds such a structure, and nothing else uses it while the interpreter is
        // held.
        let taken = Owned(unsafe { pointer.replace(T::released()) });
        if taken.0.release().is_none() {
            return Err(value_error(format_args!(
                "the capsule `{name}` was consumed by another reader, so its memory is released (ask the column for a \
                 new one)"
            )));
        }
        Ok(taken)
    }
}

impl Owned<Stream> {
    fn schema(&mut self) -> PyResult<Owned<Schema>> {
        let schema = self.call(self.0.get_schema, "get_schema")?;
        match schema.0.release {
            Some(_) => Ok(schema),
            None => Err(value_error("an Arrow stream that gives a released schema")),
        }
    }

    /// The next part of the column; `None` at the end, which is an array that is released.
    fn next(&mut self) -> PyResult<Option<Owned<Array>>> {
        let array = self.call(self.0.get_next, "get_next")?;
        Ok(array.0.release.is_some().then_some(array))
    }

    /// Calls a function of the stream that writes a structure.
    fn call<T: Structure>(
        &mut self,
        function: Option<unsafe extern "C" fn(*mut Stream, *mut T) -> c_int>,
        name: &str,
    ) -> PyResult<Owned<T>> {
        let function =
            function.ok_or_else(|| value_error(format_args!("an Arrow stream without `{name}`")))?;
        let mut written = Owned(T::released());
        // SAFETY: the stream is not released; `take` has checked it. It writes a structure, which `written` releases.
        let code = unsafe { function(&mut self.0, &mut written.0) };
        if code == 0 {
            return Ok(written);
        }
        // After an error nothing is promised of the structure.
        forget(written);
        let text = self.0.get_last_error.and_then(|last_error| {
            // SAFETY: the stream is not released, and the last call returned an error.
            NonNull::new(unsafe { last_error(&mut self.0) }.cast_mut())
        });
        // SAFETY: the text ends with a NUL and lives until the next call.
        let text = text.map(|text| unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy().into_owned());
        Err(value_error(text.unwrap_or_else(|| format!("error {code} of `{name}` of an Arrow stream"))))
    }
}

/// How the strings of a column are stored.
#[derive(Clone, Copy)]
enum Layout {
    Small,
    Large,
    View,
}

impl Layout {
    /// The layout of a column. A `TypeError` if it is no column of strings.
    fn of(schema: &Owned<Schema>) -> PyResult<Layout> {
        let schema = &schema.0;
        if schema.format.is_null() {
            return Err(value_error("an Arrow schema without a format"));
        }
        // SAFETY: the schema is not released, so its format lives, and it ends with a NUL.
        let format = unsafe { CStr::from_ptr(schema.format) }.to_str();
        let format = format.map_err(|_| value_error("an Arrow schema with a format that is not UTF-8"))?;
        if schema.n_children < 0 || (schema.n_children > 0 && schema.children.is_null()) {
            return Err(value_error(format_args!(
                "an Arrow schema with {} children that are not there",
                schema.n_children
            )));
        }
        let layout = match format {
            "u" | "z" => Layout::Small,
            "U" | "Z" => Layout::Large,
            "vu" | "vz" => Layout::View,
            "+s" => return Err(value_error("a table (expected one of its columns, of strings)")),
            _ => {
                return Err(PyTypeError::new_err(format!(
                    "a column of the Arrow format `{format}` (expected strings)"
                )));
            }
        };
        if !schema.dictionary.is_null() {
            return Err(PyTypeError::new_err("a dictionary of strings"));
        }
        no_children(schema.n_children)?;
        Ok(layout)
    }
}

fn no_children(count: i64) -> PyResult<()> {
    match count {
        0 => Ok(()),
        _ => Err(value_error(format_args!("an Arrow column of strings with {count} children (expected 0)"))),
    }
}

/// The strings of a part of a column.
struct Strings<'a> {
    /// A bit for each row from the start of the buffers on, the lowest first; nothing if no row is null.
    validity: Option<&'a [u8]>,
    first: usize,
    texts: Texts<'a>,
}

/// The strings from row `first` on. A row of [`Texts::Small`] and [`Texts::Large`] ends where the next one begins.
enum Texts<'a> {
    Small(&'a [[u8; 4]], &'a [u8]),
    Large(&'a [[u8; 8]], &'a [u8]),
    View(&'a [[u8; 16]], Vec<&'a [u8]>),
}

impl<'a> Strings<'a> {
    /// The strings of an array, the structure of which is checked.
    fn new(array: &'a Owned<Array>, layout: Layout) -> PyResult<Strings<'a>> {
        let array = &array.0;
        let of_array = |name: &str, value: i64, expected: &str| {
            value_error(format_args!("an Arrow array with the {name} {value} (expected {expected})"))
        };
        let number = |name: &str, value: i64| {
            usize::try_from(value).map_err(|_| of_array(name, value, "a number from 0"))
        };
        let (len, first) = (number("length", array.length)?, number("offset", array.offset)?);
        // The largest buffer has 16 bytes for a row, or one value more than rows.
        let end = first.checked_add(len).filter(|&end| end < isize::MAX as usize / 16);
        let end = end.ok_or_else(|| of_array("length", array.length, "rows that fit in memory"))?;
        if !(-1..=array.length).contains(&array.null_count) {
            return Err(of_array("null count", array.null_count, "-1 or as many rows as there are"));
        }
        no_children(array.n_children)?;
        if !array.dictionary.is_null() {
            return Err(value_error("an Arrow array with a dictionary that its schema lacks"));
        }
        let buffers = usize::try_from(array.n_buffers).unwrap_or_default();
        match layout {
            Layout::View if buffers < 3 || i32::try_from(buffers - 3).is_err() => {
                return Err(of_array("number of buffers", array.n_buffers, "3 or more"));
            }
            Layout::Small | Layout::Large if buffers != 3 => {
                return Err(of_array("number of buffers", array.n_buffers, "3"));
            }
            _ if array.buffers.is_null() => return Err(value_error("an Arrow array without buffers")),
            _ => {}
        }
        if len == 0 {
            // It may have null pointers for all its buffers.
            return Ok(Strings { validity: None, first: 0, texts: Texts::Small(&[], &[]) });
        }
        let validity = match buffer::<1>(array, 0, end.div_ceil(8)) {
            Ok(bits) => Some(bits.as_flattened()),
            Err(error) if array.null_count > 0 => return Err(error),
            Err(_) => None,
        };
        let bytes = |start: i64, end: i64| match usize::try_from(end) {
            // Without any byte the pointer may be null.
            Ok(_) if start == end => Ok(&[][..]),
            Ok(len) => Ok(buffer::<1>(array, 2, len)?.as_flattened()),
            Err(_) => Err(of_array("last offset", end, "a number from 0")),
        };
        let texts = match layout {
            Layout::Small => {
                let offsets = &buffer(array, 1, end + 1)?[first..];
                let at = |row: usize| i32::from_ne_bytes(offsets[row]).into();
                Texts::Small(offsets, bytes(at(0), at(len))?)
            }
            Layout::Large => {
                let offsets = &buffer(array, 1, end + 1)?[first..];
                let at = |row: usize| i64::from_ne_bytes(offsets[row]);
                Texts::Large(offsets, bytes(at(0), at(len))?)
            }
            Layout::View => {
                // The last buffer has the sizes of the buffers between the views and itself.
                let sizes = buffer(array, buffers - 1, buffers - 3)?.iter().enumerate();
                let held = sizes.map(|(held, &size)| {
                    let size = number("size of a buffer", i64::from_ne_bytes(size))?;
                    Ok(buffer::<1>(array, 2 + held, size)?.as_flattened())
                });
                Texts::View(&buffer(array, 1, end)?[first..], held.collect::<PyResult<_>>()?)
            }
        };
        Ok(Strings { validity, first, texts })
    }

    fn len(&self) -> usize {
        match self.texts {
            Texts::Small(offsets, _) => offsets.len().saturating_sub(1),
            Texts::Large(offsets, _) => offsets.len().saturating_sub(1),
            Texts::View(views, _) => views.len(),
        }
    }

    /// Calls `add` for the bytes of each row, `None` for one that is null, until it returns false.
    #[inline]
    fn each(&self, add: impl FnMut(Option<&'a [u8]>) -> bool) -> Result<(), Outside> {
        // A loop for each layout: to look at the layout for each row costs 1 to 2 ns.
        match &self.texts {
            Texts::Small(offsets, bytes) => self.each_of(
                offsets.windows(2).map(|ends| {
                    between(bytes, i32::from_ne_bytes(ends[0]).into(), i32::from_ne_bytes(ends[1]).into())
                }),
                add,
            ),
            Texts::Large(offsets, bytes) => self.each_of(
                offsets
                    .windows(2)
                    .map(|ends| between(bytes, i64::from_ne_bytes(ends[0]), i64::from_ne_bytes(ends[1]))),
                add,
            ),
            Texts::View(views, held) => self.each_of(views.iter().map(|view| viewed(view, held)), add),
        }
    }

    #[inline]
    fn each_of(
        &self,
        texts: impl Iterator<Item = Option<&'a [u8]>>,
        mut add: impl FnMut(Option<&'a [u8]>) -> bool,
    ) -> Result<(), Outside> {
        for (row, text) in texts.enumerate() {
            let place = self.first + row;
            let is_null = self.validity.is_some_and(|bits| bits[place / 8] >> (place % 8) & 1 == 0);
            let text = if is_null { None } else { Some(text.ok_or(Outside { row })?) };
            if !add(text) {
                break;
            }
        }
        Ok(())
    }
}

/// The bytes of a row are not within the bytes of its array.
struct Outside {
    row: usize,
}

impl From<Outside> for PyErr {
    fn from(Outside { row }: Outside) -> PyErr {
        value_error(format_args!(
            "row {row} of an Arrow array lies outside of its bytes (offsets ascend from 0)"
        ))
    }
}

/// The bytes from `start` to `end`, if they are there.
#[inline]
fn between(bytes: &[u8], start: i64, end: i64) -> Option<&[u8]> {
    let (start, end) = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
    if start == end { Some(&[]) } else { bytes.get(start..end) }
}

/// The bytes that a view shows, if they are there.
#[inline]
fn viewed<'a>(view: &'a [u8; 16], held: &[&'a [u8]]) -> Option<&'a [u8]> {
    let number = |at: usize| {
        usize::try_from(i32::from_ne_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]])).ok()
    };
    let len = number(0)?;
    // A string of up to 12 bytes is in the view itself.
    if len <= 12 {
        return view.get(4..4 + len);
    }
    let (buffer, start) = (number(8)?, number(12)?);
    held.get(buffer)?.get(start..start.checked_add(len)?)
}

/// The first `len` values of buffer `number`, which may begin at any address. The number must be below `n_buffers`, and
/// the values below `isize::MAX` bytes.
fn buffer<const BYTES: usize>(array: &Array, number: usize, len: usize) -> PyResult<&[[u8; BYTES]]> {
    if len == 0 {
        return Ok(&[]);
    }
    // SAFETY: the array has as many pointers as `n_buffers` says, and `buffers` is not null.
    let buffer = unsafe { array.buffers.add(number).read_unaligned() };
    if buffer.is_null() {
        return Err(value_error(format_args!("buffer {number} of an Arrow array is a null pointer")));
    }
    // SAFETY: the interface promises the size, and that nothing changes it before the array is released. Bytes need not
    // be aligned.
    Ok(unsafe { slice::from_raw_parts(buffer.cast(), len) })
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
    let mut arrays = Vec::new();
    let layout = if column.hasattr("__arrow_c_stream__")? {
        let mut stream = Owned::<Stream>::take(&column.call_method0("__arrow_c_stream__")?)?;
        let layout = Layout::of(&stream.schema()?)?;
        while let Some(array) = stream.next()? {
            arrays.push(array);
            py.check_signals()?;
        }
        layout
    } else {
        let pair = column.call_method0("__arrow_c_array__")?;
        let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
        let schema = Owned::take(&schema)?;
        arrays.push(Owned::take(&array)?);
        Layout::of(&schema)?
    };
    let parts = arrays.iter().map(|array| Strings::new(array, layout)).collect::<PyResult<Vec<_>>>()?;
    let mut texts = Vec::new();
    for part in &parts {
        part.each(|text| {
            if texts.len() < sample {
                texts.push(text.map(|text| String::from_utf8_lossy(text).into_owned()));
            }
            texts.len() < sample
        })?;
    }
    let count = parts.iter().try_fold(0_usize, |count, part| count.checked_add(part.len()));
    let count = count.ok_or_else(|| value_error("an Arrow stream of more rows than fit in memory"))?;
    let (rules, cells): (Bound<'py, Rules>, Bound<'py, PyArray2<u8>>) =
        place.call1((texts, count))?.extract()?;
    let mut rows = cells.try_readwrite().map_err(value_error)?;
    let mut collector = Collector::new(rules.get(), places(rules.get(), &mut rows, count)?);
    for part in &parts {
        part.each(|text| {
            collector.add(text);
            true
        })?;
        py.check_signals()?;
    }
    let malformed = collector.malformed;
    drop(rows);
    Ok((rules, cells, malformed))
}
