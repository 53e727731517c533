//! The rows of a table whose columns are one value a row, a batch of each column at a time.
//!
//! This takes half of the time of [`rows`](super::rows), which makes a vector of fields of every row.

use std::io;

use parquet::basic::{ConvertedType, Repetition};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{AsBytes, ByteArray, DataType};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::record::Field;
use parquet::schema::types::{ColumnDescPtr, Type};

use super::{RowRange, behind, caught, end_row, value};

/// Rows of a batch. A batch that cannot be read to its end is lost, and all pages that it needs are in memory.
const BATCH_ROWS: usize = 128;

/// Whether a column of this type is one value a row.
pub(super) fn is_flat(column: &Type) -> bool {
    column.is_primitive()
        && (!column.get_basic_info().has_repetition()
            || column.get_basic_info().repetition() != Repetition::REPEATED)
}

/// The columns of a part of a row group.
pub(super) struct Columns {
    columns: Vec<Box<dyn Column>>,
    /// Rows of the batch, and the next one of them.
    batch: usize,
    row: usize,
    /// Rows behind the batch.
    rows_left: usize,
    /// Rows of the table before the next one.
    before: u64,
}

impl Columns {
    /// The columns of `part`.
    pub(super) fn open(file: &dyn FileReader, part: RowRange) -> io::Result<Columns> {
        let group = file.get_row_group(part.group).map_err(io::Error::other)?;
        let mut columns = Vec::new();
        for at in 0..group.num_columns() {
            let mut column = open(&*group, at).map_err(|error| behind(part.before, error))?;
            column.skip(part.skipped).map_err(|error| behind(part.before, error))?;
            columns.push(column);
        }
        let rows_left = if columns.is_empty() { 0 } else { part.rows };
        Ok(Columns { columns, batch: 0, row: 0, rows_left, before: part.before })
    }

    /// Appends rows until there are `len` bytes of text; none at the end.
    pub(super) fn fill(&mut self, len: usize, text: &mut Vec<u8>) -> io::Result<()> {
        while text.len() < len {
            if self.row == self.batch {
                (self.row, self.batch) = (0, self.rows_left.min(BATCH_ROWS));
                if self.batch == 0 {
                    return Ok(());
                }
                self.rows_left -= self.batch;
                self.columns.iter_mut().for_each(|column| column.read(self.batch));
            }
            let start = text.len();
            for column in &mut self.columns {
                if let Err(error) = column.push(self.row, text) {
                    text.truncate(start);
                    return Err(behind(self.before, error));
                }
                text.push(b',');
            }
            end_row(start, text);
            self.row += 1;
            self.before += 1;
        }
        Ok(())
    }
}

/// A column of which a batch of values is in memory.
trait Column: Send {
    /// Skips rows, by whole pages where that is possible.
    fn skip(&mut self, rows: usize) -> Result<()>;

    /// Reads the next rows. An error comes with the first of them.
    fn read(&mut self, rows: usize);

    /// Appends the value of row `row` of the batch. Each row is asked for once, in order.
    fn push(&mut self, row: usize, text: &mut Vec<u8>) -> Result<()>;
}

/// Appends a value.
type Push<V> = fn(&ColumnDescPtr, &V, &mut Vec<u8>) -> Result<()>;

struct TypedColumn<T: DataType> {
    descriptor: ColumnDescPtr,
    reader: ColumnReaderImpl<T>,
    push: Push<T::T>,
    /// Of each row of the batch, whether it has a value (1) or not (0). Empty if every row must have one.
    levels: Vec<i16>,
    /// The values of those rows that have one, and the next one of them.
    values: Vec<T::T>,
    next: usize,
    /// Why there are no values.
    failed: Option<ParquetError>,
}

impl<T: DataType> Column for TypedColumn<T> {
    fn skip(&mut self, rows: usize) -> Result<()> {
        if caught(|| self.reader.skip_records(rows))? == rows { Ok(()) } else { Err(ended()) }
    }

    fn read(&mut self, rows: usize) {
        self.levels.clear();
        self.values.clear();
        self.next = 0;
        let read = caught(|| self.reader.read_records(rows, Some(&mut self.levels), None, &mut self.values));
        self.failed = read.err();
        if self.failed.is_some() {
            // The crate leaves values that it did not read.
            self.levels.clear();
            self.values.clear();
        }
    }

    fn push(&mut self, row: usize, text: &mut Vec<u8>) -> Result<()> {
        if self.descriptor.max_def_level() > 0 {
            match self.levels.get(row) {
                Some(0) => return Ok(()),
                Some(_) => {}
                None => return Err(self.failed.take().unwrap_or_else(ended)),
            }
        }
        let Some(value) = self.values.get(self.next) else {
            return Err(self.failed.take().unwrap_or_else(ended));
        };
        self.next += 1;
        (self.push)(&self.descriptor, value, text)
    }
}

fn ended() -> ParquetError {
    ParquetError::EOF("a column has fewer rows than the table".to_owned())
}

/// Column `at` of a row group.
fn open(group: &dyn RowGroupReader, at: usize) -> Result<Box<dyn Column>> {
    let descriptor = group.metadata().column(at).column_descr_ptr();
    let kind = descriptor.converted_type();
    Ok(match group.get_column_reader(at)? {
        ColumnReader::BoolColumnReader(reader) => {
            typed(descriptor, reader, |column, value, text| push(&Field::convert_bool(column, *value), text))
        }
        ColumnReader::Int32ColumnReader(reader) => {
            typed(descriptor, reader, |column, value, text| push(&Field::convert_int32(column, *value), text))
        }
        ColumnReader::Int64ColumnReader(reader) => {
            typed(descriptor, reader, |column, value, text| push(&Field::convert_int64(column, *value), text))
        }
        ColumnReader::Int96ColumnReader(reader) => {
            typed(descriptor, reader, |column, value, text| push(&Field::convert_int96(column, *value), text))
        }
        ColumnReader::FloatColumnReader(reader) => {
            typed(descriptor, reader, |column, value, text| push(&Field::convert_float(column, *value), text))
        }
        ColumnReader::DoubleColumnReader(reader) => typed(descriptor, reader, |column, value, text| {
            push(&Field::convert_double(column, *value), text)
        }),
        ColumnReader::ByteArrayColumnReader(reader) if is_text(kind) => typed(descriptor, reader, push_text),
        ColumnReader::ByteArrayColumnReader(reader) => typed(descriptor, reader, |column, value, text| {
            push(&Field::convert_byte_array(column, value.clone())?, text)
        }),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => {
            typed(descriptor, reader, |column, value, text| {
                push(&Field::convert_byte_array(column, value.clone().into())?, text)
            })
        }
    })
}

fn typed<T: DataType>(
    descriptor: ColumnDescPtr,
    reader: ColumnReaderImpl<T>,
    push: Push<T::T>,
) -> Box<dyn Column> {
    let (levels, values) = (Vec::new(), Vec::new());
    Box::new(TypedColumn { descriptor, reader, push, levels, values, next: 0, failed: None })
}

/// Whether values are text in UTF-8.
fn is_text(kind: ConvertedType) -> bool {
    matches!(kind, ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON)
}

fn push_text(column: &ColumnDescPtr, value: &ByteArray, text: &mut Vec<u8>) -> Result<()> {
    let bytes = value.as_bytes();
    if str::from_utf8(bytes).is_err() {
        return Field::convert_byte_array(column, value.clone()).map(drop);
    }
    value::push_field(bytes, text);
    Ok(())
}

fn push(field: &Field, text: &mut Vec<u8>) -> Result<()> {
    value::push(field, text).map_err(ParquetError::from)
}
