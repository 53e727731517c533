//! Cuts a source into chunks of whole records, at fixed offsets.
//!
//! ```text
//! offset    0            C            2C           3C
//! bytes     ....\n...\n..|..\n....\n..|...\n...\n...|\n..
//! chunk     [---- 0 -------][---- 1 -----][---- 2 ---][ 3
//! ```
//! Chunk `k` ends with the first record end at or after offset `(k + 1) * C - 1`. That is any line end, or, if records
//! span several lines, the end that a [`RecordEnd`] finds. Where a chunk ends depends on the bytes alone: not on
//! threads, not on how many bytes a read returned, not on mapping. Memory is bounded: a stream keeps only the first
//! `MAX_RECORD_BYTES + 2` bytes of a line that is longer than [`MAX_RECORD_BYTES`]. They show that it is too long (one of
//! them may be a carriage return).
//!
//! The end of records is known only when the first record was seen. The first chunk is therefore cut at a line end, or
//! within a line that is too long, [`Chunks::ahead`] shows what follows it, and [`Chunks::extend`] moves its end to the
//! first record end.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use memchr::memrchr;

use super::error::read_error;
use super::format::npy::ArrayFacts;
use super::line::{MAX_RECORD_BYTES, line_end, without_mark};
use super::source::{Bytes, Source};
use super::stream::PeekableStream;
use crate::compressed::is_garbage;
use crate::error::Error;

/// Finds where a chunk may end, given `(bytes, from)`: the offset behind the first line end at or after `from` at
/// which no record is open. `bytes` begin where a record may begin. `None` if the bytes hold no such end.
///
/// More bytes must not change an end that it returns, and it must return one within a few times [`MAX_RECORD_BYTES`],
/// because the bytes of a stream are held until then.
pub(super) type RecordEnd = dyn Fn(&[u8], usize) -> Option<usize> + Send + Sync;

/// Whole records of a source.
#[derive(Debug)]
pub(super) struct RawChunk<'a> {
    /// The bytes, line ends included; only the very last line of a source may lack one.
    pub(super) bytes: Cow<'a, [u8]>,
    /// Offset in the source behind the last byte.
    pub(super) end: u64,
    /// Bytes of the file that were read for it: of a compressed file not the same as `end`.
    pub(super) position: u64,
}

/// The chunks of a source, in order.
pub(super) struct Chunks<'a> {
    /// The name of the source.
    pub(super) name: PathBuf,
    size: usize,
    record_end: Arc<RecordEnd>,
    from: From<'a>,
    /// What is known if the source is an array.
    pub(super) array: ArrayFacts,
    pass_over: Option<fn(Error)>,
}

enum From<'a> {
    Mapped { bytes: &'a [u8], start: usize },
    Stream(Stream<'a>),
}

/// A stream, and the bytes of it that were read and belong to no chunk yet.
struct Stream<'a> {
    stream: &'a mut PeekableStream,
    /// The beginning of the next chunk.
    rest: Vec<u8>,
    /// Bytes read so far.
    offset: u64,
    ended: bool,
    /// The error that ended the stream. It comes after the records before it.
    failed: Option<io::Error>,
    /// The error of bytes behind compressed data, if they are passed over.
    garbage: Option<io::Error>,
    passes_over: bool,
    /// Whether the records end with lines, of which a long one is cut.
    has_lines: bool,
}

/// Bytes of the smallest chunk. A smaller one could cut a byte-order mark in two; a smaller request is raised to
/// this.
const MIN_CHUNK_BYTES: usize = 64;

impl<'a> Chunks<'a> {
    /// The chunks of `source`, cut every `size` bytes (at least [`MIN_CHUNK_BYTES`]). A byte-order mark at the start
    /// is dropped.
    pub(super) fn new(source: &'a mut Source, size: usize) -> Chunks<'a> {
        let (name, array, pass_over) = (source.name().to_owned(), source.array.clone(), source.pass_over);
        let from = match source.bytes() {
            Bytes::Closed => From::Mapped { bytes: &[], start: 0 },
            Bytes::Mapped(map) => From::Mapped { bytes: map, start: map.len() - without_mark(map).len() },
            Bytes::Stream(stream) => From::Stream(Stream {
                stream,
                rest: Vec::new(),
                offset: 0,
                ended: false,
                failed: None,
                garbage: None,
                passes_over: pass_over.is_some(),
                has_lines: false,
            }),
        };
        let size = size.max(MIN_CHUNK_BYTES);
        Chunks { name, size, record_end: Arc::new(first_end), from, array, pass_over }
    }

    /// Whether the source is mapped into memory.
    pub(super) fn is_mapped(&self) -> bool {
        matches!(self.from, From::Mapped { .. })
    }

    /// The first `len` bytes of the source or more, fewer only if it is shorter or cannot be read on. Nothing may have
    /// been read yet.
    pub(super) fn head(&mut self, len: usize) -> &[u8] {
        match &mut self.from {
            From::Mapped { bytes, .. } => bytes,
            From::Stream(stream) => stream.stream.peek(len),
        }
    }

    /// Skips the first `len` bytes of the source. What follows are not lines, but records that end where `record_end`
    /// finds it. Nothing may have been read yet.
    ///
    /// # Errors
    /// The errors of [`next`](Self::next).
    pub(super) fn start_behind(&mut self, len: usize, record_end: Arc<RecordEnd>) -> Result<(), Error> {
        self.record_end = record_end;
        match &mut self.from {
            From::Mapped { bytes, start } => *start = len.min(bytes.len()),
            From::Stream(stream) => {
                let read = stream.stream.read(len, &mut Vec::new());
                stream.offset = read.map_err(|error| read_error(&self.name, error))? as u64;
                stream.has_lines = false;
            }
        }
        Ok(())
    }

    /// The next chunk, or `None` at the end. `spare` is an old buffer, which a stream fills again.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](crate::ErrorKind::Read) or [`InputError::Damaged`](super::InputError::Damaged) if the source
    /// cannot be read on. All complete records before that are in the chunks before.
    pub(super) fn next(&mut self, spare: Vec<u8>) -> Result<Option<RawChunk<'a>>, Error> {
        match &mut self.from {
            From::Mapped { bytes, start } => {
                let cut = last_offset(*start as u64, self.size) as usize;
                Ok(next_mapped(bytes, start, cut, &*self.record_end))
            }
            From::Stream(stream) => {
                let chunk = stream.next(self.size, spare, &*self.record_end);
                if let Some(error) = stream.failed.take_if(|_| chunk.is_none()) {
                    return Err(read_error(&self.name, error));
                }
                if let Some((say, error)) = self.pass_over.zip(stream.garbage.take_if(|_| chunk.is_none())) {
                    say(read_error(&self.name, error));
                }
                Ok(chunk)
            }
        }
    }

    /// The `len` bytes of the source from byte `from` of `chunk` on, fewer only at the end. `chunk` must be the last
    /// one returned. The bytes stay unread.
    pub(super) fn ahead<'b>(&mut self, chunk: &'b RawChunk<'a>, from: usize, len: usize) -> Cow<'b, [u8]> {
        let here = &chunk.bytes[from.min(chunk.bytes.len())..];
        if here.len() >= len {
            return Cow::Borrowed(&here[..len]);
        }
        let behind = match &mut self.from {
            From::Mapped { bytes, start } => &bytes[*start..],
            From::Stream(stream) => {
                stream.read_ahead(self.size, len - here.len());
                stream.rest.as_slice()
            }
        };
        Cow::Owned([here, &behind[..behind.len().min(len - here.len())]].concat())
    }

    /// The error that ended the source, if it could not be read on from what was looked at.
    pub(super) fn failure(&mut self) -> Option<Error> {
        let From::Stream(stream) = &mut self.from else { return None };
        stream.failed.take().map(|error| read_error(&self.name, error))
    }

    /// Sets the end of records. `chunk`, which must be the last one returned, is extended to the first such end, and
    /// every later chunk ends there too. Its first `skipped` bytes belong to no record. `has_lines`: whether records end
    /// with lines. `None` if the source cannot be read to the end of the first record: [`next`](Self::next) returns the
    /// error.
    pub(super) fn extend(
        &mut self,
        chunk: RawChunk<'a>,
        skipped: usize,
        has_lines: bool,
        record_end: Arc<RecordEnd>,
    ) -> Option<RawChunk<'a>> {
        self.record_end = Arc::clone(&record_end);
        let record_end = &move |bytes: &[u8], from: usize| {
            let skipped = skipped.min(bytes.len());
            Some(skipped + record_end(&bytes[skipped..], from.saturating_sub(skipped))?)
        };
        let len = chunk.bytes.len();
        match &mut self.from {
            From::Mapped { bytes, start } => {
                let cut = *start - 1;
                *start -= len;
                next_mapped(bytes, start, cut, record_end)
            }
            From::Stream(stream) => {
                stream.has_lines = has_lines;
                stream.extend(self.size, chunk.bytes.into_owned(), record_end)
            }
        }
    }
}

impl std::fmt::Debug for Chunks<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chunks").field("name", &self.name).field("size", &self.size).finish_non_exhaustive()
    }
}

/// Where a chunk before the first record may end: at a line end, or within a line of more than [`MAX_RECORD_BYTES`].
fn first_end(bytes: &[u8], from: usize) -> Option<usize> {
    let most = from + MAX_RECORD_BYTES;
    line_end(&bytes[..bytes.len().min(most)], from).or_else(|| Some(most).filter(|&most| most < bytes.len()))
}

/// The offset at or after which a chunk that starts at `start` ends.
fn last_offset(start: u64, size: usize) -> u64 {
    (start / size as u64 + 1) * size as u64 - 1
}

fn next_mapped<'a>(
    bytes: &'a [u8],
    start: &mut usize,
    cut: usize,
    record_end: &RecordEnd,
) -> Option<RawChunk<'a>> {
    let rest = bytes.get(*start..).filter(|rest| !rest.is_empty())?;
    let chunk = record_end(rest, cut - *start).map_or(rest, |end| &rest[..end]);
    *start += chunk.len();
    let end = *start as u64;
    Some(RawChunk { bytes: Cow::Borrowed(chunk), end, position: end })
}

impl Stream<'_> {
    fn next(&mut self, size: usize, mut chunk: Vec<u8>, record_end: &RecordEnd) -> Option<RawChunk<'static>> {
        chunk.clear();
        std::mem::swap(&mut chunk, &mut self.rest);
        // `rest` holds the bytes right before `offset`, unshortened.
        let cut = last_offset(self.offset - chunk.len() as u64, size);
        while self.offset <= cut && !self.ended {
            self.fill(&mut chunk, size);
        }
        let behind = self.offset.saturating_sub(cut).min(chunk.len() as u64);
        let from = chunk.len() - behind as usize;
        self.finish(size, chunk, from, record_end)
    }

    /// Extends `chunk`, the last one returned, to the first record end at or after its own last byte.
    fn extend(
        &mut self,
        size: usize,
        mut chunk: Vec<u8>,
        record_end: &RecordEnd,
    ) -> Option<RawChunk<'static>> {
        let from = chunk.len().saturating_sub(1);
        chunk.append(&mut self.rest);
        self.finish(size, chunk, from, record_end)
    }

    /// Ends `chunk`, which holds all bytes read so far, at the first record end from byte `from` on, or at the end of
    /// the source. The bytes behind that go to `rest`. If the source could not be read on, its last record may be cut
    /// short, and is left out.
    fn finish(
        &mut self,
        size: usize,
        mut chunk: Vec<u8>,
        mut from: usize,
        record_end: &RecordEnd,
    ) -> Option<RawChunk<'static>> {
        loop {
            if let Some(end) = record_end(&chunk, from) {
                self.rest.extend_from_slice(&chunk[end..]);
                chunk.truncate(end);
                self.cut_long_line(&mut chunk, true);
                break;
            }
            if self.failed.is_some() {
                chunk.truncate(last_record_end(&chunk, record_end));
                break;
            }
            self.cut_long_line(&mut chunk, false);
            from = from.min(chunk.len());
            if self.ended {
                break;
            }
            self.fill(&mut chunk, size);
        }
        let end = self.offset - self.rest.len() as u64;
        let position = self.stream.position().unwrap_or(end);
        if chunk.is_empty() { None } else { Some(RawChunk { bytes: Cow::Owned(chunk), end, position }) }
    }

    /// Reads until `rest` holds `len` bytes, or the source ends.
    fn read_ahead(&mut self, size: usize, len: usize) {
        let mut rest = std::mem::take(&mut self.rest);
        while rest.len() < len && !self.ended {
            self.fill(&mut rest, size);
        }
        self.rest = rest;
    }

    /// Appends the next block: `size` bytes, fewer only at the end of the source, or before an error.
    fn fill(&mut self, chunk: &mut Vec<u8>, size: usize) {
        let at_start = self.offset == 0;
        let before = chunk.len();
        self.failed = self.stream.read(size, chunk).err();
        self.garbage = self.failed.take_if(|error| self.passes_over && is_garbage(error));
        let read = chunk.len() - before;
        self.offset += read as u64;
        self.ended = read < size || self.failed.is_some();
        if at_start && before == 0 {
            chunk.drain(..chunk.len() - without_mark(chunk).len());
        }
    }

    fn cut_long_line(&self, chunk: &mut Vec<u8>, ended: bool) {
        if self.has_lines {
            cut_long_line(chunk, ended);
        }
    }
}

/// The last record end in `chunk`, or 0.
fn last_record_end(chunk: &[u8], record_end: &RecordEnd) -> usize {
    // Behind the last record end nothing is found, and before it something: a binary search.
    let (mut found, mut low, mut high) = (0, 0, chunk.len());
    while low < high {
        let middle = low.midpoint(high);
        match record_end(chunk, middle) {
            Some(end) => (found, low) = (end, end.max(middle + 1)),
            None => high = middle,
        }
    }
    found
}

/// Shortens the last line of `chunk` to two bytes more than a line may have. That is enough to see that it is too
/// long, even if the last byte counts as a part of the line end.
fn cut_long_line(chunk: &mut Vec<u8>, ended: bool) {
    let text_end = chunk.len() - usize::from(ended);
    let start = memrchr(b'\n', &chunk[..text_end]).map_or(0, |at| at + 1);
    let keep = start + MAX_RECORD_BYTES + 2;
    chunk.drain(keep.min(text_end)..text_end);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::source::tests::CountingReader;
    use std::io::{Read, Write};
    use std::sync::atomic::Ordering;

    fn cut(source: &mut Source, size: usize) -> Vec<Vec<u8>> {
        let mut chunks = Chunks::new(source, size);
        std::iter::from_fn(|| chunks.next(Vec::new()).unwrap())
            .map(|chunk| chunk.bytes.into_owned())
            .collect()
    }

    /// As `cut`, with records that end at empty lines. Checks `ahead` against `text` too.
    fn paragraphs(source: &mut Source, size: usize, text: &[u8]) -> Vec<Vec<u8>> {
        let mut chunks = Chunks::new(source, size);
        let mut found: Vec<Vec<u8>> = Vec::new();
        while let Some(mut chunk) = chunks.next(Vec::new()).unwrap() {
            if found.is_empty() {
                for (from, len) in [(0, 10), (0, 500), (3, 200), (0, 2000)] {
                    let rest = &text[from.min(chunk.bytes.len())..];
                    assert_eq!(&*chunks.ahead(&chunk, from, len), &rest[..len.min(rest.len())]);
                }
                chunk = chunks.extend(chunk, 0, true, Arc::new(paragraph_end)).unwrap();
            }
            assert_eq!(chunk.end as usize, found.concat().len() + chunk.bytes.len());
            found.push(chunk.bytes.into_owned());
        }
        found
    }

    fn paragraph_end(bytes: &[u8], from: usize) -> Option<usize> {
        (from..bytes.len())
            .find(|&at| bytes[..=at].ends_with(b"\n\n") || bytes[..=at] == *b"\n")
            .map(|at| at + 1)
    }

    /// The definition at the top of the file, byte by byte.
    fn plain(bytes: &[u8], size: usize, is_end: fn(&[u8]) -> bool) -> Vec<Vec<u8>> {
        let mut chunks = vec![Vec::new()];
        for (offset, &byte) in bytes.iter().enumerate() {
            chunks.last_mut().unwrap().push(byte);
            let start = offset + 1 - chunks.last().unwrap().len();
            if is_end(chunks.last().unwrap()) && offset >= (start / size + 1) * size - 1 {
                chunks.push(Vec::new());
            }
        }
        chunks.retain(|chunk| !chunk.is_empty());
        chunks
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
            let mapped = cut(&mut Source::mapped_in_test(file.path()), size);
            let streamed = cut(&mut Source::stream("s", Trickle(text.clone().into_bytes(), 0)), size);
            let size = size.max(MIN_CHUNK_BYTES);
            proptest::prop_assert_eq!(&mapped, &plain(text.as_bytes(), size, |chunk| chunk.ends_with(b"\n")));
            proptest::prop_assert_eq!(&streamed, &mapped);

            let stream = Trickle(text.clone().into_bytes(), 0);
            let mapped = paragraphs(&mut Source::mapped_in_test(file.path()), size, text.as_bytes());
            let streamed = paragraphs(&mut Source::stream("s", stream), size, text.as_bytes());
            let ends: fn(&[u8]) -> bool = |chunk| chunk.ends_with(b"\n\n") || chunk == b"\n";
            proptest::prop_assert_eq!(&mapped, &plain(text.as_bytes(), size, ends));
            proptest::prop_assert_eq!(&streamed, &mapped);
        }
    }

    #[test]
    fn a_long_line_is_skipped_and_not_held() {
        let long = io::repeat(b'1').take(50_000_000);
        let reader = io::Cursor::new(b"a\n".to_vec()).chain(long).chain(io::Cursor::new(b"\nb".to_vec()));
        let mut source = Source::stream("s", reader);
        let mut chunks = Chunks::new(&mut source, 4096);
        let first = chunks.next(Vec::new()).unwrap().unwrap();
        assert!(first.bytes.len() < MAX_RECORD_BYTES + 8192, "not even before its format is known");
        let first = chunks.extend(first, 0, true, Arc::new(line_end)).unwrap();
        let rest =
            std::iter::from_fn(|| chunks.next(Vec::new()).unwrap()).map(|chunk| chunk.bytes.into_owned());
        let all = [vec![first.bytes.into_owned()], rest.collect()].concat();
        assert_eq!(all.last().unwrap(), b"b");
        assert_eq!(all.concat().len(), 2 + MAX_RECORD_BYTES + 2 + 2);
    }

    #[test]
    fn a_byte_order_mark_is_dropped() {
        let reader = io::Cursor::new(b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n".to_vec());
        assert_eq!(cut(&mut Source::stream("s", reader), 1).concat(), b"a\n\xef\xbb\xbfb\n");
    }

    #[test]
    fn no_more_is_read_ahead_than_is_asked_for() {
        let (reader, read) = CountingReader::new(format!("{:1023}\n", "a").repeat(10).into_bytes());
        let mut source = Source::stream("s", reader);
        let mut chunks = Chunks::new(&mut source, 1024);
        let chunk = chunks.next(Vec::new()).unwrap().unwrap();
        assert_eq!(chunk.bytes.len(), 1024);
        assert_eq!(chunks.ahead(&chunk, 0, 2048).len(), 2048);
        assert_eq!(read.load(Ordering::Relaxed), 2048);
    }
}
