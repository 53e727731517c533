//! Engines on puzzles in memory. (The types of `galop_testing` are those of another build of this package.)

use super::{Engine, Entry, Isa};
use crate::grid::Rules;
use crate::puzzle::{Answer, Answers, Limits, Puzzles};

/// The answers of an engine to flat puzzles of `cells` cells each, with their solutions.
pub(crate) fn solve(
    engine: &mut dyn Engine,
    puzzles: &[u8],
    cells: usize,
    limits: Limits,
) -> Vec<(Answer, Vec<u8>)> {
    let (mut solutions, mut answers) =
        (vec![9; puzzles.len()], vec![Answer::default(); puzzles.len() / cells]);
    let places = &mut Answers::new(&mut solutions, &mut answers, cells).unwrap();
    engine.solve(Puzzles::new(puzzles, cells).unwrap(), limits, places).unwrap();
    answers.into_iter().zip(solutions.chunks(cells).map(<[u8]>::to_vec)).collect()
}

/// The answer of a new engine to one puzzle, with its solution.
pub(crate) fn solve_one(
    entry: &Entry,
    isa: Isa,
    rules: &Rules,
    puzzle: &[u8],
    limits: Limits,
) -> (Answer, Vec<u8>) {
    solve((entry.make)(rules, isa).unwrap().as_mut(), puzzle, puzzle.len(), limits).remove(0)
}
