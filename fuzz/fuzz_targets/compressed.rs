//! Any bytes as compressed data and as a zip archive: they are read, or refused with an error. What is read does not
//! depend on how the bytes come.
#![no_main]

use std::io::Cursor;

use galop_batch::input::{RecordReader, Source};
use galop_engines::Rules;
use libfuzzer_sys::fuzz_target;

/// Bytes of text that are read at most; a bomb may have more.
const MAX_TEXT: u64 = 1 << 20;

/// The puzzles of a source, and the error behind them.
fn puzzles(source: &mut Source) -> (usize, Option<String>) {
    let rules = Rules::default();
    let mut reader = RecordReader::new(source, 4096, &rules);
    let (mut count, mut text) = (0, 0);
    while text < MAX_TEXT {
        match reader.next_chunk() {
            Ok(Some(records)) => {
                count += records.iter().filter(|record| record.puzzle.is_ok()).count();
                text += 4096;
            }
            Ok(None) => break,
            Err(error) => return (count, Some(error.kind().to_string())),
        }
    }
    (count, None)
}

fuzz_target!(|data: &[u8]| {
    let streamed = puzzles(&mut Source::stream("file", Cursor::new(data.to_vec())));
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), data).expect("a temporary file");
    if let Ok(mut source) = Source::open(file.path()) {
        assert_eq!(puzzles(&mut source), streamed);
    }
    for (sources, _) in Source::open_each(file.path()).iter_mut() {
        sources.iter_mut().for_each(|source| {
            puzzles(source);
        });
    }
});
