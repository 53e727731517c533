//! The flat slices that every part reads and writes: puzzles in, answers out.
//!
//! A puzzle is `stride` bytes, one a cell in row-major order: 0 for a blank, 1..=n for a symbol. Of a problem it is a
//! byte an option: 0 open, 1 chosen, 2 forbidden; a solution has a 1 for each of its options. The parser writes these
//! bytes, the engines read them, the output prints them.
//!
//! ```text
//! puzzles    | puzzle 0: stride bytes | puzzle 1: stride bytes | ...
//! solutions  | its solution, stride   | ...                            the same place, in any order of time
//! answers    | Answer                 | Answer                 | ...
//! ```

use std::ops::Range;

use galop_cover::{Assumptions, OptionId};

/// A batch, or a slice of one, has another length than what it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongLength {
    /// Puzzles, or places for solutions, do not have as many cells as the engine's rules.
    #[error("a batch of {found} cells per puzzle was given to an engine for puzzles of {expected} cells")]
    Cells {
        /// Cells of each puzzle, or of each solution if the puzzles have the right number.
        found: usize,
        /// Cells of the engine's rules.
        expected: usize,
    },
    /// The bytes are not a whole number of puzzles, or a puzzle has 0 cells.
    #[error("{found} bytes are not a whole number of puzzles of {stride} cells")]
    Puzzles {
        /// Bytes of the batch.
        found: usize,
        /// Cells of each puzzle.
        stride: usize,
    },
    /// The solutions do not have as many bytes as the answers need.
    #[error("{found} bytes for the solutions of {answers} puzzles of {stride} cells")]
    Solutions {
        /// Bytes for solutions.
        found: usize,
        /// Places for answers.
        answers: usize,
        /// Cells of each puzzle.
        stride: usize,
    },
}

/// A batch of puzzles: flat bytes of fixed stride (0 blank, 1..=n), borrowed.
///
/// The default is a batch without puzzles.
#[derive(Clone, Copy, Debug)]
pub struct Puzzles<'a> {
    bytes: &'a [u8],
    stride: usize,
}

impl Default for Puzzles<'_> {
    fn default() -> Self {
        Puzzles::one(&[])
    }
}

impl<'a> Puzzles<'a> {
    /// Reads `bytes` as puzzles of `stride` cells each.
    ///
    /// # Errors
    /// [`WrongLength::Puzzles`] if the last puzzle is not whole, or if `stride` is 0.
    pub fn new(bytes: &'a [u8], stride: usize) -> Result<Self, WrongLength> {
        if stride == 0 || !bytes.len().is_multiple_of(stride) {
            return Err(WrongLength::Puzzles { found: bytes.len(), stride });
        }
        Ok(Puzzles { bytes, stride })
    }

    /// A batch of one puzzle, or of none if it has no cells.
    pub fn one(puzzle: &'a [u8]) -> Self {
        Puzzles { bytes: puzzle, stride: puzzle.len().max(1) }
    }

    /// The number of puzzles.
    #[inline]
    pub fn len(&self) -> usize {
        self.bytes.len() / self.stride
    }

    /// Whether the batch is empty.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// All puzzles, flat.
    #[inline]
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The number of cells of each puzzle.
    #[inline]
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The puzzle at `place`, or `None` past the end.
    #[inline]
    pub fn get(&self, place: usize) -> Option<&'a [u8]> {
        (place < self.len()).then(|| &self.bytes[place * self.stride..][..self.stride])
    }

    /// The puzzles at `places`. Places past the end are left out.
    pub fn slice(&self, places: Range<usize>) -> Puzzles<'a> {
        let (start, end) = clamp(&places, self.len());
        Puzzles { bytes: &self.bytes[start * self.stride..end * self.stride], stride: self.stride }
    }

    /// The puzzles in order.
    pub fn iter(&self) -> std::slice::ChunksExact<'a, u8> {
        self.bytes.chunks_exact(self.stride)
    }
}

/// The byte of an option that a puzzle chooses, or that is in a solution.
pub(crate) const CHOSEN: u8 = 1;
/// The byte of an option that a puzzle forbids.
pub(crate) const FORBIDDEN: u8 = 2;

/// Reads the options that a puzzle of a problem chooses and forbids, a byte each. They replace `assumptions`. Returns
/// false if a byte has no meaning.
pub fn read_options(puzzle: &[u8], assumptions: &mut Assumptions) -> bool {
    assumptions.chosen.clear();
    assumptions.forbidden.clear();
    let (words, rest) = puzzle.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    for (start, bytes) in (0..).step_by(8).zip(words.iter().chain([&last])) {
        // Nearly all options are open: eight of them are passed at once.
        let mut word = u64::from_le_bytes(*bytes);
        while word != 0 {
            let place = word.trailing_zeros() / 8;
            let option = OptionId(start + place);
            match (word >> (8 * place)) as u8 {
                CHOSEN => assumptions.chosen.push(option),
                FORBIDDEN => assumptions.forbidden.push(option),
                _ => return false,
            }
            word &= !(0xff << (8 * place));
        }
    }
    true
}

/// Marks the options that are chosen and forbidden in `puzzle`, of which the others are open. Options that it has no
/// byte for are left out.
pub fn write_options(assumptions: &Assumptions, puzzle: &mut [u8]) {
    puzzle.fill(0);
    for (options, mark) in [(&assumptions.chosen, CHOSEN), (&assumptions.forbidden, FORBIDDEN)] {
        for option in options {
            if let Some(byte) = puzzle.get_mut(option.index()) {
                *byte = mark;
            }
        }
    }
}

/// Places for the answers to a batch: place `i` belongs to puzzle `i`.
#[derive(Debug)]
#[must_use]
pub struct Answers<'a> {
    solutions: &'a mut [u8],
    answers: &'a mut [Answer],
    stride: usize,
}

impl<'a> Answers<'a> {
    /// Places for `answers.len()` answers; `solutions` has `stride` bytes for each of them.
    ///
    /// # Errors
    /// [`WrongLength::Solutions`] if `solutions` has another number of bytes.
    pub fn new(
        solutions: &'a mut [u8],
        answers: &'a mut [Answer],
        stride: usize,
    ) -> Result<Self, WrongLength> {
        if answers.len().checked_mul(stride) != Some(solutions.len()) {
            return Err(WrongLength::Solutions { found: solutions.len(), answers: answers.len(), stride });
        }
        Ok(Answers { solutions, answers, stride: stride.max(1) })
    }

    /// The place for the answer to one puzzle, which has as many cells as `solution`.
    pub fn one(solution: &'a mut [u8], answer: &'a mut Answer) -> Self {
        let stride = solution.len().max(1);
        Answers { solutions: solution, answers: std::slice::from_mut(answer), stride }
    }

    /// The number of cells of each solution.
    #[inline]
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// The number of places.
    #[inline]
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether there is no place.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// Makes every place unanswered.
    pub(crate) fn clear(&mut self) {
        self.answers.fill(Answer::default());
    }

    /// The solution bytes and the answer at `place`, or `None` past the end.
    #[inline]
    pub(crate) fn get_mut(&mut self, place: usize) -> Option<(&mut [u8], &mut Answer)> {
        let answer = self.answers.get_mut(place)?;
        Some((&mut self.solutions[place * self.stride..][..self.stride], answer))
    }

    /// The places `places`, borrowed again. Places past the end are left out.
    pub fn slice(&mut self, places: Range<usize>) -> Answers<'_> {
        let (start, end) = clamp(&places, self.len());
        Answers {
            solutions: &mut self.solutions[start * self.stride..end * self.stride],
            answers: &mut self.answers[start..end],
            stride: self.stride,
        }
    }

    /// The places in order: solution bytes and answer.
    #[inline]
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&mut [u8], &mut Answer)> {
        self.solutions.chunks_exact_mut(self.stride).zip(self.answers.iter_mut())
    }
}

fn clamp(places: &Range<usize>, len: usize) -> (usize, usize) {
    let end = places.end.min(len);
    (places.start.min(end), end)
}

/// Where a search stops: at a number of solutions, and at a number of guesses.
///
/// ```
/// use galop::Limits;
///
/// assert_eq!(Limits::UNIQUE.solutions(), Some(2));
/// assert_eq!(Limits::ALL.solutions(), None);
/// let limits = Limits::count(10).with_guesses(1_000);
/// assert_eq!((limits.solutions(), limits.guesses()), (Some(10), Some(1_000)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// `u64::MAX`: no limit.
    solutions: u64,
    /// `u64::MAX`: no limit.
    guesses: u64,
}

impl Limits {
    /// Any one solution; no limit on guesses.
    pub const ANY: Limits = Limits::count(1);
    /// Two solutions, which suffice to distinguish one solution from several; no limit on guesses.
    pub const UNIQUE: Limits = Limits::count(2);
    /// All solutions; no limit on guesses.
    pub const ALL: Limits = Limits::count(u64::MAX);

    /// At most `solutions` solutions, and at least one; no limit on guesses. `count(2)` is [`Limits::UNIQUE`].
    pub const fn count(solutions: u64) -> Limits {
        Limits { solutions: if solutions == 0 { 1 } else { solutions }, guesses: u64::MAX }
    }

    /// The same with at most `guesses` guesses: a puzzle that needs one more gets the status [`Status::Limit`].
    #[must_use]
    pub const fn with_guesses(self, guesses: u64) -> Limits {
        Limits { guesses, ..self }
    }

    /// The number of solutions at which a search stops; `None`: it finds all of them.
    pub fn solutions(&self) -> Option<u64> {
        (self.solutions != u64::MAX).then_some(self.solutions)
    }

    /// The number of guesses after which a search gives up; `None`: never.
    pub fn guesses(&self) -> Option<u64> {
        (self.guesses != u64::MAX).then_some(self.guesses)
    }

    /// As [`solutions`](Self::solutions); `u64::MAX`: no limit.
    #[inline]
    pub fn max_solutions(&self) -> u64 {
        self.solutions
    }

    /// As [`guesses`](Self::guesses); `u64::MAX`: no limit.
    #[inline]
    pub(crate) fn max_guesses(&self) -> u64 {
        self.guesses
    }

    /// Whether the search must show that a solution is the only one: a puzzle with a second one then gets the
    /// status [`Status::Multiple`].
    #[inline]
    pub(crate) fn is_unique(&self) -> bool {
        self.solutions == Limits::UNIQUE.solutions
    }
}

/// What one puzzle cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Choices tried while another was still open; a forced last alternative does not count (the rule of
    /// Dillon's tdoku). If a search begins again, the guesses before that count as well. If it continues as exact
    /// cover, each node there counts as four.
    pub guesses: u64,
    /// The puzzle's share of the work of its batch, in an engine's own unit (time is shared out in proportion);
    /// 0 in engines that solve one puzzle at a time.
    pub cost: u64,
    /// Time in nanoseconds; 0 in answers of engines, which hold no clock; runs and comparisons measure it.
    pub nanos: u64,
    /// Calls of the recursive search, the first one included, as the authors of published solvers report them; 0
    /// in all other engines ([`Entry::counts_calls`](crate::engine::Entry::counts_calls)).
    pub calls: u64,
    /// The greatest depth of those calls, the first one at depth 0.
    pub depth: u32,
}

/// What is known about one puzzle after a search. The flat solutions beside it hold the first solution.
///
/// The default is an answer that no engine has written yet. Its status is [`Status::Unanswered`], not
/// [`Status::None`].
///
/// ```
/// use galop_engines::puzzle::{Answer, Limits, Status};
///
/// assert_eq!(Answer::default().status(Limits::ANY), Status::Unanswered);
/// assert_eq!(Answer::complete(0).status(Limits::ANY), Status::None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Answer {
    /// Solutions found, at most [`Limits::solutions`].
    pub solutions: u64,
    /// What the search cost.
    pub effort: Effort,
    ending: Ending,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Ending {
    /// No search was made.
    #[default]
    Unanswered,
    /// At the end of the search space, or with as many solutions as the limit allows.
    Complete,
    /// At the limit on guesses.
    Limit,
    /// Where an engine that never guesses could infer nothing more.
    Stuck,
}

impl Answer {
    /// The puzzle has `solutions` solutions, or at least as many if that is the limit.
    #[inline]
    pub fn complete(solutions: u64) -> Answer {
        Answer { solutions, ending: Ending::Complete, effort: Effort::default() }
    }

    /// The search gave up at the limit on guesses, after it had found `solutions` solutions.
    #[inline]
    pub fn limited(solutions: u64) -> Answer {
        Answer { ending: Ending::Limit, ..Answer::complete(solutions) }
    }

    /// The engine does not guess and could infer nothing more: the solution bytes hold the cells that it filled,
    /// and 0 in all others.
    pub fn stuck() -> Answer {
        Answer { ending: Ending::Stuck, ..Answer::complete(0) }
    }

    /// The same answer with this effort.
    #[inline]
    pub fn with_effort(self, effort: Effort) -> Answer {
        Answer { effort, ..self }
    }

    /// Makes it unanswered: nothing of the last search is left.
    #[inline]
    pub fn clear(&mut self) {
        *self = Answer::default();
    }

    /// Whether an engine has written this answer.
    pub fn is_answered(&self) -> bool {
        self.ending != Ending::Unanswered
    }

    /// Whether the search gave up, at the limit on guesses or because it was stuck: there may be more solutions
    /// than it found.
    pub fn gave_up(&self) -> bool {
        matches!(self.ending, Ending::Limit | Ending::Stuck)
    }

    /// Whether an engine that does not guess could infer nothing more.
    #[inline]
    pub fn is_stuck(&self) -> bool {
        self.ending == Ending::Stuck
    }

    /// The one word for this answer under the limits it was searched with.
    ///
    /// Several solutions are [`Status::Multiple`] only if the limit asks for uniqueness; two solutions settle
    /// that, even if the search gave up later.
    #[inline]
    pub fn status(&self, limits: Limits) -> Status {
        if limits.is_unique() && self.solutions >= 2 {
            return Status::Multiple;
        }
        // Nearly all answers are complete: a branch that is predicted, not a jump by a table.
        if self.ending == Ending::Complete {
            return if self.solutions == 0 { Status::None } else { Status::Solved };
        }
        match self.ending {
            Ending::Stuck => Status::Stuck,
            Ending::Limit => Status::Limit,
            _ => Status::Unanswered,
        }
    }
}

/// The one word for a record: `solved`, `none`, `multiple`, `limit`, `stuck`, `malformed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// The search found what the limits ask for.
    Solved,
    /// There is no solution.
    None,
    /// The limits ask for uniqueness, and there are several solutions.
    Multiple,
    /// The search reached the limit on guesses first.
    Limit,
    /// An engine that never guesses could not finish the puzzle.
    Stuck,
    /// The record is not a puzzle.
    Malformed,
    /// No engine has answered the puzzle: a search was stopped before it. A finished run has no such record.
    Unanswered,
}

impl Status {
    /// Every status that a record of a finished run can have, in the order of reports.
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
            Status::Unanswered => "unanswered",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puzzles_are_cut_by_stride_and_must_be_whole() {
        let puzzles = Puzzles::new(&[1, 2, 3, 4], 2).unwrap();
        assert_eq!(puzzles.len(), 2);
        assert_eq!(puzzles.get(1), Some(&[3, 4][..]));
        assert_eq!(puzzles.get(2), None);
        assert_eq!(puzzles.slice(1..9).len(), 1);
        for (found, stride) in [(5, 2), (1, 0), (0, 0)] {
            let wrong = WrongLength::Puzzles { found, stride };
            assert_eq!(Puzzles::new(&[0; 5][..found], stride).err(), Some(wrong));
        }
        assert!(Puzzles::default().is_empty());
    }

    #[test]
    fn answers_are_places_of_stride_bytes() {
        let (mut solutions, mut answers) = ([0; 4], [Answer::default(); 2]);
        let mut places = Answers::new(&mut solutions, &mut answers, 2).unwrap();
        assert_eq!((places.len(), places.stride()), (2, 2));
        places.get_mut(1).unwrap().0[0] = 7;
        assert_eq!(places.slice(1..2).get_mut(0).unwrap().0, [7, 0]);
        assert!(places.get_mut(2).is_none());
    }

    #[test]
    fn answers_must_fit_the_solutions() {
        let refused = Answers::new(&mut [0; 5], &mut [Answer::default(); 3], 2).err();
        assert_eq!(refused, Some(WrongLength::Solutions { found: 5, answers: 3, stride: 2 }));
    }

    #[test]
    fn options_are_read_as_they_were_written() {
        let mut read = Assumptions::default();
        for len in 1..40 {
            for at in 0..len {
                let (chosen, forbidden) =
                    (vec![OptionId(at as u32)], vec![OptionId((at as u32 + 3) % len as u32)]);
                let forbidden = if chosen == forbidden { Vec::new() } else { forbidden };
                let (written, mut puzzle) = (Assumptions { chosen, forbidden }, vec![7; len]);
                write_options(&written, &mut puzzle);
                assert!(read_options(&puzzle, &mut read));
                assert_eq!(read, written);
                puzzle[at] = 3;
                assert!(!read_options(&puzzle, &mut read));
            }
        }
        assert!(read_options(&[], &mut read) && read == Assumptions::default());
    }

    /// Whatever the last search found, and whatever the limits are.
    #[test]
    fn a_cleared_answer_is_unanswered() {
        let effort = Effort { guesses: 3, cost: 4, ..Effort::default() };
        for answer in [Answer::complete(2), Answer::limited(2), Answer::stuck(), Answer::complete(0)] {
            let mut cleared = answer.with_effort(effort);
            cleared.clear();
            assert_eq!(cleared, Answer::default());
            for limits in [Limits::ANY, Limits::UNIQUE, Limits::ALL] {
                assert_eq!(cleared.status(limits), Status::Unanswered);
            }
        }
    }

    #[test]
    fn status_follows_the_limits() {
        assert_eq!(Answer::complete(1).status(Limits::ANY), Status::Solved);
        assert_eq!(Answer::complete(0).status(Limits::ANY), Status::None);
        assert_eq!(Answer::limited(1).status(Limits::UNIQUE), Status::Limit);
        assert_eq!(Answer::complete(2).status(Limits::UNIQUE), Status::Multiple);
        assert_eq!(Answer::complete(9).status(Limits::count(100).with_guesses(5)), Status::Solved);
        for limits in [Limits::ANY, Limits::UNIQUE, Limits::ALL] {
            assert_eq!(Answer::stuck().status(limits), Status::Stuck);
            assert_eq!(Answer::default().status(limits), Status::Unanswered);
        }
        assert!(!Answer::default().is_answered() && Answer::stuck().gave_up());
    }
}
