//! Zstandard (RFC 8878).
//!
//! Written as one frame, because some readers (pandas by way of python-zstandard) stop behind the first. Only an output
//! that may be continued later has several. Level 1: for puzzles, level 3 takes twice as long and gives larger files.

use std::io::{self, Write};
use std::num::NonZero;

use zstd::stream::read::Decoder as ZstdDecoder;
use zstd::stream::write::Encoder;
use zstd::zstd_safe;

use super::{Codec, Decoder, MAX_WINDOW_BYTES, Member, MeteredReader, Pack};

pub(crate) static ZSTD: Codec = Codec {
    name: "zstd",
    is_start,
    endings: &["zst", "zstd"],
    member,
    pack: Pack::Stream { begin: |file, threads| Ok(Box::new(encoder(file, threads)?)), pack },
};

/// A frame of data, or one to skip, which pzstd writes first.
fn is_start(head: &[u8]) -> bool {
    matches!(head, [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// The level of compression.
const LEVEL: i32 = 1;

fn member(input: MeteredReader) -> io::Result<Box<dyn Member>> {
    let mut reader = ZstdDecoder::with_buffer(input)?.single_frame();
    reader.window_log_max(MAX_WINDOW_BYTES.ilog2())?;
    let is_window = |error: &io::Error| error.to_string() == zstd_safe::get_error_name(WINDOW_TOO_LARGE);
    Ok(Box::new(Decoder { reader, into_inner: ZstdDecoder::finish, is_window }))
}

/// `ZSTD_error_frameParameter_windowTooLarge` as the library returns it.
const WINDOW_TOO_LARGE: usize = 16_usize.wrapping_neg();

fn pack(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = Encoder::new(Vec::with_capacity(text.len() / 2), LEVEL)?;
    encoder.include_checksum(true)?;
    encoder.write_all(text)?;
    encoder.finish()
}

type ZstdWriter = Encoder<'static, Box<dyn Write + Send>>;

fn encoder(file: Box<dyn Write + Send>, threads: NonZero<usize>) -> io::Result<ZstdWriter> {
    let mut encoder = Encoder::new(file, LEVEL)?;
    encoder.include_checksum(true)?;
    // The bytes do not depend on the number, as long as there is one.
    encoder.multithread(u32::try_from(threads.get()).unwrap_or(1))?;
    Ok(encoder)
}

impl super::Encoder for ZstdWriter {
    fn finish(self: Box<Self>) -> io::Result<()> {
        (*self).finish()?.flush()
    }
}
