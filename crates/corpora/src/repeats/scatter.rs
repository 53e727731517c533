//! Entries of a fixed size, many more than memory may hold, that come back sorted.
//!
//! ```text
//! push ---> part 0: block block block
//!           part 1: block                   blocks of 64 KiB; when they are too many, the full ones go to a temporary file
//!           ...
//!           part 255: block block
//! part 0 sorted, part 1 sorted, ... ---> all entries in order
//! ```
//! Each entry is put into the part that its caller says; the parts must be in the order of the entries. A part is
//! sorted in memory when it is read, so memory must hold one part for each thread that reads, a 256th of all entries.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::error::{Error, ErrorKind};

/// The number of parts.
pub(super) const PARTS: usize = 256;

/// Bytes of a block.
const BLOCK_BYTES: usize = 64 << 10;

/// Entries of `N` bytes.
#[derive(Debug)]
pub(super) struct Scatter<const N: usize> {
    parts: Vec<Part<N>>,
    /// Full blocks that are not in use, for the next entries.
    spare: Vec<Vec<[u8; N]>>,
    /// Full blocks in memory, and how many there may be.
    full: usize,
    most_full: usize,
    spilled: SpillFile,
}

#[derive(Debug)]
struct Part<const N: usize> {
    /// The block that is filled.
    open: Vec<[u8; N]>,
    full: Vec<Vec<[u8; N]>>,
    /// Where its other blocks begin in the temporary file.
    spilled: Vec<u64>,
}

impl<const N: usize> Default for Part<N> {
    fn default() -> Self {
        Part { open: Vec::new(), full: Vec::new(), spilled: Vec::new() }
    }
}

/// The temporary file, which has no name (or loses it with this value).
#[derive(Debug, Default)]
struct SpillFile {
    file: Option<Mutex<File>>,
    bytes: u64,
}

impl SpillFile {
    /// The place of the temporary file, for messages.
    fn folder() -> PathBuf {
        std::env::temp_dir()
    }

    fn write(&mut self, bytes: &[u8]) -> std::io::Result<u64> {
        if self.file.is_none() {
            self.file = Some(Mutex::new(tempfile::tempfile()?));
        }
        let start = self.bytes;
        if let Some(file) = &mut self.file {
            file.get_mut().unwrap_or_else(PoisonError::into_inner).write_all(bytes)?;
            self.bytes += bytes.len() as u64;
        }
        Ok(start)
    }

    fn read(&self, start: u64, bytes: &mut [u8]) -> std::io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(bytes)
    }
}

impl<const N: usize> Scatter<N> {
    /// Entries of a block.
    const BLOCK: usize = BLOCK_BYTES / N;

    /// No entries. About `memory` bytes are taken before the others go to a temporary file, but 16 MiB in any case.
    pub(super) fn new(memory: u64) -> Scatter<N> {
        let blocks = memory / BLOCK_BYTES as u64;
        Scatter {
            parts: (0..PARTS).map(|_| Part::default()).collect(),
            spare: Vec::new(),
            full: 0,
            most_full: usize::try_from(blocks).unwrap_or(usize::MAX).saturating_sub(PARTS),
            spilled: SpillFile::default(),
        }
    }

    /// Adds an entry to `part`.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if the temporary file cannot be written.
    #[inline]
    pub(super) fn push(&mut self, part: u8, entry: [u8; N]) -> Result<(), Error> {
        let open = &mut self.parts[usize::from(part)].open;
        if open.len() == open.capacity() {
            self.make_room(part)?;
        }
        self.parts[usize::from(part)].open.push(entry);
        Ok(())
    }

    /// Opens another block for `part`.
    #[cold]
    fn make_room(&mut self, part: u8) -> Result<(), Error> {
        let open = &mut self.parts[usize::from(part)].open;
        // The first entries of a part take less room than a block.
        if open.capacity() < Self::BLOCK {
            let room = (2 * open.capacity()).clamp(16, Self::BLOCK);
            open.reserve_exact(room - open.len());
            return Ok(());
        }
        if self.full >= self.most_full {
            self.spill().map_err(|error| Error::at(SpillFile::folder(), ErrorKind::Write(error)))?;
        }
        let block = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(Self::BLOCK));
        let part = &mut self.parts[usize::from(part)];
        part.full.push(std::mem::replace(&mut part.open, block));
        self.full += 1;
        Ok(())
    }

    /// Writes all full blocks to the temporary file.
    fn spill(&mut self) -> std::io::Result<()> {
        for part in &mut self.parts {
            for mut block in part.full.drain(..) {
                part.spilled.push(self.spilled.write(block.as_flattened())?);
                block.clear();
                self.spare.push(block);
            }
        }
        self.full = 0;
        Ok(())
    }

    /// Bytes in the temporary file.
    pub(super) fn spilled_bytes(&self) -> u64 {
        self.spilled.bytes
    }

    /// Replaces `entries` by the sorted entries of `part`.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] if the temporary file cannot be read.
    pub(super) fn read(&self, part: usize, entries: &mut Vec<[u8; N]>) -> Result<(), Error> {
        let Part { open, full, spilled } = &self.parts[part];
        entries.clear();
        for &start in spilled {
            let from = entries.len();
            entries.resize(from + Self::BLOCK, [0; N]);
            let read = self.spilled.read(start, entries[from..].as_flattened_mut());
            read.map_err(|error| Error::at(SpillFile::folder(), ErrorKind::Read(error)))?;
        }
        full.iter().chain([open]).for_each(|block| entries.extend_from_slice(block));
        entries.sort_unstable();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::mix;

    fn entries(count: u64) -> impl Iterator<Item = [u8; 8]> {
        (0..count).map(move |number| mix(number % (count / 2 + 1)).to_be_bytes())
    }

    /// All entries in order.
    fn read(scatter: &Scatter<8>) -> Vec<[u8; 8]> {
        let (mut all, mut part) = (Vec::new(), Vec::new());
        for number in 0..PARTS {
            scatter.read(number, &mut part).unwrap();
            assert!(part.iter().all(|entry| usize::from(entry[0]) == number));
            all.extend_from_slice(&part);
        }
        all
    }

    #[test]
    fn entries_come_back_sorted_from_memory_and_from_files() {
        // Parts of 16 blocks each, and of less than one.
        for (count, memory, is_spilled) in
            [(0, 0, false), (1_000, 0, false), (4_000_000, 1 << 30, false), (4_000_000, 20 << 20, true)]
        {
            let mut scatter = Scatter::new(memory);
            entries(count).for_each(|entry| scatter.push(entry[0], entry).unwrap());
            assert_eq!(scatter.spilled_bytes() > 0, is_spilled);
            if is_spilled {
                let in_memory = 8 * count - scatter.spilled_bytes();
                assert!(in_memory <= memory, "{in_memory}");
            }
            let mut sorted: Vec<[u8; 8]> = entries(count).collect();
            sorted.sort_unstable();
            assert_eq!(read(&scatter), sorted);
        }
    }
}
