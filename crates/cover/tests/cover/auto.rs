//! The engine that is chosen: the same solutions on any number of threads, reuse, its name.

use galop_cover::{Choice, CoverLimits, ExactCover};

use crate::{choose, clues, count, list, make, solver_on, sudoku};

#[test]
fn solutions_are_in_the_order_of_sparse_sets_on_any_number_of_threads() {
    for (problem, count) in [(make("langford 8"), 300), (make("queens 9"), 352)] {
        let expected = list(&mut solver_on(1, &problem, choose("sparse")));
        assert_eq!(expected.len(), count);
        for threads in 1..=4 {
            let mut solver = solver_on(threads, &problem, Choice::Auto);
            solver.set_ordered(true);
            assert_eq!(solver.engine(), "sparse");
            // The first search changes to masks on the way, the second begins with them.
            for _ in 0..2 {
                assert_eq!(list(&mut solver), expected, "{threads} threads");
                assert_eq!(solver.engine(), "masks");
            }
        }
    }
}

/// One problem, and a puzzle of 17 clues as assumptions.
#[test]
fn a_second_search_uses_masks() {
    let clues = clues("000000010400000000020000000000050407008000300001090000300400200050100000000806000");
    let problem = sudoku();
    let mut solver = problem.solver().unwrap();
    for name in ["sparse", "masks", "masks"] {
        solver.assume(&clues, &[]).unwrap();
        assert_eq!(solver.search(&CoverLimits::NONE).count().unwrap().solutions, 1);
        assert_eq!(solver.engine(), name, "{}", solver.why());
    }
}

/// An item with more options than the sizes of sparse sets can hold.
#[test]
fn a_problem_with_a_large_item_finds_an_engine() {
    let problem = ExactCover::from_options(1, 0, [[0]; 20_000]).unwrap();
    let mut solver = problem.solver().unwrap();
    assert_eq!(count(&mut solver).0, 20_000);
    assert_ne!(solver.engine(), "sparse");
}
