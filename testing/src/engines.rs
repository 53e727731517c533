//! Engines on puzzles in memory.

use galop_engines::engine::{Entry, Isa};
use galop_engines::grid::Verifier;
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles};
use galop_engines::{Engine, Rules};

use super::puzzles::Cells;

/// The engine with this name: galop's own or a published solver.
#[track_caller]
pub fn named(name: &str) -> &'static Entry {
    galop_published::named(name).unwrap()
}

/// A new engine for 9x9 sudokus, on the best instruction set of this machine.
pub fn new(entry: &Entry) -> Box<dyn Engine> {
    (entry.make)(&Rules::default(), Isa::best()).unwrap()
}

/// The answers of an engine to a batch of puzzles of `stride` cells each, and the cells of its solutions.
pub fn solve_flat(
    engine: &mut dyn Engine,
    stride: usize,
    puzzles: &[u8],
    limits: Limits,
) -> (Vec<Answer>, Vec<u8>) {
    let puzzles = Puzzles::new(puzzles, stride).unwrap();
    let (mut solutions, mut answers) =
        (vec![0; stride * puzzles.len()], vec![Answer::default(); puzzles.len()]);
    engine.solve(puzzles, limits, &mut Answers::new(&mut solutions, &mut answers, stride).unwrap()).unwrap();
    (answers, solutions)
}

/// The answers of an engine to a batch of 9x9 puzzles, with the cells of the first solution each.
/// Asserts the limits, that the engine measures no time, and that every solution passes the verifier.
#[track_caller]
pub fn solve(engine: &mut dyn Engine, puzzles: &[Cells], limits: Limits) -> Vec<(Answer, Cells)> {
    let (answers, solutions) = solve_flat(engine, 81, puzzles.as_flattened(), limits);
    let found: Vec<(Answer, Cells)> =
        answers.into_iter().zip(solutions.as_chunks::<81>().0.iter().copied()).collect();
    let verifier = Verifier::new(&Rules::default());
    let (most, guesses) = (limits.solutions().unwrap_or(u64::MAX), limits.guesses().unwrap_or(u64::MAX));
    for (puzzle, (answer, solution)) in puzzles.iter().zip(&found) {
        assert!(answer.solutions <= most && answer.effort.guesses <= guesses, "{answer:?}");
        assert_eq!(answer.effort.nanos, 0, "an engine holds no clock");
        if answer.solutions > 0 {
            assert_eq!(verifier.check(puzzle, solution), Ok(()), "{puzzle:?} {solution:?}");
        }
    }
    found
}

/// The answer of a new engine to one puzzle of any rules, and the cells of its solution.
pub fn solve_one(entry: &Entry, rules: &Rules, puzzle: &[u8], limits: Limits) -> (Answer, Vec<u8>) {
    let mut engine = (entry.make)(rules, Isa::best()).unwrap();
    let (answers, solution) = solve_flat(engine.as_mut(), puzzle.len(), puzzle, limits);
    (answers[0], solution)
}
