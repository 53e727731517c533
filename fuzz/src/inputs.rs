//! Bytes as sources, and what the reader of records finds in them.

use std::io::{self, Cursor, Read};
use std::num::NonZero;

use galop_batch::input::{LineError, RecordReader, Source};
use galop_batch::pipeline::SolveOptions;
use galop_batch::{Error, input};
use galop_engines::Rules;
use galop_engines::puzzle::Limits;

use crate::rules::Example;

/// How the bytes of a source come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// As many as the reader asks for.
    Whole,
    /// One at a time.
    ByteByByte,
}

/// A reader that gives one byte at a time.
struct OneByte(Cursor<Vec<u8>>);

impl Read for OneByte {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(1);
        self.0.read(&mut buffer[..len])
    }
}

/// A source of these bytes.
pub fn source(data: &[u8], pace: Pace) -> Source {
    let bytes = Cursor::new(data.to_vec());
    match pace {
        Pace::Whole => Source::stream("data", bytes),
        Pace::ByteByByte => Source::stream("data", OneByte(bytes)),
    }
}

/// The options of a pipeline with one thread that measures no times.
pub fn options(chunk_bytes: usize, guesses: u64) -> SolveOptions<'static> {
    SolveOptions::default()
        .limits(Limits::ANY.with_guesses(guesses))
        .threads(NonZero::new(1))
        .chunk_bytes(NonZero::new(chunk_bytes))
        .times(false)
}

/// What a reader found.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// The format of the records: `lines`, `csv` or `grids`. `lines` if there is no record.
    pub format: &'static str,
    pub records: Vec<Record>,
}

/// A record, without what depends on its chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub line: u64,
    pub text: Vec<u8>,
    /// The cells of the puzzle, or what is wrong.
    pub puzzle: Result<Vec<u8>, LineError>,
    /// The cells of the solution beside it.
    pub solution: Option<Vec<u8>>,
    pub missing_fields: usize,
}

/// The records of `source`, or the text of the error that ends the reading.
pub fn records(source: &mut Source, chunk_bytes: usize, rules: &Rules) -> Result<Found, String> {
    let (found, error) = records_before(source, chunk_bytes, rules);
    error.map_or(Ok(found), |error| Err(error.to_string()))
}

/// The records of `source`, and the error behind them.
pub fn records_before(source: &mut Source, chunk_bytes: usize, rules: &Rules) -> (Found, Option<Error>) {
    let mut reader = RecordReader::new(source, chunk_bytes, rules);
    let mut found = Found { format: "lines", records: Vec::new() };
    loop {
        let chunk = match reader.next_chunk() {
            Ok(Some(chunk)) => chunk,
            Ok(None) => return (found, None),
            Err(error) => return (found, Some(error)),
        };
        found.format = chunk.format();
        found.records.extend(chunk.iter().map(|record| Record {
            line: chunk.line(&record),
            text: record.text.to_vec(),
            solution: chunk.solution(&record),
            missing_fields: record.missing_fields,
            puzzle: record.puzzle.map(|puzzle| puzzle.cells.to_vec()),
        }));
    }
}

/// `data` with some bytes replaced by words that bytes at random seldom are: puzzles, solutions, names of columns.
pub fn with_words(data: &[u8], example: &Example) -> Vec<u8> {
    let alphabet = example.rules.alphabet();
    let text = |cells: Vec<u8>| cells.iter().map(|&cell| alphabet.character(cell)).collect::<Vec<u8>>();
    let puzzle = || text(example.puzzle(&[200, 200, 200, 0, 200, 0, 200]));
    let mut spelled = Vec::new();
    let mut is_long = false;
    for &byte in data {
        match byte {
            1 => spelled.extend(puzzle()),
            2 => spelled.extend(text(example.full.clone())),
            3 => spelled.extend(text(vec![0; example.full.len()])),
            4 => spelled.extend(b"puzzle"),
            5 => spelled.extend(b"solution"),
            6 => spelled.extend(b"status"),
            // Nearly as many spaces as a line may have, once, because they are slow.
            7 if !std::mem::replace(&mut is_long, true) => {
                spelled.resize(spelled.len() + input::MAX_LINE_BYTES - 50, b' ');
            }
            _ => spelled.push(byte),
        }
    }
    spelled
}
