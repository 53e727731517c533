//! What an engine refuses, or forgets.

use galop_simd::MissingIsa;

use crate::puzzle::{Answers, Puzzles};

/// Why an engine cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// The engine does not solve puzzles of these rules.
    #[error("the engine solves {accepts} only, not `{rules}`")]
    Rules {
        /// What the engine accepts, as text: `9x9 sudoku`.
        accepts: &'static str,
        /// The name of the rules it was given.
        rules: &'static str,
    },
    /// This machine lacks the instruction set.
    #[error(transparent)]
    Isa(#[from] MissingIsa),
}

/// The batch does not have as many cells a puzzle as the engine's rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a batch of {found} cells a puzzle was given to an engine for puzzles of {expected} cells")]
pub struct WrongStride {
    /// Cells of each puzzle, or of each solution if the puzzles have the right number.
    pub found: usize,
    /// Cells of the engine's rules.
    pub expected: usize,
}

impl WrongStride {
    /// Checks that both the puzzles and the places for their answers have `expected` cells.
    pub(super) fn check(
        puzzles: &Puzzles<'_>,
        answers: &Answers<'_>,
        expected: usize,
    ) -> Result<(), WrongStride> {
        match [puzzles.stride(), answers.stride()].into_iter().find(|&found| found != expected) {
            Some(found) => Err(WrongStride { found, expected }),
            None => Ok(()),
        }
    }
}

/// An engine returned without an answer to a puzzle: a bug in the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the engine `{engine}` left the puzzle unanswered; the output is not complete\n\
     this is a bug in galop's engine `{engine}`"
)]
pub struct Unanswered {
    /// The engine's name.
    pub engine: &'static str,
}
