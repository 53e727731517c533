//! The flat slices everyone passes: puzzles in, answers out.
//!
//! A puzzle is `stride` bytes, one a cell in row-major order: 0 for a blank, 1..=n for a symbol. The parser
//! writes these bytes, the engines read them, the output prints them; nobody copies them in between.
//!
//! ```text
//! puzzles    | puzzle 0: stride bytes | puzzle 1: stride bytes | ...
//! solutions  | its solution, stride   | ...                            the same place, whenever it is filled
//! answers    | Answer                 | Answer                 | ...
//! ```

use std::ops::Range;

/// A batch of puzzles: flat bytes of fixed stride (0 blank, 1..=n), borrowed.
#[derive(Clone, Copy, Debug)]
pub struct Puzzles<'a> {
    bytes: &'a [u8],
    stride: usize,
}

impl<'a> Puzzles<'a> {
    /// Reads `bytes` as puzzles of `stride` cells each. A last piece shorter than `stride` is no puzzle.
    ///
    /// A `stride` of 0 gives an empty batch.
    pub fn new(bytes: &'a [u8], stride: usize) -> Self {
        let whole = bytes.len().checked_div(stride).unwrap_or(0) * stride;
        Puzzles { bytes: &bytes[..whole], stride: stride.max(1) }
    }

    /// How many puzzles there are.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.stride
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Cells a puzzle.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The puzzle at `place`, or `None` past the end.
    pub fn get(&self, place: usize) -> Option<&'a [u8]> {
        (place < self.len()).then(|| &self.bytes[place * self.stride..][..self.stride])
    }

    /// The puzzles at `places`, cut to what there is.
    pub fn slice(&self, places: Range<usize>) -> Puzzles<'a> {
        let (start, end) = clamp(&places, self.len());
        Puzzles { bytes: &self.bytes[start * self.stride..end * self.stride], stride: self.stride }
    }

    /// The puzzles in order.
    pub fn iter(&self) -> std::slice::ChunksExact<'a, u8> {
        self.bytes.chunks_exact(self.stride)
    }
}

/// Places for the answers to a batch: place `i` belongs to puzzle `i`, whenever it is filled.
#[derive(Debug)]
pub struct Answers<'a> {
    solutions: &'a mut [u8],
    answers: &'a mut [Answer],
    stride: usize,
}

impl<'a> Answers<'a> {
    /// Places for `answers.len()` answers; `solutions` gives `stride` bytes to each.
    ///
    /// Where the two disagree, the shorter one counts.
    pub fn new(solutions: &'a mut [u8], answers: &'a mut [Answer], stride: usize) -> Self {
        let stride = stride.max(1);
        let len = answers.len().min(solutions.len() / stride);
        Answers { solutions: &mut solutions[..len * stride], answers: &mut answers[..len], stride }
    }

    /// How many places there are.
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// The solution bytes and the answer at `place`, or `None` past the end.
    pub fn get_mut(&mut self, place: usize) -> Option<(&mut [u8], &mut Answer)> {
        let answer = self.answers.get_mut(place)?;
        Some((&mut self.solutions[place * self.stride..][..self.stride], answer))
    }

    /// The places `places`, cut to what there is, borrowed again.
    pub fn slice(&mut self, places: Range<usize>) -> Answers<'_> {
        let (start, end) = clamp(&places, self.len());
        Answers {
            solutions: &mut self.solutions[start * self.stride..end * self.stride],
            answers: &mut self.answers[start..end],
            stride: self.stride,
        }
    }

    /// The places in order: solution bytes and answer.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&mut [u8], &mut Answer)> {
        self.solutions.chunks_exact_mut(self.stride).zip(self.answers.iter_mut())
    }
}

fn clamp(places: &Range<usize>, len: usize) -> (usize, usize) {
    let end = places.end.min(len);
    (places.start.min(end), end)
}

/// Where a search stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Stop after so many solutions: 1 = any, 2 = prove it the only one, more = count, `u64::MAX` = all.
    pub solutions: u64,
    /// Give up when one more guess than this would be needed: the answer's status is then [`Status::Limit`].
    pub guesses: u64,
}

impl Limits {
    /// One solution, whichever comes first; no limit on guesses.
    pub const ANY: Limits = Limits { solutions: 1, guesses: u64::MAX };
    /// Enough to tell one solution from several; no limit on guesses.
    pub const UNIQUE: Limits = Limits { solutions: 2, guesses: u64::MAX };

    /// Whether the only solution was asked for: a second one is then no answer but [`Status::Multiple`].
    pub fn is_unique(&self) -> bool {
        self.solutions == 2
    }
}

/// What one puzzle cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Choices tried while another was still open; a forced last alternative is none (the rule of Dillon's tdoku).
    pub guesses: u64,
    /// The puzzle's share of the work, in a unit of its engine's own; 0 in engines that work on one at a time.
    pub cost: u64,
    /// Time in nanoseconds; 0 unless [`Timed`](crate::Timed) stood around the engine.
    pub nanos: u64,
    /// Calls of the recursive search, the first one included: what the published solvers report that count
    /// them; 0 in all other engines ([`Entry::counts_calls`](crate::Entry::counts_calls)).
    pub calls: u64,
    /// How deep those calls were nested at most, the first one at depth 0.
    pub depth: u32,
}

/// What is known of one puzzle after a search. The first solution stands in the flat solutions beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Solutions found, at most [`Limits::solutions`].
    pub solutions: u64,
    /// The search gave up, at [`Limits::guesses`] or because it was stuck: there may be more solutions than were
    /// found.
    pub gave_up: bool,
    /// The engine does not guess and knows no further: the solution bytes hold the cells that it filled, 0 in
    /// all others.
    pub is_stuck: bool,
    /// What it cost.
    pub effort: Effort,
}

impl Answer {
    /// The one word for this answer under the limits it was searched with.
    ///
    /// Only where uniqueness was asked for (`solutions` = 2) are several solutions [`Status::Multiple`];
    /// two solutions found settle that, whether or not the search gave up later.
    pub fn status(&self, limits: Limits) -> Status {
        if limits.is_unique() && self.solutions >= 2 {
            Status::Multiple
        } else if self.is_stuck {
            Status::Stuck
        } else if self.gave_up {
            Status::Limit
        } else if self.solutions == 0 {
            Status::None
        } else {
            Status::Solved
        }
    }
}

/// The one word that stands for a record: `solved`, `none`, `multiple`, `limit`, `stuck`, `malformed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// Exactly what was asked for was found.
    Solved,
    /// There is no solution.
    None,
    /// Uniqueness was asked for, and there are several solutions.
    Multiple,
    /// The limit on guesses was reached first.
    Limit,
    /// An engine that never guesses could not finish the puzzle.
    Stuck,
    /// The record is not a puzzle.
    Malformed,
}

impl Status {
    /// Every status, in the order of reports.
    pub const ALL: [Status; 6] =
        [Status::Solved, Status::None, Status::Multiple, Status::Limit, Status::Stuck, Status::Malformed];

    /// The word as it is printed.
    pub fn word(self) -> &'static str {
        match self {
            Status::Solved => "solved",
            Status::None => "none",
            Status::Multiple => "multiple",
            Status::Limit => "limit",
            Status::Stuck => "stuck",
            Status::Malformed => "malformed",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puzzles_are_cut_by_stride_and_a_short_tail_is_none() {
        let puzzles = Puzzles::new(&[1, 2, 3, 4, 5], 2);
        assert_eq!(puzzles.len(), 2);
        assert_eq!(puzzles.get(1), Some(&[3, 4][..]));
        assert_eq!(puzzles.get(2), None);
        assert_eq!(puzzles.slice(1..9).len(), 1);
        assert!(Puzzles::new(&[1], 0).is_empty());
    }

    #[test]
    fn answers_take_the_shorter_of_the_two_slices() {
        let (mut solutions, mut answers) = ([0; 5], [Answer::default(); 3]);
        let mut places = Answers::new(&mut solutions, &mut answers, 2);
        assert_eq!(places.len(), 2);
        places.get_mut(1).unwrap().0[0] = 7;
        assert_eq!(places.slice(1..2).get_mut(0).unwrap().0, [7, 0]);
        assert!(places.get_mut(2).is_none());
    }

    #[test]
    fn status_follows_the_limits() {
        let answer = |solutions, gave_up| Answer { solutions, gave_up, ..Answer::default() };
        assert_eq!(answer(1, false).status(Limits::ANY), Status::Solved);
        assert_eq!(answer(0, false).status(Limits::ANY), Status::None);
        assert_eq!(answer(1, true).status(Limits::UNIQUE), Status::Limit);
        assert_eq!(answer(2, false).status(Limits::UNIQUE), Status::Multiple);
        assert_eq!(answer(9, false).status(Limits { solutions: 100, guesses: 5 }), Status::Solved);
        let stuck = Answer { is_stuck: true, gave_up: true, ..Answer::default() };
        assert_eq!([Limits::ANY, Limits::UNIQUE].map(|limits| stuck.status(limits)), [Status::Stuck; 2]);
    }
}
