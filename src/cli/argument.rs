//! An argument that is a file of puzzles or itself a puzzle.

use std::io::Cursor;
use std::path::Path;

use galop::Error;
use galop::input::RecordReader;
use galop::input::Source;
use galop::pipeline::CHUNK_BYTES;

use super::input;
use super::rules::{self, KindChoice};

/// Opens the file `name`. If no such file exists and `name` is itself a puzzle, the source is that puzzle.
pub(super) fn open(name: &Path, choice: &KindChoice, map: bool) -> Result<Vec<Source>, Error> {
    match name.to_str() {
        Some(text) if !name.exists() && is_puzzle(text, choice) => Ok(vec![argument(text)]),
        _ => input::open_each(name, map),
    }
}

/// The source of an argument that is a puzzle.
fn argument(text: &str) -> Source {
    Source::stream("<argument>", Cursor::new(text.to_owned()))
}

/// Whether `text` has records, and all of them are puzzles.
fn is_puzzle(text: &str, choice: &KindChoice) -> bool {
    let mut source = argument(text);
    let Ok(rules) = rules::of_choice(choice, std::slice::from_mut(&mut source)) else { return false };
    let mut reader = RecordReader::new(&mut source, CHUNK_BYTES, &rules);
    let mut has_puzzles = false;
    while let Ok(Some(records)) = reader.next_chunk() {
        for record in records.iter() {
            if record.puzzle.is_err() {
                return false;
            }
            has_puzzles = true;
        }
    }
    has_puzzles
}
