//! Compressed data, layer on layer.

use std::io::{self, Cursor, Read};
use std::sync::Arc;

use super::{Codec, HEAD_BYTES, Members, Meter, recognise};

/// Layers that are unpacked: a compressed member of an archive, or a file that was compressed twice by mistake. What
/// is still compressed after these is refused.
const MAX_LAYERS: usize = 2;

/// The text of compressed data.
pub(crate) struct TextStream {
    pub(super) reader: Box<dyn Read + Send>,
    /// Counts the bytes of the outermost layer.
    pub(super) meter: Arc<Meter>,
}

impl TextStream {
    /// Unpacks `reader`, and what comes out of it if that is compressed again.
    pub(crate) fn new(codec: &'static Codec, reader: Box<dyn Read + Send>) -> TextStream {
        let meter = Arc::new(Meter::default());
        let members = Members::new(codec, reader, Arc::clone(&meter));
        TextStream::layers(Box::new(members), meter, MAX_LAYERS - 1)
    }

    /// What is read from `reader`, unpacked if it is compressed. `meter` counts what `reader` reads.
    pub(crate) fn recognised(reader: Box<dyn Read + Send>, meter: Arc<Meter>) -> TextStream {
        TextStream::layers(reader, meter, MAX_LAYERS - 1)
    }

    /// What is read from `reader`, as it is.
    #[cfg(feature = "parquet")]
    pub(crate) fn plain(reader: Box<dyn Read + Send>) -> TextStream {
        TextStream { reader, meter: Arc::default() }
    }

    fn layers(mut reader: Box<dyn Read + Send>, meter: Arc<Meter>, most: usize) -> TextStream {
        for _ in 0..most {
            let mut head = Vec::new();
            let error = read_some(&mut reader, HEAD_BYTES, &mut head).err();
            let codec = recognise(&head);
            reader = Box::new(Replay { head: Cursor::new(head), error, rest: reader });
            let Some(codec) = codec else { break };
            reader = Box::new(Members::new(codec, reader, Arc::default()));
        }
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

/// A reader whose first bytes were read before.
struct Replay {
    head: Cursor<Vec<u8>>,
    /// The error that came behind the head.
    error: Option<io::Error>,
    rest: Box<dyn Read + Send>,
}

impl Read for Replay {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.head.read(out)? {
            0 if !out.is_empty() => self.error.take().map_or_else(|| self.rest.read(out), Err),
            read => Ok(read),
        }
    }
}
