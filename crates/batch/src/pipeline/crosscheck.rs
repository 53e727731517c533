//! A cross-check: another engine solves a share of the puzzles again, and the two must not contradict each other.
//!
//! The [verifier](crate::grid::Verifier) catches a wrong solution. It cannot catch a solvable puzzle reported as
//! unsolvable, a missed second solution, or a solution counted twice. The cross-check can.
//!
//! What an answer claims about the number of solutions (all numbers from the limit on solutions up count as one):
//!
//! | the search | claims |
//! |---|---|
//! | reached its end, or the limit on solutions | exactly what it found |
//! | gave up at its limit on guesses, or was stuck | at least what it found |
//!
//! Two answers contradict each other if no number fits both claims, or if either proves that there is only one
//! solution and they found different ones. If any solution will do, or several were found, the two may have found
//! different ones first: that is not a contradiction. If one gave up and its claim fits, the check is undecided; such
//! puzzles are counted separately.
//!
//! The second engine is `dlx`, which has no code for the rules of sudoku. If the first one is `dlx`, the second one is
//! the fastest other engine for the rules. (`hybrid-links` uses the code of `dlx` for its search: there the two engines
//! are not independent.) It searches with the run's limit on solutions and with its own usual limit on guesses.

use std::ops::{AddAssign, RangeInclusive};

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use super::error::{Disagreement, Opinion};
use crate::engine::Unanswered;
use crate::engine::{Engine, Entry, Isa, Unsupported, second_for};
use crate::error::ErrorKind;
use crate::grid::Rules;
use crate::input::format::Notation;
use crate::puzzle::{Answer, Answers, Limits, Puzzles};

/// The puzzles that are solved again: a share of them, drawn by a seed.
///
/// Whether a puzzle is drawn depends only on the seed and its cells: not on its place, the threads or the chunks. The
/// puzzles of a smaller share are among the puzzles of a larger one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The share of all puzzles: 0 for none, 1 for all.
    pub share: f64,
    /// The seed of the draw.
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
pub struct CrosscheckCounts {
    /// The name of the second engine.
    pub engine: &'static str,
    /// Puzzles that were solved again.
    pub puzzles: u64,
    /// Those that stay undecided, because one of the two engines gave up.
    pub undecided: u64,
}

impl CrosscheckCounts {
    /// What was counted since it was `before`.
    pub(crate) fn since(self, before: CrosscheckCounts) -> CrosscheckCounts {
        CrosscheckCounts {
            puzzles: self.puzzles - before.puzzles,
            undecided: self.undecided - before.undecided,
            ..self
        }
    }
}

impl AddAssign for CrosscheckCounts {
    fn add_assign(&mut self, other: CrosscheckCounts) {
        self.puzzles += other.puzzles;
        self.undecided += other.undecided;
    }
}

/// Solves puzzles again with the second engine. Each worker has one.
pub(crate) struct CrossChecker {
    sample: Sample,
    first: &'static str,
    engine: Box<dyn Engine>,
    max_guesses: u64,
    /// The second engine's solution.
    solution: Vec<u8>,
    notation: Notation,
    counts: CrosscheckCounts,
}

impl CrossChecker {
    /// Checks the `sample` of what `first` answers.
    pub(crate) fn new(sample: Sample, first: &Entry, rules: &Rules) -> Result<CrossChecker, Unsupported> {
        let entry = second_for(rules, first);
        Ok(CrossChecker {
            sample,
            first: first.name,
            engine: (entry.make)(rules, Isa::best())?,
            max_guesses: entry.max_guesses,
            solution: vec![0; rules.stride()],
            notation: rules.into(),
            counts: CrosscheckCounts { engine: entry.name, puzzles: 0, undecided: 0 },
        })
    }

    /// Whether `puzzle` is in the sample.
    pub(crate) fn wants(&self, puzzle: &[u8]) -> bool {
        self.sample.has(puzzle)
    }

    /// What was checked so far.
    pub(crate) fn counts(&self) -> CrosscheckCounts {
        self.counts
    }

    /// Solves `puzzle` again and compares: `answer` and `solution` (flat cells) are the first engine's, found within
    /// `limits`.
    pub(crate) fn check(
        &mut self,
        puzzle: &[u8],
        solution: &[u8],
        answer: Answer,
        limits: Limits,
    ) -> Result<(), ErrorKind> {
        let mut second = Answer::default();
        let mut places = Answers::one(&mut self.solution, &mut second);
        self.engine.solve(Puzzles::one(puzzle), limits.with_guesses(self.max_guesses), &mut places)?;
        if !second.is_answered() {
            return Err(Unanswered { engine: self.counts.engine }.into());
        }

        let claims = [claim(answer, limits), claim(second, limits)];
        self.counts.puzzles += 1;
        self.counts.undecided += u64::from(claims.iter().any(|claim| claim.start() < claim.end()));
        if agree(&claims, limits, solution == self.solution) {
            return Ok(());
        }
        let first = opinion(self.first, answer, solution, &self.notation);
        let second = opinion(self.counts.engine, second, &self.solution, &self.notation);
        Err(Disagreement { puzzle: in_words(puzzle, &self.notation), opinions: [first, second] }.into())
    }
}

/// The answer of `engine`, for people.
pub fn opinion(engine: &str, answer: Answer, solution: &[u8], notation: &Notation) -> Opinion {
    Opinion {
        engine: engine.to_owned(),
        solutions: answer.solutions,
        gave_up: answer.gave_up(),
        solution: (answer.solutions > 0).then(|| in_words(solution, notation)),
    }
}

/// The numbers of solutions that the puzzle may have if `answer` is right.
pub fn claim(answer: Answer, limits: Limits) -> RangeInclusive<u64> {
    let is_open = !answer.is_answered() || answer.gave_up();
    answer.solutions..=if is_open { limits.max_solutions().max(answer.solutions) } else { answer.solutions }
}

/// Whether both claims can be true. `are_same`: the two found the same first solution.
pub fn agree(claims: &[RangeInclusive<u64>; 2], limits: Limits, are_same: bool) -> bool {
    let [one, other] = claims;
    let (fewest, most) = (one.start().max(other.start()), one.end().min(other.end()));
    let both_found = *one.start().min(other.start()) > 0;
    let is_only = limits.max_solutions() >= 2 && *most == 1;
    fewest <= most && (are_same || !(is_only && both_found))
}

/// Cells in one line: digits, and from 10 on letters from A. The choices, if the notation is a problem's.
pub fn in_words(cells: &[u8], notation: &Notation) -> String {
    if notation.choices.is_some() {
        let mut text = Vec::new();
        notation.write(cells, &mut text);
        return String::from_utf8_lossy(&text).into_owned();
    }
    digits(cells)
}

/// Cells in one line: digits, and from 10 on letters from A.
pub fn digits(cells: &[u8]) -> String {
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
        assert_eq!(there, agree(&[claim(other), claim(one)], limits, are_same), "in either order");
        there
    }

    #[test]
    fn counts_that_cannot_both_be_true_are_a_contradiction() {
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
    fn solutions_must_be_the_same_only_if_one_is_the_only_one() {
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
    fn shares_are_kept_and_nested() {
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
        assert!((0.23..0.27).contains(&(both / all as f64)), "seeds are independent");
    }

    /// The draw is the same on every machine and in every version. The value comes from a separate program (in Python,
    /// from the algorithm's description).
    #[test]
    fn the_draw_is_fixed() {
        let sample = Sample { share: 0.5, seed: 0 };
        let drawn = puzzles().take(64).fold(0, |drawn, puzzle| drawn << 1 | u64::from(sample.has(&puzzle)));
        assert_eq!(drawn, 0x085d_ca3e_cf56_5004_u64);
    }
}
