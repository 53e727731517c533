//! Chunks of a source, together with the format of its records, which the first record shows.
//!
//! Chunks of comments and blank lines may come before the first record. Until then the format is that of one puzzle a
//! line, in which those are not records either. If records have several lines, the chunk with the first one is
//! extended to a record end, and all later chunks end at one.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use memchr::{memchr_iter, memrchr};

use super::binary::refuse_binary;
use super::chunk::{Chunks, RawChunk, line_end};
use super::detect::has_carriage_returns_for_line_ends;
use super::error::{InputError, LineError, LineErrorKind, NpyFault};
use super::format::npy::{self, Npy, SEARCHED_BYTES};
use super::format::{self, Format, HEAD_BYTES, Header, ManyLines, Notation};
use super::line::{MAX_LINE_BYTES, first_line, line_at};
use super::records::{MalformedRecord, Record, Records};
use super::source::Source;
use crate::error::Error;
use crate::grid::Rules;

/// The chunks of a source whose format is found on the way.
pub(crate) struct Reader<'a> {
    chunks: Chunks<'a>,
    notation: Notation,
    format: Arc<dyn Format>,
    is_started: bool,
    is_recognised: bool,
    /// Lines of the chunks before the first record.
    lines_before: u64,
    /// What is left of an array of numpy, if this is one.
    array: Option<Array>,
}

/// The rows of an array of numpy that are still to come.
struct Array {
    rows: u64,
    rows_left: u64,
    stride: u64,
    /// Where the next row begins.
    offset: u64,
    /// Bytes behind the rows that were read last.
    unread: u64,
    is_first: bool,
}

/// Whole records of a source, and their format.
pub(crate) struct Chunk<'a> {
    /// The bytes, line ends included; only the very last line of a source may lack one.
    pub(crate) bytes: Cow<'a, [u8]>,
    /// Offset in the source behind the last byte.
    pub(crate) end: u64,
    /// Whether the first record of the source, or the header of its table, is in this chunk.
    pub(crate) is_first: bool,
    /// Reads the records.
    pub(crate) format: Arc<dyn Format>,
}

impl<'a> Reader<'a> {
    /// The chunks of `source`, cut every `chunk_bytes` bytes. The notation may be given as a number of cells: 81 means
    /// nine by nine digits.
    pub(crate) fn new(
        source: &'a mut Source,
        chunk_bytes: usize,
        notation: impl Into<Notation>,
    ) -> Reader<'a> {
        let notation = notation.into();
        let format = format::recognise(b"", notation.clone()).into();
        let chunks = Chunks::new(source, chunk_bytes);
        Reader {
            chunks,
            notation,
            format,
            is_started: false,
            is_recognised: false,
            lines_before: 0,
            array: None,
        }
    }

    /// The next chunk, or `None` at the end. `spare` is an old buffer, which a stream fills again.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](crate::ErrorKind::Read) if the source cannot be read; an [`InputError`] if its rows cannot.
    pub(crate) fn next(&mut self, spare: Vec<u8>) -> Result<Option<Chunk<'a>>, Error> {
        let is_start = !std::mem::replace(&mut self.is_started, true);
        if is_start {
            self.start_array()?;
        }
        if self.array.is_some() {
            return self.next_rows(spare);
        }
        let Some(mut chunk) = self.chunks.next(spare)? else { return Ok(None) };
        if is_start {
            refuse_binary(&chunk.bytes).map_err(|error| Error::at(self.chunks.name(), error))?;
        }
        if !self.is_recognised && is_one_line_of_many(&chunk.bytes) {
            return Err(Error::at(self.chunks.name(), InputError::CarriageReturns));
        }
        let mut is_first = false;
        if !self.is_recognised
            && let Some(line) = first_line(&chunk.bytes)
        {
            is_first = true;
            // One byte more than is looked at shows that there are more.
            let head = self.chunks.ahead(&chunk, line.start, (HEAD_BYTES + 1).max(line.len() + 2))?;
            let format: Arc<dyn Format> = format::recognise(&head, self.notation.clone()).into();
            drop(head);
            if format.columns().is_some()
                && let Some(fault) = header_fault(format.as_ref(), &chunk.bytes, line.start)
            {
                let lines = memchr_iter(b'\n', &chunk.bytes[..line.start]).count() as u64;
                let column = if let InputError::Header(error) = &fault { Some(error.column) } else { None };
                let error = Error::at(self.chunks.name(), fault).in_line(self.lines_before + lines + 1);
                return Err(match column {
                    Some(column) => error.in_column(column.into()),
                    None => error,
                });
            }
            if format.of_many_lines().is_some() {
                let format = Arc::clone(&format);
                let record_end = move |bytes: &[u8], from| match format.of_many_lines() {
                    Some(many) => many.record_end(bytes, from),
                    None => line_end(bytes, from),
                };
                chunk = self.chunks.extend(chunk, Box::new(record_end))?;
            }
            (self.is_recognised, self.format) = (true, format);
        }
        if !self.is_recognised {
            self.lines_before += memchr_iter(b'\n', &chunk.bytes).count() as u64;
        }
        let RawChunk { bytes, end } = chunk;
        Ok(Some(Chunk { bytes, end, is_first, format: Arc::clone(&self.format) }))
    }

    /// Reads the header if the source is an array of numpy.
    fn start_array(&mut self) -> Result<(), Error> {
        let name = self.chunks.name().to_owned();
        let at = |fault: NpyFault| Error::at(&name, InputError::from(fault));
        let head = |len| Ok(self.chunks.head(len)?.iter().copied().take(len).collect());
        let Some(header) = npy::header_of(head, at)? else { return Ok(()) };
        if header.cells != self.notation.cells {
            return Err(at(NpyFault::Cells { found: header.cells, expected: self.notation.cells }));
        }
        let blank = match self.chunks.npy_blank() {
            Some(blank) => blank,
            None => {
                let head = self.chunks.head(header.len + SEARCHED_BYTES)?;
                let data = &head[header.len..head.len().min(header.len + SEARCHED_BYTES)];
                header.blank(&data[..data.len().min(header.rows as usize * header.stride())])
            }
        };
        let format = Npy::new(&header, self.notation.clone(), blank);
        let rows = Npy::new(&header, self.notation.clone(), blank);
        (self.format, self.is_recognised) = (Arc::new(format), true);
        self.chunks.start_behind(header.len, Box::new(move |bytes, from| rows.record_end(bytes, from)))?;
        self.array = Some(Array {
            rows: header.rows,
            rows_left: header.rows,
            stride: header.stride() as u64,
            offset: header.len as u64,
            unread: 0,
            is_first: true,
        });
        Ok(())
    }

    /// The next chunk of an array. What is wrong with its end is an error once all complete rows were returned.
    fn next_rows(&mut self, spare: Vec<u8>) -> Result<Option<Chunk<'a>>, Error> {
        let Some(array) = &mut self.array else { return Ok(None) };
        let chunk = self.chunks.next(spare)?;
        let found = chunk.as_ref().map_or(0, |chunk| chunk.bytes.len() as u64);
        let rows = (found / array.stride).min(array.rows_left);
        if let Some(chunk) = chunk.filter(|_| rows > 0) {
            array.rows_left -= rows;
            array.offset += rows * array.stride;
            let len = (rows * array.stride) as usize;
            let bytes = match chunk.bytes {
                Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..len]),
                Cow::Owned(mut bytes) => {
                    bytes.truncate(len);
                    Cow::Owned(bytes)
                }
            };
            let is_first = std::mem::take(&mut array.is_first);
            // Bytes behind the last complete row: the next call returns them as an error.
            array.unread = found - rows * array.stride;
            return Ok(Some(Chunk { bytes, end: array.offset, is_first, format: Arc::clone(&self.format) }));
        }
        let unread = array.unread + found;
        let Array { rows, rows_left, offset, .. } = *array;
        let fault = match rows_left {
            0 if unread == 0 => return Ok(None),
            0 => NpyFault::Continues { offset, rows },
            _ => NpyFault::Ends { offset: offset + unread, row: rows - rows_left + 1, rows },
        };
        Err(Error::at(self.chunks.name(), InputError::from(fault)))
    }

    /// The name of the format, once the first record was read.
    pub(crate) fn format(&self) -> Option<&'static str> {
        self.is_recognised.then(|| self.format.name())
    }
}

/// Whether `chunk`, which holds the first record of a source or comes before it, ends in a line without end that has the
/// first record, and would be many lines if carriage returns were line ends.
fn is_one_line_of_many(chunk: &[u8]) -> bool {
    let last = memrchr(b'\n', chunk).map_or(0, |at| at + 1);
    let is_later = first_line(chunk).is_none_or(|line| line.start >= last);
    is_later && has_carriage_returns_for_line_ends(&chunk[last..])
}

/// What is wrong with the header of a table, which begins at byte `start` of its chunk.
fn header_fault(format: &dyn Format, chunk: &[u8], start: usize) -> Option<InputError> {
    let (line, _) = line_at(chunk, start)?;
    if line.len() > MAX_LINE_BYTES {
        let limit = MAX_LINE_BYTES as u32;
        let kind = LineErrorKind::RowTooLong { limit };
        return Some(InputError::Header(LineError { column: limit + 1, kind }));
    }
    format.header_fault().cloned()
}

impl Chunk<'_> {
    /// The line that names the columns of a table, if this chunk has it.
    pub(crate) fn header(&self) -> Option<Header<'_>> {
        let columns = self.format.columns().filter(|_| self.is_first)?;
        let line = first_line(&self.bytes)?;
        Some(Header { line: &self.bytes[line], columns })
    }

    /// The buffer, for the next chunk of a stream.
    pub(crate) fn into_spare(self) -> Vec<u8> {
        match self.bytes {
            Cow::Owned(bytes) => bytes,
            Cow::Borrowed(_) => Vec::new(),
        }
    }
}

/// The records of a source, chunk by chunk, on the caller's thread.
#[derive(Debug)]
pub struct RecordReader<'a> {
    name: PathBuf,
    reader: Reader<'a>,
    chunk: Option<Chunk<'a>>,
    records: Records,
    /// Lines of all chunks before the current one.
    lines_before: u64,
}

impl<'a> RecordReader<'a> {
    /// The records of `source`, puzzles of `rules`, read in chunks of `chunk_bytes` bytes.
    pub fn new(source: &'a mut Source, chunk_bytes: usize, rules: &Rules) -> RecordReader<'a> {
        RecordReader::in_notation(source, chunk_bytes, rules)
    }

    /// The records of `source`, which are written in this notation.
    pub(crate) fn in_notation(
        source: &'a mut Source,
        chunk_bytes: usize,
        notation: impl Into<Notation>,
    ) -> RecordReader<'a> {
        let name = source.name().to_owned();
        let reader = Reader::new(source, chunk_bytes, notation);
        RecordReader { name, reader, chunk: None, records: Records::default(), lines_before: 0 }
    }

    /// Reads the next chunk; `None` at the end.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](crate::ErrorKind::Read) if the source cannot be read;
    /// [`InputError::MissingCells`](super::InputError::MissingCells).
    pub fn next_chunk(&mut self) -> Result<Option<ChunkRecords<'_>>, Error> {
        self.lines_before += self.records.lines();
        let spare = self.chunk.take().map(Chunk::into_spare).unwrap_or_default();
        let Some(chunk) = self.reader.next(spare)? else { return Ok(None) };
        let read = self.records.read(chunk.format.as_ref(), &chunk.bytes, chunk.is_first);
        read.map_err(|missing| missing.at(&self.name, self.lines_before))?;
        let chunk = self.chunk.insert(chunk);
        Ok(Some(ChunkRecords {
            name: &self.name,
            chunk,
            records: &self.records,
            lines_before: self.lines_before,
        }))
    }
}

/// The records of one chunk, and their place in the source.
#[derive(Clone, Copy, Debug)]
pub struct ChunkRecords<'a> {
    name: &'a PathBuf,
    chunk: &'a Chunk<'a>,
    records: &'a Records,
    lines_before: u64,
}

impl<'a> ChunkRecords<'a> {
    /// Every record with its puzzle, in order.
    pub fn iter(&self) -> impl Iterator<Item = Record<'a>> {
        self.records.iter(&self.chunk.bytes)
    }

    /// The name of the format of the records: `lines`, `csv`, `grids` or `npy`.
    pub fn format(&self) -> &'static str {
        self.chunk.format.name()
    }

    /// The cells of the solution beside the puzzle of `record`, row by row: `1..=n`, 0 for a blank. `None` if the field
    /// is missing, or holds a status word or anything else that is not a grid.
    pub fn solution(&self, record: &Record<'_>) -> Option<Vec<u8>> {
        let puzzle = record.puzzle.as_ref().ok()?;
        let format = self.chunk.format.as_ref();
        let field = &record.text[format.solution(record.text, puzzle.at.clone())?];
        let mut cells = Vec::new();
        let at = format::recognise(b"", format.notation().clone()).puzzle(field, &mut cells).ok()?;
        (at == (0..field.len())).then_some(cells)
    }

    /// Offset in the source behind the last byte of the chunk.
    #[cfg(feature = "report")]
    pub(crate) fn end(&self) -> u64 {
        self.chunk.end
    }

    /// The line of `record` in the source, from 1.
    pub fn line(&self, record: &Record<'_>) -> u64 {
        self.lines_before + record.line + 1
    }

    /// A malformed `record` and its place.
    pub fn malformed(&self, record: &Record<'_>, error: LineError) -> MalformedRecord {
        MalformedRecord { path: self.name.clone(), line: self.line(record), error }
    }
}

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader")
            .field("chunks", &self.chunks)
            .field("format", &self.format())
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Chunk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chunk")
            .field("end", &self.end)
            .field("is_first", &self.is_first)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Comments that fill chunks, then a table, a grid over several lines, or plain lines: each is read from its first
    /// record on.
    #[test]
    fn the_first_record_shows_the_format_however_late_it_comes() {
        let comments = "# nothing yet\n".repeat(50);
        let row = "4.....8.5\n.3.......\n...7.....\n";
        let texts = [
            (format!("{comments}id,puzzle\n1,{}\n", ".".repeat(81)), "csv", 1),
            (format!("{comments}{}\n\n", row.repeat(3)).repeat(2), "grids", 2),
            (format!("{comments}{}\n", ".".repeat(81)), "lines", 1),
            (comments.clone(), "", 0),
        ];
        for (text, name, count) in texts {
            let mut source = Source::stream("s", std::io::Cursor::new(text.clone().into_bytes()));
            let mut reader = Reader::new(&mut source, 64, 81);
            let (mut records, mut found, mut firsts, mut headers) = (Records::default(), 0, 0, 0);
            while let Some(chunk) = reader.next(Vec::new()).unwrap() {
                records.read(chunk.format.as_ref(), &chunk.bytes, chunk.is_first).unwrap();
                found += records.iter(&chunk.bytes).filter(|record| record.puzzle.is_ok()).count();
                firsts += usize::from(chunk.is_first);
                headers += usize::from(chunk.header().is_some_and(|header| header.line == b"id,puzzle"));
            }
            assert_eq!((reader.format().unwrap_or_default(), found), (name, count), "{text}");
            assert_eq!((firsts, headers), (usize::from(count > 0), usize::from(name == "csv")));
        }
    }

    #[test]
    fn records_know_their_lines_in_the_source() {
        let text = format!("# a comment\n{}\n\nwrong\n", ".".repeat(81)).repeat(10);
        let mut source = Source::stream("s", std::io::Cursor::new(text.clone().into_bytes()));
        let mut reader = RecordReader::in_notation(&mut source, 64, 81);
        let (mut lines, mut malformed, mut end) = (Vec::new(), Vec::new(), 0);
        while let Some(records) = reader.next_chunk().unwrap() {
            for record in records.iter() {
                lines.push(records.line(&record));
                malformed
                    .extend(record.puzzle.as_ref().err().map(|error| records.malformed(&record, *error)));
            }
            end = records.end();
        }
        assert_eq!(lines, (1..=40).filter(|line| line % 2 == 0).collect::<Vec<u64>>());
        assert_eq!((malformed.len(), malformed[9].line, end), (10, 40, text.len() as u64));
        assert!(malformed[0].to_string().starts_with("s:4:1: unexpected `w`"), "{}", malformed[0]);
    }
}
