//! The second step: a solution is written as text, and the bytes that are written are verified.

use crate::grid::{Alphabet, Fault, Rules, Verifier, WrongSolution};
use crate::input::format::Notation;
use crate::pipeline::Failure;
use crate::pipeline::answerer::PuzzleAnswer;
use crate::pipeline::crosscheck::in_words;

/// Writes and verifies solutions.
pub(super) struct SolutionText {
    pub(super) verifier: Verifier,
    pub(super) notation: Notation,
    engine: &'static str,
    /// The solution as text: one character a cell.
    text: Vec<u8>,
}

impl SolutionText {
    pub(super) fn new(rules: &Rules, engine: &'static str) -> SolutionText {
        let (verifier, notation) = (Verifier::new(rules), Notation::from(rules));
        SolutionText { verifier, notation, engine, text: vec![0; rules.stride()] }
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
            write_cells(answered.cells, &self.notation.alphabet, is_stuck, &mut self.text);
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

    /// The text of the cells that were written.
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

/// Writes `cells` to `text` in the characters of `alphabet`. `is_partial`: a blank is written `.`, also in digits.
#[inline(always)]
fn write_cells(cells: &[u8], alphabet: &Alphabet, is_partial: bool, text: &mut [u8]) {
    if !alphabet.is_digits() {
        cells.iter().zip(text).for_each(|(&cell, byte)| *byte = alphabet.character(cell));
        return;
    }
    // A number of cells that the compiler knows becomes straight vector code.
    match (<&[u8; 81]>::try_from(cells), <&mut [u8; 81]>::try_from(&mut *text)) {
        (Ok(cells), Ok(text)) => {
            for at in 0..81 {
                text[at] = cells[at].wrapping_add(b'0');
            }
        }
        _ => cells.iter().zip(&mut *text).for_each(|(&cell, byte)| *byte = cell.wrapping_add(b'0')),
    }
    if is_partial {
        text.iter_mut().filter(|byte| **byte == b'0').for_each(|byte| *byte = b'.');
    }
}
