//! Exact cover from outside: counts of the literature by every engine, limits, threads, models.

#![allow(clippy::unwrap_used)]

use std::ops::ControlFlow;

use galop_cover::engine::ENGINES;
use galop_cover::{Choice, CoverLimits, End, ExactCover, OptionId, Solver};

mod auto;
mod counting;
mod counts;
mod models;
mod parts;
#[path = "../../src/random.rs"]
mod random;
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
    cells.map(|(cell, digit)| 9 * cell + OptionId::from(digit - b'1')).collect()
}

/// The engines that can solve a problem.
fn suitable(problem: &ExactCover) -> impl Iterator<Item = Choice> {
    ENGINES.iter().map(Choice::Engine).filter(|&choice| Solver::new(problem, choice).is_ok())
}

/// All solutions, each ascending, in the order in which the solver finds them.
#[track_caller]
fn list(solver: &mut Solver<'_>) -> Vec<Vec<OptionId>> {
    let mut found = Vec::new();
    let outcome = solver.search(&CoverLimits::NONE).for_each(|options| {
        found.push(options.to_vec());
        ControlFlow::Continue(())
    });
    let outcome = outcome.unwrap();
    assert_eq!((outcome.solutions.to_u128(), outcome.end), (Some(found.len() as u128), End::Complete));
    found
}
