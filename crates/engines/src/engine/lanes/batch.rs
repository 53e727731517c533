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
    /// Gets every solution, if there is one.
    pub(super) judge: Option<&'a mut Judge<'a>>,
}

/// A symbol in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) cell: usize,
    /// 1..=n; other symbols are no candidates.
    pub(super) symbol: u8,
}

/// Gets the place of a puzzle and each solution of it that is found. Says what it is worth.
pub(super) type Judge<'a> = dyn FnMut(usize, &[u8]) -> Worth + 'a;

/// What a solution is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    /// It counts.
    Counted,
    /// It does not count: the search goes on as if it were a contradiction.
    Ignored,
    /// It counts, and the search for solutions of its puzzle ends.
    Last,
}

impl<'a> Batch<'a> {
    /// `puzzles`, and as many `answers`.
    pub(super) fn new(puzzles: Puzzles<'a>, limits: Limits, answers: Answers<'a>) -> Self {
        Batch { puzzles, limits, answers, next: 0, excluded: &[], judge: None }
    }

    /// The same puzzles without the candidates `excluded`, one for each puzzle.
    pub(super) fn without(self, excluded: &'a [Option<Candidate>]) -> Self {
        Batch { excluded, ..self }
    }

    /// The same; `judge` gets every solution.
    pub(super) fn judged_by(self, judge: &'a mut Judge<'a>) -> Self {
        Batch { judge: Some(judge), ..self }
    }
}
