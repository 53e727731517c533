//! Decides whether a puzzle has exactly one solution, with any engine.

use super::thinning::Thinning;
use crate::engine::Engine;
use crate::puzzle::{Answer, Answers, Limits, Puzzles, Status};

/// Guesses after which a try of several clues has failed: only a search without a single clue decides for good, so
/// the result is the same. Nearly all tries that succeed take fewer.
const SEVERAL_GUESSES: u64 = 100;

/// Decides about one puzzle after the other.
pub(super) struct Judge {
    engine: Box<dyn Engine>,
    limits: Limits,
    solution: Vec<u8>,
    /// The puzzle that is tried.
    thinner: Vec<u8>,
}

impl Judge {
    /// A judge of puzzles of that many cells. It gives a proof up after `guesses` guesses.
    pub(super) fn new(engine: Box<dyn Engine>, cells: usize, guesses: u64) -> Judge {
        let limits = Limits::UNIQUE.with_guesses(guesses);
        Judge { engine, limits, solution: vec![0; cells], thinner: Vec::new() }
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

    /// Checks the try of a thinning.
    pub(super) fn check(&mut self, thinning: &mut Thinning) {
        let mut thinner = std::mem::take(&mut self.thinner);
        thinner.clear();
        thinning.push_try(&mut thinner);
        let guesses = self.limits.guesses().unwrap_or(u64::MAX);
        let most = if thinning.is_last_try() { guesses } else { guesses.min(SEVERAL_GUESSES) };
        match self.status_within(self.limits.with_guesses(most), &thinner) {
            Status::Solved => thinning.succeed(),
            _ => thinning.fail(None),
        }
        self.thinner = thinner;
    }
}

#[cfg(test)]
mod tests {
    use super::super::fill::Filler;
    use super::*;
    use crate::chance::Chance;
    use crate::engine::{ENGINES, Isa};
    use crate::grid::Rules;

    #[test]
    fn several_solutions_are_told_from_one() {
        let engine = (ENGINES[0].make)(&Rules::default(), Isa::best()).unwrap();
        let (mut judge, mut grid) = (Judge::new(engine, 81, u64::MAX), vec![0; 81]);
        assert!(Filler::Nine.fill(&mut grid, &mut Chance::new(8, 0)));
        assert_eq!(judge.only_solution(&grid), Some(grid.clone()));
        assert_eq!(judge.only_solution(&[0; 81]), None);
        let mut wrong = grid.clone();
        wrong.swap(0, 1);
        assert_eq!(judge.only_solution(&wrong), None);
    }
}
