//! The engine that solves many puzzles at once, against `bitboard` and against itself: files, batches of every size
//! and mixture, every instruction set.

use galop_engines::Rules;
use galop_engines::engine::{Entry, Isa, LanesEngine, WrongLength};
use galop_engines::grid::Verifier;
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles, Status};

use galop_testing::available::isas;
use galop_testing::chance::Chance;
use galop_testing::data::{first, puzzle_files, sample};
use galop_testing::engines::{named, solve as solve_with};
use galop_testing::puzzles::{Cells, IMPOSSIBLE, SLOW, SOLUTION, cells};

fn lanes() -> &'static Entry {
    named("lanes")
}

/// The answers of a new engine.
fn solve(entry: &Entry, isa: Isa, puzzles: &[Cells], limits: Limits) -> Vec<(Answer, Cells)> {
    solve_with((entry.make)(&Rules::default(), isa).unwrap().as_mut(), puzzles, limits)
}

/// Each puzzle's status, number of solutions, and the solution if it is known to be the only one.
fn settled(found: &[(Answer, Cells)], limits: Limits) -> Vec<(Status, u64, Option<Cells>)> {
    let settle = |&(answer, solution): &(Answer, Cells)| {
        let is_unique = answer.solutions == 1 && limits != Limits::ANY && !answer.gave_up();
        (answer.status(limits), answer.solutions, is_unique.then_some(solution))
    };
    found.iter().map(settle).collect()
}

/// Asserts that on these instruction sets `lanes` finds what `bitboard` finds, which solves equal puzzles once.
fn assert_like_bitboard(isas: &[Isa], puzzles: &[Cells], limits: Limits, what: &str) {
    let mut different = puzzles.to_vec();
    different.sort_unstable();
    different.dedup();
    let answers = settled(&solve(named("bitboard"), Isa::best(), &different, limits), limits);
    for &isa in isas {
        let found = settled(&solve(lanes(), isa, puzzles, limits), limits);
        for (puzzle, found) in puzzles.iter().zip(&found) {
            let expected = &answers[different.binary_search(puzzle).unwrap()];
            assert_eq!(found, expected, "{what} {} {limits:?} {puzzle:?}", isa.name());
        }
    }
}

/// Easy and hard puzzles, puzzles with many solutions and with none, mixed: grids with cells blanked or changed.
fn made(count: usize) -> Vec<Cells> {
    let (mut chance, minimal) = (Chance::new(1), first("minimal_10k.txt", usize::MAX));
    let mut make = |place: usize| {
        let mut puzzle =
            if place.is_multiple_of(2) { cells(SOLUTION) } else { minimal[chance.below(minimal.len())] };
        match place % 6 {
            0 => (0..60).for_each(|_| puzzle[chance.below(81)] = 0),
            2 => (0..110).for_each(|_| puzzle[chance.below(81)] = 0),
            3 => (0..4).for_each(|_| puzzle[chance.below(81)] = 0),
            5 => puzzle[chance.below(81)] = 1 + chance.below(9) as u8,
            _ => (),
        }
        puzzle
    };
    (0..count).map(&mut make).collect()
}

#[test]
fn puzzles_of_files_have_bitboards_answers() {
    for path in puzzle_files() {
        let puzzles = sample(&path, 4_000, 0);
        for limits in [Limits::ANY, Limits::UNIQUE] {
            assert_like_bitboard(&isas(), &puzzles, limits, &path.to_string_lossy());
        }
    }
}

#[test]
fn batches_of_every_size_have_bitboards_answers() {
    let puzzles = made(1_000);
    for count in [0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1_000] {
        for solutions in [1, 2, 50] {
            let limits = Limits::count(solutions);
            assert_like_bitboard(&isas(), &puzzles[..count], limits, "made");
        }
    }
    // More than 2^16 puzzles, and a prime number of them.
    assert_like_bitboard(&[Isa::best()], &made(100_003), Limits::UNIQUE, "many");
}

#[test]
fn hard_among_easy_easy_among_hard_and_all_alike() {
    let easy = cells(&format!("{}.", &SOLUTION[..80]));
    let hard = cells(".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....");
    let [none, many] = [cells(IMPOSSIBLE), [0; 81]];
    for (one, others) in [(hard, easy), (easy, hard), (none, easy), (easy, none), (many, easy), (easy, many)]
    {
        for place in [0, 100, 599] {
            let mut puzzles = vec![others; 600];
            puzzles[place] = one;
            assert_like_bitboard(&isas(), &puzzles, Limits::UNIQUE, "mixed");
        }
    }
    for alike in [easy, hard, none, many] {
        assert_like_bitboard(&isas(), &[alike; 700], Limits::UNIQUE, "alike");
    }
}

/// The answers of the other puzzles are those without a limit.
#[test]
fn a_limit_on_guesses_ends_the_search_of_its_puzzle_alone() {
    let puzzles = made(900);
    for isa in isas() {
        for solutions in [1, 2, 1_000] {
            let unlimited = solve(lanes(), isa, &puzzles, Limits::count(solutions));
            for guesses in [0, 1, 3, 20] {
                let limits = Limits::count(solutions).with_guesses(guesses);
                let limited = solve(lanes(), isa, &puzzles, limits);
                let mut gave_up = 0;
                for ((limited, _), (unlimited, _)) in limited.iter().zip(&unlimited) {
                    if limited.gave_up() {
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

/// An engine answers a batch alike, guess for guess, whatever it solved before: also puzzles with many solutions, of
/// which the first depends on the order of the search.
#[test]
fn a_batch_has_the_same_answers_every_time() {
    let puzzles = made(700);
    for isa in isas() {
        for solutions in [1, 2, 10] {
            let limits = Limits::count(solutions).with_guesses(100);
            let mut engine = (lanes().make)(&Rules::default(), isa).unwrap();
            let first = solve_with(engine.as_mut(), &puzzles, limits);
            solve_with(engine.as_mut(), &puzzles[300..650], Limits::UNIQUE);
            solve_with(engine.as_mut(), &vec![[0; 81]; 300], limits);
            assert!(solve_with(engine.as_mut(), &puzzles, limits) == first, "{}", isa.name());
            assert!(solve(lanes(), isa, &puzzles, limits) == first, "{}", isa.name());
        }
    }
}

/// An engine stops an endless batch when it is asked to, and keeps nothing of it.
#[test]
fn a_batch_is_stopped_on_request() {
    let endless = vec![[0; 81]; 500];
    let puzzles = made(500);
    for isa in isas() {
        let mut engine = (lanes().make)(&Rules::default(), isa).unwrap();
        let (mut solutions, mut answers) = (vec![0; 81 * 500], vec![Answer::default(); 500]);
        let questions = std::cell::Cell::new(0);
        let is_stopped = || questions.replace(questions.get() + 1) == 2;
        let mut places = Answers::new(&mut solutions, &mut answers, 81).unwrap();
        let puzzles_of_batch = Puzzles::new(endless.as_flattened(), 81).unwrap();
        engine.solve_until(puzzles_of_batch, Limits::ALL, &mut places, &is_stopped).unwrap();
        assert_eq!(questions.get(), 3);
        let found = solve_with(engine.as_mut(), &puzzles, Limits::UNIQUE);
        assert!(found == solve(lanes(), isa, &puzzles, Limits::UNIQUE), "{}", isa.name());
    }
}

#[test]
fn a_puzzle_with_unknown_symbols_has_no_solution_and_does_not_disturb_the_others() {
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

/// The costs of a batch are shares of its work: every puzzle costs something, a hard one more than an easy one.
#[test]
fn costs_are_shares_of_the_work() {
    let easy = cells(&format!("{}.", &SOLUTION[..80]));
    let mut puzzles = vec![easy; 600];
    puzzles[50] = cells(SLOW);
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
        let mut engine = (lanes().make)(&Rules::default(), isa).unwrap();
        solve_with(engine.as_mut(), &made(500), Limits::UNIQUE);
        solve_with(engine.as_mut(), &made(3), Limits::UNIQUE);
        let work = engine.work().unwrap();
        assert_eq!((work.isa, work.puzzles), (isa, 503));
        assert!(work.busy <= work.rounds * work.lanes as u64 && work.sweeps >= work.busy);
    }
}

/// Another solution than the known one, with any difference and with one in a cell: `bitboard` solves the same puzzle
/// with each other digit in that cell.
#[test]
fn other_solutions_are_found() {
    let grid = cells(SOLUTION);
    let mut chance = Chance::new(5);
    let puzzles: Vec<Cells> = (0..400)
        .map(|place| {
            let mut puzzle = grid;
            (0..30 + place / 5).for_each(|_| puzzle[chance.below(81)] = 0);
            puzzle
        })
        .collect();
    let differing: Vec<Option<usize>> =
        (0..400).map(|place| (place % 3 > 0).then(|| chance.below(81))).collect();
    let expected: Vec<bool> = puzzles
        .iter()
        .zip(&differing)
        .map(|(puzzle, &cell)| {
            let others = |cell: usize| {
                (1..=9).filter(move |&digit| digit != grid[cell]).map(move |digit| (cell, digit))
            };
            let blanks = (0..81).filter(|&at| puzzle[at] == 0);
            let blanks: Vec<usize> = blanks.filter(|&at| cell.is_none_or(|cell| cell == at)).collect();
            let changed: Vec<Cells> = blanks
                .into_iter()
                .flat_map(others)
                .map(|(cell, digit)| {
                    let mut changed = *puzzle;
                    changed[cell] = digit;
                    changed
                })
                .collect();
            solve(named("bitboard"), Isa::best(), &changed, Limits::ANY)
                .iter()
                .any(|(answer, _)| answer.solutions > 0)
        })
        .collect();
    assert!(expected.iter().filter(|&&is_found| is_found).count() > 50);
    assert!(expected.iter().filter(|&&is_found| !is_found).count() > 50);
    let (puzzles, known) = (puzzles.concat(), [grid; 400].concat());
    let verifier = Verifier::new(&Rules::default());
    for isa in isas() {
        let (mut solutions, mut answers) = (vec![0; 81 * 400], vec![Answer::default(); 400]);
        let places = Answers::new(&mut solutions, &mut answers, 81).unwrap();
        let (puzzles, known) = (Puzzles::new(&puzzles, 81).unwrap(), Puzzles::new(&known, 81).unwrap());
        let mut engine = LanesEngine::new(&Rules::default(), isa).unwrap();
        engine.find_others(puzzles, known, &differing, places, &|| false).unwrap();
        for (place, (answer, other)) in answers.iter().zip(solutions.chunks(81)).enumerate() {
            assert_eq!(answer.solutions > 0, expected[place], "{} {place}", isa.name());
            if answer.solutions > 0 {
                let puzzle = puzzles.iter().nth(place).unwrap();
                assert_eq!(verifier.check(puzzle, other), Ok(()));
                assert!(differing[place].map_or(other != grid, |cell| other[cell] != grid[cell]));
            }
        }
    }
}

/// Fewer cells than puzzles: the other puzzles have no cell. A stop leaves puzzles unanswered; other sizes are refused.
#[test]
fn other_solutions_have_edges() {
    let (puzzles, known) = ([[0; 81]; 3].concat(), [cells(SOLUTION); 3].concat());
    let (mut solutions, mut answers) = (vec![0; 81 * 3], vec![Answer::default(); 3]);
    let mut engine = LanesEngine::new(&Rules::default(), Isa::best()).unwrap();
    let mut find = |known: &[u8], cells: &[Option<usize>], stride: usize, is_stopped: bool| {
        let places = Answers::new(&mut solutions, &mut answers, 81).unwrap();
        let (puzzles, known) = (Puzzles::new(&puzzles, 81).unwrap(), Puzzles::new(known, stride).unwrap());
        let result = engine.find_others(puzzles, known, cells, places, &|| is_stopped);
        (result, answers.iter().map(|answer| answer.status(Limits::ANY)).collect::<Vec<_>>())
    };
    assert_eq!(find(&known, &[Some(500), None], 81, true), (Ok(()), vec![Status::Unanswered; 3]));
    assert_eq!(find(&known, &[Some(500), None], 81, false), (Ok(()), vec![Status::Solved; 3]));
    let wrong = WrongLength::Cells { found: 16, expected: 81 };
    assert_eq!(find(&known[..16 * 3], &[], 16, false).0, Err(wrong));
}
