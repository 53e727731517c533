//! The engine that is chosen: counts of the literature, the same list on any number of threads, reuse, its name.

#![allow(clippy::unwrap_used)]

mod listing;
mod problems;

use std::num::NonZero;

use galop::Rules;
use galop_cover::engine::by_name;
use galop_cover::{Choice, CoverLimits, End, ExactCover, OptionId, Solver, text};
use listing::list;
use problems::make;

fn listed(solver: &mut Solver<'_>, threads: usize, is_ordered: bool) -> Vec<Vec<OptionId>> {
    solver.set_threads(NonZero::new(threads)).unwrap();
    solver.set_ordered(is_ordered);
    list(solver)
}

#[test]
fn threads_list_what_sparse_sets_list() {
    let sparse = Choice::Engine(by_name("sparse").unwrap());
    for (problem, count, name) in [(make("langford 8"), 300, "masks"), (make("queens 9"), 352, "masks")] {
        let expected = listed(&mut Solver::new(&problem, sparse).unwrap(), 1, false);
        assert_eq!(expected.len(), count);
        for threads in 1..=4 {
            let mut solver = Solver::new(&problem, Choice::Auto).unwrap();
            assert_eq!(solver.engine().name, "sparse");
            // The first search is handed over, the second begins with masks.
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

#[test]
fn what_counts_is_named_on_whatever_thread_it_does() {
    let problem = make("dominoes 8x8");
    for threads in [1, 2, 3, 4].repeat(4) {
        let mut solver = Solver::new(&problem, Choice::Auto).unwrap();
        solver.set_threads(NonZero::new(threads)).unwrap();
        assert_eq!(solver.count(&CoverLimits::NONE).unwrap().solutions, 12_988_816);
        assert_eq!(solver.engine().name, "rows", "{threads} threads");
    }
}

#[test]
fn limits_count_the_try_and_what_follows() {
    let problem = make("langford 8");
    let mut solver = Solver::new(&problem, Choice::Auto).unwrap();
    for nodes in [1, 10, 149, 150, 151, 160, 200, 300] {
        let mut solver = Solver::new(&problem, Choice::Auto).unwrap();
        let outcome = solver.count(&CoverLimits { nodes: Some(nodes), ..CoverLimits::NONE }).unwrap();
        assert_eq!((outcome.nodes, outcome.end), (nodes, End::Nodes));
    }
    for solutions in [1, 2, 20, 100, 299, 300] {
        let outcome = solver.count(&CoverLimits::first(solutions)).unwrap();
        assert_eq!((outcome.solutions.to_u128(), outcome.end), (Some(u128::from(solutions)), End::Solutions));
    }
    assert_eq!(solver.count(&CoverLimits::NONE).unwrap().solutions, 300);
}

/// One of the 17-clue sudokus, as assumptions of one problem.
#[test]
fn a_problem_that_is_used_again_has_masks() {
    let rules = Rules::sudoku();
    let line = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";
    let clues: Vec<OptionId> = (0_u32..)
        .zip(line.bytes())
        .filter(|&(_, digit)| digit > b'0')
        .map(|(cell, digit)| 9 * cell + u32::from(digit - b'1'))
        .collect();
    let mut solver = Solver::new(rules.cover(), Choice::Auto).unwrap();
    for name in ["sparse", "masks", "masks"] {
        solver.assume(&clues, &[]).unwrap();
        assert_eq!(solver.count(&CoverLimits::NONE).unwrap().solutions, 1);
        assert_eq!(solver.engine().name, name, "{}", solver.why());
    }
}

#[test]
fn bounds_and_what_is_too_large_find_an_engine() {
    let bounded = text::read(b"A B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nC X:0\nB X:1\nC Y:1\n").unwrap();
    let count = |problem: &ExactCover| {
        let mut solver = Solver::new(problem, Choice::Auto).unwrap();
        let solutions = solver.count(&CoverLimits::NONE).unwrap().solutions.clone();
        (solutions, solver.engine().name)
    };
    let (solutions, name) = count(&bounded.problem);
    assert!(solutions == 1 && name != "sparse", "{name}");
    // More options of an item than a size of sparse sets can say.
    let mut builder = ExactCover::builder();
    builder.primary("a");
    (0..20_000).for_each(|_| {
        builder.option(["a"]);
    });
    let (solutions, name) = count(&builder.finish().unwrap());
    assert!(solutions == 20_000 && name != "sparse", "{name}");
}
