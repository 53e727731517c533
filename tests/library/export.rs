//! Puzzles as exact cover problems of their own.

use galop_cover::models;
use galop_cover::{Choice, CoverLimits, ExactCover, Solver, text};
use galop_engines::Rules;

use galop_testing::available::large_set;
use galop_testing::data::{first, sample};
use galop_testing::engines::{named, solve_one};
use galop_testing::puzzles::Cells;

/// The number of solutions, up to `limit`.
fn count_to(problem: &ExactCover, limit: u64) -> u128 {
    let mut solver = Solver::new(problem, Choice::Auto).unwrap();
    solver.search(&CoverLimits::first(limit)).count().unwrap().solutions.to_u128().unwrap()
}

/// The problem of the rules is that of the model, except for the names.
#[test]
fn the_rules_are_the_model_sudoku() {
    let (model, rules) = (models::sudoku(3, 3).unwrap(), Rules::default());
    assert_eq!((model.item_count(), model.option_count()), (324, 729));
    assert!(model.options().zip(rules.cover().options()).all(|(one, other)| one == other));
}

/// Asserts that the problem of a puzzle has as many solutions, up to 50, as a grid engine finds, and returns the
/// number.
#[track_caller]
fn exported(puzzle: &Cells) -> u64 {
    let rules = Rules::default();
    let limits = galop_engines::puzzle::Limits::count(50);
    let solutions = solve_one(named("bitboard"), &rules, puzzle, limits).0.solutions;
    let problem = rules.reduced_cover(puzzle).unwrap();
    let read = text::read(text::to_text(&problem).as_bytes()).unwrap().problem;
    assert_eq!(count_to(&read, 50), u128::from(solutions), "{puzzle:?}");
    solutions
}

#[test]
fn exported_puzzles_have_their_solutions() {
    for file in ["easy_10k.txt", "minimal_10k.txt"] {
        let puzzles = first(file, 40);
        assert!(puzzles.iter().all(|puzzle| exported(puzzle) == 1), "{file}");
        // Without one clue a minimal puzzle has several solutions. Two puzzles in one mostly have none.
        for (puzzle, other) in puzzles.iter().zip(&puzzles[1..]).take(10) {
            let mut open = *puzzle;
            *open.iter_mut().find(|symbol| **symbol != 0).unwrap() = 0;
            assert!(exported(&open) >= if file == "minimal_10k.txt" { 2 } else { 1 });
            exported(&std::array::from_fn(|cell| puzzle[cell].max(other[cell])));
        }
    }
}

#[test]
fn exported_shared_puzzles_have_their_solutions() {
    for (file, solutions) in
        [("17_clue", 1..=1), ("hardest", 1..=1), ("invalid_20k", 0..=0), ("multi_20k", 2..=50)]
    {
        let Some(path) = large_set(&format!("{file}.txt")) else { continue };
        for puzzle in sample(&path, 30, 0) {
            assert!(solutions.contains(&exported(&puzzle)), "{file}: {puzzle:?}");
        }
    }
}
