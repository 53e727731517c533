//! What an engine refuses, or forgets.

use galop_cover::engine::Unsuitable;
use galop_simd::MissingIsa;

use crate::puzzle::{Answers, Puzzles, WrongLength};

/// Why an engine cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// The engine does not solve puzzles of these rules.
    #[error("the engine solves {accepts} only, not `{rules}`")]
    Rules {
        /// What the engine accepts, as text: `9x9 sudoku`.
        accepts: &'static str,
        /// The name of the rules it was given.
        rules: String,
    },
    /// The engine cannot hold the problem.
    #[error("the engine cannot solve `{rules}`: {why}")]
    Cover {
        /// The name of the rules.
        rules: String,
        /// Why not.
        why: Unsuitable,
    },
    /// This machine lacks the instruction set.
    #[error(transparent)]
    Isa(#[from] MissingIsa),
}

impl WrongLength {
    /// Checks that both the puzzles and the places for their answers have `expected` cells.
    pub(super) fn check(
        puzzles: &Puzzles<'_>,
        answers: &Answers<'_>,
        expected: usize,
    ) -> Result<(), WrongLength> {
        match [puzzles.stride(), answers.stride()].into_iter().find(|&found| found != expected) {
            Some(found) => Err(WrongLength::Cells { found, expected }),
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
