//! Whole engines. (What only a part of an engine shows is tested beside the code.)

#![allow(clippy::unwrap_used)]

use galop_engines::Rules;
use galop_engines::engine::{Engine, Entry, Isa};
use galop_engines::puzzle::{Answer, Limits};
use galop_testing::engines::solve_flat;

mod calls;
mod cover;
mod grid;
mod kinds;
mod list;
mod steady;
mod table;

/// The answers of an engine to flat puzzles of `cells` cells each, with their solutions.
fn solve(engine: &mut dyn Engine, puzzles: &[u8], cells: usize, limits: Limits) -> Vec<(Answer, Vec<u8>)> {
    let (answers, solutions) = solve_flat(engine, cells, puzzles, limits);
    answers.into_iter().zip(solutions.chunks(cells).map(<[u8]>::to_vec)).collect()
}

/// The answers of a new engine.
fn solve_new(
    entry: &Entry,
    isa: Isa,
    rules: &Rules,
    puzzles: &[u8],
    limits: Limits,
) -> Vec<(Answer, Vec<u8>)> {
    solve((entry.make)(rules, isa).unwrap().as_mut(), puzzles, rules.grid().cells(), limits)
}
