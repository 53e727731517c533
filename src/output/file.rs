//! The file of the results: complete under its name, or not there at all.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::{Error, ErrorKind};

/// A file that gets its name when it is complete.
///
/// The bytes go to a temporary file in the same folder; [`finish`](Self::finish) flushes it to the disk and renames it.
/// If this is dropped before, the temporary file is removed. A path that is not a regular file (`/dev/null`, a named
/// pipe) is written to directly, because it cannot be renamed.
#[derive(Debug)]
#[must_use = "`finish` gives the file its name; without it the bytes are lost"]
pub struct OutputFile {
    /// The path as the caller wrote it, for errors.
    name: PathBuf,
    target: Target,
}

#[derive(Debug)]
enum Target {
    Temporary { file: NamedTempFile, path: PathBuf },
    Direct(File),
}

impl OutputFile {
    /// Prepares to write `path`.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if the folder or the device cannot be written to.
    pub fn create(path: &Path) -> Result<OutputFile, Error> {
        let fail = |error| Error::at(path, ErrorKind::Write(error));
        // If the path is a symbolic link, the file it points to is replaced, not the link.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let present = target.metadata().ok();
        if present.as_ref().is_some_and(|metadata| metadata.is_dir()) {
            return Err(fail(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        let target = match present {
            Some(metadata) if !metadata.is_file() => {
                Target::Direct(OpenOptions::new().write(true).open(&target).map_err(fail)?)
            }
            present => {
                let folder = match target.parent() {
                    Some(folder) if !folder.as_os_str().is_empty() => folder,
                    _ => Path::new("."),
                };
                let mut builder = tempfile::Builder::new();
                builder.prefix(".galop-").suffix(".part");
                // As for any new file: the umask decides who may read it.
                #[cfg(unix)]
                builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
                let file = builder.tempfile_in(folder).map_err(fail)?;
                if let Some(metadata) = present {
                    file.as_file().set_permissions(metadata.permissions()).map_err(fail)?;
                }
                Target::Temporary { file, path: target }
            }
        };
        Ok(OutputFile { name: path.to_owned(), target })
    }

    /// The temporary file. Remove it if the process ends without running destructors.
    pub fn temporary(&self) -> Option<&Path> {
        match &self.target {
            Target::Temporary { file, .. } => Some(file.path()),
            Target::Direct(_) => None,
        }
    }

    /// Flushes the bytes to the disk and gives the file its name.
    ///
    /// # Errors
    /// [`ErrorKind::Write`]. The file under the final name is then unchanged.
    pub fn finish(self) -> Result<(), Error> {
        let fail = |error| Error::at(&self.name, ErrorKind::Write(error));
        match self.target {
            Target::Temporary { file, path } => {
                file.as_file().sync_all().map_err(fail)?;
                file.persist(path).map_err(|error| fail(error.error))?;
                Ok(())
            }
            Target::Direct(mut file) => file.flush().map_err(fail),
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            Target::Temporary { file, .. } => file.as_file_mut().write(bytes),
            Target::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::Temporary { file, .. } => file.as_file_mut().flush(),
            Target::Direct(file) => file.flush(),
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

    #[test]
    fn a_missing_folder_is_an_error_with_the_path() {
        let error = OutputFile::create(Path::new("/no/such/folder/out.txt")).unwrap_err();
        assert!(error.to_string().contains("/no/such/folder/out.txt"), "{error}");
        assert!(OutputFile::create(Path::new("/")).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_are_written_directly() {
        let mut file = OutputFile::create(Path::new("/dev/full")).unwrap();
        assert!(file.temporary().is_none());
        assert!(file.write_all(b"x").is_err());
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
    }
}
