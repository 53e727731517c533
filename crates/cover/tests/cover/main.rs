//! Exact cover from outside: counts of the literature by every engine, limits, threads, models.

#![allow(clippy::unwrap_used)]

use std::num::NonZero;
use std::ops::ControlFlow;

use galop_cover::engine::{ENGINES, by_name};
use galop_cover::{Choice, CoverLimits, CoverOutcome, End, ExactCover, Natural, OptionId, Setup, Solver};

mod auto;
mod counting;
mod counts;
mod models;
mod parts;
mod restarts;
mod solver;
mod steering;

/// The problem that `galop make` makes of these words: `queens 8`.
fn make(words: &str) -> ExactCover {
    galop_cover::models::make(words).unwrap()
}

/// The problem of the 9x9 sudoku: option 9 c + d - 1 puts digit d into cell c, both counted as usual.
fn sudoku() -> ExactCover {
    make("sudoku 3x3")
}

/// The options of the clues of a 9x9 puzzle.
fn clues(puzzle: &str) -> Vec<OptionId> {
    let cells = (0..).zip(puzzle.bytes()).filter(|(_, byte)| (b'1'..=b'9').contains(byte));
    cells.map(|(cell, digit)| OptionId(9 * cell + u32::from(digit - b'1'))).collect()
}

/// The choice of an engine by its name.
fn choose(engine: &str) -> Choice {
    Choice::Engine(by_name(engine).unwrap())
}

/// The engines that can solve a problem.
fn suitable(problem: &ExactCover) -> impl Iterator<Item = Choice> {
    ENGINES.iter().map(Choice::Engine).filter(|&choice| Solver::new(problem, choice).is_ok())
}

/// The engines that can list the solutions of a problem.
fn listing(problem: &ExactCover) -> impl Iterator<Item = Choice> {
    suitable(problem).filter(|choice| choice.lists())
}

/// A solver that searches on this number of threads.
#[track_caller]
fn solver_on(threads: usize, problem: &ExactCover, setup: impl Into<Setup>) -> Solver<'_> {
    let mut solver = Solver::new(problem, setup).unwrap();
    solver.set_threads(NonZero::new(threads)).unwrap();
    solver
}

/// The solutions of a search, in the order of delivery, and its outcome.
#[track_caller]
fn list_within(solver: &mut Solver<'_>, limits: &CoverLimits<'_>) -> (Vec<Vec<OptionId>>, CoverOutcome) {
    let mut found = Vec::new();
    let outcome = solver.search(limits).for_each(|options| {
        found.push(options.to_vec());
        ControlFlow::Continue(())
    });
    let outcome = outcome.unwrap();
    assert_eq!(outcome.solutions, found.len() as u128);
    (found, outcome)
}

/// All solutions, each ascending, in the order in which the solver finds them.
#[track_caller]
fn list(solver: &mut Solver<'_>) -> Vec<Vec<OptionId>> {
    let (found, outcome) = list_within(solver, &CoverLimits::NONE);
    assert_eq!(outcome.end, End::Complete);
    found
}

/// The number of all solutions, and the nodes of the search.
#[track_caller]
fn count(solver: &mut Solver<'_>) -> (Natural, u64) {
    let outcome = solver.search(&CoverLimits::NONE).count().unwrap();
    assert_eq!(outcome.end, End::Complete);
    assert_eq!(solver.depths().iter().sum::<u64>(), outcome.nodes);
    (outcome.solutions, outcome.nodes)
}
