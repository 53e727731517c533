//! Calls of the engine `lanes`.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use galop_corpora::generate::{Recipe, Wish};
use galop_engines::Rules;
use galop_engines::engine::{Isa, LanesEngine};
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles};
use galop_testing::chance::Chance;
use galop_testing::puzzles::{cells, generated};

use crate::solve;

const CELLS: usize = 81;

/// The states that a panic leaves in lanes, in the queue and on stacks belong to no puzzle of the next batch.
#[test]
fn an_engine_whose_callback_panicked_answers_as_a_new_one() {
    let mut chance = Chance::new(5);
    let mut puzzles = Vec::new();
    for solution in generated(&Recipe::new(1, Wish::Minimal), 40).1.lines() {
        let mut puzzle = cells(solution);
        (0..90).for_each(|_| puzzle[chance.below(CELLS)] = 0);
        puzzles.extend(puzzle);
    }
    let new = || LanesEngine::new(&Rules::default(), Isa::best()).unwrap();
    let answers = |engine: &mut LanesEngine| solve(engine.as_engine(), &puzzles, CELLS, Limits::count(50));
    let (expected, mut engine) = (answers(&mut new()), new());
    for after in [1, 2, 10] {
        let left = Cell::new(after);
        let is_stopped = || {
            left.set(left.get() - 1);
            assert!(left.get() > 0, "the callback panics");
            false
        };
        let (mut solution, mut answer) = ([0; CELLS], Answer::default());
        let search = || {
            let places = &mut Answers::one(&mut solution, &mut answer);
            engine.as_engine().solve_until(Puzzles::one(&[0; CELLS]), Limits::ALL, places, &is_stopped)
        };
        assert!(catch_unwind(AssertUnwindSafe(search)).is_err());
        assert!(answers(&mut engine) == expected, "after {after} calls");
    }
}
