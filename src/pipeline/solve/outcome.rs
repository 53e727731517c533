//! What a run found.

use std::ops::AddAssign;
use std::path::PathBuf;

use crate::engine::Work;
use crate::figures::{Point, Slow, Tally};
use crate::input::records::MalformedRecord;
use crate::pipeline::PagePlace;
use crate::pipeline::crosscheck::CrosscheckCounts;

/// A source that was read to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SolvedInput {
    /// Its path, or `<stdin>`.
    pub name: PathBuf,
    /// The name of its format: `lines`, `csv` or `grids`.
    pub format: &'static str,
    /// Bytes read.
    pub bytes: u64,
    /// Lines read.
    pub lines: u64,
    /// Records among them.
    pub records: u64,
    /// Whether it was mapped into memory.
    pub mapped: bool,
}

impl SolvedInput {
    /// Counts a page.
    pub(in crate::pipeline) fn add(&mut self, page: &PagePlace) {
        self.lines += page.lines;
        self.records += page.records;
        self.bytes = page.end;
    }
}

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct SolveOutcome {
    /// The sources in order.
    pub inputs: Vec<SolvedInput>,
    /// Statuses, guesses and times.
    pub tally: Tally,
    /// What the engines did, if they solve many puzzles at once.
    pub work: Option<Work>,
    /// What another engine solved again, if that was requested.
    pub crosscheck: Option<CrosscheckCounts>,
    /// The slowest puzzles, slowest first.
    pub slowest: Vec<Slow>,
    /// Some of the puzzles, evenly spread.
    pub(crate) points: Vec<Point>,
    /// The first malformed records.
    pub malformed: Vec<MalformedRecord>,
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
