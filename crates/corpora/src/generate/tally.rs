//! What a run has made and tried so far, counted by its threads and read by another one, which shows how far it is, and
//! that a wish is rarely met.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the puzzles that are made, before they are delivered, and those that miss the wish.
#[derive(Debug)]
pub struct Tally {
    made: AtomicU64,
    missed: AtomicU64,
    clues: [AtomicU64; 2],
    guesses: [AtomicU64; 2],
}

/// What was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TallyCounts {
    /// Puzzles that meet the wish. They are delivered when all before them are made.
    pub made: u64,
    /// Puzzles with one solution that missed the wish.
    pub missed: u64,
    /// The fewest and the most clues of those that missed it by their clues.
    pub clues: Option<RangeInclusive<u64>>,
    /// The fewest and the most guesses of those that missed it by these.
    pub guesses: Option<RangeInclusive<u64>>,
}

impl Default for Tally {
    fn default() -> Tally {
        let range = || [AtomicU64::new(u64::MAX), AtomicU64::new(0)];
        Tally { made: AtomicU64::new(0), missed: AtomicU64::new(0), clues: range(), guesses: range() }
    }
}

impl Tally {
    /// Adds a puzzle that meets the wish.
    pub(super) fn make(&self) {
        self.made.fetch_add(1, Ordering::Relaxed);
    }

    /// Moves puzzles that were made to those that missed the wish: their classes were there already.
    pub(super) fn leave_out(&self, count: u64) {
        self.made.fetch_sub(count, Ordering::Relaxed);
        self.missed.fetch_add(count, Ordering::Relaxed);
    }

    /// Adds a puzzle that has another number of clues.
    pub(super) fn miss_clues(&self, clues: usize) {
        self.miss(&self.clues, clues as u64);
    }

    /// Adds a puzzle that has another number of guesses, if they were counted, another level or a known class.
    pub(super) fn miss_filter(&self, guesses: Option<u64>) {
        match guesses {
            Some(guesses) => self.miss(&self.guesses, guesses),
            None => drop(self.missed.fetch_add(1, Ordering::Relaxed)),
        }
    }

    fn miss(&self, [fewest, most]: &[AtomicU64; 2], number: u64) {
        self.missed.fetch_add(1, Ordering::Relaxed);
        // Nearly all numbers are between those that were found before, and need no write.
        if number < fewest.load(Ordering::Relaxed) {
            fewest.fetch_min(number, Ordering::Relaxed);
        }
        if number > most.load(Ordering::Relaxed) {
            most.fetch_max(number, Ordering::Relaxed);
        }
    }

    /// What was tried so far.
    pub fn tried(&self) -> TallyCounts {
        let range = |[fewest, most]: &[AtomicU64; 2]| {
            let (fewest, most) = (fewest.load(Ordering::Relaxed), most.load(Ordering::Relaxed));
            // A number below all others may be there before it is the most.
            (fewest != u64::MAX).then(|| fewest..=most.max(fewest))
        };
        TallyCounts {
            made: self.made.load(Ordering::Relaxed),
            missed: self.missed.load(Ordering::Relaxed),
            clues: range(&self.clues),
            guesses: range(&self.guesses),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_between_the_least_and_the_most() {
        let tally = Tally::default();
        assert_eq!(tally.tried(), TallyCounts { made: 0, missed: 0, clues: None, guesses: None });
        tally.miss_clues(0);
        assert_eq!(tally.tried().clues, Some(0..=0));
        for clues in [24, 19, 27] {
            tally.miss_clues(clues);
        }
        tally.miss_filter(Some(3));
        tally.miss_filter(None);
        (0..5).for_each(|_| tally.make());
        tally.leave_out(2);
        assert_eq!(
            tally.tried(),
            TallyCounts { made: 3, missed: 8, clues: Some(0..=27), guesses: Some(3..=3) }
        );
    }
}
