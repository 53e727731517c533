//! The answer that a record gives beside its puzzle: whether there is one, what it is, and what is wrong with it.
//!
//! No answer is given by an empty field, by `null`, by a grid of nothing but blanks, and by a status word. Any other
//! text is an answer. If it is not a whole grid, it is damaged, and a damaged answer is a wrong one.

use std::ops::Range;

use super::error::{Count, LineError, LineErrorKind};
use super::format::{Format, Notation, status_of};
use crate::grid::{Fault, Verifier};
use crate::puzzle::Status;

/// The field for the answer of a record.
pub(crate) struct AnswerField<'a> {
    /// Its place in the text of the record.
    pub(crate) at: Range<usize>,
    /// Its characters: one for each cell if it is a grid.
    pub(crate) text: &'a [u8],
    pub(crate) content: AnswerContent,
}

/// What the field for the answer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerContent {
    /// No answer, but a grid of nothing but blanks.
    Blank,
    /// No answer, but the word that says why there is none.
    Word(Status),
    /// An answer, which may be damaged.
    Answer,
}

impl<'a> AnswerField<'a> {
    /// The field of the record `text`, the puzzle of which is at `puzzle`. `None` if there is no such field, or if it
    /// is empty.
    #[inline]
    pub(crate) fn read(
        format: &Format,
        text: &'a [u8],
        puzzle: &Range<usize>,
        buffer: &'a mut Vec<u8>,
    ) -> Option<AnswerField<'a>> {
        let at = format.solution(text, puzzle.clone())?;
        let text = format.characters(&text[at.clone()], buffer);
        AnswerField::of(format, at, text)
    }

    /// The field at this place of a record, with these characters.
    #[inline]
    pub(crate) fn of(format: &Format, at: Range<usize>, text: &'a [u8]) -> Option<AnswerField<'a>> {
        let Notation { cells, alphabet, choices } = &format.notation;
        let is_blank = |&byte: &u8| alphabet.cell(byte) == Some(0);
        if text.iter().all(u8::is_ascii_whitespace) {
            return None;
        }
        let content = match choices.is_none() && text.len() == *cells {
            true if text.iter().all(is_blank) => AnswerContent::Blank,
            true => AnswerContent::Answer,
            false => status_of(text).map_or(AnswerContent::Answer, AnswerContent::Word),
        };
        Some(AnswerField { at, text, content })
    }

    /// Checks that the answer solves `puzzle`.
    ///
    /// # Errors
    /// What is wrong with it, and the byte of `record` to blame: the byte of the cell, or else the first byte of the
    /// answer.
    pub(crate) fn check(
        &self,
        verifier: &Verifier,
        puzzle: &[u8],
        (format, record): (&Format, &[u8]),
    ) -> Result<(), (usize, AnswerFault)> {
        verifier.check_text(puzzle, self.text).map_err(|violation| {
            let field = &record[self.at.clone()];
            let (offset, fault) = self.explain(format, field, puzzle.len(), violation);
            (self.at.start + offset, fault)
        })
    }

    /// What is wrong with the answer `field`, and the byte of it to blame. `violation` is what the verifier found.
    #[cold]
    fn explain(&self, format: &Format, field: &[u8], cells: usize, violation: Fault) -> (usize, AnswerFault) {
        if format.notation.choices.is_some() {
            return match violation {
                Fault::Choice(fault) => (0, AnswerFault::Malformed(LineErrorKind::Choice(fault))),
                _ => (0, AnswerFault::Wrong(violation)),
            };
        }
        if let Some(LineError { column, kind }) = format.wrong_number(field) {
            return (column as usize - 1, AnswerFault::Malformed(kind));
        }
        let notation = &format.notation;
        let is_symbol = |&byte: &u8| notation.alphabet.cell(byte).is_some_and(|cell| cell != 0);
        if let Some(at) = self.text.iter().position(|byte| !is_symbol(byte)) {
            let kind = match self.text[at] {
                byte if notation.is_cell(byte) => LineErrorKind::Blank(byte),
                byte => notation.wrong_character(byte),
            };
            return (format.offset_of_cell(field, at), AnswerFault::Malformed(kind));
        }
        if self.text.len() != cells {
            let kind = LineErrorKind::Length(Count::new(self.text.len(), cells));
            return (0, AnswerFault::Malformed(kind));
        }
        let side = cells.isqrt();
        let before = violation.cell().map_or(0, |cell| (cell.row - 1) * side + cell.column - 1);
        (format.offset_of_cell(field, before), AnswerFault::Wrong(violation))
    }
}

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, serde::Serialize, serde::Deserialize)]
pub enum AnswerFault {
    /// It is not a grid of symbols.
    #[error("{0}")]
    Malformed(LineErrorKind),
    /// It is a grid of symbols, but does not solve the puzzle.
    #[error("{0}")]
    Wrong(Fault),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::format::recognised;

    const CELLS: usize = 16;
    const PUZZLE: &str = "1...............";

    /// What the answer column of a table and the key of an object hold.
    fn content(answer: &str) -> [Option<AnswerContent>; 2] {
        let table = format!("puzzle,answer,status\n{PUZZLE},{answer},\n");
        let object = format!("{{\"puzzle\":\"{PUZZLE}\",\"answer\":\"{answer}\",\"status\":null}}\n");
        [table, object].map(|text| {
            let format = recognised(text.as_bytes(), CELLS);
            let record = text.lines().last().unwrap().as_bytes();
            let puzzle = format.puzzle(record, &mut Vec::new()).unwrap();
            let mut buffer = Vec::new();
            AnswerField::read(&format, record, &puzzle, &mut buffer).map(|field| field.content)
        })
    }

    #[test]
    fn what_is_neither_empty_nor_blank_nor_a_status_word_is_an_answer() {
        for nothing in ["", " ", "   "] {
            assert_eq!(content(nothing), [None; 2], "{nothing:?}");
        }
        for blank in ["0000000000000000", "................", "0.0.0.0.0.0.0.0."] {
            assert_eq!(content(blank), [Some(AnswerContent::Blank); 2], "{blank}");
        }
        for status in Status::ALL {
            assert_eq!(content(status.word()), [Some(AnswerContent::Word(status)); 2]);
        }
        for answer in [
            "1234341221434321",
            "123434122143432",
            "12343412214343211",
            "123434122143432.",
            "...............",
            ".................",
            "x",
            "0",
            "differs from it",
            "solved!",
            "Junk",
        ] {
            assert_eq!(content(answer), [Some(AnswerContent::Answer); 2], "{answer}");
        }
    }
}
