//! The second step: solutions are written as text, and the bytes that are written are verified.

use crate::grid::{Alphabet, Fault, Rules, Verifier, WrongSolution};
use crate::input::format::Notation;
use crate::pipeline::Failure;
use crate::pipeline::answerer::PuzzleAnswer;
use crate::pipeline::crosscheck::in_words;
use crate::puzzle::Puzzles;

/// Writes and verifies solutions.
pub(super) struct SolutionText {
    pub(super) verifier: Verifier,
    pub(super) notation: Notation,
    engine: &'static str,
    /// The solutions as text, flat: one character a cell.
    text: Vec<u8>,
}

impl SolutionText {
    pub(super) fn new(rules: &Rules, engine: &'static str) -> SolutionText {
        let (verifier, notation) = (Verifier::new(rules), Notation::from(rules));
        SolutionText { verifier, notation, engine, text: Vec::new() }
    }

    /// Writes the solutions of some `puzzles`, all of them, flat; returns whether all are right. For each of them it takes
    /// half of the instructions of [`write`](Self::write).
    pub(super) fn write_all(&mut self, puzzles: Puzzles<'_>, solutions: &[u8]) -> bool {
        write_cells(solutions, &self.notation.alphabet, &mut self.text);
        self.verifier.are_right_texts(puzzles, &self.text)
    }

    /// Writes the cells that were found. A solution is one of `puzzle`, which is in the line `line` of the chunk.
    #[inline(always)]
    pub(super) fn write(
        &mut self,
        puzzle: &[u8],
        answered: &PuzzleAnswer<'_>,
        line: u64,
    ) -> Result<(), Failure> {
        let (has_solution, is_stuck) = (answered.answer.solutions > 0, answered.answer.is_stuck());
        if self.notation.choices.is_some() {
            return self.write_choices(puzzle, answered, line);
        }
        if has_solution || is_stuck {
            write_cells(answered.cells, &self.notation.alphabet, &mut self.text);
        }
        if is_stuck {
            // A blank, also in digits.
            self.text.iter_mut().filter(|byte| **byte == b'0').for_each(|byte| *byte = b'.');
        }
        if has_solution && let Err(violation) = self.verifier.check_text(puzzle, &self.text) {
            return Err(self.wrong(line, puzzle, answered.cells, violation));
        }
        Ok(())
    }

    /// The same for a problem. The options are verified: the text of each is one that names it.
    fn write_choices(
        &mut self,
        puzzle: &[u8],
        answered: &PuzzleAnswer<'_>,
        line: u64,
    ) -> Result<(), Failure> {
        if answered.answer.solutions > 0 {
            self.text.clear();
            self.notation.write(answered.cells, &mut self.text);
            if let Err(violation) = self.verifier.check(puzzle, answered.cells) {
                return Err(self.wrong(line, puzzle, answered.cells, violation));
            }
        }
        Ok(())
    }

    /// The text of the cells that were written, of one puzzle or of several.
    #[inline(always)]
    pub(super) fn get(&self) -> &[u8] {
        &self.text
    }

    #[cold]
    fn wrong(&self, line: u64, puzzle: &[u8], solution: &[u8], violation: Fault) -> Failure {
        Failure::in_line(line, wrong_solution(self.engine, (puzzle, solution), violation, &self.notation))
    }
}

/// The error that `solution`, which the engine found of `puzzle`, is wrong.
#[cold]
pub(in crate::pipeline) fn wrong_solution(
    engine: &str,
    (puzzle, solution): (&[u8], &[u8]),
    violation: Fault,
    notation: &Notation,
) -> WrongSolution {
    if notation.choices.is_none() {
        return WrongSolution::new(engine, puzzle, solution, violation, &notation.alphabet);
    }
    let [puzzle, solution] = [puzzle, solution].map(|cells| in_words(cells, notation));
    WrongSolution { engine: engine.to_owned(), puzzle, solution, violation }
}

/// Replaces `text` by `cells` in the characters of `alphabet`. A blank is `0` in digits.
#[inline(always)]
fn write_cells(cells: &[u8], alphabet: &Alphabet, text: &mut Vec<u8>) {
    text.clear();
    if alphabet.is_digits() {
        // Straight vector code.
        text.extend(cells.iter().map(|cell| cell.wrapping_add(b'0')));
    } else {
        text.extend(cells.iter().map(|&cell| alphabet.character(cell)));
    }
}
