//! Outputs that are whole and on the disk, and get their names together.
//!
//! A file system has no step that renames two files, so the names are given one after the other, and taken back if one
//! cannot be given. Until then an old file under such a name is kept beside it: Linux and macOS exchange the names of
//! two files in one step. Where they cannot, and on other systems, an old file that was replaced is lost. A process that
//! is killed between two renames leaves the first.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::sink::Completion;
use crate::error::{Error, ErrorKind};

/// An output that is complete. A file gets its name by [`publish`](Self::publish); without it the bytes are lost.
#[derive(Debug, Default)]
#[must_use = "`publish` gives the file its name; without it the bytes are lost"]
pub struct Whole {
    /// The path as the caller wrote it, for errors.
    name: PathBuf,
    /// The temporary file, and the path that it gets; `None` if the output has its name.
    unnamed: Option<(TempPath, PathBuf)>,
    completion: Completion,
}

/// What takes a name back.
enum Undo {
    /// There was no file.
    Remove(PathBuf),
    /// The old file is the temporary one now, and is removed with it.
    Exchange(TempPath, PathBuf),
}

impl Whole {
    pub(super) fn new(name: PathBuf, unnamed: Option<(TempPath, PathBuf)>, completion: Completion) -> Whole {
        Whole { name, unnamed, completion }
    }

    /// An output that has its name.
    pub(super) fn named(completion: Completion) -> Whole {
        Whole { completion, ..Whole::default() }
    }

    /// Gives a file its name.
    ///
    /// # Errors
    /// [`ErrorKind::Write`]: a file that has the name is then unchanged.
    pub fn publish(self) -> Result<Completion, Error> {
        Whole::publish_all(vec![self]).map(|completions| completions.into_iter().next().unwrap_or_default())
    }

    /// Gives all files their names, or none.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] for the first file that cannot get its name. No file has a new name then; the
    /// exceptions are file systems that cannot exchange names.
    pub fn publish_all(outputs: Vec<Whole>) -> Result<Vec<Completion>, Error> {
        let (mut given, mut completions) = (Vec::new(), Vec::new());
        let last = outputs.len().saturating_sub(1);
        for (index, Whole { name, unnamed, completion }) in outputs.into_iter().enumerate() {
            let undo = match unnamed {
                None => Ok(None),
                // Nothing can fail behind it.
                Some((temporary, path)) if index == last => {
                    temporary.persist(path).map(|()| None).map_err(|error| error.error)
                }
                Some((temporary, path)) => give(temporary, path),
            };
            match undo {
                Ok(undo) => given.extend(undo),
                Err(error) => {
                    given.into_iter().rev().for_each(Undo::undo);
                    return Err(Error::at(name, ErrorKind::Write(error)));
                }
            }
            completions.push(completion);
        }
        Ok(completions)
    }
}

/// Gives the temporary file the name `path`. Returns what takes that back, if anything can.
fn give(temporary: TempPath, path: PathBuf) -> io::Result<Option<Undo>> {
    let is_old = match path.symlink_metadata() {
        Ok(metadata) if metadata.is_file() && exchange(&temporary, &path).is_ok() => {
            return Ok(Some(Undo::Exchange(temporary, path)));
        }
        present => present.is_ok(),
    };
    temporary.persist(&path).map_err(|error| error.error)?;
    Ok((!is_old).then_some(Undo::Remove(path)))
}

impl Undo {
    /// Takes the name back. The error that is the reason for it is reported, not one of this.
    fn undo(self) {
        match self {
            Undo::Remove(path) => fs::remove_file(path).ok(),
            Undo::Exchange(temporary, path) => exchange(&temporary, &path).ok(),
        };
    }
}

/// Exchanges the names of two files.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

/// No function that this program knows exchanges the names of two files.
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::output::OutputFile;

    /// The last name cannot be given, because it became the name of a folder.
    #[test]
    fn all_names_are_given_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["old", "new", "last"].map(|name| folder.path().join(name));
        let [old, new, last] = &paths;
        fs::write(old, "old").unwrap();
        let whole = || -> Vec<Whole> {
            let write = |path: &PathBuf| {
                let mut file = OutputFile::create(path).unwrap();
                file.write_all(b"next").unwrap();
                file.complete().unwrap()
            };
            paths.iter().map(write).collect()
        };
        let outputs = whole();
        fs::create_dir(last).unwrap();
        let error = Whole::publish_all(outputs).unwrap_err();
        assert_eq!(error.path(), Some(&**last));
        assert!(!new.exists());
        if cfg!(any(target_os = "linux", target_vendor = "apple")) {
            assert_eq!(fs::read(old).unwrap(), b"old");
        }
        assert_eq!(folder.path().read_dir().unwrap().count(), 2, "no temporary file is left");
        fs::remove_dir(last).unwrap();
        Whole::publish_all(whole()).unwrap();
        assert!(paths.iter().all(|path| fs::read(path).unwrap() == b"next"));
        assert_eq!(folder.path().read_dir().unwrap().count(), 3);
    }
}
