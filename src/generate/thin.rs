//! Takes clues away for as long as the puzzle keeps its one solution.
//!
//! The plain algorithm: try the clues in a given order; take each away for good if one solution is left, put
//! it back if not. What is left at the end is minimal: a clue that could not go then cannot go later, when
//! fewer others stand by it.
//!
//! 1. *Galloping.* Fewer clues never have fewer solutions, so where several clues together may go, each of them
//!    would have gone in its turn. The next clues are tried many at once, half as many after a failure and
//!    twice as many after a success: the same puzzle, clue by clue, from far fewer searches.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::engine::Engine;
use crate::puzzle::{Answer, Answers, Limits, Puzzles, Status};

/// So many of 81 clues are tried at once at first: most grids can lose that many.
const FIRST_STRIDE: usize = 32;

/// Tells one solution from several, with any engine.
pub(super) struct Judge {
    engine: Box<dyn Engine>,
    limits: Limits,
    solution: Vec<u8>,
    /// The clues that are tried.
    thinner: Vec<u8>,
}

impl Judge {
    /// A judge of puzzles of so many cells, who gives a proof up after so many guesses.
    pub(super) fn new(engine: Box<dyn Engine>, cells: usize, guesses: u64) -> Judge {
        let limits = Limits { guesses, ..Limits::UNIQUE };
        Judge { engine, limits, solution: vec![0; cells], thinner: Vec::new() }
    }

    /// Whether `puzzle` is proved to have exactly one solution.
    pub(super) fn is_unique(&mut self, puzzle: &[u8]) -> bool {
        let mut answer = [Answer::default()];
        let cells = self.solution.len();
        let mut answers = Answers::new(&mut self.solution, &mut answer, cells);
        self.engine.solve(Puzzles::new(puzzle, cells), self.limits, &mut answers);
        answer[0].status(self.limits) == Status::Solved
    }

    /// The only solution of `puzzle`, or `None` where it has none or several, or was given up.
    pub(super) fn only_solution(&mut self, puzzle: &[u8]) -> Option<Vec<u8>> {
        self.is_unique(puzzle).then(|| self.solution.clone())
    }

    /// Takes clues of `puzzle` away in `order`, each that can go, until `target` of them are left or every one
    /// was tried, or `stop` is set. `puzzle` has one solution, before and after; `order` names cells that hold a clue.
    pub(super) fn thin(&mut self, puzzle: &mut [u8], order: &[u16], target: usize, stop: &AtomicBool) {
        let mut surplus = count_clues(puzzle).saturating_sub(target);
        let (mut rest, mut stride) = (order, (FIRST_STRIDE * puzzle.len() / 81).max(1));
        while surplus > 0 && !rest.is_empty() && !stop.load(Ordering::Relaxed) {
            let len = stride.min(surplus).min(rest.len());
            let mut thinner = std::mem::take(&mut self.thinner);
            thinner.clear();
            thinner.extend_from_slice(puzzle);
            rest[..len].iter().for_each(|&cell| thinner[usize::from(cell)] = 0);
            if self.is_unique(&thinner) {
                puzzle.copy_from_slice(&thinner);
                surplus -= len;
                rest = &rest[len..];
                stride = 2 * len;
            } else {
                // A single clue that cannot go is passed by for good.
                rest = if len == 1 { &rest[1..] } else { rest };
                stride = (len / 2).max(1);
            }
            self.thinner = thinner;
        }
    }
}

/// How many cells hold a clue.
pub(super) fn count_clues(puzzle: &[u8]) -> usize {
    puzzle.iter().filter(|&&symbol| symbol != 0).count()
}

#[cfg(test)]
mod tests {
    use super::super::dice::Dice;
    use super::super::fill::Filler;
    use super::*;
    use crate::engine::{ENGINES, Isa, engine};
    use crate::grid::Rules;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    fn full_grid(dice: &mut Dice) -> Vec<u8> {
        let mut grid = vec![0; 81];
        assert!(Filler::new(Rules::sudoku().grid()).fill(&mut grid, dice));
        grid
    }

    /// The plain algorithm, as the text above has it.
    fn thin_one_by_one(judge: &mut Judge, puzzle: &mut [u8], order: &[u16], target: usize) {
        for &cell in order {
            if count_clues(puzzle) == target {
                return;
            }
            let clue = std::mem::take(&mut puzzle[usize::from(cell)]);
            if !judge.is_unique(puzzle) {
                puzzle[usize::from(cell)] = clue;
            }
        }
    }

    #[test]
    fn galloping_takes_the_same_clues() {
        let entry = engine("bitboard").unwrap_or(&ENGINES[0]);
        let mut judge = Judge::new((entry.make)(&Rules::sudoku(), Isa::best()).unwrap(), 81, u64::MAX);
        for place in 0..30 {
            let mut dice = Dice::new(8, place);
            let grid = full_grid(&mut dice);
            let mut order: Vec<u16> = (0..81).collect();
            dice.shuffle(&mut order);
            // Every kind of target: none, one that is reached, one reached at once.
            let target = [0, 30, 27, 60][place as usize % 4];
            let (mut galloped, mut plain) = (grid.clone(), grid);
            judge.thin(&mut galloped, &order, target, &GO_ON);
            thin_one_by_one(&mut judge, &mut plain, &order, target);
            assert_eq!(galloped, plain);
        }
    }

    #[test]
    fn several_solutions_are_told_from_one() {
        let mut judge = Judge::new((ENGINES[0].make)(&Rules::sudoku(), Isa::best()).unwrap(), 81, u64::MAX);
        let grid = full_grid(&mut Dice::new(8, 0));
        assert_eq!(judge.only_solution(&grid), Some(grid.clone()));
        assert_eq!(judge.only_solution(&[0; 81]), None);
        let mut wrong = grid.clone();
        wrong.swap(0, 1);
        assert_eq!(judge.only_solution(&wrong), None);
    }
}
