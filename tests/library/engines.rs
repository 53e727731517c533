//! Every engine of the table against the data files, the verifier, the other engines and itself.
//!
//! Data: samples of the files in `data/` and of the large sets (`GALOP_DATA`), and puzzles that are made here.
//!
//! `backtrack` takes minutes for single puzzles whose first rows are blank. It gets a limit on guesses, and its
//! answers within the limit must be right; one test says how many these must be.

use std::path::PathBuf;

use galop_corpora::symmetry::Symmetries;
use galop_engines::Rules;
use galop_engines::engine;
use galop_engines::engine::{Entry, WrongLength};
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles, Status};
use proptest::prelude::*;

use galop_testing::chance::Chance;
use galop_testing::data::{puzzle_files, sample};
use galop_testing::engines::{new, solve as solve_with};
use galop_testing::puzzles::{Cells, IMPOSSIBLE, PUZZLE, SLOW, SOLUTION, cells};

/// Guesses that `backtrack` may spend on one puzzle: about two milliseconds.
const BACKTRACK_GUESSES: u64 = 50_000;

/// Puzzles of one solution: Norvig's two examples, Inkala's of 2010, and two with 17 clues.
const UNIQUE: [&str; 5] = [
    "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..",
    PUZZLE,
    "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..",
    SLOW,
    "......52..8.4......3...9...5.1...6..2..7........3.....6...1..........7.4.......3.",
];

/// Solves `puzzles` with a new engine, and checks what every engine promises.
fn solve(entry: &Entry, puzzles: &[Cells], limits: Limits) -> Vec<(Answer, Cells)> {
    let found = solve_with(new(entry).as_mut(), puzzles, limits);
    for (puzzle, (answer, solution)) in
        puzzles.iter().zip(&found).filter(|(_, (answer, _))| answer.is_stuck())
    {
        assert!(entry.may_be_stuck && answer.gave_up(), "{} {answer:?}", entry.name);
        assert_eq!((answer.solutions, answer.effort.guesses), (0, 0), "{}", entry.name);
        assert!(solution.contains(&0) && is_within(puzzle, solution), "{} {puzzle:?}", entry.name);
    }
    found
}

/// Whether every cell filled in `part` is the same in `whole`.
fn is_within(part: &Cells, whole: &Cells) -> bool {
    part.iter().zip(whole).all(|(part, whole)| *part == 0 || part == whole)
}

/// No limit on guesses, except for the slow engine.
fn limits(entry: &Entry, solutions: u64) -> Limits {
    let limits = Limits::count(solutions);
    if is_slow(entry) { limits.with_guesses(BACKTRACK_GUESSES) } else { limits }
}

fn is_slow(entry: &Entry) -> bool {
    entry.name == "backtrack"
}

/// Puzzles of each file for an engine: fewer for those that take milliseconds for the hardest.
fn sample_size(entry: &Entry) -> usize {
    if ["reduce", "singles", "strategies"].contains(&entry.name) { 100 } else { 1_000 }
}

/// The engine that the others are compared with where a file does not give the answer.
fn reference() -> &'static Entry {
    engine::named("dlx").unwrap()
}

/// A solved grid with `clues` cells left. The fewer clues, the more solutions.
fn thinned(seed: u64, clues: usize) -> Cells {
    let (mut puzzle, mut chance, mut left) = (cells(SOLUTION), Chance::new(seed), 81);
    while left > clues {
        let cell = chance.below(81);
        left -= usize::from(puzzle[cell] != 0);
        puzzle[cell] = 0;
    }
    puzzle
}

/// Puzzles for every test: with one solution, with several, and with none.
fn made() -> Vec<Cells> {
    let mut puzzles = UNIQUE.map(cells).to_vec();
    puzzles.extend((0..60).map(|seed| thinned(seed, 22 + seed as usize % 12)));
    // With one clue changed most have no solution, some have others.
    puzzles.extend((60..90).map(|seed| {
        let mut puzzle = thinned(seed, 30);
        let cell = (0..81).filter(|&cell| puzzle[cell] != 0).nth(seed as usize % 30).unwrap();
        puzzle[cell] = puzzle[cell] % 9 + 1;
        puzzle
    }));
    puzzles
}

/// The puzzles that are made, and some of every file.
fn made_and_read() -> Vec<Cells> {
    let mut puzzles = made();
    puzzles.extend(puzzle_files().iter().flat_map(|path| sample(path, 20, 0)));
    puzzles
}

/// The files, each with the status that all of its puzzles have under [`Limits::UNIQUE`].
fn files_with_status() -> impl Iterator<Item = (PathBuf, Status)> {
    puzzle_files().into_iter().map(|path| {
        let name = path.file_name().unwrap().to_string_lossy();
        let status = match () {
            () if name.starts_with("multi") => Status::Multiple,
            () if name.starts_with("invalid") => Status::None,
            () => Status::Solved,
        };
        (path, status)
    })
}

#[test]
fn puzzles_of_files_have_the_status_of_their_file() {
    for (path, status) in files_with_status() {
        let all = sample(&path, 1_000, 0);
        let expected = solve(reference(), &all, Limits::UNIQUE);
        for entry in galop_published::all().filter(|entry| !is_slow(entry)) {
            let step = all.len().div_ceil(sample_size(entry)).max(1);
            let (puzzles, expected): (Vec<Cells>, Vec<&(Answer, Cells)>) =
                all.iter().copied().zip(&expected).step_by(step).unzip();
            let found = solve(entry, &puzzles, Limits::UNIQUE);
            for ((puzzle, found), expected) in puzzles.iter().zip(&found).zip(expected) {
                if found.0.is_stuck() {
                    // The cells that it filled are those of the only solution.
                    assert!(status != Status::Solved || is_within(&found.1, &expected.1), "{}", entry.name);
                    continue;
                }
                assert_eq!(found.0.status(Limits::UNIQUE), status, "{} {puzzle:?}", entry.name);
                if status == Status::Solved {
                    assert_eq!(found.1, expected.1, "{} {puzzle:?}", entry.name);
                }
            }
        }
    }
}

/// Engines find the solutions of the file of solutions, where there is one beside the puzzles.
#[test]
fn puzzles_of_files_have_the_solutions_of_the_file_of_solutions() {
    for path in puzzle_files() {
        let stem = path.file_stem().unwrap().to_string_lossy();
        let beside = path.with_file_name(format!("{stem}_solutions.txt"));
        if !beside.exists() {
            continue;
        }
        let (puzzles, solutions) = (sample(&path, 5_000, 0), sample(&beside, 5_000, 1));
        assert_eq!(puzzles.len(), solutions.len(), "{}", beside.display());
        for entry in galop_published::all().filter(|entry| !is_slow(entry)) {
            for (found, solution) in solve(entry, &puzzles, Limits::ANY).iter().zip(&solutions) {
                let is_right =
                    if found.0.is_stuck() { is_within(&found.1, solution) } else { found.1 == *solution };
                assert!(is_right, "{}", entry.name);
            }
        }
    }
}

/// What `backtrack` answers within its limit is right, and it answers at least a third of the puzzles.
#[test]
fn backtrack_agrees_within_its_limit() {
    let backtrack = galop_published::named("backtrack").unwrap();
    let sampled = puzzle_files().iter().flat_map(|path| sample(path, 100, 0)).collect::<Vec<_>>();
    for puzzles in [made(), sampled] {
        let expected = solve(reference(), &puzzles, Limits::UNIQUE);
        let mut answered = 0;
        for (found, expected) in solve(backtrack, &puzzles, limits(backtrack, 2))
            .iter()
            .zip(&expected)
            .filter(|(found, _)| !found.0.gave_up())
        {
            answered += 1;
            assert_eq!(found.0.solutions, expected.0.solutions);
            assert!(found.0.solutions != 1 || found.1 == expected.1);
        }
        assert!(3 * answered >= puzzles.len(), "{answered} of {}", puzzles.len());
    }
}

#[test]
fn engines_agree_on_the_count() {
    let puzzles = made_and_read();
    for solutions in [1, 2, 100] {
        let expected = solve(reference(), &puzzles, limits(reference(), solutions));
        for entry in galop_published::all() {
            let found = solve(entry, &puzzles, limits(entry, solutions));
            for ((puzzle, (found, _)), (expected, _)) in puzzles.iter().zip(&found).zip(&expected) {
                assert!(!found.gave_up() || is_slow(entry) || found.is_stuck());
                let is_same = found.gave_up() || found.solutions == expected.solutions;
                assert!(is_same, "{} {found:?} {expected:?} {puzzle:?}", entry.name);
            }
        }
    }
}

#[test]
fn limits_on_guesses_are_kept_and_the_true_number_of_guesses_is_enough() {
    let puzzles = made_and_read();
    for entry in galop_published::all() {
        let is_batched = new(entry).is_batched();
        for solutions in [1, 2, 100] {
            let unlimited = solve(entry, &puzzles, limits(entry, solutions));
            for guesses in [0, 1, 5] {
                let limited = solve(entry, &puzzles, Limits::count(solutions).with_guesses(guesses));
                for ((limited, _), (unlimited, _)) in limited.iter().zip(&unlimited) {
                    let is_enough = unlimited.effort.guesses <= guesses && !unlimited.gave_up();
                    let is_settled = limited.gave_up() != is_enough || is_batched;
                    assert!(is_settled, "{} {limited:?} {unlimited:?}", entry.name);
                    // An engine that solves many puzzles at once may guess differently among other puzzles.
                    assert!(limited.gave_up() || limited.solutions == unlimited.solutions);
                    assert!(limited.gave_up() || limited == unlimited || is_batched);
                    assert!(!limited.gave_up() || limited.is_stuck() || limited.effort.guesses == guesses);
                }
            }
            let mut engine = new(entry);
            let alone = puzzles.iter().zip(&unlimited).filter(|(_, found)| !found.0.gave_up() && !is_batched);
            for (puzzle, unlimited) in alone {
                let guesses = unlimited.0.effort.guesses;
                let limited =
                    solve_with(engine.as_mut(), &[*puzzle], Limits::count(solutions).with_guesses(guesses))
                        [0];
                assert_eq!(limited.0, unlimited.0, "{}", entry.name);
                assert!(limited.0.solutions == 0 || limited.1 == unlimited.1, "{}", entry.name);
            }
        }
    }
}

#[test]
fn answers_do_not_depend_on_earlier_calls() {
    let puzzles = made();
    for entry in galop_published::all() {
        let mut engine = new(entry);
        let limits = limits(entry, 2);
        let first = solve_with(engine.as_mut(), &puzzles, limits);
        // One search that stops in the middle, and one that never begins.
        solve_with(engine.as_mut(), &[[0; 81], [9; 81]], limits);
        assert_eq!(solve_with(engine.as_mut(), &puzzles, limits), first, "{}", entry.name);
    }
}

/// Norvig's program took 1,439 seconds to find that the puzzle has no solution. Strong engines take some thousand
/// guesses and a few milliseconds; engines that infer singles only give up.
#[test]
fn norvigs_impossible_puzzle_has_no_solution() {
    for entry in galop_published::all().filter(|entry| !is_slow(entry)) {
        let limits = Limits::ANY.with_guesses(10_000);
        let (answer, _) = solve(entry, &[cells(IMPOSSIBLE)], limits)[0];
        assert_eq!(answer.solutions, 0, "{}", entry.name);
        let is_strong = ["lanes", "bitboard", "hybrid", "hybrid-links", "dlx"].contains(&entry.name);
        assert!(!answer.gave_up() || !is_strong, "{} {answer:?}", entry.name);
        assert!(answer.effort.guesses < 5_000 || entry.name != "dlx", "{answer:?}");
    }
}

#[test]
fn the_empty_grid_stops_at_the_limits() {
    for entry in galop_published::all() {
        if entry.may_be_stuck {
            let (answer, solution) = solve(entry, &[[0; 81]], Limits::UNIQUE)[0];
            assert!(answer.is_stuck() && solution == [0; 81], "{} {answer:?}", entry.name);
            continue;
        }
        for solutions in [1, 2, 100] {
            let (answer, _) = solve(entry, &[[0; 81]], Limits::count(solutions))[0];
            assert_eq!((answer.solutions, answer.gave_up()), (solutions, false), "{}", entry.name);
        }
        let (answer, _) = solve(entry, &[[0; 81]], Limits::ALL.with_guesses(1_000))[0];
        assert!(answer.gave_up() && answer.effort.guesses == 1_000, "{} {answer:?}", entry.name);
    }
}

#[test]
fn a_full_grid_is_its_own_solution_without_a_guess() {
    for entry in galop_published::all() {
        let (answer, solution) = solve(entry, &[cells(SOLUTION)], Limits::UNIQUE)[0];
        assert_eq!((answer.solutions, answer.effort.guesses), (1, 0), "{}", entry.name);
        assert_eq!(solution, cells(SOLUTION));
    }
}

#[test]
fn contradictory_clues_have_no_solution() {
    // One digit twice in a row, a column, a block; a full grid with one digit wrong.
    let clash = |one: usize, other: usize| {
        let mut puzzle = [0; 81];
        (puzzle[one], puzzle[other]) = (5, 5);
        puzzle
    };
    let mut wrong = cells(SOLUTION);
    wrong[80] = wrong[80] % 9 + 1;
    let puzzles = [clash(0, 8), clash(3, 75), clash(60, 80), [9; 81], wrong];
    for entry in galop_published::all() {
        for (answer, _) in solve(entry, &puzzles, Limits::UNIQUE) {
            assert_eq!(answer.status(Limits::UNIQUE), Status::None, "{}", entry.name);
            assert_eq!(answer.effort.guesses, 0, "{}", entry.name);
        }
    }
}

#[test]
fn a_puzzle_with_a_symbol_that_the_rules_do_not_have_has_no_solution() {
    for entry in galop_published::all() {
        let mut engine = new(entry);
        for symbol in [10, 11, 16, 17, 32, 33, 64, 65, 128, 129, 255] {
            for cell in [0, 40, 80] {
                let mut puzzle = [0; 81];
                puzzle[cell] = symbol;
                let (answer, _) = solve_with(engine.as_mut(), &[puzzle], Limits::UNIQUE)[0];
                assert_eq!((answer.solutions, answer.gave_up()), (0, false), "{} {symbol}", entry.name);
            }
        }
    }
}

#[test]
fn a_wrong_stride_is_an_error_and_leaves_puzzles_unanswered() {
    for entry in galop_published::all() {
        let mut engine = new(entry);
        for (stride, place) in [(80, 80), (82, 82), (1, 1), (80, 81), (81, 80), (82, 81), (256, 256)] {
            let (mut solutions, mut answers) = (vec![0; 4 * place], [Answer::default(); 4]);
            let mut places = Answers::new(&mut solutions, &mut answers, place).unwrap();
            let solved =
                engine.solve(Puzzles::new(&vec![0; 4 * stride], stride).unwrap(), Limits::ANY, &mut places);
            let found = if stride == 81 { place } else { stride };
            assert_eq!(
                solved,
                Err(WrongLength::Cells { found, expected: 81 }),
                "{} {stride} {place}",
                entry.name
            );
            assert_eq!(answers, [Answer::default(); 4], "{} {stride} {place}", entry.name);
        }
        // With fewer places than puzzles, or more, the smaller number counts.
        for (puzzles, places) in [(3, 1), (1, 3), (0, 2), (2, 0)] {
            let (mut solutions, mut answers) = (vec![0; places * 81], vec![Answer::default(); places]);
            let bytes = cells(SOLUTION).repeat(puzzles);
            let mut places_of_answers = Answers::new(&mut solutions, &mut answers, 81).unwrap();
            engine.solve(Puzzles::new(&bytes, 81).unwrap(), Limits::ANY, &mut places_of_answers).unwrap();
            let solved = answers.iter().map(|answer| answer.solutions).sum::<u64>();
            assert_eq!(solved, puzzles.min(places) as u64, "{}", entry.name);
            let answered = answers.iter().filter(|answer| answer.is_answered()).count();
            assert_eq!(answered, puzzles.min(places), "{}", entry.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn symmetries_keep_the_number_of_solutions(seed in any::<u64>(), place in 0..95_usize) {
        let symmetry = Symmetries::new(&Rules::default(), seed).unwrap().get(0, 0);
        let image = |cells: &Cells| {
            let mut image = [0; 81];
            symmetry.apply(cells, &mut image).unwrap();
            image
        };
        let puzzle = made()[place];
        let mapped = image(&puzzle);
        for entry in galop_published::all() {
            let limits = limits(entry, 100);
            let [(one, solution), (other, mapped_solution)] = solve(entry, &[puzzle, mapped], limits)[..] else {
                panic!("two answers");
            };
            if !one.gave_up() && !other.gave_up() {
                prop_assert_eq!(one.solutions, other.solutions, "{}", entry.name);
                if one.solutions == 1 {
                    prop_assert_eq!(image(&solution), mapped_solution, "{}", entry.name);
                }
            }
        }
    }
}
