//! xz.
//!
//! Written as streams of 1 MiB of text, which every reader of xz joins, with the preset of the program `xz`.

use std::io::{self, Write};

use liblzma::bufread::XzDecoder;
use liblzma::stream::{Check, Error, Filters, LzmaOptions, Stream};
use liblzma::write::XzEncoder;

use super::{Codec, Decoder, MAX_WINDOW_BYTES, Member, MeteredReader, Pack};

pub(crate) static XZ: Codec = Codec {
    name: "xz",
    is_start: |head| head.starts_with(b"\xfd7zXZ\0"),
    endings: &["xz"],
    member,
    pack: Pack::Blocks { bytes: BLOCK_BYTES, pack },
};

/// Bytes of text of a stream. Puzzles have no long repetitions: larger blocks are hardly smaller when packed.
const BLOCK_BYTES: usize = 1024 * 1024;

/// Bytes of memory that unpacking needs besides its window.
const STATE_BYTES: u64 = 1 << 20;

/// The preset of the program `xz`.
const PRESET: u32 = 6;

fn member(input: MeteredReader) -> io::Result<Box<dyn Member>> {
    let stream = Stream::new_stream_decoder(MAX_WINDOW_BYTES + STATE_BYTES, 0)?;
    let is_window = |error: &io::Error| {
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
        matches!(inner, Some(Error::MemLimit))
    };
    let reader = XzDecoder::new_stream(input, stream);
    Ok(Box::new(Decoder { reader, into_inner: XzDecoder::into_inner, is_window }))
}

fn pack(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut options = LzmaOptions::new_preset(PRESET)?;
    // The encoder needs ten times the window, and a block refers to nothing before it.
    options.dict_size(BLOCK_BYTES as u32);
    let stream = Stream::new_stream_encoder(Filters::new().lzma2(&options), Check::Crc64)?;
    let mut encoder = XzEncoder::new_stream(Vec::with_capacity(text.len() / 2), stream);
    encoder.write_all(text)?;
    encoder.finish()
}
