//! The slowest puzzles of a run and those with the most guesses, each with its place.

use std::cmp::Reverse;

use crate::puzzle::Effort;

/// One puzzle among the slowest.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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

/// The slowest puzzles, ordered by time, then by guesses, then by place. If times are measured, also the puzzles with
/// the most guesses, ordered by guesses, then by place. (Without times both lists would be the same.)
#[derive(Clone, Debug, Default)]
pub(crate) struct Slowest {
    capacity: usize,
    /// How many of the slowest are kept.
    candidates: usize,
    slowest: Vec<Slow>,
    most_guesses: Vec<Slow>,
}

/// Slow puzzles kept for each one that is named. If other programs interrupt the run, some of them are not slow.
const CANDIDATES: usize = 4;

impl Slowest {
    /// Keeps the `capacity` slowest puzzles, and the `capacity` puzzles with the most guesses.
    pub(crate) fn new(capacity: usize) -> Slowest {
        Slowest { capacity, candidates: capacity, slowest: Vec::new(), most_guesses: Vec::new() }
    }

    /// Keeps more of the slowest puzzles: candidates, to measure again.
    pub(crate) fn with_candidates(capacity: usize) -> Slowest {
        Slowest { candidates: CANDIDATES * capacity, ..Slowest::new(capacity) }
    }

    /// Whether a puzzle of this effort would be kept. It is cheap enough to call for every puzzle.
    ///
    /// A later puzzle that costs as much as the last one kept is not kept, so call this in order of lines.
    #[inline]
    pub(crate) fn wants(&self, effort: Effort) -> bool {
        self.slowest.len() < self.candidates
            || self
                .slowest
                .last()
                .is_some_and(|last| (effort.nanos, effort.guesses) > (last.nanos, last.guesses))
            || effort.nanos > 0 && effort.guesses > self.guesses_of_last()
    }

    /// Guesses above which a puzzle belongs to those with the most.
    #[inline]
    fn guesses_of_last(&self) -> u64 {
        match self.most_guesses.last() {
            Some(last) if self.most_guesses.len() == self.capacity => last.guesses,
            _ if self.capacity == 0 => u64::MAX,
            _ => 0,
        }
    }

    /// Keeps a puzzle if it is slow enough, or took enough guesses. A puzzle that is kept may be offered again.
    pub(crate) fn offer(&mut self, slow: Slow) {
        if slow.guesses > 0
            && slow.nanos > 0
            && let Some(at) = place(&self.most_guesses, self.capacity, &slow, by_guesses)
        {
            self.most_guesses.insert(at, slow.clone());
            self.most_guesses.truncate(self.capacity);
        }
        if let Some(at) = place(&self.slowest, self.candidates, &slow, by_time) {
            self.slowest.insert(at, slow);
            self.slowest.truncate(self.candidates);
        }
    }

    /// The puzzles kept, each once.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Slow> {
        let is_new = |slow: &&Slow| self.slowest.iter().all(|kept| !is_same(kept, slow));
        self.slowest.iter().chain(self.most_guesses.iter().filter(is_new))
    }

    /// The slowest puzzles and those with the most guesses, after `measure` has measured the time of each again.
    pub(crate) fn measured(
        mut self,
        mut measure: impl FnMut(&Slow) -> Option<u64>,
    ) -> (Vec<Slow>, Vec<Slow>) {
        let mut slowest: Vec<Slow> = self.all().cloned().collect();
        for slow in &mut slowest {
            slow.nanos = measure(slow).unwrap_or(slow.nanos);
        }
        for slow in &mut self.most_guesses {
            slow.nanos =
                slowest.iter().find(|kept| is_same(kept, slow)).map_or(slow.nanos, |kept| kept.nanos);
        }
        slowest.sort_by_key(by_time);
        slowest.truncate(self.capacity);
        (slowest, self.most_guesses)
    }
}

fn by_time(slow: &Slow) -> (Reverse<(u64, u64)>, usize, u64) {
    (Reverse((slow.nanos, slow.guesses)), slow.input, slow.line)
}

fn is_same(one: &Slow, other: &Slow) -> bool {
    (one.input, one.line, &one.puzzle) == (other.input, other.line, &other.puzzle)
}

fn by_guesses(slow: &Slow) -> (Reverse<u64>, usize, u64) {
    (Reverse(slow.guesses), slow.input, slow.line)
}

/// Where `slow` belongs in `list`, unless it is there or `capacity` others rank before it.
fn place<R: Ord>(list: &[Slow], capacity: usize, slow: &Slow, rank: fn(&Slow) -> R) -> Option<usize> {
    let at = list.partition_point(|kept| (rank(kept), &kept.puzzle) < (rank(slow), &slow.puzzle));
    (at < capacity && list.iter().all(|kept| !is_same(kept, slow))).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow(nanos: u64, guesses: u64, line: u64) -> Slow {
        Slow { nanos, guesses, input: 0, line, puzzle: String::new(), solution: None }
    }

    #[test]
    fn the_slowest_are_kept_in_any_order_of_offering() {
        let mut slowest = Slowest::with_candidates(3);
        for (nanos, guesses, line) in [(5, 0, 1), (9, 0, 2), (9, 1, 3), (1, 9, 4), (9, 0, 5), (7, 0, 6)] {
            slowest.offer(slow(nanos, guesses, line));
        }
        let lines: Vec<u64> = slowest.slowest.iter().map(|slow| slow.line).collect();
        assert_eq!(lines, [3, 2, 5, 6, 1, 4], "there is room for candidates");
        let copy = slowest.slowest.clone();
        copy.into_iter().for_each(|slow| slowest.offer(slow));
        for line in 10..30 {
            slowest.offer(slow(9, 0, line));
        }
        assert!(!slowest.wants(Effort { nanos: 9, guesses: 0, ..Effort::default() }));
        assert!(slowest.wants(Effort { nanos: 9, guesses: 1, ..Effort::default() }));
        assert!(
            slowest.wants(Effort { nanos: 1, guesses: 1, ..Effort::default() }),
            "the third with a guess"
        );
        let none = Slowest::new(0);
        assert!(!none.wants(Effort { nanos: 9, guesses: 9, ..Effort::default() }));
        let lines = |slowest: &[Slow]| slowest.iter().map(|slow| slow.line).collect::<Vec<_>>();
        assert_eq!((lines(&slowest.most_guesses), slowest.all().count()), (vec![4, 3], 12 + 1));
        // Only 5 is slow when it is measured again; 12 cannot be.
        let (slowest, most) = slowest.measured(|slow| match slow.line {
            5 => Some(100),
            12 => None,
            line => Some(line % 2),
        });
        assert_eq!((lines(&slowest), lines(&most)), (vec![5, 12, 3], vec![4, 3]));
        assert_eq!((most[0].nanos, most[1].nanos), (0, 1));
    }
}
