//! The published solvers against the figures of their authors, and against their programs retyped.

#![allow(clippy::unwrap_used)]

mod norvig;
mod seeds;
mod sinai;

use galop_engines::puzzle::{Answer, Limits};
use galop_testing::available::large_set_text;
use galop_testing::engines::{named, new, solve as solve_with};
use galop_testing::puzzles::{Cells, SOLUTION, cells};

/// The answer of the solver `name` to one puzzle, and the cells of its first solution.
fn solve(name: &str, puzzle: &Cells, limits: Limits) -> (Answer, Cells) {
    solve_with(new(named(name)).as_mut(), &[*puzzle], limits)[0]
}

/// The rows, columns and blocks of a 9x9 sudoku.
fn units() -> Vec<[usize; 9]> {
    let rows = (0..9).map(|row| std::array::from_fn(|column| 9 * row + column));
    let columns = (0..9).map(|column| std::array::from_fn(|row| 9 * row + column));
    let blocks = (0..9).map(|block| {
        std::array::from_fn(|place| 27 * (block / 3) + 3 * (block % 3) + 9 * (place / 3) + place % 3)
    });
    rows.chain(columns).chain(blocks).collect()
}

/// The peers of each cell, ascending.
fn peers(units: &[[usize; 9]]) -> Vec<Vec<usize>> {
    let sees =
        |cell, peer| cell != peer && units.iter().any(|unit| unit.contains(&cell) && unit.contains(&peer));
    (0..81).map(|cell| (0..81).filter(|&peer| sees(cell, peer)).collect()).collect()
}

/// A solved grid with `clues` cells left, one of them changed if `wrong`.
fn thinned(order: &[usize], clues: usize, wrong: bool) -> Cells {
    let mut puzzle = cells(SOLUTION);
    order[clues..].iter().for_each(|&cell| puzzle[cell] = 0);
    if wrong {
        puzzle[order[0]] = puzzle[order[0]] % 9 + 1;
    }
    puzzle
}

/// Calls up to the first solution, summed over Norvig's files, and the most for one puzzle. The sums give the means of
/// the posts to their one decimal.
#[test]
fn norvigs_files_take_the_published_calls() {
    for (name, file, sum, most) in [
        ("reduce", "hardest.txt", 110, 22),
        ("reduce", "top95.txt", 8_174, 597),
        ("singles", "hardest.txt", 172, 55),
        ("singles", "top95.txt", 8_831, 588),
        ("strategies", "hardest.txt", 128, 74),
        ("strategies", "top95.txt", 1_298, 129),
    ] {
        let Some(text) = large_set_text(file) else { continue };
        let calls = |line| solve(name, &cells(line), Limits::ANY).0.effort.calls;
        let calls: Vec<u64> = text.lines().map(calls).collect();
        assert_eq!((calls.iter().sum(), calls.iter().max()), (sum, Some(&most)), "{name}, {file}");
    }
}
