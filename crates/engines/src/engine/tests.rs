//! The 9x9 engines against each other: the same counts, and solutions that the verifier accepts.

use super::{BACKTRACK, ENGINES, Engine, Entry, Isa, WrongLength, named};
use crate::grid::{Rules, Verifier};
use crate::puzzle::{Answer, Answers, Limits, Puzzles};

/// Puzzles that the oracle `backtrack` solves fast.
const EASY: &[&str] = &[
    "7...46.28...31.47...9...63.2.61.....3.4..21...1.......5.7....4....82..5.46.......",
    ".2475...6...4.2..35.91..4...6..........27.6...71.9.5.......43..9..63.7.5.........",
    "..1....7..2..3.458....64....6....7.353.8...4..........8..7.2....43.1..2...6..8...",
    "1..3...57.7.....2.9.5...1.......34198.7.415......9.8..3.962....72.........1......",
    "3.41...56572...9..81.759..4...6..597.........7.984..6..2...6....85.73...4..518.3.",
    ".27.....5.3.4.59...4986....9..7..25...315..9.7......4.4...1.8...9564.317316.7...4",
    // Complete.
    "123456789456789123789123456214365897365897214897214365531642978642978531978531642",
    // The same with two rows changed about: the columns hold, the blocks do not.
    "123456789214365897789123456456789123365897214897214365531642978642978531978531642",
    // Clues that clash in a row, a column of two bands, a block.
    "1........1.......................................................................",
    "11...............................................................................",
    "1...........................1....................................................",
    "1.........1......................................................................",
];

/// Puzzles for engines that infer something: few clues, the hardest known, many solutions, none.
const HARD: &[&str] = &[
    ".......12..8.3...........4.12.5..........47...6.......5.7...3.....62.......1.....",
    ".......17.9.6............5.2.....8.3....5.4.......1...6..2..3...41.7.............",
    ".......21.4.5.....8........7...92.........65.............61.4..32.........58.....",
    "....14....3....2...7..........9...3.6.1.............8.2.....1.4....5.6.....7.8...",
    "......94.....9...53....5.7..8.4..1..463...........7.8.8..7.....7......28.5.26....",
    "..........72.6.1....51...82.8...13..4.........37.9..1.....238..5.4..9.........79.",
    "5..7..6....38...........2..62.4............917............35.8.4.....1......9....",
    "4.35...2.....61...7............895.....3..8..2...........4...7..9....6...1.......",
    "6.....7.5.3.8................52.3.8.1.9.........4.....42...........9.1......7.6..",
    "..4..3....7..8....2.81....6..3....9..8..2....1..7....3......45....8..9....9..5..8",
    "3.......1.4...2.7...5...8......76.4.....5.....6.2.9...1.....5...7.6...9...8.....3",
    "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1",
    "85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4.",
    "..............3.7.5.6..9....14...6.92...1.....7..8..237..3..........79.8..96.5.4.",
    "..........2..7..89.7.3.9.......318.4....97.3.46...2...8.6...4....2.....81....5...",
    // Two or more solutions.
    "...34.6.72...8...1..9.....5....5...6..27.....6...2..7.723.....94..5.7...9.8......",
    "....73..4.5.....6.6.3...27...87......7.2.9.....5.....2.8.....3.....4...5.3..8594.",
    // None.
    "28...5..67..1...9.5...9...4..3....1.........9.48.5...3.......2.....89......6.25..",
    ".397...1....5.6...4.....8.71.5...3..6.429.....8...4.........1.4..8..........1598.",
];

/// Norvig's puzzle without a solution, which took his program 1,439 seconds.
const IMPOSSIBLE: &str = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";

const LIMITS: [u64; 3] = [1, 2, 100];

fn cells(line: &str) -> Vec<u8> {
    line.bytes().take(81).map(|byte| if byte.is_ascii_digit() { byte - b'0' } else { 0 }).collect()
}

fn make(name: &str) -> Box<dyn Engine> {
    let entry = if name == BACKTRACK.name { &BACKTRACK } else { named(name).unwrap() };
    (entry.make)(&Rules::default(), Isa::best()).unwrap()
}

/// Solves the puzzles as one batch, and verifies every solution.
fn solve(engine: &mut dyn Engine, puzzles: &[u8], limits: Limits) -> Vec<Answer> {
    let mut solutions = vec![0; puzzles.len()];
    let mut answers = vec![Answer::default(); puzzles.len() / 81];
    engine
        .solve(
            Puzzles::new(puzzles, 81).unwrap(),
            limits,
            &mut Answers::new(&mut solutions, &mut answers, 81).unwrap(),
        )
        .unwrap();
    let verifier = Verifier::new(&Rules::default());
    for ((puzzle, solution), answer) in puzzles.chunks(81).zip(solutions.chunks(81)).zip(&answers) {
        if answer.solutions > 0 {
            assert_eq!(verifier.check(puzzle, solution), Ok(()), "{puzzle:?}");
        }
    }
    answers
}

fn counts(name: &str, puzzles: &[u8], solutions: u64) -> Vec<u64> {
    let limits = Limits::count(solutions);
    solve(&mut *make(name), puzzles, limits).iter().map(|answer| answer.solutions).collect()
}

/// Whether `entry` counts as `expected`, but for puzzles in which it is stuck.
fn agrees(entry: &Entry, puzzles: &[u8], solutions: u64, expected: &[u64]) -> bool {
    let limits = Limits::count(solutions);
    let answers = solve(&mut *make(entry.name), puzzles, limits);
    let mut pairs = answers.iter().zip(expected);
    pairs.all(|(answer, &count)| answer.solutions == count || answer.is_stuck() && entry.may_be_stuck)
}

#[test]
fn every_engine_counts_as_the_oracle_does() {
    let puzzles: Vec<u8> = EASY.iter().flat_map(|line| cells(line)).collect();
    for limit in LIMITS {
        let expected = counts("backtrack", &puzzles, limit);
        for entry in ENGINES {
            assert!(agrees(entry, &puzzles, limit, &expected), "{}, limit {limit}", entry.name);
        }
    }
    assert_eq!(counts("bitboard", &puzzles, 2)[..6], [1; 6]);
}

#[test]
fn engines_that_infer_agree_on_hard_puzzles() {
    let puzzles: Vec<u8> = HARD.iter().flat_map(|line| cells(line)).collect();
    for limit in LIMITS {
        let expected = counts("dlx", &puzzles, limit);
        for name in ["bitboard", "hybrid", "hybrid-links"] {
            assert_eq!(counts(name, &puzzles, limit), expected, "{name}, limit {limit}");
        }
    }
}

#[test]
fn the_impossible_puzzle_takes_thousands_of_guesses_at_most() {
    for name in ["bitboard", "hybrid", "hybrid-links"] {
        let limits = Limits::ANY.with_guesses(10_000);
        let answer = solve(&mut *make(name), &cells(IMPOSSIBLE), limits)[0];
        assert_eq!((answer.solutions, answer.gave_up()), (0, false), "{name}: {answer:?}");
    }
}

#[test]
fn the_empty_grid_stops_at_either_limit() {
    for name in ["bitboard", "hybrid", "hybrid-links", "dlx", "backtrack"] {
        let mut engine = make(name);
        let answer = solve(&mut *engine, &[0; 81], Limits::count(100))[0];
        assert_eq!((answer.solutions, answer.gave_up()), (100, false), "{name}");
        let answer = solve(&mut *engine, &[0; 81], Limits::ALL.with_guesses(5_000))[0];
        assert_eq!((answer.gave_up(), answer.effort.guesses), (true, 5_000), "{name}");
    }
}

/// Earlier searches do not change an answer, and a limit on guesses ends the same search early.
#[test]
fn answers_do_not_depend_on_earlier_calls() {
    let puzzles: Vec<u8> = HARD.iter().flat_map(|line| cells(line)).collect();
    for name in ["bitboard", "hybrid", "hybrid-links"] {
        let mut engine = make(name);
        let answers = solve(&mut *engine, &puzzles, Limits::UNIQUE);
        for (puzzle, answer) in puzzles.chunks(81).zip(answers).rev() {
            assert_eq!(solve(&mut *engine, puzzle, Limits::UNIQUE), [answer], "{name}");
            for guesses in 0..answer.effort.guesses.min(20) {
                let cut = solve(&mut *engine, puzzle, Limits::UNIQUE.with_guesses(guesses))[0];
                assert_eq!((cut.gave_up(), cut.effort.guesses), (true, guesses), "{name}");
            }
            let guesses = answer.effort.guesses;
            assert_eq!(solve(&mut *engine, puzzle, Limits::UNIQUE.with_guesses(guesses)), [answer], "{name}");
        }
    }
}

#[test]
fn an_unknown_symbol_means_no_solution_and_a_wrong_stride_is_an_error() {
    for name in ["bitboard", "hybrid", "hybrid-links"] {
        for symbol in [10, 11, 127, 128, 137, 255] {
            for cell in [0, 40, 79, 80] {
                let mut puzzle = [0; 81];
                puzzle[cell] = symbol;
                assert_eq!(solve(&mut *make(name), &puzzle, Limits::ANY), [Answer::complete(0)], "{name}");
            }
        }
        for stride in [1, 80, 82, 256] {
            let (puzzle, mut solution, mut answers) = (vec![0; stride], vec![0; stride], [Answer::default()]);
            let mut places = Answers::new(&mut solution, &mut answers, stride).unwrap();
            let solved = make(name).solve(Puzzles::new(&puzzle, stride).unwrap(), Limits::ANY, &mut places);
            assert_eq!(solved, Err(WrongLength::Cells { found: stride, expected: 81 }), "{name}");
            assert_eq!(answers, [Answer::default()], "{name}, stride {stride}");
        }
    }
}

/// The files of the large sets, if there are any.
#[test]
fn whole_files_have_the_counts_they_are_known_for() {
    for (file, expected) in [
        ("17_clue.txt", 1),
        ("unbiased_100k.txt", 1),
        ("easy_100k.txt", 1),
        ("top95.txt", 1),
        ("top1465.txt", 1),
        ("forum_hardest_1106.txt", 1),
        ("forum_hardest_1905_11plus.txt", 1),
        ("multi_20k.txt", 2),
        ("invalid_20k.txt", 0),
    ] {
        let Some(text) = galop_testing::available::large_set_text(file) else { continue };
        let puzzles: Vec<u8> = text.lines().flat_map(cells).collect();
        for (name, share) in [("bitboard", 1), ("hybrid", 5)] {
            let puzzles = &puzzles[..puzzles.len() / 81 / share * 81];
            for answer in solve(&mut *make(name), puzzles, Limits::UNIQUE) {
                assert_eq!(answer.solutions, expected, "{name}, {file}");
            }
        }
    }
}
