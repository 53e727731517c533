//! The SHA-256 of a file, which identifies in a report what was read.

use super::source::Source;
use crate::checksum::OutputSum;
use crate::error::{Error, ErrorKind};

impl Source {
    /// The SHA-256 (FIPS 180-4) of all bytes of a regular file, in lowercase hexadecimal digits; `None` for streams,
    /// which can be read only once.
    ///
    /// This reads the file again, by its path. Call it after a run.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] if it cannot be read again; [`InputError::Changed`](super::InputError::Changed) if it was
    /// written to since it was opened, or if another file has its path now.
    pub fn sha256(&self) -> Result<Option<String>, Error> {
        let Some(file) = self.open_again()? else { return Ok(None) };
        let sum = OutputSum::of(&file).map_err(|error| Error::at(self.name(), ErrorKind::Read(error)))?;
        self.check(&file)?;
        Ok(Some(sum.sha256))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, io};

    #[test]
    fn files_have_the_sums_of_their_bytes_mapped_or_not() {
        for bytes in [&b""[..], b"abc", &[b'a'; 100_000]] {
            let file = tempfile::NamedTempFile::new().unwrap();
            fs::write(file.path(), bytes).unwrap();
            for source in [Source::mapped_in_test(file.path()), Source::open(file.path()).unwrap()] {
                assert_eq!(
                    source.sha256().unwrap().as_deref(),
                    Some(&*OutputSum::of(bytes).unwrap().sha256),
                    "{source:?}"
                );
            }
        }
    }

    #[test]
    fn a_stream_has_none() {
        assert_eq!(Source::stream("s", io::empty()).sha256().unwrap(), None);
    }

    #[test]
    fn a_file_that_was_replaced_is_an_error() {
        for map in [true, false] {
            let file = tempfile::NamedTempFile::new().unwrap();
            fs::write(file.path(), "one").unwrap();
            let source =
                if map { Source::mapped_in_test(file.path()) } else { Source::open(file.path()).unwrap() };
            fs::write(file.path(), "other").unwrap();
            assert!(matches!(source.sha256().unwrap_err().fact(), Some(crate::input::InputError::Changed)));
            fs::remove_file(file.path()).unwrap();
            assert!(matches!(source.sha256().unwrap_err().kind(), ErrorKind::Read(_)));
        }
    }
}
