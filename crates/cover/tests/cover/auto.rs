//! The engine that is chosen: the same solutions on any number of threads, reuse, its name.

use std::num::NonZero;

use galop_cover::engine::by_name;
use galop_cover::{Choice, CoverLimits, ExactCover, OptionId, Solver, text};

use crate::{clues, list, make, sudoku};

fn listed(solver: &mut Solver<'_>, threads: usize, is_ordered: bool) -> Vec<Vec<OptionId>> {
    solver.set_threads(NonZero::new(threads)).unwrap();
    solver.set_ordered(is_ordered);
    list(solver)
}

#[test]
fn solutions_are_those_of_sparse_sets_on_any_number_of_threads() {
    let sparse = Choice::Engine(by_name("sparse").unwrap());
    for (problem, count, name) in [(make("langford 8"), 300, "masks"), (make("queens 9"), 352, "masks")] {
        let expected = listed(&mut Solver::new(&problem, sparse).unwrap(), 1, false);
        assert_eq!(expected.len(), count);
        for threads in 1..=4 {
            let mut solver = Solver::new(&problem, Choice::Auto).unwrap();
            assert_eq!(solver.engine().name, "sparse");
            // The first search changes to masks on the way, the second begins with them.
            for _ in 0..2 {
                assert_eq!(listed(&mut solver, threads, true), expected, "{threads} threads");
                assert_eq!(solver.engine().name, name);
            }
            let mut found = listed(&mut solver, threads, false);
            found.sort();
            let mut expected = expected.clone();
            expected.sort();
            assert_eq!(found, expected, "{threads} threads");
        }
    }
}

/// One problem, and a puzzle of 17 clues as assumptions.
#[test]
fn a_second_search_uses_masks() {
    let clues = clues("000000010400000000020000000000050407008000300001090000300400200050100000000806000");
    let problem = sudoku();
    let mut solver = Solver::new(&problem, Choice::Auto).unwrap();
    for name in ["sparse", "masks", "masks"] {
        solver.assume(&clues, &[]).unwrap();
        assert_eq!(solver.search(&CoverLimits::NONE).count().unwrap().solutions, 1);
        assert_eq!(solver.engine().name, name, "{}", solver.why());
    }
}

#[test]
fn problems_with_bounds_and_large_items_find_an_engine() {
    let bounded = text::read(b"A B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nC X:0\nB X:1\nC Y:1\n").unwrap();
    let count = |problem: &ExactCover| {
        let mut solver = Solver::new(problem, Choice::Auto).unwrap();
        let solutions = solver.search(&CoverLimits::NONE).count().unwrap().solutions.clone();
        (solutions, solver.engine().name)
    };
    let (solutions, name) = count(&bounded.problem);
    assert!(solutions == 1 && name != "sparse", "{name}");
    // An item with more options than the sizes of sparse sets can hold.
    let mut builder = ExactCover::builder();
    builder.primary("a");
    (0..20_000).for_each(|_| {
        builder.option(["a"]);
    });
    let (solutions, name) = count(&builder.finish().unwrap());
    assert!(solutions == 20_000 && name != "sparse", "{name}");
}
