//! A stream whose first bytes can be looked at before they are read, and which is unpacked if it is compressed.

use std::borrow::Borrow;
use std::fs::File;
use std::io::{self, Cursor, Read};

use super::binary::START_BYTES;
use crate::compressed::{ReadAhead, TextStream, read_some, recognise};

/// A stream whose first bytes can be looked at before they are read.
///
/// Compressed data are unpacked on the caller's thread as long as only their head is looked at, and in a thread of
/// their own once they are read. So sources that wait for their turn have no thread.
pub(super) struct PeekableStream {
    /// Bytes that were looked at and not read yet.
    peeked: Vec<u8>,
    /// The error behind these bytes.
    failed: Option<io::Error>,
    /// Whether the end was seen. A terminal would be asked again.
    ended: bool,
    reader: Reader,
}

/// Where the bytes come from.
enum Reader {
    /// A reader whose first bytes were not looked at.
    Unknown(Box<dyn Read + Send>),
    /// A reader of text.
    Plain(Box<dyn Read + Send>),
    /// A reader of compressed data.
    Packed(TextStream),
    /// Compressed data that a thread unpacks.
    Ahead(ReadAhead),
}

impl PeekableStream {
    /// The bytes of `reader`, unpacked if they are compressed.
    pub(super) fn new(reader: Box<dyn Read + Send>) -> PeekableStream {
        PeekableStream { peeked: Vec::new(), failed: None, ended: false, reader: Reader::Unknown(reader) }
    }

    /// The text of compressed data.
    pub(super) fn packed(text: TextStream) -> PeekableStream {
        PeekableStream { peeked: Vec::new(), failed: None, ended: false, reader: Reader::Packed(text) }
    }

    /// Bytes of compressed data that were read for what was read of the text. `None` if it is not compressed.
    pub(super) fn position(&self) -> Option<u64> {
        if let Reader::Ahead(ahead) = &self.reader { Some(ahead.position()) } else { None }
    }

    /// Appends up to `len` bytes to `out`, fewer only at the end of the stream or before an error; returns how many.
    pub(super) fn read(&mut self, len: usize, out: &mut Vec<u8>) -> io::Result<usize> {
        self.recognise();
        self.read_ahead()?;
        let from_peeked = len.min(self.peeked.len());
        if from_peeked > 0 {
            out.extend(self.peeked.drain(..from_peeked));
        }
        if from_peeked == len || self.ended {
            return Ok(from_peeked);
        }
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let rest = len - from_peeked;
        Ok(from_peeked
            + match &mut self.reader {
                Reader::Unknown(reader) | Reader::Plain(reader) => read_some(reader, rest, out)?,
                Reader::Ahead(ahead) => ahead.read(rest, out)?,
                Reader::Packed(_) => 0,
            })
    }

    /// The next `len` bytes, fewer only at the end of the stream or before an error, or more if more were peeked at
    /// before. The error comes when these bytes are read.
    pub(super) fn peek(&mut self, len: usize) -> &[u8] {
        self.recognise();
        let missing = len.saturating_sub(self.peeked.len());
        if missing == 0 || self.ended || self.failed.is_some() {
            return &self.peeked;
        }
        let read = match &mut self.reader {
            Reader::Unknown(reader) | Reader::Plain(reader) => read_some(reader, missing, &mut self.peeked),
            Reader::Packed(unpacked) => read_some(unpacked, missing, &mut self.peeked),
            Reader::Ahead(ahead) => ahead.read(missing, &mut self.peeked),
        };
        self.ended = read.as_ref().is_ok_and(|read| *read < missing);
        self.failed = read.err();
        &self.peeked
    }

    /// Looks at the first bytes, if that was not done yet.
    fn recognise(&mut self) {
        let Reader::Unknown(reader) = &mut self.reader else { return };
        let mut reader = std::mem::replace(reader, Box::new(io::empty()));
        let read = read_some(&mut reader, START_BYTES, &mut self.peeked);
        let is_short = read.as_ref().is_ok_and(|read| *read < START_BYTES);
        self.failed = read.err();
        self.reader = match recognise(&self.peeked).filter(|_| self.failed.is_none()) {
            Some(codec) => {
                let head = Cursor::new(std::mem::take(&mut self.peeked));
                Reader::Packed(TextStream::new(codec, Box::new(head.chain(reader))))
            }
            None => {
                self.ended = is_short;
                Reader::Plain(reader)
            }
        };
    }

    /// Starts the thread that unpacks compressed data.
    fn read_ahead(&mut self) -> io::Result<()> {
        self.reader = match std::mem::replace(&mut self.reader, Reader::Plain(Box::new(io::empty()))) {
            Reader::Packed(unpacked) => Reader::Ahead(ReadAhead::start(unpacked)?),
            other => other,
        };
        Ok(())
    }
}

/// A part of a file, read without the file's own position: several readers share one open file.
pub(super) struct Section<F> {
    file: F,
    start: u64,
    end: u64,
}

impl<F: Borrow<File>> Section<F> {
    /// The bytes from `start` to `end`, fewer if the file ends before.
    pub(super) fn new(file: F, start: u64, end: u64) -> Section<F> {
        Section { file, start, end }
    }
}

impl<F: Borrow<File>> Read for Section<F> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.end.saturating_sub(self.start).min(out.len() as u64) as usize;
        let read = read_at(self.file.borrow(), &mut out[..len], self.start)?;
        self.start += read as u64;
        Ok(read)
    }
}

#[cfg(unix)]
fn read_at(file: &File, out: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, out, offset)
}

#[cfg(windows)]
fn read_at(file: &File, out: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, out, offset)
}
