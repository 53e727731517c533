//! Cuts a source into chunks of whole records, at fixed offsets.
//!
//! ```text
//! offset    0            C            2C           3C
//! bytes     ....\n...\n..|..\n....\n..|...\n...\n...|\n..
//! chunk     [---- 0 -------][---- 1 -----][---- 2 ---][ 3
//! ```
//! Chunk `k` ends with the first record end at or after offset `(k + 1) * C - 1`: mostly any line end, and where
//! records reach over several lines the end that a [`RecordEnd`] finds. Where a chunk ends depends on
//! the bytes alone: not on threads, not on how many bytes a read gave, not on mapping. Memory is bounded: of a
//! line in a stream that is longer than [`MAX_LINE_BYTES`] two bytes more are kept, enough to see that it is
//! (one of them may be a carriage return), and the rest streamed past.
//!
//! How records end is known only when a chunk was looked at: the first one is cut at a line end, what follows it
//! can be seen with [`Chunks::ahead`], and [`Chunks::extend`] then takes it as far as it should have gone.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::PathBuf;

use memchr::{memchr, memrchr};

use super::source::{Bytes, Source};
use crate::error::{Error, ErrorKind};

/// The longest line that is read, in bytes without its end. A longer one is a malformed record.
pub const MAX_LINE_BYTES: usize = 65_536;

/// Finds where a chunk may end: one behind the first line end at or after offset `from` of `bytes`, which begin
/// where a record may, that leaves no record open. `None` if there is none among the bytes.
///
/// It must look at no more than the line ends up to the one it finds, and find one within a few times
/// [`MAX_LINE_BYTES`]: what a stream gave is held until then.
pub type RecordEnd = fn(bytes: &[u8], from: usize) -> Option<usize>;

/// The [`RecordEnd`] where every line may be a record.
pub fn line_end(bytes: &[u8], from: usize) -> Option<usize> {
    memchr(b'\n', bytes.get(from..)?).map(|at| from + at + 1)
}

/// Whole records of a source.
#[derive(Debug)]
pub struct Chunk<'a> {
    /// The bytes, line ends included; only the very last line of a source may lack one.
    pub bytes: Cow<'a, [u8]>,
    /// Offset in the source behind the last byte.
    pub end: u64,
}

/// The chunks of a source, in order.
pub struct Chunks<'a> {
    name: PathBuf,
    size: usize,
    record_end: RecordEnd,
    from: From<'a>,
}

enum From<'a> {
    Mapped { bytes: &'a [u8], start: usize },
    Stream(Stream<'a>),
}

/// Blocks read so far and not yet given out.
struct Stream<'a> {
    reader: &'a mut (dyn Read + Send),
    /// The beginning of the next chunk: what was read after the end of the last one.
    rest: Vec<u8>,
    offset: u64,
    ended: bool,
}

/// Smaller chunks would be no use, and might cut a byte-order mark in two.
const MIN_CHUNK_BYTES: usize = 64;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl<'a> Chunks<'a> {
    /// The chunks of `source`, cut every `size` bytes (at least 64). A byte-order mark at the start is dropped.
    pub fn new(source: &'a mut Source, size: usize) -> Chunks<'a> {
        let (name, bytes) = source.parts();
        let name = name.to_owned();
        let from = match bytes {
            Bytes::Mapped(map) => {
                let start = if map.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
                From::Mapped { bytes: map, start }
            }
            Bytes::Stream(reader) => {
                From::Stream(Stream { reader: &mut **reader, rest: Vec::new(), offset: 0, ended: false })
            }
        };
        Chunks { name, size: size.max(MIN_CHUNK_BYTES), record_end: line_end, from }
    }

    /// The next chunk, or `None` at the end. `spare` is a buffer to use again if one is needed.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] if the source cannot be read.
    pub fn next(&mut self, spare: Vec<u8>) -> Result<Option<Chunk<'a>>, Error> {
        match &mut self.from {
            From::Mapped { bytes, start } => {
                let cut = last_offset(*start as u64, self.size) as usize;
                Ok(next_mapped(bytes, start, cut, self.record_end))
            }
            From::Stream(stream) => {
                let chunk = stream.next(self.size, spare, self.record_end);
                chunk.map_err(|error| Error::at(&self.name, ErrorKind::Read(error)))
            }
        }
    }

    /// What the source holds from byte `from` of `chunk`, the last one given, on: `len` bytes, fewer only at the
    /// end. Nothing is taken away.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] if the source cannot be read.
    pub fn ahead<'b>(
        &mut self,
        chunk: &'b Chunk<'a>,
        from: usize,
        len: usize,
    ) -> Result<Cow<'b, [u8]>, Error> {
        let here = &chunk.bytes[from.min(chunk.bytes.len())..];
        if here.len() >= len {
            return Ok(Cow::Borrowed(&here[..len]));
        }
        let behind = match &mut self.from {
            From::Mapped { bytes, start } => &bytes[*start..],
            From::Stream(stream) => {
                let read = stream.read_ahead(self.size, len - here.len());
                read.map_err(|error| Error::at(&self.name, ErrorKind::Read(error)))?;
                stream.rest.as_slice()
            }
        };
        Ok(Cow::Owned([here, &behind[..behind.len().min(len - here.len())]].concat()))
    }

    /// From now on records end where `record_end` says: `chunk`, the last one given, goes on to the first such
    /// end, and so does every later one.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] if the source cannot be read.
    pub fn extend(&mut self, chunk: Chunk<'a>, record_end: RecordEnd) -> Result<Chunk<'a>, Error> {
        self.record_end = record_end;
        let len = chunk.bytes.len();
        let extended = match &mut self.from {
            From::Mapped { bytes, start } => {
                let cut = *start - 1;
                *start -= len;
                next_mapped(bytes, start, cut, record_end)
            }
            From::Stream(stream) => stream
                .extend(self.size, chunk.bytes.into_owned(), record_end)
                .map_err(|error| Error::at(&self.name, ErrorKind::Read(error)))?,
        };
        // The chunk was there before.
        Ok(extended.unwrap_or(Chunk { bytes: Cow::Borrowed(&[]), end: chunk.end }))
    }
}

impl std::fmt::Debug for Chunks<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chunks").field("name", &self.name).field("size", &self.size).finish_non_exhaustive()
    }
}

/// The offset at or after which the chunk that starts at `start` ends.
fn last_offset(start: u64, size: usize) -> u64 {
    (start / size as u64 + 1) * size as u64 - 1
}

fn next_mapped<'a>(
    bytes: &'a [u8],
    start: &mut usize,
    cut: usize,
    record_end: RecordEnd,
) -> Option<Chunk<'a>> {
    let rest = bytes.get(*start..).filter(|rest| !rest.is_empty())?;
    let chunk = record_end(rest, cut - *start).map_or(rest, |end| &rest[..end]);
    *start += chunk.len();
    Some(Chunk { bytes: Cow::Borrowed(chunk), end: *start as u64 })
}

impl Stream<'_> {
    fn next(
        &mut self,
        size: usize,
        mut chunk: Vec<u8>,
        record_end: RecordEnd,
    ) -> io::Result<Option<Chunk<'static>>> {
        chunk.clear();
        std::mem::swap(&mut chunk, &mut self.rest);
        // What was kept back is as it was read, so that it reaches back from the offset of what is read next.
        let cut = last_offset(self.offset - chunk.len() as u64, size);
        while self.offset <= cut && !self.ended {
            self.fill(&mut chunk, size)?;
        }
        let behind = self.offset.saturating_sub(cut).min(chunk.len() as u64);
        let from = chunk.len() - behind as usize;
        self.finish(size, chunk, from, record_end)
    }

    /// `chunk`, the last one given, up to the first record end from its own last byte on.
    fn extend(
        &mut self,
        size: usize,
        mut chunk: Vec<u8>,
        record_end: RecordEnd,
    ) -> io::Result<Option<Chunk<'static>>> {
        let from = chunk.len().saturating_sub(1);
        chunk.append(&mut self.rest);
        self.finish(size, chunk, from, record_end)
    }

    /// Ends `chunk`, which holds everything that was read, with the first record end from byte `from` on, or with
    /// the source. What it holds behind that is kept back.
    fn finish(
        &mut self,
        size: usize,
        mut chunk: Vec<u8>,
        mut from: usize,
        record_end: RecordEnd,
    ) -> io::Result<Option<Chunk<'static>>> {
        loop {
            if let Some(end) = record_end(&chunk, from) {
                self.rest.extend_from_slice(&chunk[end..]);
                chunk.truncate(end);
                cut_long_line(&mut chunk, true);
                break;
            }
            cut_long_line(&mut chunk, false);
            from = from.min(chunk.len());
            if self.ended {
                break;
            }
            self.fill(&mut chunk, size)?;
        }
        let end = self.offset - self.rest.len() as u64;
        Ok(if chunk.is_empty() { None } else { Some(Chunk { bytes: Cow::Owned(chunk), end }) })
    }

    /// Reads until `len` bytes are kept back, or the source ends.
    fn read_ahead(&mut self, size: usize, len: usize) -> io::Result<()> {
        let mut rest = std::mem::take(&mut self.rest);
        let mut read = Ok(());
        while read.is_ok() && rest.len() < len && !self.ended {
            read = self.fill(&mut rest, size);
        }
        self.rest = rest;
        read
    }

    /// Appends the next block: `size` bytes, fewer only at the end.
    fn fill(&mut self, chunk: &mut Vec<u8>, size: usize) -> io::Result<()> {
        let at_start = self.offset == 0;
        let before = chunk.len();
        let read = Read::take(&mut self.reader, size as u64).read_to_end(chunk)?;
        self.offset += read as u64;
        self.ended = read < size;
        if at_start && chunk.starts_with(BYTE_ORDER_MARK) && before == 0 {
            chunk.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(())
    }
}

/// Shortens the last line of `chunk` to two bytes more than a line may have: enough to see that it is too long,
/// even if the last of them is taken for a part of the line end.
fn cut_long_line(chunk: &mut Vec<u8>, ended: bool) {
    let text_end = chunk.len() - usize::from(ended);
    let start = memrchr(b'\n', &chunk[..text_end]).map_or(0, |at| at + 1);
    let keep = start + MAX_LINE_BYTES + 2;
    if text_end > keep {
        chunk.drain(keep..text_end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn pieces(source: &mut Source, size: usize) -> Vec<Vec<u8>> {
        let mut chunks = Chunks::new(source, size);
        std::iter::from_fn(|| chunks.next(Vec::new()).unwrap())
            .map(|chunk| chunk.bytes.into_owned())
            .collect()
    }

    /// As `pieces`, with records that end at empty lines; what can be seen ahead is `text` to its end.
    fn paragraphs(source: &mut Source, size: usize, text: &[u8]) -> Vec<Vec<u8>> {
        let mut chunks = Chunks::new(source, size);
        let mut pieces: Vec<Vec<u8>> = Vec::new();
        while let Some(mut chunk) = chunks.next(Vec::new()).unwrap() {
            if pieces.is_empty() {
                for (from, len) in [(0, 10), (0, 500), (3, 200), (0, 2000)] {
                    let rest = &text[from.min(chunk.bytes.len())..];
                    assert_eq!(chunks.ahead(&chunk, from, len).unwrap(), &rest[..len.min(rest.len())]);
                }
                chunk = chunks.extend(chunk, paragraph_end).unwrap();
            }
            assert_eq!(chunk.end as usize, pieces.concat().len() + chunk.bytes.len());
            pieces.push(chunk.bytes.into_owned());
        }
        pieces
    }

    fn paragraph_end(bytes: &[u8], from: usize) -> Option<usize> {
        (from..bytes.len())
            .find(|&at| bytes[..=at].ends_with(b"\n\n") || bytes[..=at] == *b"\n")
            .map(|at| at + 1)
    }

    /// The definition at the top of the file, in its plainest form.
    fn plain(bytes: &[u8], size: usize, is_end: fn(&[u8]) -> bool) -> Vec<Vec<u8>> {
        let mut pieces = vec![Vec::new()];
        for (offset, &byte) in bytes.iter().enumerate() {
            pieces.last_mut().unwrap().push(byte);
            let start = offset + 1 - pieces.last().unwrap().len();
            if is_end(pieces.last().unwrap()) && offset >= (start / size + 1) * size - 1 {
                pieces.push(Vec::new());
            }
        }
        pieces.retain(|piece| !piece.is_empty());
        pieces
    }

    /// A reader that gives one to three bytes at a time.
    struct Trickle(Vec<u8>, usize);

    impl Read for Trickle {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = (1 + self.1 % 3).min(self.0.len() - self.1).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[self.1..][..count]);
            self.1 += count;
            Ok(count)
        }
    }

    proptest::proptest! {
        #[test]
        fn mapped_and_streamed_chunks_are_those_of_the_definition(
            text in "([ab]{0,100}\n){0,20}(\n?[ab]{0,30}\n){0,20}[ab\n]{0,300}", size in 1usize..300,
        ) {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            let mapped = pieces(&mut Source::open(file.path(), true).unwrap(), size);
            let streamed = pieces(&mut Source::stream("s", Trickle(text.clone().into_bytes(), 0)), size);
            let size = size.max(MIN_CHUNK_BYTES);
            proptest::prop_assert_eq!(&mapped, &plain(text.as_bytes(), size, |piece| piece.ends_with(b"\n")));
            proptest::prop_assert_eq!(&streamed, &mapped);

            let stream = Trickle(text.clone().into_bytes(), 0);
            let mapped = paragraphs(&mut Source::open(file.path(), true).unwrap(), size, text.as_bytes());
            let streamed = paragraphs(&mut Source::stream("s", stream), size, text.as_bytes());
            let ends: fn(&[u8]) -> bool = |piece| piece.ends_with(b"\n\n") || piece == b"\n";
            proptest::prop_assert_eq!(&mapped, &plain(text.as_bytes(), size, ends));
            proptest::prop_assert_eq!(&streamed, &mapped);
        }
    }

    #[test]
    fn a_long_line_is_streamed_past_and_not_held() {
        let long = io::repeat(b'1').take(50_000_000);
        let reader = io::Cursor::new(b"a\n".to_vec()).chain(long).chain(io::Cursor::new(b"\nb".to_vec()));
        let pieces = pieces(&mut Source::stream("s", reader), 4096);
        assert_eq!(pieces.last().unwrap(), b"b");
        assert_eq!(pieces.concat().len(), 2 + MAX_LINE_BYTES + 2 + 2);
    }

    #[test]
    fn a_byte_order_mark_is_dropped() {
        let reader = io::Cursor::new(b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n".to_vec());
        assert_eq!(pieces(&mut Source::stream("s", reader), 1).concat(), b"a\n\xef\xbb\xbfb\n");
    }
}
