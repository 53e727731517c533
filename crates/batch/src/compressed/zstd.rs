//! Zstandard (RFC 8878).
//!
//! Written as one frame, because some readers (pandas by way of python-zstandard) stop behind the first. Only an output
//! that may be continued later has several. Level 1: for puzzles, level 3 takes twice as long and gives larger files.

use std::io::{self, Read, Write};
use std::num::NonZero;

use zstd::stream::read::Decoder;
use zstd::stream::write::Encoder;
use zstd::zstd_safe;

use super::{Codec, MAX_WINDOW_BYTES, Member, MeteredReader, Pack, too_large};

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
    let mut decoder = Decoder::with_buffer(input)?.single_frame();
    decoder.window_log_max(MAX_WINDOW_BYTES.ilog2())?;
    Ok(Box::new(Zstd(decoder)))
}

struct Zstd(Decoder<'static, MeteredReader>);

/// `ZSTD_error_frameParameter_windowTooLarge` as the library returns it.
const WINDOW_TOO_LARGE: usize = 16_usize.wrapping_neg();

impl Member for Zstd {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.0.read(out).map_err(|error| {
            let is_too_large = error.to_string() == zstd_safe::get_error_name(WINDOW_TOO_LARGE);
            if is_too_large { too_large() } else { error }
        })
    }

    fn into_input(self: Box<Self>) -> MeteredReader {
        self.0.finish()
    }
}

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
