//! Compares the answers that an input gives with those that were found.

use crate::grid::Verifier;
use crate::input::AnswerFault;
use crate::input::answer::{AnswerContent, AnswerField};
use crate::input::format::Format;
use crate::input::records::{Puzzle, Record};

/// A wrong answer of a record: its place, and what is wrong with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrongAnswer {
    /// The line in the chunk, from 0.
    pub(super) line: u64,
    /// The column in that line, from 1.
    pub(super) column: u32,
    pub(super) fault: AnswerFault,
}

/// How many records gave an answer, and how many of these are wrong. Adds up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct AnswerCounts {
    /// Records that give an answer, which may be damaged.
    pub given: u64,
    /// Those whose answer is damaged, or does not solve the puzzle.
    pub wrong: u64,
}

impl std::ops::AddAssign for AnswerCounts {
    fn add_assign(&mut self, other: AnswerCounts) {
        self.given += other.given;
        self.wrong += other.wrong;
    }
}

/// Compares answers. Each thread has one.
#[derive(Default)]
pub(super) struct Comparison {
    pub(super) counts: AnswerCounts,
    buffer: Vec<u8>,
}

impl Comparison {
    /// What is wrong with the answer of `record`. `found` is the solution that was found, if any. A puzzle with several
    /// solutions has several right answers: the verifier decides.
    #[inline]
    pub(super) fn compare(
        &mut self,
        format: &Format,
        verifier: &Verifier,
        (record, puzzle): (&Record<'_>, &Puzzle<'_>),
        found: Option<&[u8]>,
    ) -> Option<WrongAnswer> {
        let at = format.solution(record.text, puzzle.at.clone())?;
        let text = format.characters(&record.text[at.clone()], &mut self.buffer);
        // Nearly all answers are right.
        if found == Some(text) {
            self.counts.given += 1;
            return None;
        }
        let field = AnswerField::of(format, at, text)?;
        if field.content != AnswerContent::Answer {
            return None;
        }
        self.counts.given += 1;
        let (at, fault) = field.check(verifier, puzzle.cells, (format, record.text)).err()?;
        self.counts.wrong += 1;
        let (lines, column) = format.place_in(record.text, at);
        Some(WrongAnswer { line: record.line + lines, column, fault })
    }
}
