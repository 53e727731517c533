//! A reader of bytes that are made a block at a time.

use std::io::{self, Cursor, Read};

use crate::compressed::Failure;

/// Reads what `fill` makes: it puts the next block, nothing at the end, into an empty buffer. Its error comes behind
/// the bytes that it made before.
pub(super) struct Blocks<F> {
    fill: F,
    block: Cursor<Vec<u8>>,
    /// The error behind the block.
    failed: Option<io::Error>,
}

impl<F: FnMut(&mut Vec<u8>) -> io::Result<()>> Blocks<F> {
    pub(super) fn new(fill: F) -> Blocks<F> {
        Blocks { fill, block: Cursor::default(), failed: None }
    }
}

impl<F: FnMut(&mut Vec<u8>) -> io::Result<()>> Read for Blocks<F> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.block.read(out)?;
        if read > 0 || out.is_empty() {
            return Ok(read);
        }
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        self.block.get_mut().clear();
        self.failed = (self.fill)(self.block.get_mut()).err();
        self.block.set_position(0);
        match self.block.read(out)? {
            0 => self.failed.take().map_or(Ok(0), Err),
            read => Ok(read),
        }
    }
}

/// `opened`, or a reader of nothing but its error.
pub(super) fn or_error(opened: io::Result<impl Read + Send + 'static>) -> Box<dyn Read + Send> {
    match opened {
        Ok(reader) => Box::new(reader),
        Err(error) => Box::new(Failure(Some(error))),
    }
}
