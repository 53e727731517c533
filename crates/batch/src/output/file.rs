//! The file of the results: complete under its name, or not there at all.

use std::fs::{File, Metadata, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Seek, SeekFrom, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf, absolute};

use tempfile::{NamedTempFile, TempPath};

use super::Whole;
use super::sink::Completion;
use crate::checksum::{OutputSum, SummingThread};
use crate::compressed::{self, Packer};
use crate::error::{Error, ErrorKind};

/// A file that gets its name when it is complete.
///
/// The bytes go to a temporary file in the same folder; [`finish`](Self::finish) flushes it to the disk and renames it.
/// If this is dropped before, the temporary file is removed. A file that is replaced keeps its mode, owner, group and
/// extended attributes.
///
/// Some files cannot be replaced in this way, and are written in place: see [`in_place`](Self::in_place). A path that
/// is not a regular file (`/dev/null`, a named pipe) and a path in `/dev` or `/proc` is written to directly.
///
/// The bytes are compressed if [`packed_by`](Self::packed_by) says so.
#[derive(Debug)]
#[must_use = "`finish` gives the file its name; without it the bytes are lost"]
pub struct OutputFile {
    /// The path as the caller wrote it, for errors.
    name: PathBuf,
    target: Target,
    writer: Writer,
    /// Compresses what is written, in threads of its own, and writes it to the file.
    packer: Option<Packer>,
    /// Whether bytes of it were written twice.
    is_rewritten: bool,
}

/// How the file gets its name.
#[derive(Debug)]
enum Target {
    /// It is a temporary file, which gets this name at the end.
    Temporary(TempPath, PathBuf),
    /// It has its name already. Holds the reason why a regular file is not replaced.
    InPlace(Option<&'static str>),
}

/// Writes the bytes of the file.
#[derive(Debug)]
struct Writer {
    file: File,
    /// Whether the file has old bytes, which the first write removes.
    is_old: bool,
    /// Sums up the bytes.
    summing: Option<SummingThread>,
}

impl OutputFile {
    /// Prepares to write `path`. Of a symbolic link, the file it points to is written, which need not exist.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if the file is write-protected, or the folder or the device cannot be written to.
    pub fn create(path: &Path) -> Result<OutputFile, Error> {
        OutputFile::create_noted(path, None, |_| {})
    }

    /// As [`create`](Self::create), for a process that may end without running destructors. `note` gets the path of
    /// the temporary file right before that is created, and can have it removed then.
    ///
    /// With a `run`, the output of a run that may be killed and go on, the temporary file has a name that follows from
    /// `path` and `run`: it replaces the one that was left then. No other process may write for `run` at the same time.
    ///
    /// # Errors
    /// The errors of [`create`](Self::create).
    pub fn create_noted(
        path: &Path,
        run: Option<&Path>,
        mut note: impl FnMut(&Path),
    ) -> Result<OutputFile, Error> {
        let opened = open(follow(path), |path| temporary(path, run, &mut note));
        let (target, file, is_old) = opened.map_err(|error| Error::at(path, ErrorKind::Write(error)))?;
        Ok(OutputFile::new(path.to_owned(), target, file, is_old))
    }

    /// A temporary file without a name, and a handle to read it after [`finish`](Self::finish), from its start. It is not
    /// flushed to the disk, and vanishes with the handle.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if it cannot be created.
    pub fn unnamed() -> Result<(OutputFile, File), Error> {
        let name = PathBuf::from("a temporary file");
        let opened = tempfile::tempfile().and_then(|file| Ok((file.try_clone()?, file)));
        let (reader, file) = opened.map_err(|error| Error::at(&name, ErrorKind::Write(error)))?;
        Ok((OutputFile::new(name, Target::InPlace(None), file, false), reader))
    }

    fn new(name: PathBuf, target: Target, file: File, is_old: bool) -> OutputFile {
        let writer = Writer { file, is_old, summing: None };
        OutputFile { name, target, writer, packer: None, is_rewritten: false }
    }

    /// From now on the bytes of the file, compressed or not, are summed up in a thread of their own. Call it before
    /// [`packed_by`](Self::packed_by), and [`finish`](Self::finish) at the end.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if the thread cannot be started.
    pub fn summed(mut self) -> Result<OutputFile, Error> {
        let summing =
            SummingThread::start().map_err(|error| Error::at(&self.name, ErrorKind::Write(error)))?;
        self.writer.summing = Some(summing);
        Ok(self)
    }

    /// From now on the bytes are compressed if the name ends in `.gz`, or with the feature `compressed` in `.zst`,
    /// `.xz` or `.bz2`. This takes `threads` threads (`None`: one a core) beside the one that writes. The compressed
    /// bytes do not depend on the number of threads.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if the threads cannot be started.
    pub fn packed_by(mut self, threads: Option<NonZero<usize>>) -> Result<OutputFile, Error> {
        if let Some(codec) = compressed::by_name(&self.name) {
            let threads = galop_cover::threads::count(threads);
            let file = self.writer.for_a_thread();
            let packer = file.and_then(|file| Packer::start(codec, Box::new(file), threads));
            self.packer = Some(packer.map_err(|error| Error::at(&self.name, ErrorKind::Write(error)))?);
        }
        Ok(self)
    }

    /// Whether it gets its name at the end.
    pub(super) fn is_temporary(&self) -> bool {
        matches!(self.target, Target::Temporary(..))
    }

    /// Why the present file is written in place, if it is: a new file under its name would lose something that the old
    /// one has. The write is not atomic: if it is not finished, the file is incomplete.
    pub fn in_place(&self) -> Option<&'static str> {
        match self.target {
            Target::Temporary(..) => None,
            Target::InPlace(reason) => reason,
        }
    }

    /// Whether bytes that were written can be written again: it is a regular file and not compressed.
    pub fn can_be_rewritten(&self) -> bool {
        self.packer.is_none() && self.writer.file.metadata().is_ok_and(|metadata| metadata.is_file())
    }

    /// Writes `bytes` again, over those from `offset` on. What is written later goes to the end, as before.
    ///
    /// # Errors
    /// [`ErrorKind::Write`].
    pub(crate) fn rewrite(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        self.is_rewritten = true;
        let file = &mut self.writer.file;
        let rewritten = file
            .seek(SeekFrom::Start(offset))
            .and_then(|_| file.write_all(bytes))
            .and_then(|()| file.seek(SeekFrom::End(0)));
        rewritten.map(drop).map_err(|error| Error::at(&self.name, ErrorKind::Write(error)))
    }

    /// The path as the caller wrote it.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Flushes the bytes to the disk and gives the file its name.
    ///
    /// # Errors
    /// [`ErrorKind::Write`]: the file under the final name is then unchanged, unless it is written in place.
    /// [`ErrorKind::Read`] for a file of arrays that is [`summed`](Self::summed) up: it is read again.
    pub fn finish(self) -> Result<Completion, Error> {
        self.complete()?.publish()
    }

    /// Flushes the bytes to the disk. The file has its name only when the result is [published](Whole::publish).
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn complete(mut self) -> Result<Whole, Error> {
        let fail = |error| Error::at(&self.name, ErrorKind::Write(error));
        self.packer.map_or(Ok(()), Packer::finish).map_err(fail)?;
        self.writer.begin().map_err(fail)?;
        if !matches!(self.target, Target::InPlace(None)) {
            self.writer.file.sync_all().map_err(fail)?;
        }
        let unnamed = match self.target {
            Target::Temporary(temporary, path) => Some((temporary, path)),
            Target::InPlace(_) => None,
        };
        let written = unnamed.as_ref().map_or(&*self.name, |(temporary, _)| temporary);
        let sum = match self.writer.summing {
            // The sum of the bytes that were written is not the sum of the file.
            Some(_) if self.is_rewritten => {
                Some(OutputSum::of_file(written).map_err(|error| error.in_file(&self.name))?)
            }
            summing => summing.and_then(|summing| summing.finish()),
        };
        Ok(Whole::new(self.name, unnamed, Completion { sum, ..Completion::default() }))
    }
}

/// Opens the regular file `path`, or a `temporary` file that is to replace it. Also returns whether the file has old
/// bytes.
fn open(
    path: PathBuf,
    temporary: impl FnOnce(&Path) -> io::Result<NamedTempFile>,
) -> io::Result<(Target, File, bool)> {
    let present = match path.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        present => Some(present?),
    };
    match present {
        Some(metadata) if metadata.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Some(metadata) if metadata.is_file() && !is_system(&path) => replace(path, temporary, &metadata),
        None if !is_system(&path) => {
            let (file, temporary) = temporary(&path)?.into_parts();
            Ok((Target::Temporary(temporary, path), file, false))
        }
        present => {
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
            Ok((Target::InPlace(None), file, present.is_some_and(|metadata| metadata.is_file())))
        }
    }
}

/// Replaces the regular file `path`, or writes it in place.
fn replace(
    path: PathBuf,
    temporary: impl FnOnce(&Path) -> io::Result<NamedTempFile>,
    metadata: &Metadata,
) -> io::Result<(Target, File, bool)> {
    // A rename needs no permission to write the file itself. Without it, the file is protected.
    let old = OpenOptions::new().write(true).open(&path)?;
    let kept = temporary(&path).map(|file| (keep(&old, metadata, file.as_file()), file));
    let reason = match kept {
        Ok((Ok(()), file)) => {
            let (file, temporary) = file.into_parts();
            return Ok((Target::Temporary(temporary, path), file, false));
        }
        Ok((Err(reason), _)) => reason,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => "its folder is write-protected",
        Err(error) => return Err(error),
    };
    Ok((Target::InPlace(Some(reason)), old, true))
}

impl Writer {
    /// The same file for another thread. This one must not write from now on.
    fn for_a_thread(&mut self) -> io::Result<Writer> {
        let (file, is_old) = (self.file.try_clone()?, std::mem::take(&mut self.is_old));
        Ok(Writer { file, is_old, summing: self.summing.clone() })
    }

    /// Removes the old bytes of the file.
    fn begin(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_old) { self.file.set_len(0) } else { Ok(()) }
    }
}

/// A new file in the folder of `path`, noted before it is created. With a `run`, its name is always the same, and an
/// older file of that name is removed.
fn temporary(path: &Path, run: Option<&Path>, note: &mut dyn FnMut(&Path)) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    let suffix = match run {
        None => ".part".to_owned(),
        Some(run) => {
            let mut hasher = DefaultHasher::new();
            (absolute(run)?, absolute(path)?).hash(&mut hasher);
            format!("{:016x}.part", hasher.finish())
        }
    };
    builder.prefix(".galop-").suffix(&suffix);
    if run.is_some() {
        builder.rand_bytes(0);
        std::fs::remove_file(folder.join(format!(".galop-{suffix}"))).ok();
    }
    // As for any new file, the umask decides who may read it.
    builder.make_in(folder, |path| {
        note(path);
        OpenOptions::new().read(true).write(true).create_new(true).open(path)
    })
}

/// Links that are followed before a path is given up, as in the kernel of Linux.
const MAX_LINKS: usize = 40;

/// The path behind symbolic links. It need not exist. A link in `/dev` or `/proc` is not followed: the system knows
/// which open file it means.
pub(super) fn follow(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match path.read_link() {
            Ok(next) if !is_system(&path) => {
                path = path.parent().map_or(next.clone(), |folder| folder.join(next));
            }
            _ => break,
        }
    }
    path
}

/// Whether the path is in a folder that the system fills. (`/dev/shm` is an ordinary folder.)
pub(super) fn is_system(path: &Path) -> bool {
    cfg!(unix)
        && ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder))
        && !path.starts_with("/dev/shm")
}

/// Gives `new` the owner, group, extended attributes and mode of `old`, or says what it cannot have.
#[cfg(unix)]
fn keep(old: &File, metadata: &Metadata, new: &File) -> Result<(), &'static str> {
    use std::os::unix::fs::{MetadataExt, fchown};
    if metadata.nlink() > 1 {
        return Err("it has several hard links");
    }
    let Ok(present) = new.metadata() else { return Err("its metadata cannot be read") };
    if metadata.dev() != present.dev() {
        return Err("it is a mount point");
    }
    let owner = Some(metadata.uid()).filter(|uid| *uid != present.uid());
    let group = Some(metadata.gid()).filter(|gid| *gid != present.gid());
    if (owner.is_some() || group.is_some()) && fchown(new, owner, group).is_err() {
        return Err("a new file cannot have its owner and group");
    }
    keep_attributes(old, new).map_err(|_| "a new file cannot have its extended attributes")?;
    new.set_permissions(metadata.permissions()).map_err(|_| "a new file cannot have its mode")
}

/// Gives `new` the mode of `old`, or says that it cannot have it.
#[cfg(not(unix))]
fn keep(_old: &File, metadata: &Metadata, new: &File) -> Result<(), &'static str> {
    new.set_permissions(metadata.permissions()).map_err(|_| "a new file cannot have its mode")
}

/// Copies the extended attributes, which include access control lists.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn keep_attributes(old: &File, new: &File) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
    let mut names = vec![0; 1 << 16];
    let length = match flistxattr(old, &mut names[..]) {
        Err(rustix::io::Errno::NOTSUP) => return Ok(()),
        length => length?,
    };
    let value = |file: &File, name: &[u8]| -> io::Result<Vec<u8>> {
        let mut value = vec![0; 1 << 16];
        let length = fgetxattr(file, name, &mut value[..])?;
        value.truncate(length);
        Ok(value)
    };
    for name in names[..length].split(|&byte| byte == 0).filter(|name| !name.is_empty()) {
        let wanted = value(old, name)?;
        // The label that the system gave the new file is often the same, and only the system may set it.
        if !value(new, name).is_ok_and(|present| present == wanted) {
            fsetxattr(new, name, &wanted, XattrFlags::empty())?;
        }
    }
    Ok(())
}

/// There are no extended attributes that this program knows.
#[cfg(all(unix, not(any(target_os = "linux", target_vendor = "apple"))))]
fn keep_attributes(_old: &File, _new: &File) -> io::Result<()> {
    Ok(())
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begin()?;
        let written = self.file.write(bytes)?;
        if let Some(summing) = &self.summing {
            summing.add(&bytes[..written]);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.packer {
            Some(packer) => packer.write(bytes),
            None => self.writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.packer {
            Some(packer) => packer.flush(),
            None => self.writer.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_holds_all_or_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        assert!(!path.exists());
        drop(file);
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);

        std::fs::write(&path, "old").unwrap();
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(b"whole").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        file.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"whole");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    /// A signal that comes in between finds the name in the list of files to remove.
    #[test]
    fn a_temporary_file_is_noted_before_it_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        for run in [None, Some(&*path)] {
            let mut noted = Vec::new();
            let file = OutputFile::create_noted(&path, run, |path| {
                assert!(!path.exists());
                noted.push(path.to_owned());
            });
            let [temporary] = &noted[..] else { panic!("one file: {noted:?}") };
            assert!(temporary.is_absolute() && temporary.exists());
            drop(file.unwrap());
            assert!(!temporary.exists());
        }
    }

    #[test]
    fn a_missing_folder_is_an_error_with_the_path() {
        let error = OutputFile::create(Path::new("/no/such/folder/out.txt")).unwrap_err();
        assert!(error.to_string().contains("/no/such/folder/out.txt"), "{error}");
        assert!(OutputFile::create(Path::new("/")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_keeps_pointing_to_the_file_and_its_permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("real.txt"), folder.path().join("link.txt"));
        std::fs::write(&path, "old").unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let mut file = OutputFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        let circle = folder.path().join("circle.txt");
        std::os::unix::fs::symlink("circle.txt", &circle).unwrap();
        assert!(OutputFile::create(&circle).is_err() && circle.is_symlink(), "a link to itself");
    }

    #[cfg(unix)]
    #[test]
    fn what_a_new_file_cannot_have_makes_the_write_one_in_place() {
        use std::os::unix::fs::MetadataExt;
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("real.txt"), folder.path().join("hard.txt"));
        std::fs::write(&path, "a long old text").unwrap();
        std::fs::hard_link(&path, &link).unwrap();
        let mut file = OutputFile::create(&link).unwrap();
        assert_eq!(file.in_place(), Some("it has several hard links"));
        assert_eq!(std::fs::read(&path).unwrap(), b"a long old text", "nothing is written yet");
        file.write_all(b"ne").unwrap();
        file.write_all(b"w").unwrap();
        file.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(path.metadata().unwrap().nlink(), 2);
        OutputFile::create(&link).unwrap().finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"");
        assert_eq!(folder.path().read_dir().unwrap().count(), 2);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn extended_attributes_stay() {
        use rustix::fs::{XattrFlags, getxattr, setxattr};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.txt");
        std::fs::write(&path, "old").unwrap();
        if setxattr(&path, "user.origin", b"here", XattrFlags::empty()).is_err() {
            galop_testing::available::skip("the temporary folder has no extended attributes");
            return;
        }
        let mut file = OutputFile::create(&path).unwrap();
        assert_eq!(file.in_place(), None);
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        let mut value = [0; 16];
        let length = getxattr(&path, "user.origin", &mut value[..]).unwrap();
        assert_eq!((&value[..length], std::fs::read(&path).unwrap()), (&b"here"[..], b"new".to_vec()));
    }
}
