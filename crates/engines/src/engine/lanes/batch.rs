//! A batch of puzzles for the pool: what is asked of them, and where the answers go.

use crate::puzzle::{Answers, Limits, Puzzles};

/// The puzzles that the pool answers, and what limits them.
pub(super) struct Batch<'a> {
    pub(super) puzzles: Puzzles<'a>,
    pub(super) limits: Limits,
    pub(super) answers: Answers<'a>,
    /// Index of the next puzzle.
    pub(super) next: usize,
    /// By place: a candidate that is eliminated at the start. Puzzles after the last one keep theirs.
    pub(super) excluded: &'a [Option<Candidate>],
    /// By place: a solution that does not count.
    pub(super) known: Option<Puzzles<'a>>,
}

/// A symbol in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) cell: usize,
    /// 1..=n; other symbols are no candidates.
    pub(super) symbol: u8,
}

impl<'a> Batch<'a> {
    /// `puzzles`, and as many `answers`.
    pub(super) fn new(puzzles: Puzzles<'a>, limits: Limits, answers: Answers<'a>) -> Self {
        Batch { puzzles, limits, answers, next: 0, excluded: &[], known: None }
    }

    /// The same puzzles. By place: solutions equal to the `known` one do not count, and the candidate `excluded` is
    /// eliminated at the start.
    pub(super) fn differing(self, known: Puzzles<'a>, excluded: &'a [Option<Candidate>]) -> Self {
        Batch { known: Some(known), excluded, ..self }
    }
}
