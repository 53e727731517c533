//! Every kind and size of grid: engines agree, generated puzzles have one solution, the verifier sees every unit.

use galop_batch::input::detect_rules;
use galop_corpora::generate::Wish;
use galop_engines::Rules;
use galop_engines::engine::Isa;
use galop_engines::grid::{KINDS, Variant, Verifier, kind};
use galop_engines::puzzle::Limits;

use crate::stream;
use galop_testing::engines::{named, solve_flat, solve_one as answer};
use galop_testing::rules::{generated, kinds_and_sizes, rules_of, solved, sudoku};

/// Every engine that accepts the rules and is fast enough counts them. 288 is the number of 4x4 sudokus, those of Latin
/// squares are OEIS A002860.
#[test]
fn empty_grids_have_the_known_numbers_of_solutions() {
    let known = [
        ("sudoku", 4, 288),
        ("latin", 4, 576),
        ("diagonal", 4, 48),
        ("jigsaw", 4, 288),
        ("latin", 5, 161_280),
    ];
    for (name, side, count) in known {
        let rules = rules_of(kind(name).unwrap(), side);
        for name in ["grid", "dlx", "backtrack", "norvig", "reduce"] {
            let (answer, _) = answer(named(name), &rules, &vec![0; side * side], Limits::ALL);
            assert_eq!((answer.solutions, answer.gave_up()), (count, false), "{name} {}", rules.name());
        }
    }
}

/// The miracle sudoku (Mitchell Lee, 2020): two clues.
#[test]
fn the_miracle_is_solved_by_every_engine() {
    let rules = "anti-knight+anti-king+non-consecutive".parse::<Variant>().unwrap().rules(9).unwrap();
    let (mut puzzle, first) = (vec![0; 81], [4, 8, 3, 7, 2, 6, 1, 5, 9]);
    (puzzle[38], puzzle[51]) = (1, 2);
    // Each row is an earlier one, moved to the left.
    let moved = [0, 3, 6, 1, 4, 7, 2, 5, 8];
    let solution: Vec<u8> =
        moved.iter().flat_map(|by| (0..9).map(move |column| first[(column + by) % 9])).collect();
    let engines = galop_published::all().filter(|entry| (entry.accepts)(&rules).is_ok());
    let names: Vec<&str> = engines
        .map(|entry| {
            let (answer, found) = answer(entry, &rules, &puzzle, Limits::count(2));
            assert_eq!((answer.solutions, &found), (1, &solution), "{}", entry.name);
            entry.name
        })
        .collect();
    assert_eq!(names, ["lanes", "grid", "dlx", "backtrack"]);
}

#[test]
fn clues_that_break_a_pair_have_no_solution() {
    for (kinds, [one, other], words) in [
        (
            "anti-knight",
            [(2, 5), (21, 5)],
            "5 is in row 1, column 3 and in row 3, column 4, which must differ",
        ),
        ("anti-king", [(2, 5), (12, 5)], "5 is in row 1, column 3 and in row 2, column 4, which must differ"),
        ("non-consecutive", [(0, 5), (9, 4)], "5 in row 1, column 1 excludes 4 in row 2, column 1"),
    ] {
        let rules = kinds.parse::<Variant>().unwrap().rules(9).unwrap();
        let mut puzzle = vec![0; 81];
        for (cell, symbol) in [one, other] {
            puzzle[cell] = symbol;
        }
        assert_eq!(rules.grid().check_clues(&puzzle).unwrap_err().to_string(), words);
        for entry in galop_published::all().filter(|entry| (entry.accepts)(&rules).is_ok()) {
            assert_eq!(answer(entry, &rules, &puzzle, Limits::ANY).0.solutions, 0, "{} {kinds}", entry.name);
        }
    }
}

/// All engines that accept the rules count alike the solutions of small grids with cells left out.
#[test]
fn all_engines_agree() {
    for kind in KINDS {
        for side in kind.sides().into_iter().filter(|side| [4, 5, 6, 9].contains(side)) {
            let rules = rules_of(kind, side);
            let whole = solved(&rules);
            for step in 0..6 {
                let keep = |cell: usize| (cell * 7 + step * 3) % 10 < 6 - usize::from(side < 9) * step / 2;
                let mut puzzle = whole.clone();
                puzzle.iter_mut().enumerate().for_each(|(cell, symbol)| *symbol *= u8::from(keep(cell)));
                if step == 5 {
                    puzzle.swap(0, side + 1);
                }
                let limits = Limits::count(500);
                let (first, _) = answer(named("grid"), &rules, &puzzle, limits);
                let others = galop_published::all()
                    .filter(|entry| !entry.may_be_stuck && (entry.make)(&rules, Isa::best()).is_ok());
                for entry in others {
                    let (other, solution) = answer(entry, &rules, &puzzle, limits);
                    assert_eq!(
                        other.solutions,
                        first.solutions,
                        "{} {} {puzzle:?}",
                        entry.name,
                        rules.name()
                    );
                    if other.solutions > 0 {
                        assert_eq!(Verifier::new(&rules).check(&puzzle, &solution), Ok(()), "{}", entry.name);
                    }
                }
            }
        }
    }
}

#[test]
fn the_alphabet_is_detected_from_the_characters() {
    let dots = |text: &str| text.to_owned() + &".".repeat(256 - text.len());
    let found = |line: String| {
        let rules = detect_rules(&mut [stream(line)], &Variant::default(), None);
        rules.map(|rules| rules.alphabet().name().to_string()).ok()
    };
    assert_eq!(found(dots("1G")).as_deref(), Some("1-9A-G"));
    assert_eq!(found(dots("1g")).as_deref(), Some("1-9a-g"));
    assert_eq!(found(dots("10")).as_deref(), Some("0-9A-F"));
    assert_eq!(found("10".repeat(128)).as_deref(), Some("1-9A-G"), "0 is the only blank");
    assert_eq!(found(dots("AP")).as_deref(), Some("A-P"));
    assert_eq!(found(dots("1F")), None);
    assert_eq!(found("0123456789ABCDEF".repeat(16)).as_deref(), Some("0-9A-F"), "a full grid");
    assert_eq!(found("0023456789ABCDEF".repeat(16)).as_deref(), Some("1-9A-G"), "0 is a blank");
    assert_eq!(found(dots("")), None, "blanks fit every alphabet");
    assert_eq!(found(String::new()).as_deref(), Some("1-9"), "without a record");
}

/// Generated puzzles of every kind and size have one solution. If clues are removed or changed, `grid` and `dlx` count
/// alike.
#[test]
fn generated_puzzles_have_one_solution_and_changed_ones_what_dlx_says() {
    for rules in kinds_and_sizes(16) {
        let Wish::Clues(usual) = Wish::usual(&rules) else { panic!("a number of clues") };
        let made = generated(&rules, 5, 3, Wish::usual(&rules));
        assert_eq!(made.len(), 3);
        for (seed, (puzzle, solution)) in made.into_iter().enumerate() {
            let clues = puzzle.iter().filter(|&&symbol| symbol != 0).count();
            assert!(usual.contains(&clues), "{}: {clues}", rules.name());
            assert_eq!(Verifier::new(&rules).check(&puzzle, &solution), Ok(()), "{}", rules.name());
            for gone in [0, 1, 2, 4] {
                let mut puzzle = puzzle.clone();
                let clues: Vec<usize> = (0..puzzle.len()).filter(|&cell| puzzle[cell] != 0).collect();
                (0..gone).for_each(|at| puzzle[clues[(7 * at + 3 * seed) % clues.len()]] = 0);
                if gone == 2 {
                    // With another symbol in the cell of a clue the puzzle rarely has a solution.
                    let cell = clues[1];
                    puzzle[cell] = puzzle[cell] % rules.grid().symbols() + 1;
                }
                let limits = Limits::count(20).with_guesses(20_000);
                let [grid, dlx] = ["grid", "dlx"].map(|name| answer(named(name), &rules, &puzzle, limits));
                if !dlx.0.gave_up() && !grid.0.gave_up() {
                    assert_eq!(grid.0.solutions, dlx.0.solutions, "{} {puzzle:?}", rules.name());
                }
                if gone == 0 {
                    assert_eq!((grid.0.solutions, grid.1), (1, solution.clone()), "{}", rules.name());
                }
                let is_right = Verifier::new(&rules).check(&puzzle, &dlx.1).is_ok();
                assert!(dlx.0.solutions == 0 || is_right, "{}", rules.name());
            }
        }
    }
}

#[test]
fn large_grids_are_generated() {
    let rules = sudoku(25);
    for (puzzle, solution) in generated(&rules, 1, 2, Wish::Clues(300..=300)) {
        assert_eq!(puzzle.iter().filter(|&&symbol| symbol != 0).count(), 300);
        assert_eq!(Verifier::new(&rules).check(&puzzle, &solution), Ok(()));
    }
}

/// Without any of its clues a minimal puzzle has several solutions. Up to 9x9 this is proved.
#[test]
fn minimal_puzzles_of_every_kind_are_minimal() {
    for rules in kinds_and_sizes(9) {
        let mut dlx = (named("dlx").make)(&rules, Isa::best()).unwrap();
        for (puzzle, _) in generated(&rules, 6, 2, Wish::Minimal) {
            let without = |cell: usize| {
                let mut thinner = puzzle.clone();
                thinner[cell] = 0;
                thinner
            };
            let clues = (0..puzzle.len()).filter(|&cell| puzzle[cell] != 0);
            let thinner: Vec<u8> = clues.flat_map(without).collect();
            let (answers, _) = solve_flat(dlx.as_mut(), puzzle.len(), &thinner, Limits::UNIQUE);
            assert!(answers.iter().all(|answer| answer.solutions == 2), "{} {puzzle:?}", rules.name());
        }
    }
}

/// The verifier sees every unit of every kind.
#[test]
fn no_wrong_grid_passes_the_verifier() {
    for rules in kinds_and_sizes(25) {
        let (right, verifier) = (solved_of(&rules), Verifier::new(&rules));
        let blank = vec![0; right.len()];
        assert_eq!(verifier.check(&blank, &right), Ok(()), "{}", rules.name());
        for cell in (0..right.len()).step_by(1 + right.len() / 60) {
            let mut wrong = right.clone();
            wrong[cell] = wrong[cell] % rules.grid().symbols() + 1;
            assert!(verifier.check(&blank, &wrong).is_err() && verifier.check(&right, &wrong).is_err());
            let mut clue = blank.clone();
            clue[cell] = wrong[cell];
            assert!(verifier.check(&clue, &right).is_err(), "{}", rules.name());
        }
        // For every unit a grid in which other units may be right: a cell of it exchanged with a cell outside it.
        for unit in rules.grid().units() {
            let mut wrong = right.clone();
            let mut outside = (0..right.len()).filter(|cell| !unit.contains(cell));
            wrong.swap(unit[0], outside.find(|&cell| right[cell] != right[unit[0]]).unwrap());
            assert!(verifier.check(&blank, &wrong).is_err(), "{}", rules.name());
        }
    }
}

/// A random full grid.
fn solved_of(rules: &Rules) -> Vec<u8> {
    let cells = rules.grid().cells();
    generated(rules, 9, 1, Wish::Clues(cells..=cells)).remove(0).1
}
