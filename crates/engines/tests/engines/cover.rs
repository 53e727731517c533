//! Engines of exact cover: grids as problems, and problems of their own.

use std::time::Instant;

use galop_cover::problem::CoverViolation;
use galop_engines::Rules;
use galop_engines::chance::Chance;
use galop_engines::engine::{
    BACKTRACK, DLX, Engine, Isa, PROBLEM_ENGINES, Unsupported, compared_for, default_for, named, second_for,
};
use galop_engines::grid::{ExactCover, Fault, JIGSAW, LATIN, OptionId, Regions, Verifier};
use galop_engines::puzzle::{Answer, Limits, Status};

use crate::solve;

fn answer(engine: &mut dyn Engine, puzzle: &[u8], limits: Limits) -> (Answer, Vec<u8>) {
    solve(engine, puzzle, puzzle.len(), limits).remove(0)
}

/// A byte an option for the symbols of a grid.
fn options(rules: &Rules, cells: &[u8]) -> Vec<u8> {
    let mut options = vec![0; rules.cover().option_count()];
    for (cell, &symbol) in cells.iter().enumerate().filter(|(_, symbol)| **symbol != 0) {
        options[rules.grid().candidate(cell, symbol)] = 1;
    }
    options
}

#[test]
fn grids_and_their_problems_have_the_same_answers() {
    let map = Regions::read(b"aaabb aabbb cccdd ccddd eeeee".as_slice()).unwrap();
    let jigsaw = Rules::new(JIGSAW, 5, Some(&map)).unwrap();
    let grids = [
        Rules::sudoku(4).unwrap(),
        Rules::sudoku(6).unwrap(),
        Rules::default(),
        Rules::new(LATIN, 5, None).unwrap(),
        jigsaw,
    ];
    let mut chance = Chance::new(3, 0);
    for rules in &grids {
        let problem = Rules::problem(rules.cover().clone());
        let mut oracle = (BACKTRACK.make)(rules, Isa::best()).unwrap();
        let mut engines: Vec<_> = PROBLEM_ENGINES
            .iter()
            .chain([DLX])
            .filter_map(|entry| Some((entry.name, (entry.make)(&problem, Isa::best()).ok()?)))
            .collect();
        assert!(engines.len() > 2, "{}", rules.name());
        let (grid_verifier, verifier) = (Verifier::new(rules), Verifier::new(&problem));
        let mut seen = [0; 3];
        let (cells, symbols) = (rules.grid().cells(), u32::from(rules.grid().symbols()));
        let empty = answer(&mut *oracle, &vec![0; cells], Limits::ANY).1;
        for number in 0..60 {
            // Some symbols of a solution, and sometimes another one.
            let blanks = 1 + chance.below(cells as u32 * 5 / 4) as usize;
            let mut puzzle = empty.clone();
            (0..blanks).for_each(|_| puzzle[chance.below(cells as u32) as usize] = 0);
            if number % 3 == 0 {
                puzzle[chance.below(cells as u32) as usize] = chance.below(symbols) as u8 + 1;
            }
            let limits = [Limits::ANY, Limits::UNIQUE, Limits::count(100)][number % 3];
            let (expected, _) = answer(&mut *oracle, &puzzle, limits);
            seen[expected.solutions.min(2) as usize] += 1;
            let choices = options(rules, &puzzle);
            for (name, engine) in &mut engines {
                let (found, solution) = answer(&mut **engine, &choices, limits);
                assert_eq!(found.solutions, expected.solutions, "{name} {} {puzzle:?}", rules.name());
                assert_eq!(found.status(limits), expected.status(limits));
                if found.solutions > 0 {
                    let mut cells = vec![0; cells];
                    for (option, _) in (0..).zip(&solution).filter(|(_, byte)| **byte == 1) {
                        let (cell, symbol) = rules.grid().cell_and_symbol(option);
                        cells[cell] = symbol;
                    }
                    assert_eq!(verifier.check(&choices, &solution), Ok(()));
                    assert_eq!(grid_verifier.check(&puzzle, &cells), Ok(()));
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 1), "{} {seen:?}", rules.name());
    }
}

/// An item of 5,000 options: `wide` fills a table of 26 MB.
#[test]
fn rules_are_accepted_without_building_an_engine() {
    let rules = Rules::problem(ExactCover::from_options(1, 0, vec![vec![0]; 5_000]).unwrap());
    let wide = named("wide").unwrap();
    let time = |work: &dyn Fn() -> Result<(), Unsupported>| {
        let begun = Instant::now();
        assert_eq!(work(), Ok(()));
        begun.elapsed()
    };
    let best = |work: &dyn Fn() -> Result<(), Unsupported>| (0..5).map(|_| time(work)).min().unwrap();
    let made = best(&|| (wide.make)(&rules, Isa::best()).map(|_| ()));
    let accepted = best(&|| (wide.accepts)(&rules));
    assert!(10 * accepted < made, "{accepted:?} of {made:?}");
}

#[test]
fn choices_that_are_forbidden_are_not_in_a_solution() {
    let rules = Rules::problem("a b c\na\nb\nc\na b\nb c\n".parse::<ExactCover>().unwrap());
    let verifier = Verifier::new(&rules);
    for entry in compared_for(&rules).iter().filter(|entry| (entry.accepts)(&rules).is_ok()) {
        let mut engine = (entry.make)(&rules, Isa::best()).unwrap();
        let mut count = |puzzle: &[u8]| answer(&mut *engine, puzzle, Limits::ALL).0.solutions;
        assert_eq!(count(&[0; 5]), 3, "{}", entry.name);
        assert_eq!(count(&[2, 0, 0, 0, 0]), 1);
        assert_eq!(count(&[1, 0, 0, 0, 0]), 2);
        assert_eq!(count(&[1, 0, 0, 0, 2]), 1);
        assert_eq!((count(&[1, 0, 0, 1, 0]), count(&[2, 0, 0, 2, 0]), count(&[7, 0, 0, 0, 0])), (0, 0, 0));
    }
    let forbidden = Fault::Cover(CoverViolation::Assumption { option: OptionId(1) });
    assert_eq!(verifier.check(&[0, 2, 0, 0, 0], &[1, 1, 1, 0, 0]), Err(forbidden));
    assert_eq!(verifier.check_text(&[0; 5], b"a b | c"), Ok(()));
    assert!(matches!(verifier.check_text(&[0; 5], b"a b"), Err(Fault::Cover(_))));
    assert!(matches!(verifier.check_text(&[0; 5], b"x"), Err(Fault::Choice(_))));
    assert_eq!(verifier.check(&[0; 4], &[0; 4]), Err(Fault::Length { found: 4, expected: 5 }));
    assert_eq!(verifier.check(&[3; 5], &[1; 5]), Err(Fault::Byte { found: 3, option: 0 }));
}

#[test]
fn items_that_are_covered_several_times_have_their_engines() {
    let rules = Rules::problem("2|a 0:2|b c\na\na b\na c\nb c\n".parse::<ExactCover>().unwrap());
    let first = default_for(&rules);
    assert_eq!((first.name, second_for(&rules, first).name), ("dlx", "planes"));
    let mut counts = [first, second_for(&rules, first)].map(|entry| {
        let mut engine = (entry.make)(&rules, Isa::best()).unwrap();
        answer(&mut *engine, &[0; 4], Limits::ALL).0.solutions
    });
    counts.sort_unstable();
    assert_eq!(counts, [3, 3]);
    let status = |puzzle: &[u8]| {
        let mut engine = (first.make)(&rules, Isa::best()).unwrap();
        answer(&mut *engine, puzzle, Limits::UNIQUE).0.status(Limits::UNIQUE)
    };
    assert_eq!((status(&[0; 4]), status(&[2, 0, 0, 0])), (Status::Multiple, Status::Solved));
}
