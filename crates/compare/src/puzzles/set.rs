//! The puzzles of a comparison in memory, each with its place: all of the input, or a sample of it.

use crate::figures::Input;
use galop_batch::error::Error;
use galop_batch::input::{MALFORMED_KEPT, MalformedRecord, Notation, RecordReader, Source};
use galop_batch::pipeline::BATCH_CHUNK_BYTES;
use galop_engines::chance::Chance;
use galop_engines::grid::Rules;
use galop_engines::puzzle::Puzzles;

/// Puzzles, in the order they were read.
#[derive(Clone, Debug)]
pub struct Set {
    stride: usize,
    notation: Notation,
    cells: Vec<u8>,
    places: Vec<RecordPlace>,
    /// The puzzles as they were read, one after the other.
    text: Vec<u8>,
    sample: Option<u64>,
    /// The sources that were read.
    inputs: Vec<Input>,
}

/// The place of a puzzle in its source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordPlace {
    /// The source, as an index into [`Set::inputs`].
    pub(crate) input: u32,
    /// Bytes of the puzzle in [`Set::text`].
    len: u32,
    /// The line, from 1.
    pub(crate) line: u64,
    /// The start of the puzzle in [`Set::text`].
    start: usize,
}

impl Set {
    /// An empty set for puzzles of `rules`.
    pub fn new(rules: &Rules) -> Set {
        let stride = rules.stride();
        let (cells, places, text, inputs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Set { stride, notation: rules.into(), cells, places, text, sample: None, inputs }
    }

    /// Reads the whole of `source`. Records that are not puzzles are left out and counted; `malformed` is called for
    /// the first [`MALFORMED_KEPT`] of all sources.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](galop_batch::ErrorKind::Read) or [`InputError`](galop_batch::input::InputError).
    pub fn read(
        &mut self,
        source: &mut Source,
        malformed: &mut dyn FnMut(&MalformedRecord),
    ) -> Result<(), Error> {
        let name = source.name().display().to_string();
        let mut input = Input { name, bytes: 0, puzzles: 0, malformed: 0, sha256: None };
        let malformed_before = self.malformed();
        let mut buffer = Vec::new();
        let mut reader = RecordReader::new(source, BATCH_CHUNK_BYTES, self.notation.clone());
        while let Some(records) = reader.next_chunk()? {
            for record in records.iter() {
                match &record.puzzle {
                    Ok(puzzle) => {
                        let start = self.text.len();
                        let text = puzzle.on_one_line(&self.notation, &mut buffer);
                        self.text.extend_from_slice(text);
                        self.cells.extend_from_slice(puzzle.cells);
                        let (index, len) = (self.inputs.len() as u32, text.len() as u32);
                        self.places.push(RecordPlace {
                            input: index,
                            len,
                            line: records.line(&record),
                            start,
                        });
                        input.puzzles += 1;
                    }
                    Err(error) => {
                        if malformed_before + input.malformed < MALFORMED_KEPT as u64 {
                            malformed(&records.malformed(&record, *error));
                        }
                        input.malformed += 1;
                    }
                }
            }
            input.bytes = records.end();
        }
        self.inputs.push(input);
        source.finish()
    }

    /// Adds the SHA-256 sum of `source`, which was read last, to its figures.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](galop_batch::ErrorKind::Read) if it cannot be read again;
    /// [`InputError::Changed`](galop_batch::input::InputError::Changed).
    pub fn add_checksum(&mut self, source: &Source) -> Result<(), Error> {
        if let Some(input) = self.inputs.last_mut() {
            input.sha256 = source.sha256()?;
        }
        Ok(())
    }

    /// Keeps a random sample of `count` puzzles in their order, drawn without replacement by `seed`; keeps all if there
    /// are no more.
    ///
    /// Each puzzle in turn is kept with the probability that fills the sample (Fan, Muller and Rezucha; Knuth, TAOCP 2,
    /// algorithm 3.4.2 S).
    pub fn sample(&mut self, count: usize, seed: u64) {
        self.sample = Some(count as u64);
        let mut chance = Chance::new(seed, 0);
        let (mut wanted, all) = (count.min(self.len()), self.len());
        let mut kept = 0;
        for index in 0..all {
            if (chance.below((all - index) as u32) as usize) < wanted {
                self.cells.copy_within(index * self.stride..(index + 1) * self.stride, kept * self.stride);
                self.places[kept] = self.places[index];
                kept += 1;
                wanted -= 1;
            }
        }
        self.cells.truncate(kept * self.stride);
        self.places.truncate(kept);
    }

    /// The `count` that [`sample`](Self::sample) was called with; `None` if it was not called.
    pub(crate) fn sample_size(&self) -> Option<u64> {
        self.sample
    }

    /// The sources that were read.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Number of puzzles.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether the set has no puzzles.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Records left out because they are not puzzles.
    pub fn malformed(&self) -> u64 {
        self.inputs.iter().map(|input| input.malformed).sum()
    }

    /// The puzzles as engines read them.
    pub(crate) fn cells(&self) -> Puzzles<'_> {
        // The reader appends whole puzzles.
        Puzzles::new(&self.cells, self.stride).unwrap_or_default()
    }

    /// The name of the source and the line of the puzzle `index`.
    pub(crate) fn source(&self, index: usize) -> (&str, u64) {
        let place = self.places.get(index);
        let input = place.and_then(|place| self.inputs.get(place.input as usize));
        (input.map_or("", |input| &input.name), place.map_or(0, |place| place.line))
    }

    /// The puzzle `index` as it was read; empty past the end.
    pub(crate) fn text(&self, index: usize) -> std::borrow::Cow<'_, str> {
        let place = self.places.get(index);
        let text = place.and_then(|place| self.text.get(place.start..place.start + place.len as usize));
        String::from_utf8_lossy(text.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_drawn_in_order_and_without_replacement() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/minimal_10k.txt");
        let puzzles = std::fs::read_to_string(path).unwrap();
        let mut lines: Vec<&str> = puzzles.lines().filter(|line| !line.starts_with('#')).take(500).collect();
        lines.insert(2, "# a comment");
        lines.insert(4, "wrong");
        let text = lines.join("\n");
        let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
        let sample = |count, seed| {
            let mut set = Set::new(&Rules::default());
            let mut source = Source::stream("file", std::io::Cursor::new(text.clone()));
            set.read(&mut source, &mut |_| {}).unwrap();
            set.sample(count, seed);
            let drawn: Vec<u64> = set.places.iter().map(|place| place.line).collect();
            for ((index, &line), puzzle) in drawn.iter().enumerate().zip(set.cells().iter()) {
                assert_eq!(set.text(index), lines[line as usize - 1]);
                let clues = puzzle.iter().filter(|&&cell| cell > 0).count();
                assert_eq!(clues, digits(&set.text(index)));
            }
            drawn
        };
        let drawn = sample(50, 1);
        assert_eq!(drawn.len(), 50);
        assert!(drawn.is_sorted_by(|one, other| one < other));
        assert_eq!(drawn, sample(50, 1));
        assert_ne!(drawn, sample(50, 2));
        assert!(drawn[0] < 60 && drawn[49] > 400, "over the whole file: {drawn:?}");
        assert_eq!(sample(9999, 1).len(), 500);
    }
}
