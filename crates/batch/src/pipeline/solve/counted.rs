//! What a worker counted in one chunk, for a run that can be ended after any chunk and go on.
//!
//! Otherwise each worker counts all of its chunks together: it is ahead of the chunks that were delivered, so that these
//! counts fit no place of the input before the end.

use super::answers::AnswerCounts;
use super::outcome::{SolveOutcome, sum};
use crate::engine::Work;
use crate::figures::TallyCounts;
use crate::pipeline::crosscheck::CrosscheckCounts;

/// The counts of a chunk.
#[derive(Debug, Default)]
pub(super) struct Counted {
    pub(super) tally: TallyCounts,
    pub(super) answers: AnswerCounts,
    pub(super) printed: Option<u64>,
    pub(super) lost_fields: u64,
    pub(super) listed: Option<u64>,
    pub(super) work: Option<Work>,
    pub(super) crosscheck: Option<CrosscheckCounts>,
}

impl Counted {
    /// Adds the counts to those of the run.
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
