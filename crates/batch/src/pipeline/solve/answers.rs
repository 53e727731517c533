//! Compares the answers that an input gives with those that were found.

use crate::grid::{Alphabet, Verifier, Violation};
use crate::input::format::Format;
use crate::input::records::{Puzzle, Record};

/// A wrong answer of a record: its place, and what is wrong with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrongAnswer {
    /// The line in the chunk, from 0.
    pub(super) line: u64,
    /// The column in that line, from 1.
    pub(super) column: u32,
    pub(super) violation: Violation,
}

/// How many records gave an answer, and how many of these are wrong. Adds up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "resume", derive(serde::Serialize, serde::Deserialize))]
pub struct AnswerCounts {
    /// Records that give a full grid as the answer.
    pub given: u64,
    /// Those whose answer does not solve the puzzle.
    pub wrong: u64,
}

impl std::ops::AddAssign for AnswerCounts {
    fn add_assign(&mut self, other: AnswerCounts) {
        self.given += other.given;
        self.wrong += other.wrong;
    }
}

/// Compares answers. Each thread has one.
pub(super) struct Comparison {
    alphabet: Alphabet,
    pub(super) counts: AnswerCounts,
    buffer: Vec<u8>,
}

impl Comparison {
    pub(super) fn new(alphabet: Alphabet) -> Comparison {
        Comparison { alphabet, counts: AnswerCounts::default(), buffer: Vec::new() }
    }

    /// What is wrong with the answer of `record`. `found` is the solution that was found, if any. A puzzle with several
    /// solutions has several right answers: the verifier decides. What is no full grid is no answer.
    #[inline]
    pub(super) fn compare(
        &mut self,
        format: &dyn Format,
        verifier: &Verifier,
        (record, puzzle): (&Record<'_>, &Puzzle<'_>),
        found: Option<&[u8]>,
    ) -> Option<WrongAnswer> {
        let at = format.solution(record.text, puzzle.at.clone())?;
        let answer = format.characters(&record.text[at.clone()], &mut self.buffer);
        if found == Some(answer) {
            self.counts.given += 1;
            return None;
        }
        let is_symbol = |&byte: &u8| self.alphabet.cell(byte).is_some_and(|cell| cell != 0);
        if answer.len() != puzzle.cells.len() || !answer.iter().all(is_symbol) {
            return None;
        }
        self.counts.given += 1;
        let violation = verifier.check_text(puzzle.cells, answer).err()?;
        self.counts.wrong += 1;
        let (lines, column) = format.place_in(record.text, at.start);
        Some(WrongAnswer { line: record.line + lines, column, violation })
    }
}
