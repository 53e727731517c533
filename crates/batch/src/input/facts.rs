//! What identifies an input: a later run can go on only with the same one.

use std::fmt::Write;
use std::io::Read;
use std::time::SystemTime;

use flate2::Crc;

use super::source::Source;
use crate::error::{Error, ErrorKind};

/// Bytes of a file whose checksum is taken.
const START_BYTES: u64 = 64 * 1024;

/// What identifies a file.
pub(crate) struct SourceFacts {
    /// Its length in bytes.
    pub(crate) len: u64,
    /// When it was last changed, in UTC (RFC 3339); empty if that is not known.
    pub(crate) modified: String,
    /// The CRC-32 of its first 64 KiB.
    pub(crate) start_crc: u32,
}

impl Source {
    /// What identifies the file, or the archive; `None` for streams.
    ///
    /// # Errors
    /// [`ErrorKind::Read`]; [`InputError::Changed`](super::InputError::Changed) if it was written to since it was
    /// opened.
    pub(crate) fn facts(&self) -> Result<Option<SourceFacts>, Error> {
        let Some(file) = self.open_again()? else { return Ok(None) };
        let fail = |error| Error::at(self.name(), ErrorKind::Read(error));
        let metadata = file.metadata().map_err(fail)?;
        let mut start = Vec::new();
        file.take(START_BYTES).read_to_end(&mut start).map_err(fail)?;
        let mut crc = Crc::new();
        crc.update(&start);
        let mut modified = String::new();
        // A time before 1970 has no such form.
        if let Some(time) = metadata.modified().ok().filter(|time| *time >= SystemTime::UNIX_EPOCH) {
            write!(modified, "{}", humantime::format_rfc3339_nanos(time)).ok();
        }
        Ok(Some(SourceFacts { len: metadata.len(), modified, start_crc: crc.sum() }))
    }
}
