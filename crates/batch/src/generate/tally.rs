//! What a run has tried so far, counted by its threads and read by another one, which tells that a wish is rarely met.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the puzzles that miss the wish. (Those that meet it are delivered.)
#[derive(Debug)]
pub struct Tally {
    missed: AtomicU64,
    clues: [AtomicU64; 2],
    guesses: [AtomicU64; 2],
}

/// What was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// Puzzles with one solution that missed the wish.
    pub missed: u64,
    /// The fewest and the most clues of those that missed it by their clues.
    pub clues: Option<RangeInclusive<u64>>,
    /// The fewest and the most guesses of those that missed it by their rating.
    pub guesses: Option<RangeInclusive<u64>>,
}

impl Default for Tally {
    fn default() -> Tally {
        let range = || [AtomicU64::new(u64::MAX), AtomicU64::new(0)];
        Tally { missed: AtomicU64::new(0), clues: range(), guesses: range() }
    }
}

impl Tally {
    /// Adds a puzzle that has another number of clues.
    pub(super) fn miss_clues(&self, clues: usize) {
        self.miss(&self.clues, clues as u64);
    }

    /// Adds a puzzle that has another rating, if it was rated, or a known class.
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
    pub fn tried(&self) -> Tried {
        let range = |[fewest, most]: &[AtomicU64; 2]| {
            let (fewest, most) = (fewest.load(Ordering::Relaxed), most.load(Ordering::Relaxed));
            // A number below all others may be there before it is the most.
            (fewest != u64::MAX).then(|| fewest..=most.max(fewest))
        };
        Tried {
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
        assert_eq!(tally.tried(), Tried { missed: 0, clues: None, guesses: None });
        tally.miss_clues(0);
        assert_eq!(tally.tried().clues, Some(0..=0));
        for clues in [24, 19, 27] {
            tally.miss_clues(clues);
        }
        tally.miss_filter(Some(3));
        tally.miss_filter(None);
        assert_eq!(tally.tried(), Tried { missed: 6, clues: Some(0..=27), guesses: Some(3..=3) });
    }
}
