//! Records by status, as reports name them.

use serde::Serialize;

use crate::puzzle::Status;

/// Records by status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All records.
    pub records: u64,
    /// Records that are puzzles.
    pub puzzles: u64,
    /// Puzzles for which the search found what the limits require.
    pub solved: u64,
    /// Puzzles without a solution.
    pub none: u64,
    /// Puzzles with several solutions, if the run had to prove that there is only one.
    pub multiple: u64,
    /// Puzzles given up at a limit.
    pub limit: u64,
    /// Puzzles left unfinished by an engine that never guesses.
    pub stuck: u64,
    /// Records that are not puzzles.
    pub malformed: u64,
}

impl Counts {
    /// The counts for which `count` gives the records of each status.
    pub fn new(count: impl Fn(Status) -> u64) -> Counts {
        let records = Status::ALL.into_iter().map(&count).sum();
        let malformed = count(Status::Malformed);
        Counts {
            records,
            puzzles: records - malformed,
            solved: count(Status::Solved),
            none: count(Status::None),
            multiple: count(Status::Multiple),
            limit: count(Status::Limit),
            stuck: count(Status::Stuck),
            malformed,
        }
    }

    /// Each status, with its word and its count, in the order of reports.
    pub fn by_status(&self) -> [(&'static str, u64); 6] {
        [
            (Status::Solved, self.solved),
            (Status::None, self.none),
            (Status::Multiple, self.multiple),
            (Status::Limit, self.limit),
            (Status::Stuck, self.stuck),
            (Status::Malformed, self.malformed),
        ]
        .map(|(status, count)| (status.word(), count))
    }
}
