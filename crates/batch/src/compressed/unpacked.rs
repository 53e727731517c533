//! Compressed data, layer on layer.

use std::io::{self, Cursor, Read};
use std::sync::Arc;

use super::{Codec, HEAD_BYTES, Members, Meter, recognise};

/// The text of compressed data.
pub(crate) struct TextStream {
    pub(super) reader: Box<dyn Read + Send>,
    /// Counts the bytes of the outermost layer.
    pub(super) meter: Arc<Meter>,
}

impl TextStream {
    /// Unpacks `reader`, and what comes out of it if that is compressed again: a file may be compressed twice by
    /// mistake. A third layer is refused.
    pub(crate) fn new(codec: &'static Codec, reader: Box<dyn Read + Send>) -> TextStream {
        let meter = Arc::new(Meter::default());
        let members = Members::new(codec, reader, Arc::clone(&meter));
        TextStream::recognised(Box::new(members), meter)
    }

    /// What is read from `reader`, unpacked if it is compressed. `meter` counts what `reader` reads.
    pub(crate) fn recognised(mut reader: Box<dyn Read + Send>, meter: Arc<Meter>) -> TextStream {
        let mut head = Vec::new();
        let behind_head = Failure(read_some(&mut reader, HEAD_BYTES, &mut head).err());
        let codec = recognise(&head);
        let whole = Box::new(Cursor::new(head).chain(behind_head).chain(reader));
        match codec {
            Some(codec) => TextStream { reader: Box::new(Members::new(codec, whole, Arc::default())), meter },
            None => TextStream { reader: whole, meter },
        }
    }

    /// The same text, and then this error.
    pub(crate) fn before(self, error: io::Error) -> TextStream {
        let TextStream { reader, meter } = self;
        TextStream { reader: Box::new(reader.chain(Failure(Some(error)))), meter }
    }

    /// What is read from `reader`, as it is. `meter` counts what `reader` reads.
    pub(crate) fn plain(reader: Box<dyn Read + Send>, meter: Arc<Meter>) -> TextStream {
        TextStream { reader, meter }
    }
}

impl Read for TextStream {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.reader.read(out)
    }
}

/// Bytes of room for a read of any length.
const ROOM: usize = 1 << 13;

/// Appends `len` bytes to `out`, fewer only at the end or before an error.
pub(crate) fn read_some(reader: &mut dyn Read, len: usize, out: &mut Vec<u8>) -> io::Result<usize> {
    // Without room, the first reads would be of 32 bytes, to find short streams.
    out.reserve(len.min(ROOM));
    reader.take(len as u64).read_to_end(out)
}

/// A reader of nothing but an error, if there is one.
pub(crate) struct Failure(pub(crate) Option<io::Error>);

impl Read for Failure {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
