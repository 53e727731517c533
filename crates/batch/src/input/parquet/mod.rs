//! Tables in the format of Apache Parquet: read as the rows of a CSV table, with all columns as text.
//!
//! A file is read from its end, where its schema is, so it must be a file. The rows become the text of a table with
//! commas, in which the columns of puzzles and answers are found, chosen and kept as in any other table.
//!
//! # Parts, decoded in threads
//! ```text
//!   row groups   [        1        ][        2        ] ...
//!   parts        [first][     ][   ][     ][     ][   ] ...
//!                 here   \___ threads, a few at a time ___/  ---> their text, in the order of the parts
//! ```
//! A part is some rows of one row group. Its thread opens its own pages, skips those before its rows by their headers,
//! and is at most [`AHEAD_BLOCKS`] blocks of text ahead of the reader. The first part is decoded where it is read, so
//! no thread starts while only the head of a file is looked at.
//!
//! Memory: for each thread its blocks, and one page and one dictionary of each column, however long the row groups are.

mod columns;
mod positioned;
mod rows;
mod value;

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};

use self::columns::Columns;
use self::positioned::PositionedFile;
use self::rows::RowReader;
use super::blocks::{Blocks, or_error};
use super::stream::PeekableStream;
use crate::compressed::{ReadAhead, TextStream};

/// The first bytes of such a file: the name of the format, and the start of a header.
const MAGIC: &[u8] = b"PAR1\x15";

/// Bytes of text that are made at a time.
const BLOCK_BYTES: usize = 64 * 1024;

/// Bytes of the values of a part, as the file counts them. A page at an end of a part is unpacked for both parts, so a
/// part must be longer than a few pages, which have 1 MiB of each column.
const PART_BYTES: u64 = 8 << 20;

/// Parts of a row group at most. Each part reads the headers of all pages before it.
const MAX_PARTS: u64 = 256;

/// Parts that are decoded at a time, if there are as many cores.
const MAX_THREADS: usize = 4;

/// Blocks of text (of 256 KiB) of a part that wait for the reader.
const AHEAD_BLOCKS: usize = 16;

/// Whether a file that begins with `head` is such a table. (A table of text may have a column of that name.)
pub(super) fn is_start(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// The rows of `file` as the text of a table.
pub(super) fn text(file: Arc<File>) -> PeekableStream {
    let threads = galop_cover::threads::count(None).get().min(MAX_THREADS);
    PeekableStream::again(Box::new(move || {
        let text = or_error(Table::open(&file).map(|table| table.text(PART_BYTES, threads)));
        TextStream::plain(text, Arc::default())
    }))
}

/// A table whose schema was read. Threads share it.
#[derive(Clone)]
struct Table {
    file: Arc<SerializedFileReader<PositionedFile>>,
    /// Whether each column is one value a row.
    is_flat: bool,
}

/// Some rows of a row group.
#[derive(Clone, Copy, Debug)]
struct RowRange {
    group: usize,
    /// Rows of the group before it.
    skipped: usize,
    rows: usize,
    /// Rows of the table before it.
    before: u64,
}

impl Table {
    fn open(file: &Arc<File>) -> io::Result<Table> {
        let file = SerializedFileReader::new(PositionedFile::new(file)?).map_err(io::Error::other)?;
        let schema = file.metadata().file_metadata().schema_descr_ptr();
        schema.columns().iter().try_for_each(value::check)?;
        let is_flat = schema.root_schema().get_fields().iter().all(|field| columns::is_flat(field));
        Ok(Table { file: Arc::new(file), is_flat })
    }

    /// The text of the table, row after row, behind its header. A part has about `part_bytes`.
    fn text(self, part_bytes: u64, threads: usize) -> impl Read + Send + use<> {
        let header = io::Cursor::new(self.header());
        let mut parts = self.parts(part_bytes).into_iter();
        let first = parts.next().map(|part| self.part(part));
        let mut running = VecDeque::new();
        let rest = Blocks::new(move |text| {
            loop {
                while running.len() < threads
                    && let Some(part) = parts.next()
                {
                    let part = TextStream::plain(self.part(part), Arc::default());
                    running.push_back(ReadAhead::start(part, AHEAD_BLOCKS)?);
                }
                let Some(front) = running.front_mut() else { return Ok(()) };
                if front.read(BLOCK_BYTES, text)? > 0 {
                    return Ok(());
                }
                running.pop_front();
            }
        });
        header.chain(first.unwrap_or_else(|| Box::new(io::empty()))).chain(rest)
    }

    fn header(&self) -> Vec<u8> {
        let mut header = Vec::new();
        for column in self.file.metadata().file_metadata().schema_descr().root_schema().get_fields() {
            value::push_field(column.name().as_bytes(), &mut header);
            header.push(b',');
        }
        end_row(0, &mut header);
        header
    }

    /// All parts, in order.
    fn parts(&self, part_bytes: u64) -> Vec<RowRange> {
        let (mut parts, mut before) = (Vec::new(), 0);
        for (group, metadata) in self.file.metadata().row_groups().iter().enumerate() {
            let all = u64::try_from(metadata.num_rows()).unwrap_or(0);
            let bytes = u64::try_from(metadata.total_byte_size()).unwrap_or(0);
            let count = if self.is_flat { bytes.div_ceil(part_bytes).clamp(1, MAX_PARTS) } else { 1 };
            let rows = all.div_ceil(count).max(1);
            let mut skipped = 0;
            while skipped < all {
                let rows = rows.min(all - skipped);
                parts.push(RowRange { group, skipped: skipped as usize, rows: rows as usize, before });
                (skipped, before) = (skipped + rows, before.saturating_add(rows));
            }
        }
        parts
    }

    /// The text of the rows of a part.
    fn part(&self, part: RowRange) -> Box<dyn Read + Send> {
        if self.is_flat {
            or_error(
                Columns::open(&*self.file, part)
                    .map(|mut columns| Blocks::new(move |text| columns.fill(BLOCK_BYTES, text))),
            )
        } else {
            or_error(
                RowReader::open(&*self.file, part)
                    .map(|mut rows| Blocks::new(move |text| rows.fill(BLOCK_BYTES, text))),
            )
        }
    }
}

/// Puts the line end in the place of the last delimiter. A blank line would be no row.
fn end_row(start: usize, text: &mut Vec<u8>) {
    text.pop();
    if text.len() == start {
        text.extend_from_slice(b"\"\"");
    }
    text.push(b'\n');
}

/// What `read` returns. The crate panics at some pages that are damaged: that is an error too.
fn caught<T>(read: impl FnOnce() -> parquet::errors::Result<T>) -> parquet::errors::Result<T> {
    let damaged = |_| Err(ParquetError::General("a page is damaged".to_owned()));
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(damaged)
}

/// An error behind the first `rows` rows of the table.
fn behind(rows: u64, error: impl std::fmt::Display) -> io::Error {
    io::Error::other(format!("after row {rows}: {error}"))
}

#[cfg(test)]
mod tests;
