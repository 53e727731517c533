//! Chunks of a source, together with the format of its records, which the first record shows.
//!
//! Chunks of comments and blank lines may come before the first record. Until then the format is one puzzle a line, in
//! which comments and blank lines are not records either. If records have several lines, the chunk with the first one
//! is extended to a record end, and all later chunks end at one.

use std::borrow::Cow;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use memchr::{memchr_iter, memrchr};

use super::answer::AnswerField;
use super::array::Array;
use super::binary::refuse_binary;
use super::chunk::{Chunks, RawChunk};
use super::cut::{Cutter, RecordRange};
use super::detect::has_carriage_returns_for_line_ends;
use super::error::{InputError, LineError};
use super::format::{self, ColumnChoice, Format, HEAD_BYTES, Header, Notation};
use super::line::{MAX_RECORD_BYTES, first_line, line_at};
use super::records::{MalformedRecord, MissingCells, Record, Records};
use super::source::{Source, SourceKind};
use crate::error::Error;

/// The chunks of a source whose format is found on the way.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    /// Whether the source is a file, which must have a puzzle. (What comes through a pipe may be a part of a set, of
    /// which each record is answered.)
    is_file: bool,
    chunks: Chunks<'a>,
    notation: Notation,
    columns: ColumnChoice,
    format: Arc<Format>,
    is_started: bool,
    is_recognised: bool,
    /// Lines of the chunks before the first record.
    lines_before: u64,
    /// The rest of an array of numpy, if this is one.
    array: Option<Array>,
    /// Leaves records out, if not all of them are read.
    cutter: Option<Cutter>,
}

/// Whole records of a source, and their format.
#[derive(Debug)]
pub(crate) struct Chunk<'a> {
    /// The bytes, line ends included; only the very last line of a source may lack one.
    pub(crate) bytes: Cow<'a, [u8]>,
    /// Offset in the source behind the last byte.
    pub(crate) end: u64,
    /// Bytes of the file that were read for it: of a compressed file not the same as `end`.
    pub(crate) position: u64,
    /// Whether the first record of the source, or the header of its table, is in this chunk.
    pub(crate) is_first: bool,
    /// Reads the records.
    pub(crate) format: Arc<Format>,
    /// Lines that were skipped right before it.
    pub(crate) skipped_lines: u64,
    /// The records that are kept, if not all of them are.
    pub(super) kept: Option<RecordRange>,
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
        let format = Arc::new(format::plain(&notation));
        let columns = source.columns.clone();
        let cutter = Cutter::new(&source.cut);
        let is_file = source.kind() != SourceKind::Stream;
        let chunks = Chunks::new(source, chunk_bytes);
        Reader {
            is_file,
            chunks,
            notation,
            columns,
            format,
            is_started: false,
            is_recognised: false,
            lines_before: 0,
            array: None,
            cutter,
        }
    }

    /// The next chunk, or `None` at the end, or behind the last record that is read. `spare` is an old buffer, which a
    /// stream fills again.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](crate::ErrorKind::Read) if the source cannot be read; an [`InputError`] if its rows cannot.
    pub(crate) fn next(&mut self, mut spare: Vec<u8>) -> Result<Option<Chunk<'a>>, Error> {
        loop {
            if self.cutter.as_ref().is_some_and(|cutter| cutter.is_done(self.is_recognised)) {
                return Ok(None);
            }
            let Some(mut chunk) = self.next_whole(spare)? else { return Ok(None) };
            let Some(cutter) = &mut self.cutter else { return Ok(Some(chunk)) };
            if let Some((kept, skipped)) = cutter.take(&chunk.bytes, &chunk.format, chunk.is_first) {
                (chunk.kept, chunk.skipped_lines) = (Some(kept), skipped);
                return Ok(Some(chunk));
            }
            spare = chunk.into_spare();
        }
    }

    /// The next chunk, whatever is kept of it.
    fn next_whole(&mut self, spare: Vec<u8>) -> Result<Option<Chunk<'a>>, Error> {
        let is_start = !std::mem::replace(&mut self.is_started, true);
        if is_start {
            self.array = Array::start(&mut self.chunks, &self.notation)?;
            if let Some(array) = &self.array {
                (self.format, self.is_recognised) = (Arc::clone(&array.format), true);
            }
        }
        if let Some(array) = &mut self.array {
            let next = array.next(&mut self.chunks, spare)?;
            return Ok(next.map(|(chunk, is_first)| Chunk::new(chunk, is_first, &self.format)));
        }
        let Some(chunk) = self.chunks.next(spare)? else { return Ok(None) };
        // A file that is mapped was looked at when it was opened. (If it is cut short then, zeros follow its end.)
        if is_start && !self.chunks.is_mapped() {
            refuse_binary(&chunk.bytes).map_err(|error| Error::at(&self.chunks.name, error))?;
        }
        if self.is_recognised {
            return Ok(Some(Chunk::new(chunk, false, &self.format)));
        }
        if is_one_line_of_many(&chunk.bytes) {
            return Err(Error::at(&self.chunks.name, InputError::CarriageReturns));
        }
        let Some(line) = first_line(&chunk.bytes) else {
            self.lines_before += memchr_iter(b'\n', &chunk.bytes).count() as u64;
            return Ok(Some(Chunk::new(chunk, false, &self.format)));
        };
        match self.recognise(chunk, line)? {
            Some(chunk) => Ok(Some(Chunk::new(chunk, true, &self.format))),
            None => self.next_whole(Vec::new()),
        }
    }

    /// Finds the format, which the first record shows, or the header of the table: the first `line` of `chunk`. Returns
    /// the chunk, extended to a record end. `None` if the source cannot be read to the end of the first record: the
    /// next chunk is the error.
    fn recognise(&mut self, chunk: RawChunk<'a>, line: Range<usize>) -> Result<Option<RawChunk<'a>>, Error> {
        // One byte more than is looked at shows that there are more.
        let start = before_spaces(&chunk.bytes, line.start);
        let behind = line.start - start;
        let head = self.chunks.ahead(&chunk, start, behind + (HEAD_BYTES + 1).max(line.len() + 2));
        let (format, fit) = format::recognise(&head, self.notation.clone(), &self.columns);
        let format = Arc::new(format);
        let misfit = header_too_long(&format, &chunk.bytes, line.start)
            .or_else(|| fit.fault(&format, &head, self.is_file));
        drop(head);
        // Less of the head than there is may show another format.
        let is_shown = format.columns.is_some()
            || format.has_many_lines
            || format.puzzle(&chunk.bytes[line.clone()], &mut Vec::new()).is_ok();
        if (misfit.is_some() || !is_shown)
            && let Some(error) = self.chunks.failure()
        {
            return Err(error);
        }
        if let Some((fault, lines, column)) = misfit {
            let before = memchr_iter(b'\n', &chunk.bytes[..start]).count() as u64;
            let error = Error::at(&self.chunks.name, fault).in_line(self.lines_before + before + lines + 1);
            return Err(match column {
                Some(column) => error.in_column(column.into()),
                None => error,
            });
        }
        let header_end = line_at(&chunk.bytes, line.start).map_or(0, |(_, next)| next);
        let skipped = match format.before_records {
            _ if format.has_header() => header_end,
            0 => start,
            bytes => line.start + bytes,
        };
        let of_records = Arc::clone(&format);
        let record_end = move |bytes: &[u8], from| of_records.record_end(bytes, from);
        let extended = self.chunks.extend(chunk, skipped, !format.shares_lines, Arc::new(record_end));
        let Some(chunk) = extended else { return Ok(None) };
        (self.is_recognised, self.format) = (true, format);
        Ok(Some(chunk))
    }
}

/// Where the lines of spaces begin that come right before byte `start` of `chunk`.
fn before_spaces(chunk: &[u8], mut start: usize) -> usize {
    while let Some(line_end) = start.checked_sub(1) {
        let before = memrchr(b'\n', &chunk[..line_end]).map_or(0, |at| at + 1);
        let line = &chunk[before..line_end];
        if line.trim_ascii_end().len() == line.len() || !line.trim_ascii().is_empty() {
            break;
        }
        start = before;
    }
    start
}

/// Whether the last line of `chunk` has no end, holds the first record of its source, and would be many lines if
/// carriage returns were line ends. `chunk` holds the first record or comes before it.
fn is_one_line_of_many(chunk: &[u8]) -> bool {
    let last = memrchr(b'\n', chunk).map_or(0, |at| at + 1);
    let is_later = first_line(chunk).is_none_or(|line| line.start >= last);
    is_later && has_carriage_returns_for_line_ends(&chunk[last..])
}

/// The fault of a table whose header, at byte `start` of `chunk`, is longer than any.
fn header_too_long(format: &Format, chunk: &[u8], start: usize) -> Option<(InputError, u64, Option<u32>)> {
    let (line, _) = line_at(chunk, start)?;
    let error = LineError::too_long(true);
    let is_too_long = format.columns.is_some() && line.len() > MAX_RECORD_BYTES;
    is_too_long.then_some((InputError::Header(error), 0, Some(error.column)))
}

impl<'a> Chunk<'a> {
    fn new(chunk: RawChunk<'a>, is_first: bool, format: &Arc<Format>) -> Chunk<'a> {
        let (RawChunk { bytes, end, position }, format) = (chunk, Arc::clone(format));
        Chunk { bytes, end, position, is_first, format, skipped_lines: 0, kept: None }
    }
}

impl Chunk<'_> {
    /// The line that names the columns of a table, if this chunk has it.
    pub(crate) fn header(&self) -> Option<Header<'_>> {
        let columns = self.format.columns.filter(|_| self.is_first)?;
        if let Some(line) = self.format.made_header.as_deref() {
            return Some(Header { line, columns });
        }
        let line = first_line(&self.bytes)?;
        Some(Header { line: &self.bytes[line], columns })
    }

    /// The first record of the source, or the header of a table, if the source begins with this chunk; empty without one.
    pub(crate) fn first_record(&self) -> &[u8] {
        let Some(line) = first_line(&self.bytes) else { return b"" };
        let behind = line.start + self.format.before_records;
        let record = self.format.record_at(&self.bytes, behind).filter(|_| self.format.before_records > 0);
        &self.bytes[record.map_or(line, |(record, _)| record)]
    }

    /// Lines of the chunk, a last line without its end included; rows, if it is a part of an array.
    pub(crate) fn lines(&self) -> u64 {
        let lines = self.format.lines(&self.bytes);
        let has_open_end = !self.format.shares_lines
            && self.bytes.last().is_some_and(|&byte| byte != b'\n')
            && self.format.line_start(&self.bytes, lines) < self.bytes.len();
        lines + u64::from(has_open_end)
    }

    /// Reads its records.
    ///
    /// # Errors
    /// [`MissingCells`] if the format gives a record without its cells.
    pub(crate) fn read(&self, records: &mut Records) -> Result<(), MissingCells> {
        records.read(&self.format, &self.bytes, self.is_first)?;
        if let Some(kept) = &self.kept {
            records.cut(kept);
        }
        Ok(())
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
    /// The records of `source`, read in chunks of `chunk_bytes` bytes. Their puzzles are written in `notation`, which
    /// the rules give.
    pub fn new(
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
    /// [`InputError::MissingCells`].
    pub fn next_chunk(&mut self) -> Result<Option<ChunkRecords<'_>>, Error> {
        self.lines_before += self.records.lines();
        let spare = self.chunk.take().map(Chunk::into_spare).unwrap_or_default();
        let Some(chunk) = self.reader.next(spare)? else { return Ok(None) };
        self.lines_before += chunk.skipped_lines;
        let read = chunk.read(&mut self.records);
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

    /// The name of the format of the records: `lines`, `csv`, `json`, `grids` or `npy`.
    pub fn format(&self) -> &'static str {
        self.chunk.format.name
    }

    /// The cells of the solution beside the puzzle of `record`, row by row: `1..=n`, 0 for a blank. `None` if the field
    /// is missing, or holds a status word or anything else that is not a grid.
    pub fn solution(&self, record: &Record<'_>) -> Option<Vec<u8>> {
        let puzzle = record.puzzle.as_ref().ok()?;
        let format = &self.chunk.format;
        let mut buffer = Vec::new();
        let field = AnswerField::read(format, record.text, &puzzle.at, &mut buffer)?;
        let mut cells = Vec::with_capacity(puzzle.cells.len());
        format.notation.read_answer(field.text, &mut cells).then_some(cells)
    }

    /// Offset in the source behind the last byte of the chunk.
    pub fn end(&self) -> u64 {
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
            (format!("{comments}id,puzzle\n1,{}\n", ".".repeat(81)), Some("csv"), 1),
            (format!("{comments}{}\n\n", row.repeat(3)).repeat(2), Some("grids"), 2),
            (format!("{comments}{}\n", ".".repeat(81)), Some("lines"), 1),
            (comments.clone(), None, 0),
        ];
        for (text, name, count) in texts {
            let mut source = Source::stream("s", std::io::Cursor::new(text.clone().into_bytes()));
            let mut reader = Reader::new(&mut source, 64, 81);
            let (mut records, mut found, mut firsts, mut headers) = (Records::default(), 0, Vec::new(), 0);
            while let Some(chunk) = reader.next(Vec::new()).unwrap() {
                chunk.read(&mut records).unwrap();
                found += records.iter(&chunk.bytes).filter(|record| record.puzzle.is_ok()).count();
                firsts.extend(chunk.is_first.then_some(chunk.format.name));
                headers += usize::from(chunk.header().is_some_and(|header| header.line == b"id,puzzle"));
            }
            assert_eq!((found, headers), (count, usize::from(name == Some("csv"))), "{text}");
            assert_eq!(firsts, Vec::from_iter(name));
        }
    }

    /// The error of the first chunk that has one, if any, of `text` in chunks of 64 bytes.
    fn first_error(text: impl Into<Vec<u8>>) -> Option<String> {
        let mut source = Source::stream("s", std::io::Cursor::new(text.into()));
        let mut reader = Reader::new(&mut source, 64, 81);
        loop {
            match reader.next(Vec::new()) {
                Ok(Some(_)) => {}
                Ok(None) => return None,
                Err(error) => return Some(error.to_string()),
            }
        }
    }

    #[test]
    fn only_the_start_of_a_source_shows_that_it_is_no_text() {
        assert!(first_error("BZh91").unwrap().starts_with("s: "));
        assert_eq!(first_error(format!("{:63}\nBZh91", "# comment")), None);
    }

    #[test]
    fn carriage_returns_for_line_ends_are_refused_before_the_first_record() {
        let puzzle = ".".repeat(81);
        let old = format!("{puzzle}\r{puzzle}\r");
        let comments = "# comment\n".repeat(20);
        for text in [
            old.clone(),
            format!("{comments}{old}"),
            format!("# c\r{old}"),
            format!("id,puzzle\r1,{}\r", "w".repeat(81)),
            format!("{}\r", ".".repeat(9)).repeat(9),
        ] {
            let error = first_error(text.clone());
            assert!(error.is_some_and(|error| error.contains("carriage return")), "{text:?}");
        }
        // The first record is on a line before it, there is only one line, or other lines are no puzzles.
        for text in [
            format!("{puzzle}\n{old}"),
            format!("{puzzle}\r"),
            format!("{puzzle}\r \t\r"),
            format!("#\n\r{puzzle}"),
            "abc\rdef\r".to_owned(),
        ] {
            assert_eq!(first_error(text.clone()), None, "{text:?}");
        }
    }

    /// The name of the puzzle column comes behind all bytes that are searched for the format.
    #[test]
    fn a_header_is_searched_whole() {
        let text = format!("{}puzzle\r\n{}\r\n", "a,".repeat(HEAD_BYTES), ".".repeat(81));
        let mut source = Source::stream("s", std::io::Cursor::new(text.into_bytes()));
        let mut reader = Reader::new(&mut source, 64, 81);
        assert_eq!(reader.next(Vec::new()).unwrap().unwrap().format.name, "csv");
    }

    #[test]
    fn the_buffer_of_a_streamed_chunk_is_used_again() {
        let mut source = Source::stream("s", std::io::Cursor::new(".".repeat(81)));
        let chunk = Reader::new(&mut source, 64, 81).next(Vec::new()).unwrap().unwrap();
        let buffer = chunk.bytes.as_ptr();
        let spare = chunk.into_spare();
        assert_eq!(spare.as_ptr(), buffer);
    }
}
