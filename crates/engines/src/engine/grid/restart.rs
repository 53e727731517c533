//! When the search begins again: after a number of guesses without a solution.
//!
//! A search that guesses wrong near the root looks at millions of hopeless grids below it. Few searches go wrong, and
//! most of these end soon with other guesses (Gomes, Selman, Crato and Kautz, "Heavy-tailed phenomena in satisfiability
//! and constraint satisfaction problems", J. of Automated Reasoning 24, 2000). So the search is made of runs:
//!
//! ```text
//! run 0    as many guesses as `first_run` says, chosen by the usual rule
//! run 1    half as many again, chosen by the blame that was learnt: see `choose`
//! run 2    half as many again, ...
//! ```
//! 1. *Nothing is lost.* A run begins at level 0, from which only values with no solution below them were eliminated.
//!    The guesses above level 0 are forgotten. The runs become longer, so that one of them is complete at last.
//! 2. *Nothing is counted twice.* Only a search without a solution begins again. After its first solution a run goes on
//!    to the end of the search, so the search passes each solution once.
//! 3. *The answer depends on the puzzle alone.* Blame lasts for one puzzle, and the number of the run seeds its random
//!    numbers. The guesses of all runs are counted, and limited together.
//!
//! A search without any solution takes at most three times the guesses that its last run may take. The guesses of 2,400
//! jigsaws of 9x9 with 3 to 12 clues and three maps, at most 200,000 each, to two solutions:
//!
//! | way | mean | most |
//! |---|---|---|
//! | one run | 17,000 | 200,000 |
//! | the same rule in all runs, the blame kept | 2,746 | 200,000 |
//! | and ties broken at random, in cells and values | 555 | 200,000 |
//! | most blame for each candidate: the rule used | 60 | 838 |
//! | the same with runs as long as the Luby sequence says | 59 | 530 |
//!
//! The first run grows with the cube of the cells, because in 25x25 the usual rule is better for longer. For 30 puzzles
//! of 25x25 with 270 clues runs from 1,000 guesses on took 2.5 times the guesses of one run.

/// Guesses of the first run in a grid of `cells` cells: 106 in 9x9, 3,355 in 16x16, 48,828 in 25x25.
pub(super) fn first_run(cells: usize) -> u64 {
    ((cells as u64).pow(3) / 5_000).max(100)
}

/// The runs of one search.
pub(super) struct Runs {
    first: u64,
    number: u64,
    length: u64,
    /// The number of guesses at which the run ends.
    end: u64,
}

impl Runs {
    /// Runs of which the first has as many guesses as `first` says.
    pub(super) fn new(first: u64) -> Runs {
        Runs { first, number: 0, length: first, end: first }
    }

    /// Begins the first run of another puzzle.
    pub(super) fn reset(&mut self) {
        *self = Runs::new(self.first);
    }

    /// Whether the run has ended after that many guesses.
    #[inline(always)]
    pub(super) fn is_over(&self, guesses: u64) -> bool {
        guesses >= self.end
    }

    /// Begins the next run after that many guesses. Returns its number.
    pub(super) fn next(&mut self, guesses: u64) -> u64 {
        self.number += 1;
        self.length = self.length.saturating_add((self.length / 2).max(1));
        self.end = guesses.saturating_add(self.length);
        self.number
    }

    /// Lets the run go on to the end of the search.
    pub(super) fn stay(&mut self) {
        self.end = u64::MAX;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_become_longer_and_the_last_one_stays() {
        assert_eq!([16, 81, 256, 625].map(first_run), [100, 106, 3_355, 48_828]);
        let mut runs = Runs::new(1);
        let mut ends = Vec::new();
        for guesses in 0..30 {
            if runs.is_over(guesses) {
                ends.push((guesses, runs.next(guesses)));
            }
        }
        assert_eq!(ends, [(1, 1), (3, 2), (6, 3), (10, 4), (16, 5), (25, 6)]);
        runs.stay();
        assert!(!runs.is_over(u64::MAX - 1));
        runs.reset();
        assert!(!runs.is_over(0) && runs.is_over(1));
    }
}
