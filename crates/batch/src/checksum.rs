//! The SHA-256 of bytes, which identifies in a report what was read and what was written.
//!
//! The crate `sha2` uses the processor's own instructions if it has them (SHA-NI on x86), and finds that out at run
//! time.

use galop_cover::threads;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::error::{Error, ErrorKind};

use sha2::{Digest, Sha256};

/// Bytes that are handed to a [`SummingThread`] at a time.
const BLOCK_BYTES: usize = 65_536;

/// Blocks that wait for a [`SummingThread`].
const WAITING_BLOCKS: usize = 16;

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputSum {
    /// How many bytes.
    pub bytes: u64,
    /// Their SHA-256 (FIPS 180-4), in lowercase hexadecimal digits.
    pub sha256: String,
}

impl OutputSum {
    /// The sum of all that `reader` has.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(mut reader: impl Read) -> io::Result<OutputSum> {
        let mut sum = RunningSum::default();
        io::copy(&mut reader, &mut sum)?;
        Ok(sum.finish())
    }

    /// The sum of the file `path`.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] if it cannot be read.
    pub fn of_file(path: &Path) -> Result<OutputSum, Error> {
        File::open(path).and_then(OutputSum::of).map_err(|error| Error::at(path, ErrorKind::Read(error)))
    }
}

/// The sum of the bytes that were written to it.
#[derive(Default)]
struct RunningSum {
    sha: Sha256,
    bytes: u64,
}

impl RunningSum {
    fn finish(self) -> OutputSum {
        let sha256 = self.sha.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        OutputSum { bytes: self.bytes, sha256 }
    }
}

impl Write for RunningSum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sha.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Sums bytes up in a thread of its own, beside the one that writes them. Clones sum the same bytes.
#[derive(Clone, Debug)]
pub(crate) struct SummingThread(Arc<Mutex<Option<Thread>>>);

#[derive(Debug)]
struct Thread {
    block: Vec<u8>,
    blocks: SyncSender<Vec<u8>>,
    /// Blocks that were summed up, to be filled again.
    spare: Receiver<Vec<u8>>,
    sum: JoinHandle<OutputSum>,
}

impl SummingThread {
    /// Starts the thread.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(crate) fn start() -> io::Result<SummingThread> {
        let (blocks, waiting) = sync_channel::<Vec<u8>>(WAITING_BLOCKS);
        let (give_back, spare) = channel();
        let sum = move || {
            let mut sum = RunningSum::default();
            for mut block in waiting {
                sum.write_all(&block).ok();
                block.clear();
                give_back.send(block).ok();
            }
            sum.finish()
        };
        let sum = threads::spawn("checksum", sum)?;
        let thread = Thread { block: Vec::with_capacity(BLOCK_BYTES), blocks, spare, sum };
        Ok(SummingThread(Arc::new(Mutex::new(Some(thread)))))
    }

    /// Adds bytes that were written.
    pub(crate) fn add(&self, mut bytes: &[u8]) {
        let mut thread = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(thread) = &mut *thread else { return };
        while !bytes.is_empty() {
            let room = BLOCK_BYTES - thread.block.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            thread.block.extend_from_slice(now);
            bytes = later;
            if thread.block.len() == BLOCK_BYTES {
                let empty = || Vec::with_capacity(BLOCK_BYTES);
                let next = thread.spare.try_recv().unwrap_or_else(|_| empty());
                let full = std::mem::replace(&mut thread.block, next);
                // The thread takes blocks until this is dropped.
                thread.blocks.send(full).ok();
            }
        }
    }

    /// The sum of all bytes that were added. `None` if it was asked for before.
    pub(crate) fn finish(&self) -> Option<OutputSum> {
        let thread = self.0.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        let Thread { block, blocks, sum, .. } = thread;
        blocks.send(block).ok();
        drop(blocks);
        sum.join().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the standard (NIST, "SHA-256", Cryptographic Standards and Guidelines: examples with
    /// intermediate values), and a million times `a`.
    fn vectors() -> [(Vec<u8>, &'static str); 4] {
        [
            (Vec::new(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (b"abc".to_vec(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".to_vec(),
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
            (vec![b'a'; 1_000_000], "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ]
    }

    #[test]
    fn bytes_have_the_known_sums_however_they_are_written() {
        for (bytes, sum) in vectors() {
            let expected = OutputSum { bytes: bytes.len() as u64, sha256: sum.to_owned() };
            assert_eq!(OutputSum::of(&bytes[..]).unwrap(), expected);
            for piece in [1000, 70_000, 1 << 21] {
                let summing = SummingThread::start().unwrap();
                bytes.chunks(piece).for_each(|piece| summing.add(piece));
                assert_eq!((summing.finish(), summing.finish()), (Some(expected.clone()), None));
            }
        }
    }
}
