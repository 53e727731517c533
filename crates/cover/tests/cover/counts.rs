//! Every engine finds the numbers of solutions of the literature.

use std::num::NonZero;

use galop_cover::engine::by_name;
use galop_cover::{Choice, CoverLimits, End, Isa, Setup, Solver, text};

use crate::literature::{LARGE, MEDIUM, SMALL, solutions};
use crate::shared::{isas, large_set};
use crate::{clues, list, make, sudoku, suitable};

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
fn counts(solver: &mut Solver<'_>, words: &str, solutions: u64) {
    let outcome = solver.count(&CoverLimits::NONE).unwrap();
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
            let setup = Setup { has_preprocessing, ..Choice::Auto.into() };
            let mut solver = Solver::new(&problem, setup).unwrap();
            solver.set_threads(NonZero::new(2)).unwrap();
            counts(&mut solver, words, solutions);
        }
    }
}

/// The files of the large sets, in the order of items and options that their authors chose.
#[test]
fn shared_files_have_the_counts_of_their_models() {
    for (file, words) in [
        ("dom6x6", "dominoes 6x6"),
        ("dom8x8", "dominoes 8x8"),
        ("langford8", "langford 8"),
        ("langford12", "langford 12"),
        ("latin5", "latin 5"),
        ("match14", "matching 14"),
        ("mix4x6_6", "mixed 4x6 6"),
        ("mix5x6_6", "mixed 5x6 6"),
        ("pent3x20", "pentominoes 3x20"),
        ("pent8x8", "pentominoes 8x8"),
        ("qcost6", "queens 6"),
        ("qcost8", "queens 8"),
        ("qdom5_3", "queen-domination 5 3"),
        ("queens8", "queens 8"),
        ("queens12", "queens 12"),
        ("queens13", "queens 13"),
        ("soma", "soma"),
    ] {
        let Some(path) = large_set(&format!("cover/{file}.dlx")) else { continue };
        let problem = text::read(&std::fs::read(path).unwrap()).unwrap().problem;
        let mut solver = Solver::new(&problem, Choice::Auto).unwrap();
        solver.set_threads(NonZero::new(2)).unwrap();
        counts(&mut solver, file, solutions(words));
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
            let solvers = ["masks", "wide", "rows"].map(|name| {
                Solver::new(&problem, Setup { isa, ..Choice::Engine(by_name(name).unwrap()).into() })
            });
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
            .solutions(&CoverLimits::NONE)
            .map(|solution| solution.unwrap().iter().map(|&option| read.cost(option)).sum::<u64>());
        assert_eq!(costs.min(), Some(best));
    }
}
