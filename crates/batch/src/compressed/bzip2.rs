//! bzip2.
//!
//! Written as members of one block each, as pbzip2 does.

use std::io::{self, Write};

use bzip2::Compression;
use bzip2::bufread::BzDecoder;
use bzip2::write::BzEncoder;

use super::{Codec, Decoder, Pack};

pub(crate) static BZIP2: Codec = Codec {
    name: "bzip2",
    is_start: |head| head.starts_with(b"BZh"),
    endings: &["bz2"],
    member: |input| {
        let reader = BzDecoder::new(input);
        Ok(Box::new(Decoder { reader, into_inner: BzDecoder::into_inner, is_window: |_| false }))
    },
    // The largest block of bzip2.
    pack: Pack::Blocks { bytes: 900_000, pack },
};

fn pack(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = BzEncoder::new(Vec::with_capacity(text.len() / 2), Compression::best());
    encoder.write_all(text)?;
    encoder.finish()
}
