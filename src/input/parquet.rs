//! Tables in the format of Apache Parquet: read as the rows of a CSV table, with all columns as text.
//!
//! A file is read from its end, where its schema is, so it must be a file. One page of each column is in memory at a time.
//! The rows become the text of a table with commas, in which the columns of puzzles and answers are found, chosen and kept as
//! in any other table. Decoding runs in the thread that unpacks compressed files, beside the solving.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::reader::RowIter;
use parquet::record::{Field, Row};

use super::blocks::{Blocks, or_error};
use super::format::push_in_quotes;
use super::stream::PeekableStream;
use crate::compressed::{Meter, Unpacked};

/// The first bytes of such a file: the name of the format, and the start of a header.
const MAGIC: &[u8] = b"PAR1\x15";

/// Bytes of text that are made at a time.
const BLOCK_BYTES: usize = 64 * 1024;

/// Whether a file that begins with `head` is such a table. (A table of text may have a column of that name.)
pub(super) fn is_start(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// The rows of `file` as the text of a table.
pub(super) fn text(file: Arc<File>) -> PeekableStream {
    PeekableStream::again(Box::new(move || {
        let text = or_error(file.try_clone().and_then(rows));
        Unpacked::recognised(text, Arc::new(Meter::default()))
    }))
}

/// The text of a table, row after row, behind its header.
fn rows(file: File) -> io::Result<impl Read + Send> {
    let reader = SerializedFileReader::new(file).map_err(io::Error::other)?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let mut header = Vec::new();
    for column in schema.root_schema().get_fields() {
        push_field(column.name().as_bytes(), &mut header);
        header.push(b',');
    }
    end_row(0, &mut header);
    let mut rows = RowIter::from_file_into(Box::new(reader));
    Ok(Blocks::new(header, move |text| {
        while text.len() < BLOCK_BYTES
            && let Some(row) = rows.next()
        {
            push_row(&row.map_err(io::Error::other)?, text);
        }
        Ok(())
    }))
}

fn push_row(row: &Row, text: &mut Vec<u8>) {
    let start = text.len();
    for (_, field) in row.get_column_iter() {
        match field {
            Field::Null => {}
            Field::Str(value) => push_field(value.as_bytes(), text),
            Field::Bytes(value) => push_field(value.data(), text),
            other => push_field(other.to_string().as_bytes(), text),
        }
        text.push(b',');
    }
    end_row(start, text);
}

/// Puts the line end in the place of the last delimiter. A blank line would be no row.
fn end_row(start: usize, text: &mut Vec<u8>) {
    text.pop();
    if text.len() == start {
        text.extend_from_slice(b"\"\"");
    }
    text.push(b'\n');
}

/// A field, in quotes if it needs them.
fn push_field(field: &[u8], text: &mut Vec<u8>) {
    let needs_quotes = |byte: &u8| matches!(byte, b'"' | b',' | b'\n' | b'\r' | b'#');
    if field.trim_ascii().len() == field.len() && !field.iter().any(needs_quotes) {
        return text.extend_from_slice(field);
    }
    push_in_quotes(field, text);
}
