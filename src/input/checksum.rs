//! The SHA-256 of a file, which identifies in a report what was read.
//!
//! The crate `sha2` uses the processor's own instructions if it has them (SHA-NI on x86), and finds that out at run
//! time.

use std::fmt::Write;
use std::io::{self, Read};

use sha2::{Digest, Sha256};

use super::source::{Bytes, Source};
use crate::error::{Error, ErrorKind};

/// Bytes read at a time if the file is not mapped.
const BLOCK_BYTES: usize = 65_536;

impl Source {
    /// The SHA-256 (FIPS 180-4) of all bytes of a regular file, in lowercase hexadecimal digits; `None` for streams,
    /// which can be read only once.
    ///
    /// This reads the file again, through its map or else by its path. Call it after a run.
    ///
    /// # Errors
    /// [`ErrorKind::Read`] if it cannot be read again; [`InputError::Changed`](super::InputError::Changed) if it was written to since it was
    /// opened, or if another file has its path now.
    pub(crate) fn sha256(&self) -> Result<Option<String>, Error> {
        let digest = match self.bytes() {
            Bytes::Mapped(map) => hex(&Sha256::digest(map)),
            Bytes::Stream(_) => {
                let Some(file) = self.open_again()? else { return Ok(None) };
                digest_of(file).map_err(|error| Error::at(self.name(), ErrorKind::Read(error)))?
            }
        };
        self.check_unchanged()?;
        Ok(Some(digest))
    }
}

fn digest_of(mut reader: impl Read) -> io::Result<String> {
    let mut sha = Sha256::new();
    let mut block = vec![0; BLOCK_BYTES];
    loop {
        match reader.read(&mut block) {
            Ok(0) => return Ok(hex(&sha.finalize())),
            Ok(read) => sha.update(&block[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        write!(text, "{byte:02x}").ok();
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
    fn files_have_the_known_sums_mapped_or_not() {
        for (bytes, sum) in vectors() {
            let file = tempfile::NamedTempFile::new().unwrap();
            fs::write(file.path(), &bytes).unwrap();
            for source in [Source::mapped_in_test(file.path()), Source::open(file.path()).unwrap()] {
                assert_eq!(source.sha256().unwrap().as_deref(), Some(sum), "{source:?}");
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
            if !map {
                assert!(matches!(source.sha256().unwrap_err().kind(), ErrorKind::Read(_)));
            }
        }
    }

    /// A reader that is interrupted first, then fails with this error or ends.
    struct Interrupted(bool, Option<io::ErrorKind>);

    impl Read for Interrupted {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            if !std::mem::replace(&mut self.0, true) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            self.1.map_or(Ok(0), |kind| Err(kind.into()))
        }
    }

    #[test]
    fn an_interrupted_read_is_tried_again_and_other_errors_are_returned() {
        assert_eq!(digest_of(Interrupted(false, None)).unwrap(), vectors()[0].1);
        let error = digest_of(Interrupted(false, Some(io::ErrorKind::TimedOut))).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
