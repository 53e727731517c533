//! What a run found.

use std::ops::AddAssign;
use std::path::PathBuf;

use crate::engine::Work;
use crate::figures::{Point, Slow, Tally};
use crate::input::records::MalformedRecord;
use crate::input::{AnswerFault, TakenColumns};
use crate::pipeline::PagePlace;
use crate::pipeline::crosscheck::CrosscheckCounts;
use crate::printable::printable;

use super::answers::AnswerCounts;

/// A source that was read to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SolvedInput {
    /// Its path, or `<stdin>`.
    pub name: PathBuf,
    /// The name of its format: `lines`, `csv`, `json` or `grids`.
    pub format: &'static str,
    /// The columns or keys that were read, if it has columns or keys.
    pub columns: Option<TakenColumns>,
    /// The names of arrays in an archive that became no columns of the output, though it has columns for others.
    pub left_out: Vec<String>,
    /// Bytes read.
    pub bytes: u64,
    /// Lines read, those before the first record that was asked for included.
    pub lines: u64,
    /// Records among them.
    pub records: u64,
    /// Whether it was mapped into memory.
    pub mapped: bool,
}

impl SolvedInput {
    /// Counts a page.
    pub(in crate::pipeline) fn add(&mut self, page: &PagePlace) {
        self.lines = page.lines_before + page.lines;
        self.records += page.records;
        self.bytes += page.bytes;
    }
}

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
    /// The slowest puzzles, slowest first. Their times were measured again after the run, each puzzle alone, as far as a part
    /// of the time of the run allowed.
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

/// A wrong or damaged answer that the input gives, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongAnswer {
    /// The source.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, in bytes.
    pub column: u32,
    /// What is wrong with it.
    pub fault: AnswerFault,
}

impl std::fmt::Display for WrongAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let WrongAnswer { path, line, column, fault } = self;
        write!(f, "{}:{line}:{column}: the given answer is wrong: {fault}", printable(path))
    }
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
