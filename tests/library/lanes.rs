//! The engine that solves many puzzles at once, against `bitboard` and against itself: whole data sets, batches
//! of every size and mixture, every instruction set.
//!
//! Samples of the files in `data/` and `../shared/data` (where that folder is); all of their lines with
//! `GALOP_TEST_LINES=all`.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use galop::rules::Verifier;
use galop::{Answer, Answers, Engine, Entry, Isa, Limits, Puzzles, Rules, Status, engine};

type Cells = [u8; 81];

const SOLVED: &str = "417369825632158947958724316825437169791586432346912758289643571573291684164875293";
/// Few clues that contradict each other in one corner (Norvig): hard for splits by configurations.
const IMPOSSIBLE: &str = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";

fn cells(text: &str) -> Cells {
    let digits = text.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' });
    digits.collect::<Vec<_>>().try_into().unwrap()
}

fn lanes() -> &'static Entry {
    engine("lanes").unwrap()
}

/// The instruction sets that this machine has.
fn isas() -> impl Iterator<Item = Isa> {
    Isa::ALL.into_iter().filter(|isa| isa.is_available())
}

/// The answers of a new engine, and the solution where there is one; every solution checked.
fn solve(entry: &Entry, isa: Isa, puzzles: &[Cells], limits: Limits) -> Vec<(Answer, Option<Cells>)> {
    let mut engine = (entry.make)(&Rules::sudoku(), isa).unwrap();
    solve_with(engine.as_mut(), puzzles, limits)
}

fn solve_with(engine: &mut dyn Engine, puzzles: &[Cells], limits: Limits) -> Vec<(Answer, Option<Cells>)> {
    let (mut solutions, mut answers) = (vec![0; 81 * puzzles.len()], vec![Answer::default(); puzzles.len()]);
    let mut places = Answers::new(&mut solutions, &mut answers, 81);
    engine.solve(Puzzles::new(puzzles.as_flattened(), 81), limits, &mut places);
    let verifier = Verifier::new(&Rules::sudoku());
    let solutions = solutions.as_chunks::<81>().0.iter();
    let found = puzzles.iter().zip(answers).zip(solutions).map(|((puzzle, answer), solution)| {
        assert!(answer.solutions <= limits.solutions && answer.effort.guesses <= limits.guesses);
        assert_eq!(answer.effort.nanos, 0, "an engine holds no clock");
        let is_found = answer.solutions > 0;
        assert!(!is_found || verifier.check(puzzle, solution).is_ok(), "{puzzle:?} {solution:?}");
        (answer, is_found.then_some(*solution))
    });
    found.collect()
}

/// Status, count, and the solution where it is known to be the only one.
fn settled(of: &[(Answer, Option<Cells>)], limits: Limits) -> Vec<(Status, u64, Option<Cells>)> {
    of.iter()
        .map(|(answer, solution)| {
            let is_unique = answer.solutions == 1 && limits.solutions > 1 && !answer.gave_up;
            (answer.status(limits), answer.solutions, solution.filter(|_| is_unique))
        })
        .collect()
}

fn assert_like_bitboard(isa: Isa, puzzles: &[Cells], limits: Limits, what: &str) {
    let expected = settled(&solve(engine("bitboard").unwrap(), isa, puzzles, limits), limits);
    let found = settled(&solve(lanes(), isa, puzzles, limits), limits);
    for ((puzzle, found), expected) in puzzles.iter().zip(&found).zip(&expected) {
        assert_eq!(found, expected, "{what} {} {limits:?} {puzzle:?}", isa.name());
    }
}

/// At most `count` puzzles, evenly over the file; all of them if `GALOP_TEST_LINES` is `all`.
fn read(path: &Path, count: usize) -> Vec<Cells> {
    let text = fs::read_to_string(path).unwrap();
    let puzzles: Vec<Cells> =
        text.lines().filter(|line| line.len() >= 81).map(|line| cells(&line[..81])).collect();
    let count =
        if std::env::var("GALOP_TEST_LINES").is_ok_and(|lines| lines == "all") { usize::MAX } else { count };
    let step = puzzles.len().div_ceil(count).max(1);
    puzzles.into_iter().step_by(step).collect()
}

fn data_sets() -> Vec<PathBuf> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [home.join("data"), home.join("../shared/data")];
    let files = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let mut paths: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.ends_with(".txt") && !name.contains("_solutions") && !name.starts_with("16x16")
    });
    paths.sort();
    paths
}

/// Easy, hard, with many solutions and with none, mixed: made of grids by blanking cells.
fn made(count: usize) -> Vec<Cells> {
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        // Xorshift: Marsaglia, "Xorshift RNGs" (2003).
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random as usize
    };
    let minimal = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data/minimal_10k.txt"), usize::MAX);
    let mut make = |place: usize| {
        let mut puzzle =
            if place.is_multiple_of(2) { cells(SOLVED) } else { minimal[next() % minimal.len()] };
        match place % 6 {
            0 => (0..60).for_each(|_| puzzle[next() % 81] = 0),
            2 => (0..110).for_each(|_| puzzle[next() % 81] = 0),
            3 => (0..4).for_each(|_| puzzle[next() % 81] = 0),
            5 => puzzle[next() % 81] = 1 + (next() % 9) as u8,
            _ => (),
        }
        puzzle
    };
    (0..count).map(&mut make).collect()
}

#[test]
fn data_sets_have_bitboards_answers() {
    for path in data_sets() {
        let puzzles = read(&path, 4_000);
        for limits in [Limits::ANY, Limits::UNIQUE] {
            for isa in isas() {
                assert_like_bitboard(isa, &puzzles, limits, &path.to_string_lossy());
            }
        }
    }
}

#[test]
fn batches_of_every_size_have_bitboards_answers() {
    let puzzles = made(1_000);
    for isa in isas() {
        for count in [0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1_000] {
            for solutions in [1, 2, 50] {
                let limits = Limits { solutions, guesses: u64::MAX };
                assert_like_bitboard(isa, &puzzles[..count], limits, "made");
            }
        }
    }
    // More than 64 K puzzles, and no multiple of anything.
    assert_like_bitboard(Isa::best(), &made(100_003), Limits::UNIQUE, "many");
}

#[test]
fn hard_among_easy_easy_among_hard_and_all_alike() {
    let easy = cells(&format!("{}.", &SOLVED[..80]));
    let hard = cells(".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....");
    let [none, many] = [cells(IMPOSSIBLE), [0; 81]];
    for isa in isas() {
        for (one, others) in
            [(hard, easy), (easy, hard), (none, easy), (easy, none), (many, easy), (easy, many)]
        {
            for place in [0, 100, 599] {
                let mut puzzles = vec![others; 600];
                puzzles[place] = one;
                assert_like_bitboard(isa, &puzzles, Limits::UNIQUE, "mixed");
            }
        }
        for alike in [easy, hard, none, many] {
            assert_like_bitboard(isa, &vec![alike; 700], Limits::UNIQUE, "alike");
        }
    }
}

/// The others' answers are what they are without it.
#[test]
fn a_limit_on_guesses_concerns_its_puzzle_alone() {
    let puzzles = made(900);
    for isa in isas() {
        for solutions in [1, 2, 1_000] {
            let unlimited = solve(lanes(), isa, &puzzles, Limits { solutions, guesses: u64::MAX });
            for guesses in [0, 1, 3, 20] {
                let limits = Limits { solutions, guesses };
                let limited = solve(lanes(), isa, &puzzles, limits);
                let mut gave_up = 0;
                for ((limited, _), (unlimited, _)) in limited.iter().zip(&unlimited) {
                    if limited.gave_up {
                        gave_up += 1;
                        assert_eq!(limited.effort.guesses, guesses);
                        assert!(limited.solutions <= unlimited.solutions);
                    } else {
                        assert_eq!(limited.solutions, unlimited.solutions);
                    }
                }
                assert!(0 < gave_up && gave_up < puzzles.len(), "{gave_up}");
            }
        }
    }
}

/// A batch is answered alike, guess for guess, whatever was solved before: also where the solutions are many and
/// the first one depends on the order of the search.
#[test]
fn a_batch_is_answered_alike_every_time() {
    let puzzles = made(700);
    for isa in isas() {
        for solutions in [1, 2, 10] {
            let limits = Limits { solutions, guesses: 100 };
            let mut engine = (lanes().make)(&Rules::sudoku(), isa).unwrap();
            let first = solve_with(engine.as_mut(), &puzzles, limits);
            solve_with(engine.as_mut(), &puzzles[300..650], Limits::UNIQUE);
            solve_with(engine.as_mut(), &vec![[0; 81]; 300], limits);
            assert!(solve_with(engine.as_mut(), &puzzles, limits) == first, "{}", isa.name());
            assert!(solve(lanes(), isa, &puzzles, limits) == first, "{}", isa.name());
        }
    }
}

/// A batch that would take for ever is left when asked, and leaves nothing behind.
#[test]
fn a_batch_is_left_when_asked() {
    let endless = vec![[0; 81]; 500];
    let puzzles = made(500);
    for isa in isas() {
        let mut engine = (lanes().make)(&Rules::sudoku(), isa).unwrap();
        let (mut solutions, mut answers) = (vec![0; 81 * 500], vec![Answer::default(); 500]);
        let asked = std::cell::Cell::new(0);
        let is_stopped = || asked.replace(asked.get() + 1) == 2;
        engine.solve_until(
            Puzzles::new(endless.as_flattened(), 81),
            Limits { solutions: u64::MAX, guesses: u64::MAX },
            &mut Answers::new(&mut solutions, &mut answers, 81),
            &is_stopped,
        );
        assert_eq!(asked.get(), 3);
        let found = solve_with(engine.as_mut(), &puzzles, Limits::UNIQUE);
        assert!(found == solve(lanes(), isa, &puzzles, Limits::UNIQUE), "{}", isa.name());
    }
}

#[test]
fn what_is_no_puzzle_has_no_solution_and_harms_nobody() {
    for isa in isas() {
        let mut puzzles = made(400);
        let expected = solve(lanes(), isa, &puzzles, Limits::UNIQUE);
        for place in (0..400).step_by(7) {
            puzzles[place][place % 81] = [10, 16, 17, 32, 128, 255][place % 6];
        }
        let found = solve(lanes(), isa, &puzzles, Limits::UNIQUE);
        for (place, (found, expected)) in found.iter().zip(&expected).enumerate() {
            if place.is_multiple_of(7) {
                assert_eq!((found.0.solutions, found.0.effort.guesses), (0, 0));
            } else {
                assert_eq!(found.0.solutions, expected.0.solutions);
            }
        }
    }
}

/// The costs of a batch say where the work went: nothing is free, a hard puzzle costs more than an easy one.
#[test]
fn costs_are_shares_of_the_work() {
    let easy = cells(&format!("{}.", &SOLVED[..80]));
    let mut puzzles = vec![easy; 600];
    puzzles[50] = cells("..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9");
    for isa in isas() {
        let costs: Vec<u64> = solve(lanes(), isa, &puzzles, Limits::UNIQUE)
            .iter()
            .map(|(answer, _)| answer.effort.cost)
            .collect();
        assert!(costs.iter().all(|&cost| cost > 0));
        assert!(costs[50] > costs[40] && costs[50] == *costs.iter().max().unwrap(), "{costs:?}");
    }
}

#[test]
fn the_work_adds_up() {
    for isa in isas() {
        let mut engine = (lanes().make)(&Rules::sudoku(), isa).unwrap();
        solve_with(engine.as_mut(), &made(500), Limits::UNIQUE);
        // Too few for lanes.
        solve_with(engine.as_mut(), &made(3), Limits::UNIQUE);
        let work = engine.work().unwrap();
        assert_eq!((work.isa, work.puzzles), (isa, 500));
        assert!(work.busy <= work.rounds * work.lanes as u64 && work.sweeps >= work.busy);
    }
}
