//! The check of solutions of a problem: its items are counted, by code that no engine uses.

use std::sync::{Arc, Mutex, PoisonError};

use galop_cover::problem::CoverChecker;
use galop_cover::text::ChoiceText;
use galop_cover::{Assumptions, ExactCover, OptionId};

use super::error::Fault;
use crate::puzzle::{FORBIDDEN, read_options};

/// Checks solutions of one problem.
#[derive(Debug)]
pub(super) struct ProblemVerifier {
    choices: Arc<ChoiceText>,
    /// The checker and the memory of a check.
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    checker: CoverChecker<Arc<ExactCover>>,
    assumptions: Assumptions,
    solution: Vec<OptionId>,
}

impl Clone for ProblemVerifier {
    fn clone(&self) -> ProblemVerifier {
        ProblemVerifier::new(&self.choices)
    }
}

impl ProblemVerifier {
    pub(super) fn new(choices: &Arc<ChoiceText>) -> ProblemVerifier {
        let checker = CoverChecker::new(Arc::clone(choices.problem()));
        let state = State { checker, assumptions: Assumptions::default(), solution: Vec::new() };
        ProblemVerifier { choices: Arc::clone(choices), state: Mutex::new(state) }
    }

    /// Checks that `solution` covers every item, chooses what `puzzle` chooses, and nothing that it forbids. Both have a
    /// byte an option.
    pub(super) fn check(&self, puzzle: &[u8], solution: &[u8]) -> Result<(), Fault> {
        let expected = self.choices.problem().option_count().max(1);
        for found in [puzzle.len(), solution.len()] {
            if found != expected {
                return Err(Fault::Length { found, expected });
            }
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { assumptions, solution: options, .. } = &mut *state;
        if !read_options(solution, assumptions) {
            let option = solution.iter().position(|&byte| byte > FORBIDDEN).unwrap_or_default();
            return Err(Fault::Byte { found: solution[option], option: option as u32 });
        }
        std::mem::swap(&mut assumptions.chosen, options);
        check(&mut state, puzzle)
    }

    /// The same for a solution as text.
    pub(super) fn check_text(&self, puzzle: &[u8], solution: &[u8]) -> Result<(), Fault> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { assumptions, solution: options, .. } = &mut *state;
        self.choices.read(solution, assumptions).map_err(|error| Fault::Choice(error.fault))?;
        std::mem::swap(&mut assumptions.chosen, options);
        check(&mut state, puzzle)
    }
}

/// Checks the options of the solution.
fn check(state: &mut State, puzzle: &[u8]) -> Result<(), Fault> {
    let State { checker, assumptions, solution } = state;
    if !read_options(puzzle, assumptions) {
        let option = puzzle.iter().position(|&byte| byte > FORBIDDEN).unwrap_or_default();
        return Err(Fault::Byte { found: puzzle[option], option: option as u32 });
    }
    checker.check(solution, assumptions).map_err(Fault::Cover)
}
