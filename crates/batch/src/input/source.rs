//! Bytes to read: a stream read in blocks, or a file mapped into memory.
//!
//! Compressed files are unpacked, by `compressed/`; `zip.rs` lists the members of archives.
//!
//! [`Source::open`] reads. [`Source::open_mapped`] maps, which is faster and `unsafe`: only a program can promise that
//! nothing truncates its input, a library cannot. The tool makes that promise in `crates/cli/src/input.rs`.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::SystemTime;

use memmap2::Mmap;

use super::binary::{START_BYTES, refuse_binary};
use super::cut::Cut;
use super::error::{InputError, read_error};
use super::format::ColumnChoice;
use super::format::npy::{ArrayFacts, NpyHeader};
use super::line::without_mark;
use super::npz::ArchiveStream;
use super::stream::{PeekableStream, Section};
use super::zip::{Archive, ZipMember, garbage_at};
use crate::compressed::{Failure, TextStream, recognise};
use crate::error::{Error, ErrorKind};

/// Something to read puzzles from. A file is open from its first byte that is looked at until [`finish`](Source::finish),
/// so a run may have more files than it may have open ones.
pub struct Source {
    name: PathBuf,
    bytes: Bytes,
    /// Bytes on the disk.
    size: Option<u64>,
    regular: Option<Regular>,
    /// The columns that were chosen.
    pub(super) columns: ColumnChoice,
    /// What is known if it is an array.
    pub(super) array: ArrayFacts,
    /// Which of its records are read.
    pub(super) cut: Cut,
    /// What gets the error of bytes behind compressed data, if they are passed over.
    pub(super) pass_over: Option<fn(Error)>,
}

/// What a source is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SourceKind {
    /// A regular file of text, of this many bytes.
    File(u64),
    /// A compressed file.
    Compressed,
    /// A member of an archive.
    Member,
    /// A pipe, a device, or any other reader.
    Stream,
}

/// How the bytes come.
pub(super) enum Bytes {
    /// From a regular file that is not open.
    Closed,
    /// All at once: pages of the file, loaded when they are touched.
    Mapped(Mmap),
    /// In blocks.
    Stream(PeekableStream),
}

impl Bytes {
    /// The first `len` bytes or more; fewer only at the end or before an error.
    pub(super) fn peek(&mut self, len: usize) -> &[u8] {
        match self {
            Bytes::Closed => &[],
            Bytes::Mapped(map) => map,
            Bytes::Stream(stream) => stream.peek(len),
        }
    }
}

/// What a source begins with.
pub(super) enum Head<'a> {
    /// The header of an array of numpy.
    Array(NpyHeader),
    /// Text, without the byte-order mark.
    Text(&'a [u8]),
}

/// The regular file behind a source, and its length and modification time when the source was made.
#[derive(Clone)]
struct Regular {
    path: Arc<Path>,
    stamp: Stamp,
    content: Content,
    /// The file, while it is open.
    file: Option<Arc<File>>,
}

/// What a regular file holds.
#[derive(Clone)]
enum Content {
    Text {
        /// Whether it is mapped into memory, if the system can map it. Only `Source::mapped` sets it.
        is_mapped: bool,
    },
    Packed(Arc<Unpack>),
}

/// Begins to unpack the text of a source from its file.
pub(super) type Unpack = dyn Fn(&Arc<File>) -> TextStream + Send + Sync;

impl Regular {
    fn new(path: Arc<Path>, stamp: Stamp, content: Content) -> Regular {
        Regular { path, stamp, content, file: None }
    }

    /// Opens the file, at its start.
    fn open(&self) -> io::Result<File> {
        let file = File::open(&self.path)?;
        let is_same = Stamp::of(&file.metadata()?) == self.stamp;
        if is_same { Ok(file) } else { Err(io::Error::other(InputError::Changed)) }
    }

    /// Opens the file until its source is closed.
    #[allow(unsafe_code)]
    fn bytes(&mut self) -> io::Result<Bytes> {
        let file = self.file.insert(Arc::new(self.open()?));
        Ok(match &self.content {
            Content::Packed(unpack) => Bytes::Stream(PeekableStream::packed(unpack(file))),
            Content::Text { is_mapped } => {
                let map = is_mapped.then(|| {
                    // SAFETY: `Source::mapped` set `is_mapped`, and its caller promises that nothing truncates or changes
                    // the file while the source exists.
                    unsafe { Mmap::map(&**file) }.ok().inspect(advise)
                });
                match map.flatten() {
                    Some(map) => Bytes::Mapped(map),
                    None => Bytes::Stream(PeekableStream::new(Box::new(Arc::clone(file)))),
                }
            }
        })
    }
}

/// What changes when a file is written to. Of a file of length 0 it is the length: one of /proc has any time.
#[derive(PartialEq, Clone, Copy)]
struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Stamp {
        let len = metadata.len();
        Stamp { len, modified: metadata.modified().ok().filter(|_| len > 0) }
    }
}

impl Source {
    /// Opens `path` and reads it in blocks. Compressed data are unpacked: gzip, and with the feature `compressed` also
    /// zstd, xz and bzip2.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] if it cannot be opened; [`InputError::Compressed`] or [`InputError::NotText`] if it is no
    /// text.
    pub fn open(path: impl AsRef<Path>) -> Result<Source, Error> {
        OpenFile::new(path.as_ref())?.source()
    }

    /// Opens `path` and maps it into memory. Whatever cannot be mapped (a pipe, a device, an empty file, compressed
    /// data) is read in blocks, as by [`open`](Self::open).
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    ///
    /// # Safety
    /// The caller promises two things for as long as the source exists. No process truncates the file: a read behind
    /// its new end raises SIGBUS, which ends a process that has no handler for it. No process changes bytes of the
    /// file: the map is lent out as `&[u8]`, whose bytes must not change. [`finish`](Self::finish) reports a write only
    /// afterwards.
    #[allow(unsafe_code)]
    pub unsafe fn open_mapped(path: impl AsRef<Path>) -> Result<Source, Error> {
        let source = Source::open(path)?;
        // SAFETY: the caller promises that nothing truncates or changes the file while it is mapped.
        Ok(unsafe { source.mapped() })
    }

    /// Opens what `path` names: a file; the members of a zip archive whose names have one of the [`endings`], in the
    /// order of the archive; the files of a folder, as [`files_in`] lists them. Returns the names of the other members
    /// and files too.
    ///
    /// A member is called `archive.zip/member`. Folders and hidden files in an archive are left out.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open); [`InputError::NoFiles`], [`InputError::NoDirectory`], [`InputError::Member`].
    pub fn open_each(path: impl AsRef<Path>) -> Result<(Vec<Source>, Vec<PathBuf>), Error> {
        let (files, mut others) = files_in(path.as_ref())?;
        let mut sources = Vec::new();
        for path in files {
            let opened = OpenFile::new(&path)?;
            match opened.members()? {
                Some((members, other_members)) => {
                    sources.extend(members);
                    others.extend(other_members);
                }
                None => sources.push(opened.source()?),
            }
        }
        Ok((sources, others))
    }

    /// Opens what `path` names, as [`open_each`](Self::open_each) does, and maps what can be mapped.
    ///
    /// # Errors
    /// The errors of [`open_each`](Self::open_each).
    ///
    /// # Safety
    /// The caller promises for every file what [`open_mapped`](Self::open_mapped) says.
    #[allow(unsafe_code)]
    pub unsafe fn open_each_mapped(path: impl AsRef<Path>) -> Result<(Vec<Source>, Vec<PathBuf>), Error> {
        let (sources, others) = Source::open_each(path)?;
        // SAFETY: the caller promises that nothing truncates or changes the files while they are mapped.
        Ok((sources.into_iter().map(|source| unsafe { source.mapped() }).collect(), others))
    }

    /// The same source, mapped if it can be.
    ///
    /// # Safety
    /// The caller promises what [`open_mapped`](Self::open_mapped) says.
    #[allow(unsafe_code)]
    unsafe fn mapped(mut self) -> Source {
        // A file of length 0 cannot be mapped, and a file of /proc has length 0 and bytes all the same.
        if let Some(Regular { content: Content::Text { is_mapped }, .. }) = &mut self.regular {
            *is_mapped = self.size > Some(0);
        }
        self
    }

    /// Standard input, read in blocks.
    pub fn stdin() -> Source {
        Source::stream("<stdin>", io::stdin())
    }

    /// Any reader; errors call it `name`. Compressed data are unpacked.
    pub fn stream(name: impl Into<PathBuf>, reader: impl Read + Send + 'static) -> Source {
        let bytes = Bytes::Stream(PeekableStream::new(Box::new(reader)));
        Source::new(name.into(), bytes, None, None)
    }

    /// A regular file or a part of it, of `size` bytes.
    fn regular(name: PathBuf, size: u64, regular: Regular) -> Source {
        Source::new(name, Bytes::Closed, Some(size), Some(regular))
    }

    fn new(name: PathBuf, bytes: Bytes, size: Option<u64>, regular: Option<Regular>) -> Source {
        Source {
            name,
            bytes,
            size,
            regular,
            columns: ColumnChoice::default(),
            array: ArrayFacts::default(),
            cut: Cut::default(),
            pass_over: None,
        }
    }

    /// Passes over bytes behind compressed data that do not belong to them: `say` gets the error with which reading
    /// would fail there.
    pub fn pass_over_garbage(&mut self, say: fn(Error)) {
        self.pass_over = Some(say);
    }

    /// Chooses the columns of a table, or the keys of JSON objects, that hold puzzles and answers. Without a choice
    /// they are found.
    pub fn choose_columns(&mut self, columns: ColumnChoice) {
        if let Some(archive) = &self.array.archive {
            archive.lock().unwrap_or_else(PoisonError::into_inner).choice.clone_from(&columns);
        }
        self.columns = columns;
    }

    /// Says which value is a blank if this is an array of numpy: 0, or 1 if all values are greater by one. Otherwise
    /// the first rows show it.
    pub fn set_npy_blank(&mut self, blank: u8) {
        self.array.blank = Some(blank);
    }

    /// Reads a part of the records only.
    pub fn cut(&mut self, cut: &Cut) {
        self.cut = cut.clone();
    }

    /// The path, or `<stdin>`.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// The bytes that it takes on the disk, if it is a regular file or the member of an archive.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// The regular file that it is, or that the archive is.
    pub fn file(&self) -> Option<&Path> {
        self.regular.as_ref().map(|regular| &*regular.path)
    }

    /// What it is read from.
    pub(crate) fn kind(&self) -> SourceKind {
        match &self.regular {
            None => SourceKind::Stream,
            Some(regular) if *regular.path != *self.name => SourceKind::Member,
            Some(Regular { content: Content::Packed(_), .. }) => SourceKind::Compressed,
            Some(regular) => SourceKind::File(regular.stamp.len),
        }
    }

    /// Its bytes. This opens a file that is closed; if that fails, reading the bytes is the error.
    pub(super) fn bytes(&mut self) -> &mut Bytes {
        if let (Bytes::Closed, Some(regular)) = (&self.bytes, &mut self.regular) {
            let failed = |error| Bytes::Stream(PeekableStream::new(Box::new(Failure(Some(error)))));
            self.bytes = regular.bytes().unwrap_or_else(failed);
        }
        &mut self.bytes
    }

    /// Closes a regular file, which is opened again, at its start, if it is read once more.
    pub(super) fn close(&mut self) {
        if let Some(regular) = &mut self.regular {
            (self.bytes, regular.file) = (Bytes::Closed, None);
        }
    }

    /// Whether the file, which this opens, is mapped into memory.
    pub(crate) fn is_mapped(&mut self) -> bool {
        matches!(self.bytes(), Bytes::Mapped(_))
    }

    /// What it begins with. Text has `len` bytes or more, fewer only if the source is shorter or cannot be read on,
    /// which shows when it is read. They stay unread. The rows of an array are grids, or records of a problem that
    /// has `options`.
    ///
    /// # Errors
    /// An [`InputError`] if it begins neither as text nor as an array of grids, or of records of the problem.
    pub(super) fn head(&mut self, len: usize, options: Option<usize>) -> Result<Head<'_>, Error> {
        // All that is looked at, so that a compressed source is unpacked once.
        self.peek(len)?;
        let Source { name, bytes, array, .. } = self;
        let header = array.header(options, |len| bytes.peek(len).iter().copied().take(len).collect());
        if let Some(header) = header.map_err(|fault| Error::at(&*name, InputError::from(fault)))? {
            return Ok(Head::Array(header));
        }
        let text = bytes.peek(len);
        Ok(Head::Text(without_mark(text)))
    }

    /// The first `len` bytes or more; fewer only if the source is shorter or cannot be read on, which shows when it is
    /// read. They stay unread.
    ///
    /// # Errors
    /// An [`InputError`] if they are the start of no text.
    fn peek(&mut self, len: usize) -> Result<&[u8], Error> {
        let is_text = !self.is_mapped() && self.array.archive.is_none();
        let head = self.bytes.peek(len);
        if is_text {
            refuse_binary(head).map_err(|error| Error::at(&self.name, error))?;
        }
        Ok(head)
    }

    /// All bytes, which memory must hold.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] or [`InputError::Damaged`] if they cannot be read to their end.
    pub fn read_all(&mut self) -> Result<Vec<u8>, Error> {
        let mut all = Vec::new();
        self.bytes();
        match &mut self.bytes {
            Bytes::Closed => {}
            Bytes::Mapped(map) => all.extend_from_slice(map),
            Bytes::Stream(stream) => {
                // If that is too much, reading says so.
                all.try_reserve(self.size.map_or(0, |size| usize::try_from(size).unwrap_or(0))).ok();
                stream.read(usize::MAX, &mut all).map_err(|error| read_error(&self.name, error))?;
            }
        }
        Ok(all)
    }

    /// Reads `first` from now on. Returns a source for `second`, with the same name, that is read in the same way.
    pub(super) fn reread(&mut self, first: PeekableStream, second: PeekableStream) -> Source {
        self.bytes = Bytes::Stream(first);
        let mut source = Source::new(self.name.clone(), Bytes::Stream(second), None, None);
        source.columns = self.columns.clone();
        (source.array, source.cut) = (self.array.clone(), self.cut.clone());
        source
    }

    /// The same regular file opened again, at its start; `None` for streams. (A duplicate of the open file would
    /// share its position.)
    pub(super) fn open_again(&self) -> Result<Option<File>, Error> {
        let Some(regular) = &self.regular else { return Ok(None) };
        regular.open().map(Some).map_err(|error| read_error(&self.name, error))
    }

    /// Compares the length and the modification time of `file`, which is its regular file, with those at the start.
    pub(super) fn check(&self, file: &File) -> Result<(), Error> {
        let Some(Regular { path, stamp, .. }) = &self.regular else { return Ok(()) };
        let now = file.metadata().map_err(|error| Error::at(&**path, ErrorKind::Read(error)))?;
        if Stamp::of(&now) == *stamp { Ok(()) } else { Err(Error::at(&**path, InputError::Changed)) }
    }

    /// Closes a regular file, and compares its length and modification time with those at the start. Call it after the
    /// last byte was read.
    ///
    /// # Errors
    /// [`InputError::Changed`] if the file was written to meanwhile.
    pub fn finish(&mut self) -> Result<(), Error> {
        let file = self.regular.as_ref().and_then(|regular| regular.file.as_deref());
        let result = file.map_or(Ok(()), |file| self.check(file));
        self.close();
        result
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("name", &self.name).field("size", &self.size()).finish_non_exhaustive()
    }
}

/// Endings of the files of a folder and the members of an archive that are read. Behind them, a name may have the ending
/// of a compressed file.
const ENDINGS: [&str; 11] =
    ["txt", "csv", "tsv", "json", "jsonl", "ndjson", "npy", "npz", "zip", "sdk", "sdm"];

/// The endings of files of folders and archives that are read, in words.
pub fn endings() -> String {
    ENDINGS.map(|ending| format!(".{ending}")).join(", ")
}

/// Whether `name` has one of the [`ENDINGS`].
pub(super) fn has_ending(name: &Path) -> bool {
    let inner = crate::compressed::by_name(name).and_then(|_| name.file_stem()).map_or(name, Path::new);
    let is_same = |ending: &OsStr| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known));
    inner.extension().is_some_and(is_same)
}

/// Lists the regular files that `path` names: the files of a folder whose names have one of the [`endings`], sorted by
/// the bytes of their names, and its other files; or else `path` itself. Hidden files (`.name`) and folders in the
/// folder are left out.
///
/// # Errors
/// [`ErrorKind::Read`]; [`InputError::NoFiles`] if a folder has none that is read.
pub fn files_in(path: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Error> {
    let fail = |path: &Path, error| Error::at(path, ErrorKind::Read(error));
    if !path.is_dir() {
        return Ok((vec![path.to_owned()], Vec::new()));
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(|error| fail(path, error))? {
        let file = entry.map_err(|error| fail(path, error))?.path();
        let is_hidden = file.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        // `metadata` follows links.
        if !is_hidden && file.metadata().map_err(|error| fail(&file, error))?.is_file() {
            files.push(file);
        }
    }
    files.sort_by(|one, other| one.as_os_str().as_encoded_bytes().cmp(other.as_os_str().as_encoded_bytes()));
    let (files, others): (Vec<_>, _) = files.into_iter().partition(|file| has_ending(file));
    if files.is_empty() { Err(Error::at(path, InputError::NoFiles)) } else { Ok((files, others)) }
}

/// An open file whose first bytes were looked at.
struct OpenFile {
    path: PathBuf,
    file: File,
    metadata: Metadata,
    /// Empty unless it is a regular file.
    head: Vec<u8>,
}

impl OpenFile {
    fn new(path: &Path) -> Result<OpenFile, Error> {
        let fail = |error| Error::at(path, ErrorKind::Read(error));
        let mut file = File::open(path).map_err(fail)?;
        let metadata = file.metadata().map_err(fail)?;
        if metadata.is_dir() {
            return Err(fail(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        let mut head = Vec::with_capacity(START_BYTES);
        if metadata.is_file() {
            file.by_ref().take(START_BYTES as u64).read_to_end(&mut head).map_err(fail)?;
            file.rewind().map_err(fail)?;
        }
        Ok(OpenFile { path: path.to_owned(), file, metadata, head })
    }

    /// The members of a zip archive that are read, and the names of the others; `None` if the file is no archive.
    fn members(&self) -> Result<Option<(Vec<Source>, Vec<PathBuf>)>, Error> {
        let is_start = super::zip::is_start(&self.head);
        let may_follow = self.metadata.is_file() && super::zip::may_follow(&self.path, &self.head);
        if !is_start && !may_follow {
            return Ok(None);
        }
        let stamp = Stamp::of(&self.metadata);
        let Archive { members, others, end } = match super::zip::members(&self.path, &self.file, stamp.len) {
            // Other bytes, whatever the name says.
            Err(error) if !is_start && error.fact() == Some(&InputError::NoDirectory) => return Ok(None),
            members => members?,
        };
        // Not `join`, for which the name might be absolute.
        let path_of = |name: String| {
            let mut path = self.path.clone().into_os_string();
            path.push("/");
            path.push(name);
            PathBuf::from(path)
        };
        let path: Arc<Path> = self.path.as_path().into();
        let archive = |unpack: Arc<Unpack>, is_last: bool| {
            let unpack = match end {
                Some(offset) if is_last => {
                    Arc::new(move |file: &Arc<File>| unpack(file).before(garbage_at(offset)))
                }
                _ => unpack,
            };
            Regular::new(Arc::clone(&path), stamp, Content::Packed(unpack))
        };
        let sources = match super::npz::stream(&self.path, members) {
            Ok(ArchiveStream { unpack, size, facts }) => {
                let source = Source::regular(self.path.clone(), size, archive(unpack, true));
                vec![Source { array: ArrayFacts { blank: None, archive: Some(facts) }, ..source }]
            }
            Err(members) => {
                let last = members.len() - 1;
                let source = |(at, member): (usize, ZipMember)| {
                    let (path, size) = (path_of(member.name()), member.size());
                    let unpack = Arc::new(move |file: &Arc<File>| member.open(file, Arc::default()));
                    Source::regular(path, size, archive(unpack, at == last))
                };
                members.into_iter().enumerate().map(source).collect()
            }
        };
        Ok(Some((sources, others.into_iter().map(path_of).collect())))
    }

    /// The file as one source.
    fn source(self) -> Result<Source, Error> {
        let OpenFile { path, file, metadata, head } = self;
        if !metadata.is_file() {
            return Ok(Source::stream(path, file));
        }
        let stamp = Stamp::of(&metadata);
        let content = match recognise(&head) {
            Some(codec) => Content::Packed(Arc::new(move |file: &Arc<File>| {
                TextStream::new(codec, Box::new(Section::new(Arc::clone(file), 0, u64::MAX)))
            })),
            None => {
                refuse_binary(&head).map_err(|error| Error::at(&path, error))?;
                Content::Text { is_mapped: false }
            }
        };
        let regular = Regular::new(path.as_path().into(), stamp, content);
        Ok(Source::regular(path, stamp.len, regular))
    }
}

/// Tells the kernel that the map is read once from start to end: it reads ahead far and drops pages early, which
/// helps on a disk. If the kernel refuses, the run is only slower.
///
/// In the page cache no advice helps. Nanoseconds a line of 82 bytes, including its copy in memory, on ext4 (which
/// keeps large folios) and on tmpfs. No advice 13, 21; sequential 13, 21; populate at once 14, 20, by the MiB 14, 21;
/// huge pages 13, 21. Read in blocks of 32 KiB 16, 24, of 1 MiB 14, 22.
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
pub(super) mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A reader that counts the bytes that are read.
    pub(in crate::input) struct CountingReader(io::Cursor<Vec<u8>>, Arc<AtomicUsize>);

    impl CountingReader {
        pub(in crate::input) fn new(bytes: Vec<u8>) -> (CountingReader, Arc<AtomicUsize>) {
            let read = Arc::default();
            (CountingReader(io::Cursor::new(bytes), Arc::clone(&read)), read)
        }
    }

    impl Read for CountingReader {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.0.read(buffer)?;
            self.1.fetch_add(read, Ordering::Relaxed);
            Ok(read)
        }
    }

    /// Another file may get the name of one that is open, but nothing may be written to it.
    #[test]
    fn a_file_that_changes_while_it_is_open_is_an_error() {
        let changes: [(bool, fn(&Path)); 5] = [
            (true, |path| fs::File::options().write(true).open(path).unwrap().set_len(20).unwrap()),
            (true, |path| fs::write(path, [b'1'; 200]).unwrap()),
            (true, |path| fs::File::open(path).unwrap().set_modified(SystemTime::now()).unwrap()),
            (false, |path| fs::remove_file(path).unwrap()),
            (false, |_| ()),
        ];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("in.txt");
        for (is_fault, change) in changes {
            for is_mapped in [true, false] {
                fs::write(&path, [b'1'; 100]).unwrap();
                // A time long ago, because the steps of file times are coarse.
                let file = fs::File::options().write(true).open(&path).unwrap();
                file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
                let opened =
                    || if is_mapped { Source::mapped_in_test(&path) } else { Source::open(&path).unwrap() };
                let [mut open, mut closed] = [opened(), opened()];
                assert_eq!(open.is_mapped(), is_mapped);
                change(&path);
                assert_eq!(open.finish().is_err(), is_fault);
                let is_same = matches!(closed.bytes(), Bytes::Mapped(_)) || closed.read_all().is_ok();
                assert_eq!(is_same, path.exists() && !is_fault);
            }
        }
    }

    /// Peeking again and again keeps one copy of the bytes, and every byte is read once.
    #[test]
    fn peeked_bytes_are_still_read() {
        let text: Vec<u8> = (0..1000).map(|number| b' ' + (number % 90) as u8).collect();
        let mut source = Source::stream("s", io::Cursor::new(text.clone()));
        for len in [0, 10, 5, 500, 300] {
            assert!(source.peek(len).unwrap().len() >= len);
        }
        assert_eq!(source.peek(20).unwrap(), &text[..500]);
        let Bytes::Stream(stream) = &mut source.bytes else { panic!("a stream is not mapped") };
        let mut read = Vec::new();
        for (len, expected) in [(7, 7), (400, 400), (1000, 593), (1, 0)] {
            assert_eq!(stream.read(len, &mut read).unwrap(), expected);
        }
        assert_eq!(read, text);
        assert!(source.peek(5).unwrap().is_empty());
    }
}
