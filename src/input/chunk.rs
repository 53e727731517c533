//! Cuts a source into chunks of whole lines, at fixed offsets.
//!
//! ```text
//! offset    0            C            2C           3C
//! bytes     ....\n...\n..|..\n....\n..|...\n...\n...|\n..
//! chunk     [---- 0 -------][---- 1 -----][---- 2 ---][ 3
//! ```
//! Chunk `k` ends with the first line end at or after offset `(k + 1) * C - 1`. Where a chunk ends depends on
//! the bytes alone: not on threads, not on how many bytes a read gave, not on mapping. Memory is bounded: of a
//! line in a stream that is longer than [`MAX_LINE_BYTES`] two bytes more are kept, enough to see that it is
//! (one of them may be a carriage return), and the rest streamed past.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::PathBuf;

use memchr::{memchr, memrchr};

use super::source::{Bytes, Source};
use crate::error::{Error, ErrorKind};

/// The longest line that is read, in bytes without its end. A longer one is a malformed record.
pub const MAX_LINE_BYTES: usize = 65_536;

/// Whole lines of a source.
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
    from: From<'a>,
}

enum From<'a> {
    Mapped { bytes: &'a [u8], start: usize },
    Stream(Stream<'a>),
}

/// Blocks read so far and not yet given out.
struct Stream<'a> {
    reader: &'a mut (dyn Read + Send),
    /// The beginning of the next chunk: what the last block held after its first line end.
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
        Chunks { name, size: size.max(MIN_CHUNK_BYTES), from }
    }

    /// The next chunk, or `None` at the end. `spare` is a buffer to use again if one is needed.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] if the source cannot be read.
    pub fn next(&mut self, spare: Vec<u8>) -> Result<Option<Chunk<'a>>, Error> {
        match &mut self.from {
            From::Mapped { bytes, start } => Ok(next_mapped(bytes, start, self.size)),
            From::Stream(stream) => {
                stream.next(self.size, spare).map_err(|error| Error::at(&self.name, ErrorKind::Read(error)))
            }
        }
    }
}

impl std::fmt::Debug for Chunks<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chunks").field("name", &self.name).field("size", &self.size).finish_non_exhaustive()
    }
}

fn next_mapped<'a>(bytes: &'a [u8], start: &mut usize, size: usize) -> Option<Chunk<'a>> {
    if *start >= bytes.len() {
        return None;
    }
    let cut = (*start / size + 1) * size - 1;
    let end = match bytes.get(cut..).map(|tail| memchr(b'\n', tail)) {
        Some(Some(line_end)) => cut + line_end + 1,
        _ => bytes.len(),
    };
    let chunk = &bytes[*start..end];
    *start = end;
    Some(Chunk { bytes: Cow::Borrowed(chunk), end: end as u64 })
}

impl Stream<'_> {
    fn next(&mut self, size: usize, mut chunk: Vec<u8>) -> io::Result<Option<Chunk<'static>>> {
        chunk.clear();
        std::mem::swap(&mut chunk, &mut self.rest);
        if chunk.is_empty() {
            self.fill(&mut chunk, size)?;
        }
        // The block that the chunk starts in is here. It ends with the first line end from that block's last
        // byte on, or with the source.
        let mut is_whole = chunk.last() == Some(&b'\n');
        while !is_whole && !self.ended {
            let block = chunk.len();
            self.fill(&mut chunk, size)?;
            if let Some(line_end) = memchr(b'\n', &chunk[block..]) {
                self.rest.extend_from_slice(&chunk[block + line_end + 1..]);
                chunk.truncate(block + line_end + 1);
                is_whole = true;
            }
            cut_long_line(&mut chunk, is_whole);
        }
        let end = self.offset - self.rest.len() as u64;
        Ok(if chunk.is_empty() { None } else { Some(Chunk { bytes: Cow::Owned(chunk), end }) })
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

    /// The definition at the top of the file, in its plainest form.
    fn plain(bytes: &[u8], size: usize) -> Vec<Vec<u8>> {
        let mut pieces = vec![Vec::new()];
        for (offset, &byte) in bytes.iter().enumerate() {
            pieces.last_mut().unwrap().push(byte);
            let start = offset + 1 - pieces.last().unwrap().len();
            if byte == b'\n' && offset >= (start / size + 1) * size - 1 {
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
            text in "([ab]{0,100}\n){0,20}[ab\n]{0,300}", size in 1usize..300,
        ) {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            let mapped = pieces(&mut Source::open(file.path(), true).unwrap(), size);
            let streamed = pieces(&mut Source::stream("s", Trickle(text.clone().into_bytes(), 0)), size);
            proptest::prop_assert_eq!(&mapped, &plain(text.as_bytes(), size.max(MIN_CHUNK_BYTES)));
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
