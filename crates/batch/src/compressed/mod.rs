//! Compressed data: unpacked in a thread beside the work, and written compressed if the name of the file says so.
//!
//! [`CODECS`] is the table: one file and one row add a format. Input is recognised by its first bytes, whatever its
//! name. Output is compressed if its name has one of the endings.
//!
//! ```text
//!   MeteredReader  compressed bytes, counted, so that an error can say where it is
//!   Members        one stream of text out of many members, one after the other; what lies between and behind them
//!   TextStream     layer on layer, if what comes out is compressed again
//!   ReadAhead      blocks of text, unpacked in a thread of its own         Packer   blocks of text, packed in threads
//! ```
//! The library decides how one member is unpacked, [`Members`] decides everything else, so all formats treat many
//! members, zeros behind the last one, garbage and truncation alike.
//!
//! # Which crates
//! Seconds of processor time to unpack 82 MB of puzzles (Zen 4 at 2.2 GHz), and to build the crate. The C libraries
//! were measured alone, the others are estimated from a build of all of them at once.
//!
//! | | unpack | build | |
//! |---|---|---|---|
//! | gzip: `zlib-rs` | 0.16 | 4 | used; `gzip -dc` takes 0.45 |
//! | zstd: `zstd-sys` (C) | 0.10 | 22, at opt-level 1 14 | used at opt-level 1: it unpacks as fast |
//! | zstd: `ruzstd` | 0.36 | 4 | longer than solving takes |
//! | xz: `liblzma-sys` (C) | 1.05 | 5, at opt-level 1 3 | used at opt-level 1: 1 to 2 % slower |
//! | xz: `lzma-rust2` | 1.40 | 8 | a third slower, and unpacking is all that an xz file waits for |
//! | bzip2: `libbz2-rs-sys` | 10 | 3 | used; `bzip2 -dc` takes 5 |
//!
//! `input/zip.rs` reads zip archives; its head says what a crate for them costs.
//!
//! # What it costs
//! A run on a gzip or xz file takes the time of `gzip -dc` or `xz -dc` alone (0.95 to 1.1 times). zstd data are
//! unpacked faster than puzzles are solved. The processor time of both adds up, which shows where no core is free:
//! 0.31 s become 0.45 s for a million easily solved puzzles. Memory: 24 to 28 MiB; for a zstd file with a window of
//! 128 MiB, 137 MiB.

mod ahead;
mod counted;
mod damage;
mod members;
mod packer;
mod unpacked;

#[cfg(feature = "compressed")]
pub(crate) mod bzip2;
pub(crate) mod gzip;
#[cfg(feature = "compressed")]
pub(crate) mod xz;
#[cfg(feature = "compressed")]
pub(crate) mod zstd;

use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::num::NonZero;
use std::path::Path;

pub(crate) use ahead::ReadAhead;
pub(crate) use counted::{Meter, MeteredReader};
pub(crate) use damage::is_garbage;
pub use damage::{Damage, DamageKind};
pub(crate) use members::Members;
pub(crate) use packer::Packer;
pub(crate) use unpacked::{Failure, TextStream, read_some};

/// Bytes of memory that unpacking may need for its window. xz and zstd name the size of their window in the data; a
/// larger one is refused. (`xz -9` needs 64 MiB, `zstd --long` 128 MiB.)
pub(crate) const MAX_WINDOW_BYTES: u64 = 128 << 20;

/// Bytes of data that show whether they are compressed, and how.
const HEAD_BYTES: usize = 16;

/// A format of compressed data.
pub(crate) struct Codec {
    /// The name of the format, and of the program that unpacks it.
    pub(crate) name: &'static str,
    /// Whether data of this format may begin with these bytes.
    pub(crate) is_start: fn(&[u8]) -> bool,
    /// The last part of the names of such files, without the dot.
    pub(crate) endings: &'static [&'static str],
    /// Begins to unpack one member.
    pub(crate) member: fn(MeteredReader) -> io::Result<Box<dyn Member>>,
    /// How files are written.
    pub(crate) pack: Pack,
}

/// A part of compressed data that can be unpacked by itself. Compressed data are one or many.
///
/// Not a [`Read`]: a `dyn Read` of each format would compile every method of that trait, and nothing calls them.
pub(crate) trait Member: Send {
    /// Unpacks into `out`; returns the number of bytes, 0 at the end. The error of a window that is too large is
    /// [`OutOfMemory`](io::ErrorKind::OutOfMemory).
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize>;

    /// What follows the member. Call it when everything was read.
    fn into_input(self: Box<Self>) -> MeteredReader;
}

/// The decoder of a crate.
pub(crate) struct Decoder<R> {
    pub(crate) reader: R,
    pub(crate) into_inner: fn(R) -> MeteredReader,
    /// Whether an error says that the window of the data is larger than [`MAX_WINDOW_BYTES`].
    pub(crate) is_window: fn(&io::Error) -> bool,
}

impl<R: Read + Send> Member for Decoder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(out);
        read.map_err(|error| if (self.is_window)(&error) { io::ErrorKind::OutOfMemory.into() } else { error })
    }

    fn into_input(self: Box<Self>) -> MeteredReader {
        (self.into_inner)(self.reader)
    }
}

/// How text is compressed.
pub(crate) enum Pack {
    /// Each block of `bytes` bytes becomes a member, on its own, so that threads can share the work.
    Blocks {
        /// Bytes of text of a member.
        bytes: usize,
        /// Makes a member of a block.
        pack: fn(&[u8]) -> io::Result<Vec<u8>>,
    },
    /// The whole text becomes one member. The library itself has threads.
    #[cfg_attr(
        not(feature = "compressed"),
        expect(dead_code, reason = "only the library of zstd has threads")
    )]
    Stream {
        /// Begins the member.
        begin: fn(Box<dyn Write + Send>, NonZero<usize>) -> io::Result<Box<dyn Encoder>>,
        /// Makes a member of a block. An output that may be continued later has blocks: a member that was left in the
        /// middle cannot be continued.
        pack: fn(&[u8]) -> io::Result<Vec<u8>>,
    },
}

/// Compresses what is written to it.
pub(crate) trait Encoder: Write + Send {
    /// Writes the end.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// All formats.
pub(crate) static CODECS: &[&Codec] = &[
    &gzip::GZIP,
    #[cfg(feature = "compressed")]
    &zstd::ZSTD,
    #[cfg(feature = "compressed")]
    &xz::XZ,
    #[cfg(feature = "compressed")]
    &bzip2::BZIP2,
];

/// The format of data that begin with `head`.
pub(crate) fn recognise(head: &[u8]) -> Option<&'static Codec> {
    CODECS.iter().copied().find(|codec| (codec.is_start)(head))
}

/// The format of a file with this name, by its ending.
pub(crate) fn by_name(path: &Path) -> Option<&'static Codec> {
    let ending = path.extension().and_then(OsStr::to_str)?;
    CODECS.iter().copied().find(|codec| codec.endings.iter().any(|other| ending.eq_ignore_ascii_case(other)))
}

#[cfg(test)]
#[cfg(feature = "compressed")]
mod tests;
