//! Recognises inputs that hold no puzzles as lines of text: archives, databases, UTF-16, and compressed data that are
//! not unpacked (`compressed/` recognises those that are).

use super::error::{FileKind, InputError};
use super::format::npy;

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
    (b"\x89HDF\r\n\x1a\n", InputError::NotText(FileKind::Hdf5)),
    // The number is the version of the protocol. Versions before 2 are text.
    (b"\x80\x02", InputError::NotText(FileKind::Pickle)),
    (b"\x80\x03", InputError::NotText(FileKind::Pickle)),
    (b"\x80\x04\x95", InputError::NotText(FileKind::Pickle)),
    (b"\x80\x05\x95", InputError::NotText(FileKind::Pickle)),
    (b"SQLite format 3\0", InputError::NotText(FileKind::Sqlite)),
    (b"ARROW1\0\0", InputError::NotText(FileKind::Arrow)),
    // The continuation and the length of the schema, with which a stream of Arrow begins.
    (b"\xff\xff\xff\xff", InputError::NotText(FileKind::Arrow)),
    (b"\x89PNG", InputError::NotText(FileKind::Picture)),
    (b"\xff\xd8\xff", InputError::NotText(FileKind::Picture)),
    (b"GIF8", InputError::NotText(FileKind::Picture)),
    (b"%PDF-", InputError::NotText(FileKind::Picture)),
    (b"\xff\xfe\0\0", InputError::NotText(FileKind::Utf32)),
    (b"\0\0\xfe\xff", InputError::NotText(FileKind::Utf32)),
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
    let not_text = |kind| Err(InputError::NotText(kind));
    if let Some((_, error)) = STARTS.iter().find(|(start, _)| head.starts_with(start)) {
        return Err(error.clone());
    }
    let head = &head[..head.len().min(START_BYTES)];
    match () {
        () if head.get(TAR_AT..).is_some_and(|rest| rest.starts_with(TAR)) => not_text(FileKind::Tar),
        () if is_parquet(head) => not_text(FileKind::Parquet),
        () if has_zeros(head, 1) => not_text(FileKind::Utf16Le),
        () if has_zeros(head, 0) => not_text(FileKind::Utf16Be),
        () if is_binary(head) => not_text(FileKind::Binary),
        () => Ok(()),
    }
}

/// Whether a Parquet file begins so: the name of the format, or of its encrypted form, and then a byte that no text has.
/// (A table of text may have a column of that name.)
fn is_parquet(head: &[u8]) -> bool {
    let is_text = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    [b"PAR1", b"PARE"].iter().any(|name| head.starts_with(*name))
        && head.get(4).is_some_and(|byte| !is_text(byte))
}

/// Whether every second byte, from byte `from` on, is zero, and no other one: the characters of a puzzle in UTF-16.
fn has_zeros(head: &[u8], from: usize) -> bool {
    let pairs = head.as_chunks::<2>().0;
    pairs.len() >= LEAST_PAIRS && pairs.iter().all(|pair| pair[from] == 0 && pair[1 - from] != 0)
}

/// Pairs of bytes that show that a text is in UTF-16.
const LEAST_PAIRS: usize = 8;

/// Bytes that show that a source is binary. A shorter one is read: its records are malformed.
const LEAST_BINARY: usize = 64;

/// Whether more than one of 16 bytes of `head` is a control character that no text has, and one of them is zero. (Lines
/// with some wrong bytes are malformed records. Arrays of numpy are read.)
fn is_binary(head: &[u8]) -> bool {
    let is_control = |byte: &&u8| matches!(byte, 0..=8 | 14..=26 | 28..=31 | 127);
    let controls = head.iter().filter(is_control).count();
    !head.starts_with(npy::MAGIC)
        && head.len() >= LEAST_BINARY
        && head.contains(&0)
        && 16 * controls > head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_start_is_recognised_and_text_is_not() {
        for (start, error) in STARTS {
            assert!(start.len() <= START_BYTES);
            assert_eq!(refuse_binary(&[start, &b"rest"[..]].concat()), Err(error.clone()));
            assert_ne!(refuse_binary(&start[..start.len() - 1]), Err(error.clone()));
        }
        let tar = [&[b'a'; TAR_AT][..], TAR].concat();
        assert_eq!(tar.len(), START_BYTES);
        assert_eq!(refuse_binary(&tar), Err(InputError::NotText(FileKind::Tar)));
        assert_eq!(refuse_binary(&tar[..TAR_AT]), Ok(()));
        let pairs = |pair: [u8; 2]| pair.repeat(8);
        for (bytes, kind) in [
            (pairs(*b"4\0"), FileKind::Utf16Le),
            (pairs(*b"\x004"), FileKind::Utf16Be),
            (b"PAR1\x15".to_vec(), FileKind::Parquet),
            (b"PAR1\x1c".to_vec(), FileKind::Parquet),
            (b"PARE\x15".to_vec(), FileKind::Parquet),
            (b"\x7fELF\0\0\x01\x02".repeat(8), FileKind::Binary),
        ] {
            assert_eq!(refuse_binary(&bytes), Err(InputError::NotText(kind)), "{bytes:?}");
        }
        assert_eq!(refuse_binary(&[&[b'.'; 81][..], &[0; 5]].concat()), Ok(()), "a record with wrong bytes");
        for text in ["", "4.....8.5", "puzzle,solution", "PAR1,puzzle", "PK,puzzle", "\u{feff}puzzle", "]"] {
            assert_eq!(refuse_binary(text.as_bytes()), Ok(()));
        }
    }
}
