//! `parquet`: a table in the format of Apache Parquet. Numbers are `INT64` or `DOUBLE`, everything else is text; what
//! does not exist is null. Columns of the input are text.
//!
//! The records come as fields, each with its length before it, behind the names of the columns. They are collected to
//! groups of rows, which bounds the memory.
//! ```text
//!   columns (4 bytes) [type (1) length (4) name] ...
//!   then for each record   [length (4), or u32::MAX for none] [value] ...
//! ```

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::arrays::Element;
use super::columns::{Value, new_name};
use super::copied::{Copier, Holds};
use super::sink::{Completion, End, Outlet, Sink};
use super::{
    FormatEntry, Layout, OutputFile, Printer, Record, Row, push_echo, push_number, push_thousandths,
};
use crate::error::{Error, ErrorKind};
use crate::input::format::Field;

pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "parquet",
    about: "a Parquet table with the same columns as npz; tables and objects keep their columns; needs -o FILE",
    header,
    columns: &["puzzle", "solution", "status", "guesses"],
    endings: &["parquet"],
    is_of_arrays: true,
    open: |file, _, _| Ok(Box::new(ParquetFile::new(file))),
    printer: Printer::Record(print),
    copier: Some(&Copier {
        about: "a Parquet table with all columns as text; needs -o FILE",
        holds: Holds::Fields,
        unchanged: None,
        header: Some(|names, out| {
            push_header(names.iter().map(|name| (&**name, TEXT)), names.len(), out);
        }),
        print: |copied, out| {
            for field in copied.fields.iter() {
                match field {
                    Field::Text(text) | Field::Literal(text) => push_field(Some(text), out),
                    Field::Missing => push_field(None, out),
                }
            }
        },
    }),
    ..FormatEntry::TEXT
};

/// The types of columns, a byte each.
const TEXT: u8 = 0;
const WHOLE: u8 = 1;
const REAL: u8 = 2;

/// The length of a field that does not exist.
const MISSING: u32 = u32::MAX;

/// Rows of a group.
const GROUP_ROWS: usize = 64 * 1024;

/// Bytes of the values of a group, after which it ends with fewer rows.
const GROUP_BYTES: usize = 32 << 20;

fn kind_of(column: &str) -> u8 {
    match Element::of(column, 0) {
        Some(Element::Whole) => WHOLE,
        Some(Element::Real) => REAL,
        _ => TEXT,
    }
}

fn push_header<'n>(names: impl Iterator<Item = (&'n str, u8)>, count: usize, out: &mut Vec<u8>) {
    out.extend((count as u32).to_le_bytes());
    for (name, kind) in names {
        out.push(kind);
        push_field(Some(name.as_bytes()), out);
    }
}

/// Appends the names of the columns of the input, if it has some, and of galop's columns.
fn header(input: Option<&Row<'_>>, layout: &Layout, out: &mut Vec<u8>) {
    let mut columns = input.and_then(|row| take_header(&mut &*row.text)).unwrap_or_default();
    for column in layout.columns(input.is_some()) {
        let name = new_name(column.name, |name| columns.iter().any(|(taken, _)| taken == name));
        columns.push((name, kind_of(column.name)));
    }
    push_header(columns.iter().map(|(name, kind)| (&**name, *kind)), columns.len(), out);
}

fn push_field(value: Option<&[u8]>, out: &mut Vec<u8>) {
    out.extend(value.map_or(MISSING, |value| value.len() as u32).to_le_bytes());
    out.extend_from_slice(value.unwrap_or_default());
}

fn print(record: &Record<'_>, layout: &Layout, out: &mut Vec<u8>) {
    let mut buffer = Vec::new();
    out.extend_from_slice(record.row.map_or(&b""[..], |row| row.text));
    for column in layout.columns(record.row.is_some()) {
        buffer.clear();
        match (column.value)(record) {
            Value::Puzzle => push_echo(record, &mut buffer),
            Value::Word(text) => buffer.extend_from_slice(text),
            Value::Text(text) => buffer.extend_from_slice(text.as_bytes()),
            Value::Number(number) => push_number(number, &mut buffer),
            Value::Thousandths(number) => push_thousandths(number, &mut buffer),
            Value::Missing => {
                push_field(None, out);
                continue;
            }
        }
        push_field(Some(&buffer), out);
    }
}

/// A file with a table.
pub(super) struct ParquetFile {
    name: std::path::PathBuf,
    /// The file, until the names of the columns were read.
    file: Option<OutputFile>,
    table: Option<Table>,
    /// Bytes that are no complete header or record yet.
    begun: Vec<u8>,
}

/// The table, and its last rows, which are not in the file yet.
struct Table {
    writer: SerializedFileWriter<OutputFile>,
    columns: Vec<Column>,
    rows: usize,
    bytes: usize,
}

/// The values of a column in a group of rows, and for each row whether it has one (1) or not (0).
struct Column {
    kind: u8,
    texts: Vec<ByteArray>,
    wholes: Vec<i64>,
    reals: Vec<f64>,
    has_value: Vec<i16>,
}

impl std::fmt::Debug for ParquetFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetFile").field("name", &self.name).finish_non_exhaustive()
    }
}

impl ParquetFile {
    pub(super) fn new(file: OutputFile) -> ParquetFile {
        ParquetFile { name: file.name().to_owned(), file: Some(file), table: None, begun: Vec::new() }
    }

    /// Writes the last group of rows and the end. The file is then complete.
    pub(super) fn complete(mut self) -> Result<OutputFile, Error> {
        let closed = match self.table.take() {
            Some(mut table) => table.write_group().and_then(|()| table.writer.into_inner()).map_err(io_error),
            None => Err(io::Error::other("the table has no columns")),
        };
        closed.map_err(|error| Error::at(&self.name, ErrorKind::Write(error)))
    }

    /// Takes the header, or one record, from the start of `bytes`; returns its length. `None` if it is not complete.
    fn take(&mut self, bytes: &[u8]) -> io::Result<Option<usize>> {
        let mut rest = bytes;
        let Some(table) = &mut self.table else {
            let Some(columns) = take_header(&mut rest) else { return Ok(None) };
            let file = self.file.take().ok_or_else(|| io::Error::other("the table was not opened"))?;
            self.table = Some(Table::open(file, &columns).map_err(io_error)?);
            return Ok(Some(bytes.len() - rest.len()));
        };
        let fields: Option<Vec<_>> = table.columns.iter().map(|_| take_field(&mut rest)).collect();
        let Some(fields) = fields else { return Ok(None) };
        table.columns.iter_mut().zip(fields).for_each(|(column, field)| column.push(field));
        let len = bytes.len() - rest.len();
        (table.rows, table.bytes) = (table.rows + 1, table.bytes + len);
        if table.rows >= GROUP_ROWS || table.bytes >= GROUP_BYTES {
            table.write_group().map_err(io_error)?;
        }
        Ok(Some(len))
    }
}

impl Write for ParquetFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let mut start = 0;
        while start < all.len()
            && let Some(len) = self.take(&all[start..])?
        {
            start += len;
        }
        self.begun.extend_from_slice(&all[start..]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Outlet for ParquetFile {}

impl Sink for ParquetFile {
    fn finish(self: Box<Self>, _: End<'_>) -> Result<Completion, Error> {
        self.complete()?.finish()
    }
}

fn take_number(rest: &mut &[u8]) -> Option<u32> {
    let (number, behind) = rest.split_first_chunk::<4>()?;
    *rest = behind;
    Some(u32::from_le_bytes(*number))
}

/// The next field: `Some(None)` if it does not exist.
fn take_field<'a>(rest: &mut &'a [u8]) -> Option<Option<&'a [u8]>> {
    let len = take_number(rest)?;
    if len == MISSING {
        return Some(None);
    }
    let (field, behind) = rest.split_at_checked(len as usize)?;
    *rest = behind;
    Some(Some(field))
}

/// The names of the columns, and their types.
fn take_header(rest: &mut &[u8]) -> Option<Vec<(String, u8)>> {
    let count = take_number(rest)?;
    let column = |_| {
        let (&kind, behind) = rest.split_first()?;
        *rest = behind;
        let name = take_field(rest)?.unwrap_or_default();
        Some((String::from_utf8_lossy(name).into_owned(), kind))
    };
    (0..count).map(column).collect()
}

impl Table {
    fn open(file: OutputFile, columns: &[(String, u8)]) -> Result<Table, ParquetError> {
        let field = |(name, kind): &(String, u8)| {
            let (physical, logical) = match *kind {
                WHOLE => (Physical::INT64, None),
                REAL => (Physical::DOUBLE, None),
                _ => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            };
            let column = Type::primitive_type_builder(name, physical).with_logical_type(logical);
            column.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
        };
        let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
        let schema = Type::group_type_builder("schema").with_fields(fields).build()?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties))?;
        let columns = columns.iter().map(|(_, kind)| Column::new(*kind)).collect();
        Ok(Table { writer, columns, rows: 0, bytes: 0 })
    }

    /// Writes the rows that are not in the file yet.
    fn write_group(&mut self) -> Result<(), ParquetError> {
        if std::mem::take(&mut self.rows) == 0 {
            return Ok(());
        }
        self.bytes = 0;
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            let Some(mut written) = group.next_column()? else { break };
            let levels = Some(&*column.has_value);
            match column.kind {
                WHOLE => written.typed::<Int64Type>().write_batch(&column.wholes, levels, None)?,
                REAL => written.typed::<DoubleType>().write_batch(&column.reals, levels, None)?,
                _ => written.typed::<ByteArrayType>().write_batch(&column.texts, levels, None)?,
            };
            written.close()?;
            *column = Column::new(column.kind);
        }
        group.close().map(drop)
    }
}

fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

impl Column {
    fn new(kind: u8) -> Column {
        let (texts, wholes, reals) = (Vec::new(), Vec::new(), Vec::new());
        Column { kind, texts, wholes, reals, has_value: Vec::new() }
    }

    fn push(&mut self, field: Option<&[u8]>) {
        let number = || std::str::from_utf8(field?).ok();
        let is_there = match self.kind {
            WHOLE => number().map(|text| self.wholes.push(text.parse().unwrap_or(i64::MAX))).is_some(),
            REAL => number().map(|text| self.reals.push(text.parse().unwrap_or(f64::NAN))).is_some(),
            _ => field
                .map(|text| {
                    let text = String::from_utf8_lossy(text).into_owned();
                    self.texts.push(ByteArray::from(text.into_bytes()));
                })
                .is_some(),
        };
        self.has_value.push(i16::from(is_there));
    }
}
