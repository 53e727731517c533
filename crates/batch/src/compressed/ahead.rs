//! Unpacks in a thread of its own, a few blocks ahead of the reader.

use galop_cover::threads;
use std::io;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

use super::{TextStream, read_some};

/// Bytes of text of a block. Half of it is as fast; a block must not be so small that handing it over counts.
const BLOCK_BYTES: usize = 256 * 1024;

/// Blocks of a file that wait for the reader. A few suffice, because the reader itself is a few chunks ahead of the
/// workers.
const BLOCKS: usize = 3;

/// Text that a thread unpacks.
pub(crate) struct ReadAhead {
    blocks: Receiver<io::Result<Block>>,
    /// Takes buffers that were read back to the thread.
    spare: Sender<Vec<u8>>,
    block: Block,
    /// Bytes of the block that were read.
    read: usize,
    is_over: bool,
}

/// Some text; none at the end.
#[derive(Default)]
struct Block {
    text: Vec<u8>,
    /// Bytes of compressed data that were read for it and everything before.
    position: u64,
}

impl ReadAhead {
    /// Starts the thread. It ends with the text, or when this is dropped.
    pub(crate) fn start(unpacked: TextStream) -> io::Result<ReadAhead> {
        let (sender, blocks) = sync_channel(BLOCKS);
        let (spare, spares) = channel();
        threads::spawn("unpack", move || unpack(unpacked, &sender, &spares))?;
        Ok(ReadAhead { blocks, spare, block: Block::default(), read: 0, is_over: false })
    }

    /// Bytes of compressed data that were read for the text that was read.
    pub(crate) fn position(&self) -> u64 {
        self.block.position
    }

    /// Appends `len` bytes to `out`, fewer only at the end or before an error.
    pub(crate) fn read(&mut self, len: usize, out: &mut Vec<u8>) -> io::Result<usize> {
        let before = out.len();
        while out.len() - before < len && !self.is_over {
            let rest = &self.block.text[self.read..];
            if rest.is_empty() {
                self.next_block()?;
                continue;
            }
            let count = rest.len().min(len - (out.len() - before));
            out.extend_from_slice(&rest[..count]);
            self.read += count;
        }
        Ok(out.len() - before)
    }

    fn next_block(&mut self) -> io::Result<()> {
        let lost = |_| Err(io::Error::other("the thread that unpacks it ended too early"));
        let received = self.blocks.recv().unwrap_or_else(lost);
        self.is_over = received.is_err();
        let old = std::mem::replace(&mut self.block, received?);
        // If the thread is over, it needs no buffer.
        self.spare.send(old.text).ok();
        (self.read, self.is_over) = (0, self.block.text.is_empty());
        Ok(())
    }
}

/// Sends the text in blocks, then an empty block or an error.
fn unpack(mut unpacked: TextStream, sender: &SyncSender<io::Result<Block>>, spares: &Receiver<Vec<u8>>) {
    loop {
        let mut text = spares.try_recv().unwrap_or_else(|_| Vec::with_capacity(BLOCK_BYTES));
        text.clear();
        let read = read_some(&mut unpacked.reader, BLOCK_BYTES, &mut text);
        let position = unpacked.meter.position();
        let is_last = text.is_empty();
        let sent = match read {
            Err(error) => {
                // An empty block would be the end.
                let before = if is_last { Ok(()) } else { sender.send(Ok(Block { text, position })) };
                before.and_then(|()| sender.send(Err(error))).ok();
                return;
            }
            Ok(_) => sender.send(Ok(Block { text, position })),
        };
        if is_last || sent.is_err() {
            return;
        }
    }
}
