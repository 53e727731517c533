//! The members of a zip archive (APPNOTE.TXT 6.3.10 of PKWARE; section numbers below are of that text).
//!
//! ```text
//!   [header, data] [header, data] ...   [entry] [entry] ...   [end of zip64]   [end]
//!   members                             directory
//! ```
//! An archive is read from its end: the end says where the directory is, an entry where its member is, how it is
//! compressed, how long it is, and its checksum. So it must be a file; a pipe cannot be read from its end. The
//! directory is all that is held in memory.
//!
//! Why no crate: `zip` 9.8 with deflate alone adds 12 s of processor time to a build, and `npyz` 0.9 for the arrays
//! another 28 (three builds, in which zlib-rs took 4.8). `rc-zip-sync` 4.4 unpacks with `miniz_oxide` instead of
//! zlib-rs.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use flate2::Crc;
use flate2::bufread::DeflateDecoder;
use memchr::memmem;

use super::blocks::or_error;
use super::error::{FileKind, InputError, MemberFault, read_error};
use super::source::has_ending;
use super::stream::Section;
use crate::compressed::{
    CODECS, Codec, Damage, DamageKind, Decoder, Members, Meter, MeteredReader, Pack, TextStream,
};
use crate::error::Error;

/// Bytes of the largest directory that is read: 200,000 members with names of 40 bytes.
const MAX_DIRECTORY_BYTES: u64 = 16 << 20;

/// Bytes of the end of an archive without its comment (4.3.16), and of the longest comment.
const END_BYTES: u64 = 22;
const MAX_COMMENT_BYTES: u64 = 0xffff;

/// Bytes of a header before the name (4.3.7), and of an entry of the directory before the name (4.3.12).
const HEADER_BYTES: u64 = 30;
const ENTRY_BYTES: usize = 46;

/// Whether a file that begins with `head` is an archive, perhaps an empty one.
pub(super) fn is_start(head: &[u8]) -> bool {
    head.starts_with(MEMBER) || head.starts_with(b"PK\x05\x06")
}

/// The start of the header of a member.
const MEMBER: &[u8] = b"PK\x03\x04";

/// Whether the file `path`, which begins with `head`, may be an archive with other bytes before it, as one that unpacks
/// itself. Its end shows whether it is.
pub(super) fn may_follow(path: &Path, head: &[u8]) -> bool {
    let is_named = path
        .extension()
        .is_some_and(|ending| ["zip", "npz"].iter().any(|other| ending.eq_ignore_ascii_case(other)));
    is_named || memmem::find(head, MEMBER).is_some()
}

/// What an archive holds.
pub(super) struct Archive {
    /// The members that are read, in the order of the directory.
    pub(super) members: Vec<ZipMember>,
    /// The names of the others.
    pub(super) others: Vec<String>,
    /// Where it ends, if other bytes follow.
    pub(super) end: Option<u64>,
}

/// The error of other bytes behind an archive, which ends at this offset.
pub(super) fn garbage_at(offset: u64) -> io::Error {
    let damage = Damage { format: "zip", offset, text: 0, kind: DamageKind::Garbage };
    io::Error::new(io::ErrorKind::InvalidData, damage)
}

/// The archive `file`, named `path` and of `len` bytes.
///
/// # Errors
/// [`ErrorKind::Read`](crate::ErrorKind::Read), [`InputError::NoDirectory`], [`InputError::NoFiles`],
/// [`InputError::Member`], [`InputError::NotText`] if it is a workbook.
pub(super) fn members(path: &Path, file: &File, len: u64) -> Result<Archive, Error> {
    let at = |error: InputError| Error::at(path, error);
    let directory = Directory::read(file, len).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => at(InputError::NoDirectory),
        _ => read_error(path, error),
    })?;
    let entries = directory.entries().ok_or_else(|| at(InputError::NoDirectory))?;
    if entries.iter().any(|entry| entry.name.starts_with(b"xl/")) {
        return Err(at(InputError::NotText(FileKind::Xlsx)));
    }
    let (entries, others): (Vec<Entry>, Vec<Entry>) =
        entries.into_iter().filter(Entry::is_file).partition(|entry| has_ending(Path::new(&entry.name())));
    if entries.is_empty() {
        return Err(at(InputError::NoFiles));
    }
    let members =
        entries.into_iter().map(|entry| entry.packed().map_err(at)).collect::<Result<_, Error>>()?;
    let end = Some(directory.end).filter(|&end| end < len);
    Ok(Archive { members, others: others.iter().map(Entry::name).collect(), end })
}

/// The number of `N` bytes at offset `at`, little-endian (4.4.1.1).
fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes: &[u8; N] = bytes.get(at..)?.first_chunk()?;
    Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

/// The bytes of the file from `start` on.
fn read_exact(file: &File, start: u64, len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Section::new(file, start, start.saturating_add(len)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == len { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// The directory of an archive.
struct Directory {
    /// All entries, one after the other.
    bytes: Vec<u8>,
    /// How many there are, by the end of the archive. Without zip64 only the lowest 16 bits are known.
    count: u64,
    is_zip64: bool,
    /// Bytes of the file before the archive, which its offsets do not count.
    before: u64,
    /// Bytes of the file up to the end of the archive.
    end: u64,
}

impl Directory {
    fn read(file: &File, len: u64) -> io::Result<Directory> {
        let invalid = || io::Error::from(io::ErrorKind::InvalidData);
        let tail_start = len.saturating_sub(END_BYTES + MAX_COMMENT_BYTES);
        let tail = read_exact(file, tail_start, len - tail_start)?;
        // The last end that is followed by a comment of the length that it names, or else by that and other bytes.
        let ends = || {
            let end = |at: usize| {
                let comment =
                    number::<2>(&tail, at + 20).filter(|_| tail[at..].starts_with(b"PK\x05\x06"))?;
                Some((at, at as u64 + END_BYTES + comment)).filter(|(_, end)| *end <= tail.len() as u64)
            };
            (0..tail.len()).rev().filter_map(end)
        };
        let last = ends().find(|(_, end)| *end == tail.len() as u64);
        let (at, end) = last.or_else(|| ends().next()).ok_or_else(invalid)?;
        let end = tail_start + end;
        let field = |offset| number::<4>(&tail, at + offset).ok_or_else(invalid);
        let (mut size, mut start) = (field(12)?, field(16)?);
        let mut count = number::<2>(&tail, at + 10).ok_or_else(invalid)?;
        // Zip64 (4.3.15): a locator before the end says where the other end is, which has longer fields.
        let locator = at.checked_sub(20).filter(|&locator| tail[locator..].starts_with(b"PK\x06\x07"));
        if let Some(locator) = locator {
            let end = read_exact(file, number::<8>(&tail, locator + 8).ok_or_else(invalid)?, 56)?;
            if !end.starts_with(b"PK\x06\x06") {
                return Err(invalid());
            }
            let field = |offset| number::<8>(&end, offset).ok_or_else(invalid);
            (count, size, start) = (field(32)?, field(40)?, field(48)?);
        }
        if size > MAX_DIRECTORY_BYTES {
            return Err(invalid());
        }
        // The end follows the directory, wherever the archive begins in the file.
        let found = (tail_start + at as u64).checked_sub(size).filter(|_| locator.is_none());
        let before = found.and_then(|found| found.checked_sub(start)).unwrap_or(0);
        let bytes = read_exact(file, start.saturating_add(before), size)?;
        Ok(Directory { bytes, count, is_zip64: locator.is_some(), before, end })
    }

    /// The members, each once; `None` if the directory is malformed, or has not as many entries as the archive says.
    fn entries(&self) -> Option<Vec<Entry>> {
        let mut entries = entries(&self.bytes)?;
        let found = entries.len() as u64;
        let is_whole = if self.is_zip64 { found == self.count } else { found & 0xffff == self.count };
        entries.iter_mut().for_each(|entry| entry.header = entry.header.saturating_add(self.before));
        // Two entries of the same data are one member.
        let mut headers = HashSet::new();
        entries.retain(|entry| headers.insert(entry.header));
        is_whole.then_some(entries)
    }
}

/// An entry of the directory.
struct Entry {
    name: Vec<u8>,
    is_encrypted: bool,
    method: u16,
    crc: u32,
    packed_bytes: u64,
    text_bytes: u64,
    /// Offset of the header of the member.
    header: u64,
}

/// The entries of a directory; `None` if it is malformed.
fn entries(mut directory: &[u8]) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    while !directory.is_empty() {
        if !directory.starts_with(b"PK\x01\x02") {
            // A signature of the whole directory (4.3.13) may be the last entry.
            return directory.starts_with(b"PK\x05\x05").then_some(entries);
        }
        let short = |at| number::<2>(directory, at);
        let long = |at| number::<4>(directory, at);
        let lengths = [short(28)?, short(30)?, short(32)?].map(|length| length as usize);
        let [name, extra, comment] = lengths;
        let name_end = ENTRY_BYTES + name;
        let mut entry = Entry {
            name: directory.get(ENTRY_BYTES..name_end)?.to_owned(),
            is_encrypted: short(8)? & 1 != 0,
            method: short(10)? as u16,
            crc: long(16)? as u32,
            packed_bytes: long(20)?,
            text_bytes: long(24)?,
            header: long(42)?,
        };
        entry.lengthen(directory.get(name_end..name_end + extra)?)?;
        entries.push(entry);
        directory = directory.get(name_end + extra + comment..)?;
    }
    Some(entries)
}

impl Entry {
    /// Takes the fields that do not fit in four bytes from the extra fields (4.5.3).
    fn lengthen(&mut self, mut extra: &[u8]) -> Option<()> {
        while extra.len() >= 4 {
            let (kind, len) = (number::<2>(extra, 0)?, number::<2>(extra, 2)? as usize);
            // Some programs write extra fields that are too short.
            let Some(field) = extra.get(4..4 + len) else { break };
            if kind == 1 {
                let long = [&mut self.text_bytes, &mut self.packed_bytes, &mut self.header];
                for (index, value) in long.into_iter().filter(|value| **value == 0xffff_ffff).enumerate() {
                    *value = number::<8>(field, index * 8)?;
                }
            }
            extra = &extra[4 + len..];
        }
        Some(())
    }

    /// Whether it may hold puzzles: it is no folder, not hidden, and not the `__MACOSX` that a Mac adds.
    fn is_file(&self) -> bool {
        let mut parts = self.name.split(|&byte| byte == b'/');
        let is_hidden = |part: &[u8]| part.starts_with(b".") && part != b"." && part != b"..";
        !self.name.ends_with(b"/") && !parts.any(|part| is_hidden(part) || part == b"__MACOSX")
    }

    /// The member, if it can be unpacked.
    fn packed(self) -> Result<ZipMember, InputError> {
        let fault = |fault| InputError::Member { member: self.name(), fault };
        if self.is_encrypted {
            return Err(fault(MemberFault::Encrypted));
        }
        let method = Method::new(self.method).ok_or_else(|| fault(MemberFault::Method(self.method)))?;
        Ok(ZipMember { entry: self, method })
    }

    /// The compressed data. Where they begin is known when the header was read.
    fn data(&self, file: &Arc<File>) -> io::Result<Section<Arc<File>>> {
        let header = read_exact(file, self.header, HEADER_BYTES)?;
        let lengths = number::<2>(&header, 26).zip(number::<2>(&header, 28));
        let Some((name, extra)) = lengths.filter(|_| header.starts_with(MEMBER)) else {
            let reason = "the member has no header in the archive";
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        };
        let start = self.header + HEADER_BYTES + name + extra;
        Ok(Section::new(Arc::clone(file), start, start.saturating_add(self.packed_bytes)))
    }

    fn name(&self) -> String {
        String::from_utf8_lossy(&self.name).into_owned()
    }
}

/// A member that can be unpacked, more than once.
pub(super) struct ZipMember {
    entry: Entry,
    method: Method,
}

impl ZipMember {
    /// Its name in the archive.
    pub(super) fn name(&self) -> String {
        self.entry.name()
    }

    /// Bytes of the compressed data.
    pub(super) fn size(&self) -> u64 {
        self.entry.packed_bytes
    }

    /// Begins to unpack the member of the archive `file`. `meter` counts the compressed bytes.
    pub(super) fn open(&self, file: &Arc<File>, meter: Arc<Meter>) -> TextStream {
        let ZipMember { entry, method } = self;
        let data = or_error(entry.data(file));
        let text: Box<dyn Read + Send> = match *method {
            Method::Stored => Box::new(MeteredReader::new(data, Arc::clone(&meter))),
            Method::Packed(codec) => Box::new(Members::new(codec, data, Arc::clone(&meter))),
        };
        let checked = CrcCheck {
            text,
            meter: Arc::clone(&meter),
            crc: Crc::new(),
            read: 0,
            expected: (entry.text_bytes, entry.crc),
        };
        TextStream::recognised(Box::new(checked), meter)
    }
}

/// How a member is compressed.
#[derive(Clone, Copy)]
enum Method {
    Stored,
    Packed(&'static Codec),
}

impl Method {
    /// The method of this number (4.4.5).
    fn new(number: u16) -> Option<Method> {
        let codec = |name| CODECS.iter().find(|codec| codec.name == name).map(|codec| Method::Packed(codec));
        match number {
            0 => Some(Method::Stored),
            8 => Some(Method::Packed(&DEFLATE)),
            12 => codec("bzip2"),
            93 => codec("zstd"),
            95 => codec("xz"),
            _ => None,
        }
    }
}

/// Deflated data (RFC 1951) as zip has them: neither header nor checksum of their own.
static DEFLATE: Codec = Codec {
    name: "zip",
    is_start: |_| false,
    endings: &[],
    member: |input| {
        let reader = DeflateDecoder::new(input);
        Ok(Box::new(Decoder { reader, into_inner: DeflateDecoder::into_inner, is_window: |_| false }))
    },
    pack: Pack::Blocks { bytes: 1, pack: |_| Err(io::ErrorKind::Unsupported.into()) },
};

/// Text of which the archive knows the length and the checksum.
struct CrcCheck {
    text: Box<dyn Read + Send>,
    meter: Arc<Meter>,
    crc: Crc,
    read: u64,
    expected: (u64, u32),
}

impl Read for CrcCheck {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.text.read(out)?;
        self.crc.update(&out[..read]);
        self.read += read as u64;
        let (len, crc) = self.expected;
        let kind = match self.read.cmp(&len) {
            _ if read > 0 && self.read <= len || out.is_empty() => return Ok(read),
            std::cmp::Ordering::Equal if self.crc.sum() == crc => return Ok(read),
            std::cmp::Ordering::Equal => DamageKind::Corrupt("the checksum does not match".to_owned()),
            std::cmp::Ordering::Less => DamageKind::Truncated,
            std::cmp::Ordering::Greater => {
                DamageKind::Corrupt("it is longer than the archive says".to_owned())
            }
        };
        let damage = Damage { format: "zip", offset: self.meter.position(), text: self.read, kind };
        Err(io::Error::new(io::ErrorKind::InvalidData, damage))
    }
}
