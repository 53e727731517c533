//! Choices of a problem: a record a line, its answer behind a tab.
//!
//! ```text
//! r1 c1 | r2 c7                                          a puzzle
//! r1 c1 | r2 c7 \t r1 c1 | r2 c7 | r3 c4 | ...           and its solution
//! # a comment
//! | #a b                                                  a bar keeps a line from being one
//! ```

use std::ops::Range;

use memchr::memchr;

use super::{CellText, FieldPlaces, Format, FormatEntry, Notation, RecordPlaces};
use crate::input::error::LineError;

/// Choices of a problem on each line, the answer behind a tab.
pub(super) const ENTRY: FormatEntry = FormatEntry {
    name: "choices",
    recognise: |head| head.notation.choices.is_some().then(|| format(head.notation)),
};

/// The format of lines in this notation.
pub(super) fn format(notation: &Notation) -> Format {
    Format { has_answers: true, ..Format::new(ENTRY.name, notation, Choices { notation: notation.clone() }) }
}

struct Choices {
    notation: Notation,
}

impl CellText for Choices {}

impl RecordPlaces for Choices {}

impl FieldPlaces for Choices {
    fn row(&self, line: &[u8], puzzles: &mut Vec<u8>) -> Result<(Range<usize>, usize), LineError> {
        let at = 0..memchr(b'\t', line).unwrap_or(line.len());
        self.notation.push(&line[at.clone()], 0, puzzles)?;
        Ok((at, 0))
    }

    fn solution(&self, line: &[u8], _: Range<usize>) -> Option<Range<usize>> {
        let start = memchr(b'\t', line)? + 1;
        Some(start..memchr(b'\t', &line[start..]).map_or(line.len(), |end| start + end))
    }
}
