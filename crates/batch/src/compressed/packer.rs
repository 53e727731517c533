//! Packs in threads beside the one that writes.
//!
//! ```text
//!   the writer        threads that pack        the thread of the file
//!   ----------        -----------------        ----------------------
//!   a full block ---> pack it to a member ---> write it, in the order of the blocks
//! ```
//! Blocks are cut at fixed offsets of the text, so the bytes do not depend on the number of threads. The thread of the
//! file gets, for every block, the channel in which its member will arrive: that keeps the order. How many of these it
//! has at most bounds the memory. A codec that has threads itself gets the blocks as they are.

use galop_cover::threads;
use std::io::{self, Write};
use std::num::NonZero;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::{Codec, Encoder, Pack};

/// Threads that pack. More than this are busier than any disk.
const MAX_THREADS: usize = 64;

/// Blocks that wait for the thread of the file, besides one for each thread.
const SPARE_BLOCKS: usize = 4;

/// Bytes of a block for a codec that has threads itself, in an output that may be continued later.
const CONTINUED_BLOCK_BYTES: usize = 1 << 20;

/// Bytes of a block for a codec that has threads itself.
const STREAM_BLOCK_BYTES: usize = 256 * 1024;

/// Compresses what is written to it into a file. Without [`finish`](Self::finish) the file is not complete.
#[derive(Debug)]
pub(crate) struct Packer {
    block: Vec<u8>,
    block_bytes: usize,
    /// Whether a block was sent.
    has_begun: bool,
    /// `None` for a codec that has threads itself.
    jobs: Option<Sender<Job>>,
    parts: SyncSender<Piece>,
    /// The thread of the file; `None` after it ended.
    file: Option<JoinHandle<io::Result<()>>>,
}

/// A block to pack, and where the member goes.
type Job = (Vec<u8>, SyncSender<io::Result<Vec<u8>>>);

/// What the thread of the file gets.
enum Piece {
    /// A block of text.
    Text(Vec<u8>),
    /// The member of a block, as soon as it is packed.
    Member(Receiver<io::Result<Vec<u8>>>),
    /// Called when all earlier parts are written.
    Mark(Mark),
    /// Nothing follows.
    End,
}

/// Is called between two members.
pub(crate) type Mark = Box<dyn FnOnce() + Send>;

impl Packer {
    /// Starts the threads for an output that may be continued later, or that is continued: its members before `file`
    /// hold all earlier text but `rest`. The bytes do not depend on how often it is continued.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub(crate) fn continued(
        codec: &Codec,
        file: Box<dyn Write + Send>,
        threads: NonZero<usize>,
        has_begun: bool,
        rest: &[u8],
    ) -> io::Result<Packer> {
        let (bytes, pack) = match codec.pack {
            Pack::Blocks { bytes, pack } => (bytes, pack),
            Pack::Stream { pack, .. } => (CONTINUED_BLOCK_BYTES, pack),
        };
        let blocks = Codec { pack: Pack::Blocks { bytes, pack }, ..*codec };
        let mut packer = Packer::start(&blocks, file, threads)?;
        packer.has_begun = has_begun;
        packer.write_all(rest)?;
        Ok(packer)
    }

    /// Calls `mark` in the thread of the file, when all members that are complete now are written, with the text behind
    /// them.
    ///
    /// # Errors
    /// If anything could not be packed or written before.
    pub(crate) fn mark(&mut self, mark: impl FnOnce(Vec<u8>) + Send + 'static) -> io::Result<()> {
        let rest = self.block.clone();
        self.send(Piece::Mark(Box::new(move || mark(rest))))
    }

    /// Waits until what was sent is written, and ends the threads. The file is not complete.
    pub(crate) fn give_up(mut self) {
        if let Some(thread) = self.file.take() {
            drop(self);
            thread.join().ok();
        }
    }

    /// Starts the threads.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub(crate) fn start(
        codec: &Codec,
        file: Box<dyn Write + Send>,
        threads: NonZero<usize>,
    ) -> io::Result<Packer> {
        let threads = threads.get().min(MAX_THREADS);
        let (parts, received) = sync_channel(threads + SPARE_BLOCKS);
        let (block_bytes, jobs, thread) = match codec.pack {
            Pack::Blocks { bytes, pack } => {
                let (jobs, waiting) = channel();
                let waiting = Arc::new(Mutex::new(waiting));
                for _ in 0..threads {
                    let waiting = Arc::clone(&waiting);
                    threads::spawn("pack", move || pack_all(&waiting, pack))?;
                }
                let write = move || write_all(Box::new(file), &received);
                (bytes, Some(jobs), threads::spawn("write", write)?)
            }
            Pack::Stream { begin, .. } => {
                let encoder = begin(file, NonZero::new(threads).unwrap_or(NonZero::<usize>::MIN))?;
                let write = move || write_all(encoder, &received);
                (STREAM_BLOCK_BYTES, None, threads::spawn("write", write)?)
            }
        };
        Ok(Packer { block: Vec::new(), block_bytes, has_begun: false, jobs, parts, file: Some(thread) })
    }

    /// Packs the last block, writes the end, and waits until everything is written.
    ///
    /// # Errors
    /// If anything could not be packed or written.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        // An empty text is a member, too.
        if !self.block.is_empty() || !self.has_begun {
            self.send_block()?;
        }
        self.send(Piece::End)?;
        self.file.take().map_or_else(|| Err(ended()), result_of)
    }

    fn send_block(&mut self) -> io::Result<()> {
        let block = std::mem::replace(&mut self.block, Vec::with_capacity(self.block_bytes));
        self.has_begun = true;
        let Some(jobs) = &self.jobs else { return self.send(Piece::Text(block)) };
        let (reply, member) = sync_channel(1);
        // If all threads are lost, the reply is, too: the thread of the file then returns an error.
        jobs.send((block, reply)).ok();
        self.send(Piece::Member(member))
    }

    /// Sends to the thread of the file, which ends before it received everything only by an error.
    fn send(&mut self, part: Piece) -> io::Result<()> {
        if self.parts.send(part).is_ok() {
            return Ok(());
        }
        Err(self.file.take().map_or_else(ended, |thread| result_of(thread).err().unwrap_or_else(ended)))
    }
}

fn result_of(thread: JoinHandle<io::Result<()>>) -> io::Result<()> {
    thread.join().unwrap_or_else(|_| Err(ended()))
}

fn ended() -> io::Error {
    io::Error::other("a thread that compresses the output ended too early")
}

impl Write for Packer {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let count = text.len().min(self.block_bytes - self.block.len());
        self.block.extend_from_slice(&text[..count]);
        if self.block.len() == self.block_bytes {
            self.send_block()?;
        }
        Ok(count)
    }

    /// Does nothing: a block that is not full is packed by [`finish`](Self::finish) only.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Packs blocks until the sender is gone.
fn pack_all(waiting: &Mutex<Receiver<Job>>, pack: fn(&[u8]) -> io::Result<Vec<u8>>) {
    loop {
        let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((block, reply)) = job else { return };
        // After an error the receiver is gone.
        reply.send(pack(&block)).ok();
    }
}

/// The members of blocks are written as they are.
impl Encoder for Box<dyn Write + Send> {
    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.flush()
    }
}

fn write_all(mut out: Box<dyn Encoder>, parts: &Receiver<Piece>) -> io::Result<()> {
    loop {
        match parts.recv() {
            Ok(Piece::Text(text)) => out.write_all(&text)?,
            Ok(Piece::Member(member)) => out.write_all(&member.recv().map_err(|_| ended())??)?,
            Ok(Piece::Mark(mark)) => mark(),
            Ok(Piece::End) => return out.finish(),
            // The output was given up.
            Err(_) => return Err(ended()),
        }
    }
}
