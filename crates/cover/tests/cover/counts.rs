//! Every engine finds the numbers of solutions of the literature.

use std::num::NonZero;

use galop_cover::engine::by_name;
use galop_cover::{Choice, CoverLimits, End, ExactCover, Isa, Setup, Solver, text};

use crate::{clues, list, make, sudoku, suitable};
use galop_testing::available::{isas, large_set};
use galop_testing::literature::{LARGE, MEDIUM, SMALL, solutions};

/// Solutions. A problem with more of them is counted, but not listed.
const MAX_LISTED: u64 = 20_000;

#[test]
fn every_engine_lists_small_problems_on_any_number_of_threads() {
    for &(words, solutions) in SMALL {
        let problem = make(words);
        for choice in suitable(&problem).chain([Choice::Auto]) {
            let mut solver = Solver::new(&problem, choice).unwrap();
            for threads in 1..=4 {
                solver.set_threads(NonZero::new(threads)).unwrap();
                counts(&mut solver, words, solutions);
                lists(&mut solver, words, solutions);
            }
        }
    }
}

#[test]
fn every_engine_counts_medium_problems() {
    for &(words, solutions) in MEDIUM {
        let problem = make(words);
        for choice in suitable(&problem).chain([Choice::Auto]) {
            let mut solver = Solver::new(&problem, choice).unwrap();
            if solutions <= MAX_LISTED {
                lists(&mut solver, words, solutions);
            }
            solver.set_threads(NonZero::new(2)).unwrap();
            counts(&mut solver, words, solutions);
        }
    }
}

#[track_caller]
pub(crate) fn counts(solver: &mut Solver<'_>, words: &str, solutions: u64) {
    let outcome = solver.search(&CoverLimits::NONE).count().unwrap();
    let found = (outcome.solutions.to_u128(), outcome.end);
    assert_eq!(found, (Some(u128::from(solutions)), End::Complete), "{words} {solver:?}");
    assert_eq!(solver.depths().iter().sum::<u64>(), outcome.nodes, "{words} {solver:?}");
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
    for &(words, solutions) in LARGE {
        let problem = make(words);
        for has_preprocessing in [false, true] {
            let setup = Setup::new().preprocess(has_preprocessing);
            let mut solver = Solver::new(&problem, setup).unwrap();
            solver.set_threads(NonZero::new(2)).unwrap();
            counts(&mut solver, words, solutions);
        }
    }
}

/// Every puzzle of 17 clues has one solution. One solver takes the first thousand, as assumptions.
#[test]
fn puzzles_of_17_clues_have_one_solution() {
    let Some(path) = large_set("17_clue.txt") else { return };
    let (text, problem) = (std::fs::read_to_string(path).unwrap(), sudoku());
    let mut solver = Solver::new(&problem, Choice::Auto).unwrap();
    for puzzle in text.lines().take(1_000) {
        let clues = clues(puzzle);
        assert_eq!(clues.len(), 17);
        solver.assume(&clues, &[]).unwrap();
        counts(&mut solver, puzzle, 1);
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
                .map(|name| Solver::new(&problem, Setup::new().engine(by_name(name).unwrap()).isa(isa)));
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
        let mut solver = Solver::new(&read, Choice::Auto).unwrap();
        let costs = solver
            .search(&CoverLimits::NONE)
            .into_iter()
            .map(|solution| solution.unwrap().iter().map(|&option| read.cost(option)).sum::<u64>());
        assert_eq!(costs.min(), Some(best));
    }
}

/// Knuth's smallest problem with colours, (49) in section 7.2.2.1, and a problem with multiplicities.
#[test]
fn the_smallest_problems_with_colours_and_with_multiplicities() {
    let colours = "p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n";
    let multiplicities = "A B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nC X:0\nB X:1\nC Y:1\n";
    for (text, solution) in [(colours, &[1, 3][..]), (multiplicities, &[1, 3, 4])] {
        let problem = text::read(text.as_bytes()).unwrap().problem;
        for choice in suitable(&problem).chain([Choice::Auto]) {
            let mut solver = Solver::new(&problem, choice).unwrap();
            assert_eq!(list(&mut solver), [solution], "{choice:?}");
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
            let mut builder = ExactCover::builder();
            builder.primary_with_bounds("A", low as u32, high as u32);
            (0..6).for_each(|_| {
                builder.option(["A"]);
            });
            let problem = builder.finish().unwrap();
            let expected: usize = binomials[low..=high.min(6)].iter().sum();
            for choice in suitable(&problem) {
                let mut solver = Solver::new(&problem, choice).unwrap();
                solver.set_threads(NonZero::new(2)).unwrap();
                assert_eq!(list(&mut solver).len(), expected, "{choice:?} {low}:{high}");
            }
        }
    }
}
