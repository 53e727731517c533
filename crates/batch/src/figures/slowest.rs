//! The slowest puzzles of a run, each with its place.

use crate::puzzle::Effort;

/// One puzzle among the slowest.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "resume", derive(serde::Serialize, serde::Deserialize))]
pub struct Slow {
    /// Time in nanoseconds; 0 if times are not measured.
    pub nanos: u64,
    /// Guesses.
    pub guesses: u64,
    /// The input, counted from 0 in the order given.
    pub input: usize,
    /// The line, from 1.
    pub line: u64,
    /// The puzzle as it was read.
    pub puzzle: String,
    /// The first solution found, if any.
    pub solution: Option<String>,
}

/// The `capacity` slowest puzzles, ordered by time, then by guesses, then by place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slowest {
    capacity: usize,
    slowest: Vec<Slow>,
}

impl Slowest {
    /// Keeps the `capacity` slowest puzzles.
    pub(crate) fn new(capacity: usize) -> Slowest {
        Slowest { capacity, slowest: Vec::new() }
    }

    /// Whether a puzzle of this effort would be kept. It is cheap enough to call for every puzzle.
    ///
    /// A later puzzle that costs as much as the last one kept is not kept, so call this in order of lines.
    #[inline]
    pub(crate) fn wants(&self, effort: Effort) -> bool {
        self.slowest.len() < self.capacity
            || self
                .slowest
                .last()
                .is_some_and(|last| (effort.nanos, effort.guesses) > (last.nanos, last.guesses))
    }

    /// Keeps a puzzle if it is slow enough.
    pub(crate) fn offer(&mut self, slow: Slow) {
        let rank = |slow: &Slow| (std::cmp::Reverse((slow.nanos, slow.guesses)), slow.input, slow.line);
        let at = self.slowest.partition_point(|kept| rank(kept) < rank(&slow));
        if at < self.capacity {
            self.slowest.insert(at, slow);
            self.slowest.truncate(self.capacity);
        }
    }

    /// The puzzles kept, slowest first.
    #[cfg(feature = "resume")]
    pub(crate) fn as_slice(&self) -> &[Slow] {
        &self.slowest
    }

    /// Empties the list and returns it, slowest first.
    pub(crate) fn take(&mut self) -> std::vec::Drain<'_, Slow> {
        self.slowest.drain(..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow(nanos: u64, guesses: u64, line: u64) -> Slow {
        Slow { nanos, guesses, input: 0, line, puzzle: String::new(), solution: None }
    }

    #[test]
    fn the_slowest_are_kept_in_any_order_of_offering() {
        let mut slowest = Slowest::new(3);
        for (nanos, guesses, line) in [(5, 0, 1), (9, 0, 2), (9, 1, 3), (1, 9, 4), (9, 0, 5), (7, 0, 6)] {
            slowest.offer(slow(nanos, guesses, line));
        }
        let lines: Vec<u64> = slowest.slowest.iter().map(|slow| slow.line).collect();
        assert_eq!(lines, [3, 2, 5]);
        assert!(!slowest.wants(Effort { nanos: 9, guesses: 0, ..Effort::default() }));
        assert!(slowest.wants(Effort { nanos: 9, guesses: 1, ..Effort::default() }));
        assert!(!Slowest::new(0).wants(Effort { nanos: 9, guesses: 0, ..Effort::default() }));
        assert_eq!(slowest.take().count(), 3);
        assert_eq!(slowest.take().count(), 0);
    }
}
