//! Removes clues as long as the puzzle keeps exactly one solution.
//!
//! The plain algorithm: try the clues in a given order. Remove each one for good if the puzzle still has one solution,
//! and put it back if not. The puzzle at the end is minimal: a clue that was needed is still needed later, when there
//! are fewer others.
//!
//! 1. *Galloping.* Fewer clues never have fewer solutions. So if several clues can be removed together, the plain
//!    algorithm would have removed each of them in its turn. Try the next clues many at once: half as many after a
//!    failure, twice as many after a success. The result is the same puzzle, clue by clue, from far fewer searches.
//! 2. *Short tries.* A try of several clues that takes more than [`SEVERAL_GUESSES`] guesses is a failure, whatever the
//!    search would have found: only the search without a single clue decides for good. So a hopeless try costs little, and the
//!    result is still the same.

use std::sync::atomic::{AtomicBool, Ordering};

use super::most_clues;
use crate::engine::Engine;
use crate::grid::Rules;
use crate::puzzle::{Answer, Answers, Limits, Puzzles, Status};

/// Clues (of 81) that are removed together in the first try. Most grids can lose that many.
const FIRST_STRIDE: usize = 32;

/// Guesses after which a try of several clues has failed. Nearly all tries that succeed take fewer.
const SEVERAL_GUESSES: u64 = 100;

/// Decides whether a puzzle has exactly one solution, with any engine.
pub(super) struct Judge {
    engine: Box<dyn Engine>,
    limits: Limits,
    solution: Vec<u8>,
    /// Clues of a full grid.
    clues: usize,
    /// The puzzle without the clues that are tried.
    thinner: Vec<u8>,
}

impl Judge {
    /// A judge of puzzles of `rules`. It gives a proof up after `guesses` guesses.
    pub(super) fn new(engine: Box<dyn Engine>, rules: &Rules, guesses: u64) -> Judge {
        let limits = Limits::UNIQUE.with_guesses(guesses);
        let (solution, clues) = (vec![0; rules.stride()], most_clues(rules));
        Judge { engine, limits, solution, clues, thinner: Vec::new() }
    }

    /// Whether `puzzle` is proved to have exactly one solution.
    pub(super) fn is_unique(&mut self, puzzle: &[u8]) -> bool {
        self.status(puzzle) == Status::Solved
    }

    /// Whether `puzzle` has a solution, and only one.
    pub(super) fn status(&mut self, puzzle: &[u8]) -> Status {
        self.status_within(self.limits, puzzle)
    }

    fn status_within(&mut self, limits: Limits, puzzle: &[u8]) -> Status {
        let mut answer = Answer::default();
        let mut answers = Answers::one(&mut self.solution, &mut answer);
        let solved = self.engine.solve(Puzzles::one(puzzle), limits, &mut answers);
        solved.map_or(Status::Unanswered, |()| answer.status(limits))
    }

    /// The only solution of `puzzle`. `None` if it has no solution or several, or if the engine gave up.
    pub(super) fn only_solution(&mut self, puzzle: &[u8]) -> Option<Vec<u8>> {
        self.is_unique(puzzle).then(|| self.solution.clone())
    }

    /// A solution of `puzzle`; if it has several, one of them.
    pub(super) fn any_solution(&mut self, puzzle: &[u8]) -> Option<Vec<u8>> {
        matches!(self.status(puzzle), Status::Solved | Status::Multiple).then(|| self.solution.clone())
    }

    /// Removes clues of `puzzle` in `order`, each one that is not needed, until `target` clues are left, every clue
    /// was tried, or `stop` is set. `puzzle` must have one solution; it still has it afterwards. `order` lists cells
    /// with a clue.
    pub(super) fn thin(&mut self, puzzle: &mut [u8], order: &[u32], target: usize, stop: &AtomicBool) {
        let guesses = self.limits.guesses().map_or(SEVERAL_GUESSES, |most| most.min(SEVERAL_GUESSES));
        let of_several = self.limits.with_guesses(guesses);
        let mut surplus = count_clues(puzzle).saturating_sub(target);
        let (mut rest, mut stride) = (order, (FIRST_STRIDE * self.clues / 81).max(1));
        while surplus > 0 && !rest.is_empty() && !stop.load(Ordering::Relaxed) {
            let len = stride.min(surplus).min(rest.len());
            let mut thinner = std::mem::take(&mut self.thinner);
            thinner.clear();
            thinner.extend_from_slice(puzzle);
            rest[..len].iter().for_each(|&cell| thinner[cell as usize] = 0);
            let limits = if len == 1 { self.limits } else { of_several };
            if self.status_within(limits, &thinner) == Status::Solved {
                puzzle.copy_from_slice(&thinner);
                surplus -= len;
                rest = &rest[len..];
                stride = 2 * len;
            } else {
                // A single clue that is needed is skipped for good.
                rest = if len == 1 { &rest[1..] } else { rest };
                stride = (len / 2).max(1);
            }
            self.thinner = thinner;
        }
    }
}

/// Number of cells with a clue.
pub(super) fn count_clues(puzzle: &[u8]) -> usize {
    puzzle.iter().filter(|&&symbol| symbol != 0).count()
}

#[cfg(test)]
mod tests {
    use super::super::fill::Filler;
    use super::*;
    use crate::chance::Chance;
    use crate::engine::{ENGINES, Isa, named};
    use crate::grid::Rules;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    fn full_grid(chance: &mut Chance) -> Vec<u8> {
        let mut grid = vec![0; 81];
        assert!(Filler::of_grids(&Rules::default()).unwrap().fill(&mut grid, chance));
        grid
    }

    /// The plain algorithm, as described at the top of this file.
    fn thin_one_by_one(judge: &mut Judge, puzzle: &mut [u8], order: &[u32], target: usize) {
        for &cell in order {
            if count_clues(puzzle) == target {
                return;
            }
            let clue = std::mem::take(&mut puzzle[cell as usize]);
            if !judge.is_unique(puzzle) {
                puzzle[cell as usize] = clue;
            }
        }
    }

    #[test]
    fn galloping_takes_the_same_clues() {
        let entry = named("bitboard").unwrap_or(&ENGINES[0]);
        let mut judge =
            Judge::new((entry.make)(&Rules::default(), Isa::best()).unwrap(), &Rules::default(), u64::MAX);
        for place in 0..30 {
            let mut chance = Chance::new(8, place);
            let grid = full_grid(&mut chance);
            let mut order: Vec<u32> = (0..81).collect();
            chance.shuffle(&mut order);
            // Every kind of target: none, one that is reached, and one that is reached at once.
            let target = [0, 30, 27, 60][place as usize % 4];
            let (mut galloped, mut plain) = (grid.clone(), grid);
            judge.thin(&mut galloped, &order, target, &GO_ON);
            thin_one_by_one(&mut judge, &mut plain, &order, target);
            assert_eq!(galloped, plain);
        }
    }

    #[test]
    fn several_solutions_are_told_from_one() {
        let mut judge = Judge::new(
            (ENGINES[0].make)(&Rules::default(), Isa::best()).unwrap(),
            &Rules::default(),
            u64::MAX,
        );
        let grid = full_grid(&mut Chance::new(8, 0));
        assert_eq!(judge.only_solution(&grid), Some(grid.clone()));
        assert_eq!(judge.only_solution(&[0; 81]), None);
        let mut wrong = grid.clone();
        wrong.swap(0, 1);
        assert_eq!(judge.only_solution(&wrong), None);
    }
}
