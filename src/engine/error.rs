//! What an engine refuses.

/// The engine does not solve puzzles of these rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the engine solves {accepts} only, not `{rules}`")]
pub struct Unsupported {
    /// What the engine accepts, as text: `9x9 sudoku`.
    pub accepts: &'static str,
    /// The name of the rules it was given.
    pub rules: &'static str,
}
