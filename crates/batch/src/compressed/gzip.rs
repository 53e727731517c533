//! gzip (RFC 1952).
//!
//! Written as members of 512 KiB of text, as bgzip and pigz `-i` do, which every reader of gzip joins. Level 3: with
//! level 6 the file is 6 % smaller and takes four times as long, longer than solving the puzzles. There is no time and
//! no name in the headers.

use std::io::{self, Write};

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

use super::{Codec, Decoder, Pack};

pub(crate) static GZIP: Codec = Codec {
    name: "gzip",
    is_start: |head| head.starts_with(b"\x1f\x8b"),
    endings: &["gz"],
    member: |input| {
        let reader = GzDecoder::new(input);
        Ok(Box::new(Decoder { reader, into_inner: GzDecoder::into_inner, is_window: |_| false }))
    },
    pack: Pack::Blocks { bytes: 512 * 1024, pack },
};

fn pack(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(text.len() / 2), Compression::new(3));
    encoder.write_all(text)?;
    encoder.finish()
}
