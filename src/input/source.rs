//! Bytes to read: a stream read in blocks, or a file mapped into memory.
//!
//! [`Source::open`] reads. [`Source::open_mapped`] maps, which is faster and `unsafe`: only a program can promise that
//! nothing truncates its input, a library cannot. The tool makes that promise in `cli/input.rs`.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use memmap2::Mmap;

use super::binary::{START_BYTES, refuse_binary};
use super::error::InputError;
use crate::error::{Error, ErrorKind};

/// Something to read puzzles from.
pub struct Source {
    name: PathBuf,
    bytes: Bytes,
    /// A regular file, and its length and modification time when it was opened.
    regular: Option<(File, Stamp)>,
    /// The value of a blank in an array of numpy; `None`: its rows show it.
    npy_blank: Option<u8>,
}

/// How the bytes come.
pub(super) enum Bytes {
    /// All at once: pages of the file, loaded when they are touched.
    Mapped(Mmap),
    /// In blocks.
    Stream(PeekableStream),
}

/// A stream whose first bytes can be looked at before they are read.
pub(super) struct PeekableStream {
    /// Bytes taken from `reader` that were looked at and not read yet.
    peeked: Vec<u8>,
    reader: Box<dyn Read + Send>,
}

impl PeekableStream {
    /// Appends up to `len` bytes to `out`, fewer only at the end of the stream; returns how many.
    pub(super) fn read(&mut self, len: usize, out: &mut Vec<u8>) -> io::Result<usize> {
        let from_peeked = len.min(self.peeked.len());
        if from_peeked > 0 {
            out.extend(self.peeked.drain(..from_peeked));
        }
        let rest = (len - from_peeked) as u64;
        Ok(from_peeked + Read::take(&mut self.reader, rest).read_to_end(out)?)
    }

    /// The next `len` bytes, fewer only at the end of the stream, or more if more were peeked at before.
    pub(super) fn peek(&mut self, len: usize) -> io::Result<&[u8]> {
        let missing = len.saturating_sub(self.peeked.len()) as u64;
        Read::take(&mut self.reader, missing).read_to_end(&mut self.peeked)?;
        Ok(&self.peeked)
    }
}

/// What changes when a file is written to.
#[derive(PartialEq, Clone, Copy)]
struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Stamp {
        Stamp { len: metadata.len(), modified: metadata.modified().ok() }
    }
}

impl Source {
    /// Opens `path` and reads it in blocks.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] if it cannot be opened; [`InputError::Compressed`] or [`InputError::NotText`] if it is no text.
    pub fn open(path: impl AsRef<Path>) -> Result<Source, Error> {
        Ok(Source::open_file(path.as_ref())?.0)
    }

    /// Opens `path` and maps it into memory. Whatever cannot be mapped (a pipe, a device, an empty file) is read in
    /// blocks, as by [`open`](Self::open).
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    ///
    /// # Safety
    /// The caller promises two things for as long as the source exists. No process truncates the file: a read behind
    /// its new end raises SIGBUS, which ends a process that has no handler for it. No process changes bytes of the
    /// file: the map is lent out as `&[u8]`, whose bytes must not change. [`check_unchanged`](Self::check_unchanged)
    /// reports a write only afterwards.
    #[allow(unsafe_code)]
    pub unsafe fn open_mapped(path: impl AsRef<Path>) -> Result<Source, Error> {
        let (mut source, file) = Source::open_file(path.as_ref())?;
        // A file of length 0 cannot be mapped, and a file of /proc has length 0 and bytes all the same.
        if let Some(file) = file.filter(|_| source.size() > Some(0)) {
            // SAFETY: the caller promises that nothing truncates or changes the file while it is mapped.
            if let Ok(map) = unsafe { Mmap::map(&file) } {
                advise(&map);
                source.bytes = Bytes::Mapped(map);
            }
        }
        Ok(source)
    }

    /// The file as a stream, and once more by itself if it is a regular file.
    fn open_file(path: &Path) -> Result<(Source, Option<File>), Error> {
        let fail = |error| Error::at(path, ErrorKind::Read(error));
        let mut file = File::open(path).map_err(fail)?;
        let metadata = file.metadata().map_err(fail)?;
        if metadata.is_dir() {
            return Err(fail(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        if !metadata.is_file() {
            return Ok((Source::stream(path, file), None));
        }
        refuse_binary_file(path, &mut file)?;
        let (again, stamped) = (file.try_clone().map_err(fail)?, file.try_clone().map_err(fail)?);
        let mut source = Source::stream(path, file);
        source.regular = Some((stamped, Stamp::of(&metadata)));
        Ok((source, Some(again)))
    }

    /// Standard input, read in blocks.
    pub fn stdin() -> Source {
        Source::stream("<stdin>", io::stdin())
    }

    /// Any reader; errors call it `name`.
    pub fn stream(name: impl Into<PathBuf>, reader: impl Read + Send + 'static) -> Source {
        let stream = PeekableStream { peeked: Vec::new(), reader: Box::new(reader) };
        Source { name: name.into(), bytes: Bytes::Stream(stream), regular: None, npy_blank: None }
    }

    /// Says which value is a blank if this is an array of numpy: 0, or 1 if all values are greater by one. Otherwise the
    /// first rows show it.
    pub fn set_npy_blank(&mut self, blank: u8) {
        self.npy_blank = Some(blank);
    }

    /// The value of a blank in an array of numpy, if it was said.
    pub(super) fn npy_blank(&self) -> Option<u8> {
        self.npy_blank
    }

    /// The path, or `<stdin>`.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// The length in bytes when it was opened, if it is a regular file.
    pub fn size(&self) -> Option<u64> {
        self.regular.as_ref().map(|(_, stamp)| stamp.len)
    }

    /// Whether the file is mapped into memory.
    pub(crate) fn is_mapped(&self) -> bool {
        matches!(self.bytes, Bytes::Mapped(_))
    }

    /// The first `len` bytes or more; fewer only if the source is shorter. They stay unread.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] if they cannot be read; an [`InputError`] if they are the start of no text.
    pub(crate) fn peek(&mut self, len: usize) -> Result<&[u8], Error> {
        match &mut self.bytes {
            Bytes::Mapped(map) => Ok(map),
            Bytes::Stream(stream) => {
                let head = stream.peek(len).map_err(|error| Error::at(&self.name, ErrorKind::Read(error)))?;
                refuse_binary(head).map_err(|error| Error::at(&self.name, error))?;
                Ok(head)
            }
        }
    }

    /// The bytes, and the name for errors.
    pub(super) fn parts(&mut self) -> (&Path, &mut Bytes) {
        (&self.name, &mut self.bytes)
    }

    /// How the bytes come.
    #[cfg(feature = "report")]
    pub(super) fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The same regular file opened again, at its start; `None` for streams. (A duplicate of the open file would
    /// share its position.)
    #[cfg(feature = "report")]
    pub(super) fn open_again(&self) -> Result<Option<File>, Error> {
        let Some((_, before)) = &self.regular else { return Ok(None) };
        let fail = |error| Error::at(&self.name, ErrorKind::Read(error));
        let file = File::open(&self.name).map_err(fail)?;
        let now = Stamp::of(&file.metadata().map_err(fail)?);
        if now == *before { Ok(Some(file)) } else { Err(Error::at(&self.name, InputError::Changed)) }
    }

    /// Compares a regular file's length and modification time with those at the start. Call it after the last byte
    /// was read.
    ///
    /// # Errors
    /// [`InputError::Changed`] if the file was written to meanwhile.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        let Some((file, before)) = &self.regular else { return Ok(()) };
        let now = file.metadata().map_err(|error| Error::at(&self.name, ErrorKind::Read(error)))?;
        if Stamp::of(&now) == *before { Ok(()) } else { Err(Error::at(&self.name, InputError::Changed)) }
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source")
            .field("name", &self.name)
            .field("size", &self.size())
            .field("mapped", &self.is_mapped())
            .finish()
    }
}

/// Refuses a file that is no text of puzzles, which its first bytes show.
fn refuse_binary_file(path: &Path, file: &mut File) -> Result<(), Error> {
    let fail = |error| Error::at(path, ErrorKind::Read(error));
    let mut start = Vec::new();
    file.by_ref().take(START_BYTES as u64).read_to_end(&mut start).map_err(fail)?;
    file.rewind().map_err(fail)?;
    refuse_binary(&start).map_err(|error| Error::at(path, error))
}

/// Tells the kernel that the map is read once from start to end: it reads ahead far and drops pages early, which
/// helps on a disk. If the kernel refuses, the run is only slower.
///
/// In the page cache no advice helps. Nanoseconds a line of 82 bytes, including its copy in memory (ext4, which
/// keeps large folios; tmpfs): no advice 13, 21; sequential 13, 21; populate at once 14, 20, by the MiB 14, 21;
/// huge pages 13, 21; read in blocks of 32 KiB 16, 24, of 1 MiB 14, 22.
fn advise(map: &Mmap) {
    #[cfg(unix)]
    map.advise(memmap2::Advice::Sequential).ok();
    #[cfg(not(unix))]
    let _ = map;
}

#[cfg(test)]
impl Source {
    /// Maps a temporary file of a test.
    #[allow(unsafe_code)]
    pub(super) fn mapped_in_test(path: &Path) -> Source {
        // SAFETY: only the calling test knows the file, and it reads no bytes of the map after it changes the file.
        unsafe { Source::open_mapped(path).unwrap() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Peeking again and again keeps one copy of the bytes, and every byte is read once.
    #[test]
    fn peeked_bytes_are_still_read() {
        let text: Vec<u8> = (0..100).collect();
        let mut source = Source::stream("s", io::Cursor::new(text.clone()));
        for len in [0, 10, 5, 30, 30] {
            assert!(source.peek(len).unwrap().len() >= len);
        }
        assert_eq!(source.peek(20).unwrap(), &text[..30]);
        let Bytes::Stream(stream) = &mut source.bytes else { panic!("a stream is not mapped") };
        let mut read = Vec::new();
        for (len, expected) in [(7, 7), (40, 40), (100, 53), (1, 0)] {
            assert_eq!(stream.read(len, &mut read).unwrap(), expected);
        }
        assert_eq!(read, text);
        assert!(source.peek(5).unwrap().is_empty());
    }
}
