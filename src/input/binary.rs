//! Recognises inputs that hold no puzzles as lines of text: compressed data, archives, databases, UTF-16.

use super::error::{FileKind, InputError};

/// The first bytes of such an input, and what it is.
const STARTS: &[(&[u8], InputError)] = &[
    (b"\x1f\x8b", InputError::Compressed("gzip")),
    (b"\x28\xb5\x2f\xfd", InputError::Compressed("zstd")),
    (b"\xfd7zXZ\0", InputError::Compressed("xz")),
    (b"BZh", InputError::Compressed("bzip2")),
    (b"\x04\x22\x4d\x18", InputError::Compressed("lz4")),
    (b"\x5d\0\0", InputError::Compressed("lzma")),
    (b"PK\x03\x04", InputError::NotText(FileKind::Zip)),
    (b"PK\x05\x06", InputError::NotText(FileKind::Zip)),
    // Behind the name of the format comes the first page, whose header begins so. A table may have a column `PAR1`.
    (b"PAR1\x15", InputError::NotText(FileKind::Parquet)),
    (b"SQLite format 3\0", InputError::NotText(FileKind::Sqlite)),
    (b"\xff\xfe", InputError::NotText(FileKind::Utf16)),
    (b"\xfe\xff", InputError::NotText(FileKind::Utf16)),
];

/// Bytes of the longest start.
pub(super) const START_BYTES: usize = 16;

/// Refuses an input that begins with `head` if it is no text of puzzles.
///
/// # Errors
/// [`InputError::Compressed`] or [`InputError::NotText`].
pub(super) fn refuse_binary(head: &[u8]) -> Result<(), InputError> {
    match STARTS.iter().find(|(start, _)| head.starts_with(start)) {
        Some((_, error)) => Err(error.clone()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_start_is_recognised_and_text_is_not() {
        for (start, error) in STARTS {
            assert!(start.len() <= START_BYTES);
            assert_eq!(refuse_binary(&[start, &b"rest"[..]].concat()), Err(error.clone()));
            assert_eq!(refuse_binary(&start[..start.len() - 1]), Ok(()));
        }
        for text in ["", "4.....8.5", "puzzle,solution", "PAR1,puzzle", "PK,puzzle", "\u{feff}puzzle", "]"] {
            assert_eq!(refuse_binary(text.as_bytes()), Ok(()));
        }
    }
}
