//! The fourth step: answers are counted, and the slowest puzzles are kept.
//!
//! Each chunk has counts of its own, which are added up when its page is delivered. So they fit a place of the input at
//! any time, and a run can be ended after any chunk and go on.

use super::answers::AnswerCounts;
use super::options::SolveOptions;
use super::outcome::{SolveOutcome, sum};
use crate::engine::Work;
use crate::figures::{Slow, Slowest, Tally, TallyCounts};
use crate::pipeline::crosscheck::CrosscheckCounts;
use crate::puzzle::{Effort, Status};

/// The counts of a chunk.
#[derive(Debug, Default)]
pub(super) struct ChunkCounts {
    pub(super) tally: TallyCounts,
    pub(super) answers: AnswerCounts,
    pub(super) printed: Option<u64>,
    pub(super) lost_fields: u64,
    pub(super) listed: Option<u64>,
    pub(super) work: Option<Work>,
    pub(super) crosscheck: Option<CrosscheckCounts>,
}

impl ChunkCounts {
    /// Adds the counts to the run's counts.
    pub(super) fn add_to(&self, outcome: &mut SolveOutcome) {
        outcome.tally.add_counts(&self.tally);
        outcome.answers += self.answers;
        outcome.printed = sum(outcome.printed, self.printed);
        outcome.lost_fields += self.lost_fields;
        outcome.listed = sum(outcome.listed, self.listed);
        outcome.work = sum(outcome.work, self.work);
        outcome.crosscheck = sum(outcome.crosscheck, self.crosscheck);
    }
}

/// Counts the answers of a chunk.
pub(super) struct Counter {
    pub(super) tally: Tally,
    times: bool,
    /// Whether the engine counts its calls.
    calls: bool,
    /// How many of the slowest puzzles of a chunk are kept.
    slowest: usize,
}

impl Counter {
    pub(super) fn new(calls: bool, options: &SolveOptions<'_>) -> Counter {
        Counter { tally: Tally::default(), times: options.times, calls, slowest: options.slowest }
    }

    /// The slowest puzzles of a new chunk.
    pub(super) fn slowest(&self) -> Slowest {
        Slowest::new(self.slowest)
    }

    /// Counts one answer.
    #[inline(always)]
    pub(super) fn count(&mut self, status: Status, effort: Effort) {
        self.tally.count(status);
        self.tally.add_effort(effort, self.times);
        if self.calls {
            self.tally.add_calls(effort);
        }
    }
}

/// Keeps one of the slowest puzzles.
#[cold]
pub(super) fn keep(slowest: &mut Slowest, line: u64, effort: Effort, puzzle: &[u8], solution: Option<&[u8]>) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    slowest.offer(Slow {
        nanos: effort.nanos,
        guesses: effort.guesses,
        input: 0,
        line,
        puzzle: text(puzzle),
        solution: solution.map(text),
    });
}
