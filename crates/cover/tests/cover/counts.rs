//! Every engine finds the numbers of solutions of the literature.

use std::num::NonZero;

use galop_cover::{Choice, CoverLimits, ExactCover, Isa, Setup, Solver, text};
use galop_testing::available::{is_soaking, isas, large_set_text};
use galop_testing::exact_cover::{EXAMPLE_C, EXAMPLE_M, EXAMPLE_X};
use galop_testing::literature::{LARGE, MEDIUM, SMALL, solutions};

use crate::{choose, clues, count, list, listing, make, solver_on, sudoku, suitable};

/// Solutions. A problem with more of them is counted, but not listed.
const MAX_LISTED: u64 = 20_000;

/// Problems that take some engine a good part of a second. Only tests that soak count them with every engine, and the
/// large ones at all.
const SLOW: [&str; 6] =
    ["pentominoes 8x8", "soma", "latin 5", "pentominoes 6x10", "pentominoes 2x5x6", "queens 15"];

fn is_for_all(words: &str) -> bool {
    is_soaking() || !SLOW.contains(&words)
}

#[test]
fn every_engine_lists_small_problems_on_any_number_of_threads() {
    for &(words, solutions) in SMALL {
        let problem = make(words);
        for choice in suitable(&problem).chain([Choice::Auto]) {
            let mut solver = Solver::new(&problem, choice).unwrap();
            for threads in 1..=4 {
                solver.set_threads(NonZero::new(threads)).unwrap();
                counts(&mut solver, words, solutions);
                if choice.lists() {
                    lists(&mut solver, words, solutions);
                }
            }
        }
    }
}

#[test]
fn every_engine_counts_medium_problems() {
    for &(words, solutions) in MEDIUM {
        let problem = make(words);
        let engines = suitable(&problem).filter(|_| is_for_all(words));
        for choice in engines.chain([Choice::Auto]) {
            let mut solver = Solver::new(&problem, choice).unwrap();
            if solutions <= MAX_LISTED && choice.lists() {
                lists(&mut solver, words, solutions);
            }
            solver.set_threads(NonZero::new(2)).unwrap();
            counts(&mut solver, words, solutions);
        }
    }
}

#[track_caller]
pub(crate) fn counts(solver: &mut Solver<'_>, words: &str, solutions: u64) {
    assert_eq!(count(solver).0, u128::from(solutions), "{words} {solver:?}");
}

#[track_caller]
fn lists(solver: &mut Solver<'_>, words: &str, solutions: u64) {
    let mut found = list(solver);
    assert_eq!(found.len() as u64, solutions, "{words} {solver:?}");
    found.sort();
    assert!(found.is_sorted_by(|one, next| one < next), "{words}: every solution once");
}

/// Every engine would take too long.
#[test]
fn the_chosen_engine_counts_large_problems_plainly_and_after_preprocessing() {
    for &(words, solutions) in LARGE.iter().filter(|(words, _)| is_for_all(words)) {
        let problem = make(words);
        for has_preprocessing in [false, true] {
            let setup = Setup::new().preprocess(has_preprocessing);
            counts(&mut solver_on(2, &problem, setup), words, solutions);
        }
    }
}

/// Every puzzle of 17 clues has one solution. One solver takes them as assumptions, and so do masks on every
/// instruction set.
#[test]
fn puzzles_of_17_clues_have_one_solution() {
    let Some(text) = large_set_text("17_clue.txt") else { return };
    let problem = sudoku();
    let masks = isas()
        .into_iter()
        .flat_map(|isa| ["masks", "wide"].map(|name| (Setup::from(choose(name)).isa(isa), 1_000)));
    for (setup, step) in masks.chain([(Setup::new(), 49)]) {
        let Ok(mut solver) = Solver::new(&problem, setup) else { continue };
        for puzzle in text.lines().filter(|line| line.len() == 81).step_by(step) {
            let clues = clues(puzzle);
            assert_eq!(clues.len(), 17);
            solver.assume(&clues, &[]).unwrap();
            counts(&mut solver, puzzle, 1);
        }
    }
}

/// Engines find the same on every instruction set. An engine is refused on one that the machine lacks.
#[test]
fn the_instruction_set_is_the_one_in_the_setup() {
    let has = isas();
    for words in ["queens 8", "langford 8", "pentominoes 8x8"] {
        let problem = make(words);
        for isa in Isa::ALL {
            let solvers = ["masks", "wide", "rows"]
                .map(|name| Solver::new(&problem, Setup::from(choose(name)).isa(isa)));
            let [masks, wide, _] = solvers.each_ref().map(Result::is_ok);
            // An item of the pentominoes has 248 options: too many for narrow masks.
            let fits = words != "pentominoes 8x8";
            assert_eq!((masks, wide), (fits && has.contains(&isa), has.contains(&isa)), "{words} {isa:?}");
            solvers.into_iter().flatten().for_each(|mut solver| counts(&mut solver, words, solutions(words)));
        }
    }
}

/// The cost of the cheapest solution of n queens, also after the problem was written and read.
#[test]
fn solutions_have_their_costs() {
    for (n, best) in [(6, 70), (8, 150), (10, 275)] {
        let problem = make(&format!("queen-costs {n}"));
        let read = text::read(text::to_text(&problem).as_bytes()).unwrap().problem;
        assert_eq!(read, problem);
        let mut solver = read.solver().unwrap();
        let costs = solver
            .search(&CoverLimits::NONE)
            .into_iter()
            .map(|solution| solution.unwrap().iter().map(|&option| read.cost(option)).sum::<u64>());
        assert_eq!(costs.min(), Some(best));
    }
}

#[test]
fn the_examples_of_the_book_have_one_solution() {
    for (text, solution) in [(EXAMPLE_X, &[0, 3, 4][..]), (EXAMPLE_C, &[1, 3]), (EXAMPLE_M, &[1, 3, 4])] {
        let problem: ExactCover = text.parse().unwrap();
        for choice in listing(&problem).chain([Choice::Auto]) {
            assert_eq!(list(&mut solver_on(1, &problem, choice)), [solution], "{choice:?}");
        }
    }
}

/// An item that must be covered by `low` to `high` of six options has one solution for each set of `low` to `high`
/// options.
#[test]
fn binomial_coefficients() {
    let binomials = [1, 6, 15, 20, 15, 6, 1];
    for low in 0..=6 {
        for high in low.max(1)..=8 {
            let problem: ExactCover = format!("{low}:{high}|A\n{}", "A\n".repeat(6)).parse().unwrap();
            let expected: usize = binomials[low..=high.min(6)].iter().sum();
            for choice in listing(&problem) {
                let found = list(&mut solver_on(2, &problem, choice)).len();
                assert_eq!(found, expected, "{choice:?} {low}:{high}");
            }
        }
    }
}
