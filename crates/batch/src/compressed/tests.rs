//! Every format against every fault.

#![allow(clippy::unwrap_used, reason = "these are tests")]

use std::io::{Cursor, Read, Write};
use std::num::NonZero;
use std::sync::{Arc, Mutex};

use galop_testing::chance::Chance;

use super::*;
use crate::Error;
use crate::grid::Rules;
use crate::input::{InputError, RecordReader, Source};

/// Puzzles, each another one: a blank grid with a digit that moves.
fn text(lines: usize) -> String {
    (0..lines)
        .map(|line| {
            let mut cells = [b'.'; 81];
            cells[line % 81] = b'1' + (line / 81 % 9) as u8;
            String::from_utf8(cells.to_vec()).unwrap() + "\n"
        })
        .collect()
}

/// A file in memory.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// `text` as a file of this format.
fn packed(codec: &Codec, text: &[u8], threads: usize) -> Vec<u8> {
    let file = Shared::default();
    let mut packer = Packer::start(codec, Box::new(file.clone()), NonZero::new(threads).unwrap()).unwrap();
    packer.write_all(text).unwrap();
    packer.finish().unwrap();
    std::mem::take(&mut file.0.lock().unwrap())
}

/// All that can be unpacked, and the error behind it.
fn unpacked(bytes: &[u8]) -> (Vec<u8>, Option<Damage>) {
    let codec = recognise(bytes).unwrap();
    let mut text = Vec::new();
    let mut ahead = ReadAhead::start(TextStream::new(codec, Box::new(Cursor::new(bytes.to_vec())))).unwrap();
    let error = ahead.read(usize::MAX, &mut text).err();
    (text, error.map(|error| error.downcast().unwrap()))
}

/// The number of puzzles of a stream, and the error behind them.
fn puzzles(bytes: Vec<u8>, chunk_bytes: usize) -> (usize, Option<Error>) {
    let mut source = Source::stream("s", Cursor::new(bytes));
    let mut reader = RecordReader::new(&mut source, chunk_bytes, &Rules::default());
    let mut count = 0;
    loop {
        match reader.next_chunk() {
            Ok(Some(records)) => count += records.iter().filter(|record| record.puzzle.is_ok()).count(),
            Ok(None) => return (count, None),
            Err(error) => return (count, Some(error)),
        }
    }
}

/// Numbers without a pattern, which do not become smaller.
fn noise(len: usize) -> Vec<u8> {
    let mut chance = Chance::new(1);
    (0..len).map(|_| (chance.number() >> 32) as u8).collect()
}

#[test]
fn the_bytes_do_not_depend_on_the_threads_and_hold_the_text() {
    // Several blocks, and a part of one.
    let long = [text(20_000).into_bytes(), noise(300_000)].concat();
    for codec in CODECS {
        for text in [&b""[..], b"a", &long] {
            let one = packed(codec, text, 1);
            assert!((codec.is_start)(&one), "{}", codec.name);
            assert!(one == packed(codec, text, 5), "{}", codec.name);
            let (found, error) = unpacked(&one);
            assert!(found == text && error.is_none(), "{}: {error:?}", codec.name);
        }
        for ending in codec.endings {
            let name = format!("a.txt.{}", ending.to_uppercase());
            assert_eq!(by_name(name.as_ref()).unwrap().name, codec.name);
        }
    }
    assert!(["gz", "a.txt", "a.gz.txt", ".gz"].iter().all(|name| by_name(name.as_ref()).is_none()));
}

#[test]
fn a_file_cut_anywhere_gives_the_records_before_and_an_error() {
    let text = text(200);
    for codec in CODECS {
        let whole = packed(codec, text.as_bytes(), 1);
        let mut most = 0;
        // Less than the magic bytes is text.
        let first = (1..).find(|&len| (codec.is_start)(&whole[..len])).unwrap();
        for len in first..whole.len() {
            let (found, damage) = unpacked(&whole[..len]);
            assert!(text.as_bytes().starts_with(&found), "{} {len}", codec.name);
            let damage = damage.unwrap();
            assert_eq!((damage.kind, damage.format), (DamageKind::Truncated, codec.name), "{len}");
            assert_eq!((damage.offset, damage.text), (len as u64, found.len() as u64), "{}", codec.name);
            let (count, error) = puzzles(whole[..len].to_vec(), 256);
            assert_eq!(count, found.len() / 82, "{} {len}", codec.name);
            assert!(matches!(error.unwrap().fact(), Some(InputError::Damaged(_))));
            most = most.max(count);
        }
        // Only the checksum is missing.
        assert_eq!(most, 200, "{}", codec.name);
        let (count, error) = puzzles(whole, 256);
        assert!(count == 200 && error.is_none());
    }
}

#[test]
fn a_changed_byte_is_an_error_or_changes_nothing() {
    let text = text(200);
    for codec in CODECS {
        let whole = packed(codec, text.as_bytes(), 1);
        for at in 0..whole.len() {
            for change in [1, 0x80] {
                let mut changed = whole.clone();
                changed[at] ^= change;
                if recognise(&changed).is_none_or(|other| other.name != codec.name) {
                    continue;
                }
                // Some bits of headers mean nothing (the time, the system). No checksum covers them.
                let (found, damage) = unpacked(&changed);
                assert!(damage.is_some() || found == text.as_bytes(), "{} {at}", codec.name);
            }
        }
    }
}

/// A library that finds a damage gives nothing of what it unpacked in that call, so the calls must be alike.
#[test]
fn the_text_before_a_damage_does_not_depend_on_how_the_bytes_come() {
    struct Slow(Cursor<Vec<u8>>, usize);

    impl Read for Slow {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let len = out.len().min(self.1);
            self.0.read(&mut out[..len])
        }
    }

    let texts = [text(40).into_bytes(), [noise(100_000), text(2_000).into_bytes()].concat()];
    for (codec, text) in CODECS.iter().flat_map(|codec| texts.iter().map(move |text| (codec, text))) {
        let whole = packed(codec, text, 1);
        for place in (12..whole.len()).step_by(whole.len().div_ceil(40)) {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x21;
            let expected = unpacked(&bytes);
            for (at_a_time, wanted) in [(1, 7), (1000, 300), (70_000, 40_000)] {
                let slow = Slow(Cursor::new(bytes.clone()), at_a_time);
                let mut reader = TextStream::new(codec, Box::new(slow));
                let (mut text, mut out) = (Vec::new(), vec![0; wanted]);
                let error = loop {
                    match reader.read(&mut out) {
                        Ok(0) => break None,
                        Ok(read) => text.extend_from_slice(&out[..read]),
                        Err(error) => break Some(error.downcast::<Damage>().unwrap()),
                    }
                };
                assert!(text == expected.0, "{} {place} {at_a_time}", codec.name);
                assert_eq!(error, expected.1, "{} {place} {at_a_time}", codec.name);
            }
        }
    }
}

#[test]
fn members_follow_each_other_and_zeros_do_not_count() {
    for codec in CODECS {
        let [one, two] = [&b"one "[..], b"two"].map(|text| packed(codec, text, 1));
        let none = packed(codec, b"", 1);
        for bytes in [
            [&one[..], &two].concat(),
            [&one[..], &none, &none, &two].concat(),
            [&none[..], &one, &two, &[0; 1000]].concat(),
            [&one[..], &[0; 512], &two].concat(),
        ] {
            assert_eq!(unpacked(&bytes), (b"one two".to_vec(), None), "{}", codec.name);
        }
        for garbage in [&b"x"[..], b"\0\0x", b"galop", &noise(100)] {
            let (found, damage) = unpacked(&[&one[..], &two, garbage].concat());
            let zeros = garbage.iter().take_while(|byte| **byte == 0).count();
            let (offset, text) = ((one.len() + two.len() + zeros) as u64, 7);
            let expected = Damage { format: codec.name, offset, text, kind: DamageKind::Garbage };
            assert_eq!((&found[..], damage), (&b"one two"[..], Some(expected)));
        }
    }
}

/// A file that was compressed twice is unpacked twice; a third layer is refused.
#[test]
fn layers_are_unpacked_up_to_a_limit() {
    let text = text(10);
    for one in CODECS {
        for two in CODECS {
            let twice = packed(two, &packed(one, text.as_bytes(), 1), 1);
            assert_eq!(unpacked(&twice), (text.clone().into_bytes(), None));
            // The damage of the inner layer is not hidden by the outer one.
            let inner = packed(one, text.as_bytes(), 1);
            let (_, damage) = unpacked(&packed(two, &inner[..inner.len() - 1], 1));
            assert_eq!(damage.map(|damage| damage.kind), Some(DamageKind::Truncated));
            let (count, error) = puzzles(packed(one, &twice, 1), 256);
            assert_eq!(count, 0);
            assert!(matches!(error.unwrap().fact(), Some(InputError::Compressed(name)) if *name == one.name));
        }
    }
}

/// 32 MiB of one byte in a few KiB are a line that is too long. (That they are not held in memory is a test of the
/// tool.)
#[test]
fn a_bomb_is_one_malformed_record() {
    for codec in CODECS {
        let member = packed(codec, &vec![b'1'; 1 << 20], 2);
        let bytes = [&member.repeat(32)[..], &packed(codec, format!("\n{}", text(1)).as_bytes(), 1)].concat();
        assert!(bytes.len() < 1 << 20, "{}", codec.name);
        let (count, error) = puzzles(bytes, 1 << 18);
        assert!(count == 1 && error.is_none(), "{}: {error:?}", codec.name);
    }
}

/// The frame names a window of 256 MiB and of 128 MiB (RFC 8878, 3.1.1.1.2).
#[test]
fn a_window_that_is_too_large_is_refused() {
    let frame = |exponent: u8| [b"\x28\xb5\x2f\xfd\x00", &[exponent << 3, 1, 0, 0][..]].concat();
    assert_eq!(unpacked(&frame(27 - 10)), (Vec::new(), None));
    assert_eq!(unpacked(&frame(28 - 10)).1.unwrap().kind, DamageKind::Window);

    let mut options = liblzma::stream::LzmaOptions::new_preset(0).unwrap();
    options.dict_size(256 << 20);
    let filters = &mut liblzma::stream::Filters::new();
    let check = liblzma::stream::Check::Crc64;
    let stream = liblzma::stream::Stream::new_stream_encoder(filters.lzma2(&options), check).unwrap();
    let mut encoder = liblzma::write::XzEncoder::new_stream(Vec::new(), stream);
    encoder.write_all(b"a").unwrap();
    assert_eq!(unpacked(&encoder.finish().unwrap()).1.unwrap().kind, DamageKind::Window);
}

/// An error of the reader is not taken for damage, and one of the file ends the packer.
#[test]
fn failures_of_reading_and_writing_are_returned() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::TimedOut.into())
        }
    }
    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    for codec in CODECS {
        let whole = packed(codec, text(100).as_bytes(), 1);
        let reader = Cursor::new(whole[..whole.len() / 2].to_vec()).chain(Broken);
        let mut ahead = ReadAhead::start(TextStream::new(codec, Box::new(reader))).unwrap();
        let error = ahead.read(usize::MAX, &mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut, "{}", codec.name);

        let mut packer = Packer::start(codec, Box::new(Broken), NonZero::new(2).unwrap()).unwrap();
        let written = (0..100).try_for_each(|_| packer.write_all(&noise(200_000)));
        let error = written.and_then(|()| packer.finish()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{}", codec.name);
    }
}
