//! Compressed bytes in blocks, counted.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Bytes read at a time.
const BLOCK_BYTES: usize = 64 * 1024;

/// How far compressed bytes were read, seen from any thread.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    /// Bytes that were unpacked.
    position: AtomicU64,
    /// Whether reading failed, so that an error of the library that unpacks says nothing about the data.
    has_failed: AtomicBool,
}

impl Meter {
    /// Bytes that were unpacked.
    pub(crate) fn position(&self) -> u64 {
        self.position.load(Ordering::Relaxed)
    }

    /// Whether a read failed.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }
}

/// A reader of compressed bytes with a buffer.
pub(crate) struct MeteredReader {
    reader: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    /// The unread part of the buffer.
    start: usize,
    end: usize,
    /// The error behind the buffer.
    failed: Option<io::Error>,
    meter: Arc<Meter>,
}

impl MeteredReader {
    /// Counts what is read of `reader` with `meter`.
    pub(crate) fn new(reader: Box<dyn Read + Send>, meter: Arc<Meter>) -> MeteredReader {
        MeteredReader { reader, buffer: Vec::new(), start: 0, end: 0, failed: None, meter }
    }

    /// The next `len` bytes or more, fewer only at the end. They stay unread.
    pub(super) fn peek(&mut self, len: usize) -> io::Result<&[u8]> {
        if self.end - self.start < len {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
            self.fill()?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// Fills the buffer. It is not full only at the end, so that what a library is given does not depend on how the
    /// bytes come. An error comes behind the bytes before it.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.resize(BLOCK_BYTES, 0);
        while self.end < BLOCK_BYTES && self.failed.is_none() {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => return Ok(()),
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.failed = Some(error),
            }
        }
        if self.end > 0 {
            return Ok(());
        }
        self.meter.has_failed.store(self.failed.is_some(), Ordering::Relaxed);
        self.failed.take().map_or(Ok(()), Err)
    }
}

impl Read for MeteredReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for MeteredReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
            self.fill()?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, count: usize) {
        self.start = (self.start + count).min(self.end);
        self.meter.position.fetch_add(count as u64, Ordering::Relaxed);
    }
}
