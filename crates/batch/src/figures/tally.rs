//! What a run counts while it solves.

use super::histogram::{Histogram, HistogramCounts};
use crate::puzzle::{Effort, Status};

/// Statuses of records, and histograms of what puzzles cost.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    statuses: [u64; Status::ALL.len()],
    /// Guesses of each puzzle.
    pub guesses: Histogram,
    /// Nanoseconds of each puzzle; empty if times are not measured.
    pub nanos: Histogram,
    /// Calls of the search of each puzzle; empty for engines that do not count them.
    pub calls: Histogram,
    /// Depth to which these calls were nested; empty for engines that do not count them.
    pub depth: Histogram,
}

/// The counts of a tally, without those that are 0.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct TallyCounts {
    statuses: [u64; Status::ALL.len()],
    histograms: [HistogramCounts; 4],
}

impl Tally {
    /// Moves all counts to `counts`, whose old ones are lost.
    pub(crate) fn take(&mut self, counts: &mut TallyCounts) {
        counts.statuses = std::mem::take(&mut self.statuses);
        let histograms = [&mut self.guesses, &mut self.nanos, &mut self.calls, &mut self.depth];
        histograms
            .into_iter()
            .zip(&mut counts.histograms)
            .for_each(|(histogram, counts)| histogram.take(counts));
    }

    /// Adds `counts`.
    pub(crate) fn add_counts(&mut self, counts: &TallyCounts) {
        self.statuses.iter_mut().zip(counts.statuses).for_each(|(mine, theirs)| *mine += theirs);
        let histograms = [&mut self.guesses, &mut self.nanos, &mut self.calls, &mut self.depth];
        histograms.into_iter().zip(&counts.histograms).for_each(|(mine, theirs)| mine.add_counts(theirs));
    }

    /// Counts one record of this status.
    #[inline]
    pub(crate) fn count(&mut self, status: Status) {
        self.statuses[status as usize] += 1;
    }

    /// Counts the effort of one puzzle; `is_timed` says that its nanoseconds were measured.
    #[inline]
    pub(crate) fn add_effort(&mut self, effort: Effort, is_timed: bool) {
        self.guesses.add(effort.guesses);
        if is_timed {
            self.nanos.add(effort.nanos);
        }
    }

    /// Counts the calls of one puzzle's search.
    #[inline]
    pub(crate) fn add_calls(&mut self, effort: Effort) {
        self.calls.add(effort.calls);
        self.depth.add(u64::from(effort.depth));
    }

    /// Records of this status.
    pub fn of(&self, status: Status) -> u64 {
        self.statuses[status as usize]
    }

    /// All records, malformed ones included.
    pub fn records(&self) -> u64 {
        self.statuses.iter().sum()
    }

    /// All records that are puzzles.
    pub fn puzzles(&self) -> u64 {
        self.records() - self.of(Status::Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_add_up() {
        let (mut a, mut b) = (Tally::default(), Tally::default());
        a.count(Status::Solved);
        a.add_effort(Effort { guesses: 3, nanos: 100, ..Effort::default() }, true);
        a.add_calls(Effort { calls: 7, depth: 2, ..Effort::default() });
        b.add_calls(Effort { calls: 0, depth: 0, ..Effort::default() });
        b.count(Status::Malformed);
        b.count(Status::None);
        b.add_effort(Effort { guesses: 5, nanos: 0, ..Effort::default() }, false);
        let mut counts = TallyCounts::default();
        b.take(&mut counts);
        a.add_counts(&counts);
        assert_eq!(b.records(), 0);
        assert_eq!((a.records(), a.puzzles(), a.of(Status::Solved), a.of(Status::None)), (3, 2, 1, 1));
        assert_eq!((a.guesses.count(), a.guesses.sum(), a.nanos.count()), (2, 8, 1));
        assert_eq!((a.calls.count(), a.calls.sum(), a.depth.max()), (2, 7, 2));
    }
}
