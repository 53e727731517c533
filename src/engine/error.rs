//! What an engine refuses.

use galop_simd::MissingIsa;

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
