//! A second opinion: a share of the puzzles is solved again by another engine, and the two must not contradict
//! each other.
//!
//! The [verifier](crate::grid::Verifier) sees that a solution is none. It cannot see that a puzzle said to have
//! no solution has one, that a second one was missed, or that one was counted twice. This can.
//!
//! What an answer claims of the number of solutions, numbers from the limit on solutions up being one number:
//!
//! | the search | claims |
//! |---|---|
//! | came to its end, or to the limit on solutions | exactly what it found |
//! | gave up at its limit on guesses, or was stuck | at least what it found |
//!
//! Two answers contradict each other if no number fits both claims, or if either has proved that there is one
//! solution only and they found different ones. Where any solution will do, or several were found, each may
//! have come upon another first: that is no difference. Where one gave up and what it found fits, nothing was
//! settled: such puzzles are counted by themselves.
//!
//! The second opinion is that of `dlx`, which knows no rule of sudoku; on `dlx` itself, that of `bitboard`, or of
//! `grid` for other rules than those of the 9x9 sudoku. (What
//! `hybrid-links` leaves to its links is searched by the code of `dlx`: there the two are not strangers.) It searches
//! with the limit on solutions of the run and its own engine's usual limit on guesses.

use std::ops::{AddAssign, RangeInclusive};

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use super::error::{Disagreement, Opinion};
use crate::engine::{Engine, Entry, Isa, Unsupported, second_for};
use crate::grid::Rules;
use crate::puzzle::{Answer, Answers, Limits, Puzzles};

/// Which puzzles get a second opinion: a share of them, drawn by a seed.
///
/// Whether a puzzle is among them depends on the seed and its cells alone: not on its place, the threads or the
/// chunks. The puzzles of a smaller share are among those of a larger one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// How many of all puzzles: 0 none, 1 all.
    pub share: f64,
    /// Where the draw starts.
    pub seed: u64,
}

impl Sample {
    /// Whether `puzzle` (flat cells) is in the sample.
    pub fn has(&self, puzzle: &[u8]) -> bool {
        let (words, tail) = puzzle.as_chunks::<8>();
        let mut last = [0; 8];
        last[..tail.len()].copy_from_slice(tail);
        let mixed = words
            .iter()
            .chain([&last])
            .fold(mix(self.seed), |mixed, word| mix(mixed ^ u64::from_le_bytes(*word)));
        // The upper 53 bits as a number of [0, 1).
        ((mixed >> 11) as f64) < self.share * (1u64 << 53) as f64
    }
}

/// One step of `SplitMix64`: every bit of the result depends on every bit of `value`.
fn mix(value: u64) -> u64 {
    SplitMix64::seed_from_u64(value).next_u64()
}

/// What was checked in a run. Adds up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The engine that gave the second opinion.
    pub engine: &'static str,
    /// Puzzles that were solved again.
    pub puzzles: u64,
    /// Those among them that stay open, because one of the two gave up.
    pub undecided: u64,
}

impl AddAssign for Checked {
    fn add_assign(&mut self, other: Checked) {
        self.puzzles += other.puzzles;
        self.undecided += other.undecided;
    }
}

/// The second engine of one worker.
pub(crate) struct Second {
    sample: Sample,
    first: &'static str,
    engine: Box<dyn Engine>,
    max_guesses: u64,
    solution: Vec<u8>,
    checked: Checked,
}

impl Second {
    /// A second engine for the `sample` of what `first` answers.
    pub(crate) fn new(sample: Sample, first: &Entry, rules: &Rules) -> Result<Second, Unsupported> {
        let entry = second_for(rules, first);
        Ok(Second {
            sample,
            first: first.name,
            engine: (entry.make)(rules, Isa::best())?,
            max_guesses: entry.max_guesses,
            solution: vec![0; rules.grid().cells()],
            checked: Checked { engine: entry.name, puzzles: 0, undecided: 0 },
        })
    }

    /// Whether `puzzle` is to be checked.
    pub(crate) fn wants(&self, puzzle: &[u8]) -> bool {
        self.sample.has(puzzle)
    }

    /// What was checked so far.
    pub(crate) fn checked(&self) -> Checked {
        self.checked
    }

    /// Solves `puzzle` again and compares: `answer` and `solution` are the first engine's, found within `limits`.
    pub(crate) fn check(
        &mut self,
        puzzle: &[u8],
        solution: &[u8],
        answer: Answer,
        limits: Limits,
    ) -> Result<(), Box<Disagreement>> {
        let cells = puzzle.len();
        let own_limits = limits.with_guesses(self.max_guesses);
        let mut own = [Answer::default()];
        let mut places = Answers::new(&mut self.solution, &mut own, cells);
        let solved = self.engine.solve(Puzzles::new(puzzle, cells), own_limits, &mut places);
        // Without an answer the puzzle counts as undecided.
        let own = if solved.is_ok() { own[0] } else { Answer::default() };

        let claims = [claim(answer, limits), claim(own, limits)];
        self.checked.puzzles += 1;
        self.checked.undecided += u64::from(claims.iter().any(|claim| claim.start() < claim.end()));
        if agree(&claims, limits, solution == self.solution) {
            return Ok(());
        }
        let first = opinion(self.first, answer, solution);
        let second = opinion(self.checked.engine, own, &self.solution);
        Err(Box::new(Disagreement { puzzle: digits(puzzle), opinions: [first, second] }))
    }
}

/// What `engine` said, in words for people.
pub(crate) fn opinion(engine: &'static str, answer: Answer, solution: &[u8]) -> Opinion {
    Opinion {
        engine,
        solutions: answer.solutions,
        gave_up: answer.gave_up(),
        solution: (answer.solutions > 0).then(|| digits(solution)),
    }
}

/// The numbers of solutions that the puzzle may have if `answer` is right.
pub(crate) fn claim(answer: Answer, limits: Limits) -> RangeInclusive<u64> {
    let is_open = !answer.is_answered() || answer.gave_up();
    answer.solutions..=if is_open { limits.max_solutions().max(answer.solutions) } else { answer.solutions }
}

/// Whether both claims can be true, of which the first solutions found `are_same` or not.
pub(crate) fn agree(claims: &[RangeInclusive<u64>; 2], limits: Limits, are_same: bool) -> bool {
    let [one, other] = claims;
    let (fewest, most) = (one.start().max(other.start()), one.end().min(other.end()));
    let both_found = *one.start().min(other.start()) > 0;
    let is_only = limits.max_solutions() >= 2 && *most == 1;
    fewest <= most && (are_same || !(is_only && both_found))
}

/// Cells in one line: digits, and letters from A for 10 on.
pub(crate) fn digits(cells: &[u8]) -> String {
    let digit = |&cell| char::from_digit(u32::from(cell), 36).unwrap_or('?').to_ascii_uppercase();
    cells.iter().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agreed(limits: Limits, one: (u64, bool), other: (u64, bool), are_same: bool) -> bool {
        let answer = |gave_up| if gave_up { Answer::limited } else { Answer::complete };
        let claim = |(solutions, gave_up): (u64, bool)| claim(answer(gave_up)(solutions), limits);
        let there = agree(&[claim(one), claim(other)], limits, are_same);
        assert_eq!(there, agree(&[claim(other), claim(one)], limits, are_same), "whoever is first");
        there
    }

    #[test]
    fn counts_that_cannot_both_be_true_are_a_difference() {
        let ten = Limits::count(10);
        for limits in [Limits::ANY, Limits::UNIQUE, ten] {
            for found in 0..=limits.max_solutions() {
                for other in 0..=limits.max_solutions() {
                    assert_eq!(agreed(limits, (found, false), (other, false), true), found == other);
                    // At least `found`, exactly `other`.
                    let is_whole = found == limits.max_solutions();
                    let fits = if is_whole { found == other } else { found <= other };
                    assert_eq!(agreed(limits, (found, true), (other, false), true), fits);
                    assert!(agreed(limits, (found, true), (other, true), true), "both may find more");
                }
            }
        }
        assert!(!agreed(ten, (11, false), (10, false), true), "more than was asked for");
    }

    #[test]
    fn solutions_must_be_the_same_only_where_one_is_the_only_one() {
        let differ = |limits, one, other| !agreed(limits, one, other, false);
        assert!(differ(Limits::UNIQUE, (1, false), (1, false)));
        assert!(differ(Limits::UNIQUE, (1, true), (1, false)), "the other has proved it");
        assert!(!differ(Limits::UNIQUE, (1, true), (1, true)));
        assert!(!differ(Limits::UNIQUE, (0, true), (1, false)), "none was found");
        assert!(!differ(Limits::UNIQUE, (2, false), (2, false)));
        assert!(!differ(Limits::UNIQUE, (0, false), (0, false)));
        assert!(!differ(Limits::ANY, (1, false), (1, false)), "any will do");
        let all = Limits::ALL;
        assert!(differ(all, (1, false), (1, false)) && !differ(all, (5, false), (5, false)));
    }

    /// Puzzles that differ in one cell or more.
    fn puzzles() -> impl Iterator<Item = [u8; 81]> {
        (0..9 * 9 * 81 * 81usize).step_by(53).map(|index| {
            let mut puzzle = [0; 81];
            puzzle[index / 81 % 81] = 1 + (index / 81 / 81 % 9) as u8;
            puzzle[index % 81] = 1 + (index / 81 / 81 / 9) as u8;
            puzzle
        })
    }

    #[test]
    fn shares_are_kept_and_lie_in_each_other() {
        let count = |share, seed| puzzles().filter(|puzzle| Sample { share, seed }.has(puzzle)).count();
        let all = puzzles().count();
        for seed in [0, 1, u64::MAX] {
            assert_eq!((count(0.0, seed), count(1.0, seed), count(f64::NAN, seed)), (0, all, 0));
            for share in [0.5, 0.1, 0.01] {
                // Five standard deviations.
                let (mean, off) = (share * all as f64, 5.0 * (all as f64 * share * (1.0 - share)).sqrt());
                let drawn = count(share, seed) as f64;
                assert!((mean - off..mean + off).contains(&drawn), "{share}: {drawn} of {all}");
            }
            let has = |share, puzzle: &[u8; 81]| Sample { share, seed }.has(puzzle);
            assert!(puzzles().all(|puzzle| has(0.5, &puzzle) || !has(0.1, &puzzle)));
        }
        let (one, two) = (Sample { share: 0.5, seed: 1 }, Sample { share: 0.5, seed: 2 });
        let both = puzzles().filter(|puzzle| one.has(puzzle) && two.has(puzzle)).count() as f64;
        assert!((0.23..0.27).contains(&(both / all as f64)), "seeds are strangers");
    }

    /// The draw is the same on every machine and in every version; the value is that of a program of its own
    /// (in Python, from the algorithm's description).
    #[test]
    fn the_draw_is_fixed() {
        let sample = Sample { share: 0.5, seed: 0 };
        let drawn = puzzles().take(64).fold(0, |drawn, puzzle| drawn << 1 | u64::from(sample.has(&puzzle)));
        assert_eq!(drawn, 0x085d_ca3e_cf56_5004_u64);
    }
}
