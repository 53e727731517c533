//! What one engine did with the puzzles of one run.

use super::clock::TimeSpent;
use super::puzzles::Set;
use crate::error::{Error, ErrorKind};
use crate::figures::Histogram;
use crate::puzzle::Status;

/// What one engine did with the puzzles of a run, in the order of the run. Places from `done` on hold anything.
#[derive(Debug)]
pub(super) struct Pass {
    /// Nanoseconds of processor time of each puzzle.
    pub(super) nanos: Vec<f32>,
    /// Guesses of each puzzle.
    pub(super) guesses: Vec<u32>,
    /// Status of each puzzle.
    pub(super) statuses: Vec<Status>,
    /// Calls of the search of the puzzles.
    pub(super) calls: Histogram,
    /// Puzzles solved without a guess.
    pub(super) unguessed: u64,
    /// Number of puzzles answered: the first of the order.
    pub(super) done: usize,
    /// Time that they took, summed over the threads.
    pub(super) spent: TimeSpent,
}

impl Pass {
    /// A pass over `count` puzzles of which none is answered.
    pub(super) fn new(count: usize) -> Pass {
        Pass {
            nanos: vec![0.0; count],
            guesses: vec![0; count],
            statuses: vec![Status::Limit; count],
            calls: Histogram::default(),
            unguessed: 0,
            done: 0,
            spent: TimeSpent::default(),
        }
    }

    /// The same in less memory.
    pub(super) fn without_statuses(self) -> Pass {
        Pass { statuses: Vec::new(), ..self }
    }
}

/// The passes of one engine.
#[derive(Debug)]
pub(super) struct Measured {
    /// The pass over the puzzles as they were read.
    pub(super) warm_up: Pass,
    /// One pass for each run.
    pub(super) runs: Vec<Pass>,
}

/// An answer that ends the comparison.
#[derive(Debug)]
pub(super) struct Failure {
    /// The place of the puzzle in the pass.
    pub(super) place: usize,
    /// What is wrong.
    pub(super) kind: ErrorKind,
}

impl Failure {
    /// The same failure, with its place in the puzzles as they were read instead of in this order of them.
    pub(super) fn in_order(self, order: &[u32]) -> Failure {
        Failure { place: order.get(self.place).map_or(self.place, |&place| place as usize), ..self }
    }

    /// The error, with the input and line of its puzzle.
    pub(super) fn at(self, puzzles: &Set) -> Error {
        let (input, line) = puzzles.source(self.place);
        Error::at(input, self.kind).in_line(line)
    }
}
