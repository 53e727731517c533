//! What a run found.

use std::ops::AddAssign;

use crate::engine::Work;
use crate::figures::{Point, Slow, Tally};
use crate::input::records::MalformedRecord;
use crate::parts::SolvedInput;
use crate::pipeline::crosscheck::CrosscheckCounts;
use crate::pipeline::watch::WrongAnswer;

use super::answers::AnswerCounts;

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct SolveOutcome {
    /// The sources in order.
    pub inputs: Vec<SolvedInput>,
    /// Statuses, guesses and times.
    pub tally: Tally,
    /// Records that were printed, if not all of them were.
    pub printed: Option<u64>,
    /// Fields of the input that have no column in the output, because the first record lacks it.
    pub lost_fields: u64,
    /// Solutions that were printed, if all of them were.
    pub listed: Option<u64>,
    /// What the engines did, if they solve many puzzles at once.
    pub work: Option<Work>,
    /// What another engine solved again, if that was requested.
    pub crosscheck: Option<CrosscheckCounts>,
    /// The slowest puzzles, slowest first. Their times were measured again after the run, each puzzle alone, as far as
    /// a part of the time of the run allowed.
    pub slowest: Vec<Slow>,
    /// The puzzles that took the most guesses, the most first.
    pub most_guesses: Vec<Slow>,
    /// Some of the puzzles, evenly spread.
    pub points: Vec<Point>,
    /// The first malformed records.
    pub malformed: Vec<MalformedRecord>,
    /// The answers that tables and JSON objects give beside their puzzles.
    pub answers: AnswerCounts,
    /// The first of them that are wrong.
    pub wrong_answers: Vec<WrongAnswer>,
}

/// The sum of the values that exist.
pub(super) fn sum<T: AddAssign>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            one += other;
            Some(one)
        }
        (one, other) => one.or(other),
    }
}
