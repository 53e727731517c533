//! Bytes to read: a file, mapped into memory where that is possible, or a stream.
//!
//! This is one of the two addresses of `unsafe` in galop: mapping a file, and the handler for the signal that
//! a cut-off map raises.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use memmap2::Mmap;

use super::error::InputError;
use crate::error::{Error, ErrorKind};

/// Something to read puzzles from.
pub struct Source {
    name: PathBuf,
    bytes: Bytes,
    /// A regular file, and what it looked like when it was opened.
    regular: Option<(File, Stamp)>,
    /// What was last peeked at of a stream.
    head: Vec<u8>,
}

/// How the bytes come.
pub(super) enum Bytes {
    /// All at once: pages of the file, brought in as they are touched.
    Mapped(Mmap),
    /// In blocks.
    Stream(Box<dyn Read + Send>),
}

/// What changes when somebody writes to a file.
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
    /// Opens `path`. A regular file is mapped if `map` says so; everything else is read in blocks.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] if it cannot be opened; [`InputError::Compressed`] if it is packed.
    pub fn open(path: &Path, map: bool) -> Result<Source, Error> {
        let fail = |error| Error::at(path, ErrorKind::Read(error));
        let mut file = File::open(path).map_err(fail)?;
        let metadata = file.metadata().map_err(fail)?;
        if metadata.is_dir() {
            return Err(fail(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        if !metadata.is_file() {
            return Ok(Source::stream(path, file));
        }
        refuse_compressed(path, &mut file)?;
        let regular = Some((file.try_clone().map_err(fail)?, Stamp::of(&metadata)));
        // A file of length 0 cannot be mapped, and may be one of /proc that has bytes all the same.
        let bytes = match map && metadata.len() > 0 {
            true => map_file(&file).map_or_else(|_| Bytes::Stream(Box::new(file)), Bytes::Mapped),
            false => Bytes::Stream(Box::new(file)),
        };
        Ok(Source { name: path.to_owned(), bytes, regular, head: Vec::new() })
    }

    /// Standard input, read in blocks and never mapped.
    pub fn stdin() -> Source {
        Source::stream("<stdin>", io::stdin())
    }

    /// Any reader, under the name that errors shall give it.
    pub fn stream(name: impl Into<PathBuf>, reader: impl Read + Send + 'static) -> Source {
        Source { name: name.into(), bytes: Bytes::Stream(Box::new(reader)), regular: None, head: Vec::new() }
    }

    /// The path, or `<stdin>`.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Bytes in all, if that is known beforehand.
    pub fn size(&self) -> Option<u64> {
        self.regular.as_ref().map(|(_, stamp)| stamp.len)
    }

    /// Whether the file is mapped into memory.
    pub fn is_mapped(&self) -> bool {
        matches!(self.bytes, Bytes::Mapped(_))
    }

    /// The first bytes, `len` of them or more; fewer only where there are no more. Nothing is taken away.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] if they cannot be read.
    pub fn peek(&mut self, len: usize) -> Result<&[u8], Error> {
        let reader = match &mut self.bytes {
            Bytes::Mapped(_) => None,
            Bytes::Stream(reader) => Some(reader),
        };
        if let Some(reader) = reader {
            let mut head = Vec::new();
            let read = Read::take(&mut *reader, len as u64).read_to_end(&mut head);
            read.map_err(|error| Error::at(&self.name, ErrorKind::Read(error)))?;
            let rest = std::mem::replace(reader, Box::new(io::empty()));
            *reader = Box::new(io::Cursor::new(head.clone()).chain(rest));
            self.head = head;
        }
        Ok(match &self.bytes {
            Bytes::Mapped(map) => map,
            Bytes::Stream(_) => &self.head,
        })
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

    /// The same regular file once more, from its start; `None` for streams. (A second handle of it would share
    /// the place that is read from.)
    #[cfg(feature = "report")]
    pub(super) fn open_again(&self) -> Result<Option<File>, Error> {
        let Some((_, before)) = &self.regular else { return Ok(None) };
        let fail = |error| Error::at(&self.name, ErrorKind::Read(error));
        let file = File::open(&self.name).map_err(fail)?;
        let now = Stamp::of(&file.metadata().map_err(fail)?);
        if now == *before { Ok(Some(file)) } else { Err(Error::at(&self.name, InputError::Changed)) }
    }

    /// Looks again at a regular file's length and modification time: to be called after the last byte was read.
    ///
    /// # Errors
    /// [`InputError::Changed`] if somebody wrote to it meanwhile.
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

/// Refuses packed files by their first bytes, with the command that unpacks them.
fn refuse_compressed(path: &Path, file: &mut File) -> Result<(), Error> {
    const MAGIC: [(&[u8], &str); 4] =
        [(b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"\xfd7zXZ\0", "xz"), (b"BZh", "bzip2")];
    let fail = |error| Error::at(path, ErrorKind::Read(error));
    let mut start = Vec::new();
    file.by_ref().take(8).read_to_end(&mut start).map_err(fail)?;
    file.rewind().map_err(fail)?;
    match MAGIC.iter().find(|(magic, _)| start.starts_with(magic)) {
        Some((_, program)) => Err(Error::at(path, InputError::Compressed(program))),
        None => Ok(()),
    }
}

#[allow(unsafe_code)]
fn map_file(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is private and only read. Its bytes are nothing but numbers to galop: whatever another
    // process writes into the file meanwhile, every value of every byte is handled (a line is a puzzle or it
    // is malformed), no check of a byte is relied on after a second read of it in unchecked code, and
    // `check_unchanged` makes the whole run an error afterwards. A file cut short raises SIGBUS, which
    // `end_on_fault` turns into one clear line. This is ripgrep's and memmap2's own argument.
    let map = unsafe { Mmap::map(file)? };
    #[cfg(unix)]
    // Read ahead far, drop behind early, which tells on a disk. A refusal costs nothing but speed.
    //
    // In the page cache no advice helps. Nanoseconds a line of 82 bytes, its copy in memory included (ext4, which
    // keeps large folios; tmpfs): none 13, 21; sequential 13, 21; populate at once 14, 20, by the MiB 14, 21;
    // huge pages 13, 21; read in blocks of 32 KiB 16, 24, of 1 MiB 14, 22.
    map.advise(memmap2::Advice::Sequential).ok();
    Ok(map)
}

/// From now on, a mapped file that is cut short under the reader (SIGBUS) ends the process with one line on
/// stderr and exit code 2 in place of a core dump. `unfinished` is a file to remove then: the half output.
///
/// For programs, not for libraries: it replaces the process's SIGBUS handler.
#[cfg(unix)]
#[allow(unsafe_code)]
pub fn end_on_fault(unfinished: Option<&Path>) {
    use std::ffi::CString;
    use std::os::unix::ffi::OsStrExt;
    use std::sync::atomic::{AtomicPtr, Ordering};

    static UNFINISHED: AtomicPtr<libc::c_char> = AtomicPtr::new(std::ptr::null_mut());
    const LINE: &[u8] =
        b"galop: error: an input file was cut short while it was being read; the output is not \
        complete. Run again when nothing writes to it, or with --no-mmap\n";

    extern "C" fn end(_signal: libc::c_int) {
        // SAFETY: write, unlink and _exit are async-signal-safe (POSIX 2.4.3); LINE is static; the pointer is
        // null or a C string that was leaked below and so lives for ever.
        unsafe {
            libc::write(2, LINE.as_ptr().cast(), LINE.len());
            let path = UNFINISHED.load(Ordering::Acquire);
            if !path.is_null() {
                libc::unlink(path);
            }
            libc::_exit(2);
        }
    }

    if let Some(path) = unfinished.and_then(|path| CString::new(path.as_os_str().as_bytes()).ok()) {
        UNFINISHED.store(path.into_raw(), Ordering::Release);
    }
    // SAFETY: `action` is a plain C struct for which all zeros is a valid value; `end` has the signature that
    // a handler without SA_SIGINFO needs and calls nothing but async-signal-safe functions.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = end as extern "C" fn(libc::c_int) as usize;
        libc::sigemptyset(&raw mut action.sa_mask);
        libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut());
    }
}

/// Nothing to do where there is no SIGBUS.
#[cfg(not(unix))]
pub fn end_on_fault(_unfinished: Option<&Path>) {}
