//! Recognises inputs that hold no puzzles as lines of text: archives, databases, UTF-16, and compressed data that are not
//! unpacked (`compressed/` recognises those that are).

use super::error::{FileKind, InputError};

/// The first bytes of such an input, and what it is.
const STARTS: &[(&[u8], InputError)] = &[
    (b"\x1f\x8b", InputError::Compressed("gzip")),
    (b"\x28\xb5\x2f\xfd", InputError::Compressed("zstd")),
    (b"\xfd7zXZ\0", InputError::Compressed("xz")),
    (b"BZh", InputError::Compressed("bzip2")),
    (b"\x04\x22\x4d\x18", InputError::Compressed("lz4")),
    (b"\x5d\0\0", InputError::Compressed("lzma")),
    (b"7z\xbc\xaf\x27\x1c", InputError::NotText(FileKind::SevenZip)),
    (b"PK\x03\x04", InputError::NotText(FileKind::Zip)),
    (b"PK\x05\x06", InputError::NotText(FileKind::Zip)),
    // Behind the name of the format comes the first page, whose header begins so. A table may have a column `PAR1`.
    (b"PAR1\x15", InputError::NotText(FileKind::Parquet)),
    (b"\x89HDF\r\n\x1a\n", InputError::NotText(FileKind::Hdf5)),
    // The number is the version of the protocol. Versions before 2 are text.
    (b"\x80\x02", InputError::NotText(FileKind::Pickle)),
    (b"\x80\x03", InputError::NotText(FileKind::Pickle)),
    (b"\x80\x04\x95", InputError::NotText(FileKind::Pickle)),
    (b"\x80\x05\x95", InputError::NotText(FileKind::Pickle)),
    (b"SQLite format 3\0", InputError::NotText(FileKind::Sqlite)),
    (b"\xff\xfe", InputError::NotText(FileKind::Utf16)),
    (b"\xfe\xff", InputError::NotText(FileKind::Utf16)),
];

/// What stands at [`TAR_AT`] in an archive of tar.
const TAR: &[u8] = b"ustar";

/// The offset of [`TAR`], behind the name of the first member and other fields of its header.
const TAR_AT: usize = 257;

/// Bytes at the start of an input that show what it is.
pub(super) const START_BYTES: usize = TAR_AT + TAR.len();

/// Refuses an input that begins with `head` if it is no text of puzzles.
///
/// # Errors
/// [`InputError::Compressed`] or [`InputError::NotText`].
pub(super) fn refuse_binary(head: &[u8]) -> Result<(), InputError> {
    match STARTS.iter().find(|(start, _)| head.starts_with(start)) {
        Some((_, error)) => Err(error.clone()),
        None if head.get(TAR_AT..).is_some_and(|rest| rest.starts_with(TAR)) => {
            Err(InputError::NotText(FileKind::Tar))
        }
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
        let tar = [&[b'a'; TAR_AT][..], TAR].concat();
        assert_eq!(tar.len(), START_BYTES);
        assert_eq!(refuse_binary(&tar), Err(InputError::NotText(FileKind::Tar)));
        assert_eq!(refuse_binary(&tar[..TAR_AT]), Ok(()));
        for text in ["", "4.....8.5", "puzzle,solution", "PAR1,puzzle", "PK,puzzle", "\u{feff}puzzle", "]"] {
            assert_eq!(refuse_binary(text.as_bytes()), Ok(()));
        }
    }
}
