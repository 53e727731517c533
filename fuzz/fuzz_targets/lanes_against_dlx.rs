//! The batched engine, on every instruction set of this machine, against dancing links: the same counts, the same only
//! solutions, and every solution passes the verifier.
#![no_main]

use std::cell::RefCell;

use galop::grid::Verifier;
use galop::{Answer, Answers, Engine, Isa, Limits, Puzzles, Rules, engine};
use galop_testing::chance::Chance;
use libfuzzer_sys::fuzz_target;

/// The engine that is tested, and the engine that it is compared with.
const ENGINE: &str = "lanes";
const ORACLE: &str = "dlx";

/// Guesses. A puzzle that takes the oracle more is not compared; the engine needs fewer.
const ORACLE_GUESSES: u64 = 2_000;
const ENGINE_GUESSES: u64 = 100_000;

/// Puzzles: more than any vector has lanes, so that lanes are filled again.
const MOST_PUZZLES: usize = 600;

/// Puzzles with one solution, from which the others are made: few clues, some of the hardest known, and an easy one.
const PUZZLES: [&[u8; 81]; 6] = [
    b".......12..8.3...........4.12.5..........47...6.......5.7...3.....62.......1.....",
    b".......17.9.6............5.2.....8.3....5.4.......1...6..2..3...41.7.............",
    b"85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4.",
    b"..4..3....7..8....2.81....6..3....9..8..2....1..7....3......45....8..9....9..5..8",
    b"3.......1.4...2.7...5...8......76.4.....5.....6.2.9...1.....5...7.6...9...8.....3",
    b"7...46.28...31.47...9...63.2.61.....3.4..21...1.......5.7....4....82..5.46.......",
];

type Cells = [u8; 81];

/// The engines live as long as the process, because one input must not change the answers to the next.
struct Bench {
    verifier: Verifier,
    /// The solutions of [`PUZZLES`].
    grids: Vec<Cells>,
    oracle: Box<dyn Engine>,
    engines: Vec<(Isa, Box<dyn Engine>)>,
}

impl Bench {
    fn new() -> Bench {
        let rules = Rules::sudoku();
        let make =
            |name, isa| (engine::named(name).expect("a row of ENGINES").make)(&rules, isa).expect("9x9");
        let isas = Isa::ALL.into_iter().filter(|isa| isa.is_available());
        let mut oracle = make(ORACLE, Isa::best());
        Bench {
            verifier: Verifier::new(&rules),
            grids: solve(&mut *oracle, &PUZZLES.map(cells), Limits::ANY).1,
            oracle,
            engines: isas.map(|isa| (isa, make(ENGINE, isa))).collect(),
        }
    }
}

thread_local! {
    static BENCH: RefCell<Bench> = RefCell::new(Bench::new());
}

fn cells(text: &[u8; 81]) -> Cells {
    text.map(|byte| if byte == b'.' { 0 } else { byte - b'0' })
}

/// The first two bytes give the number of puzzles. The others are the bytes of the puzzles, repeated and mixed with
/// random ones, so that few bytes make many different puzzles.
fn puzzles(data: &[u8], grids: &[Cells]) -> Vec<Cells> {
    let Some((&[one, two], bytes)) = data.split_first_chunk() else { return Vec::new() };
    // The product makes small batches, which are cheaper, more frequent.
    let count = 1 + usize::from(one) * usize::from(two) * MOST_PUZZLES / (256 * 256);
    let mut bytes = bytes.iter().chain(&[0]).cycle();
    let mut chance = Chance::new(1);
    let mut byte = || bytes.next().copied().unwrap_or(0) ^ (chance.number() >> 32) as u8;
    let puzzle = |number: usize| {
        let bytes = std::array::from_fn(|_| byte());
        let base = number / 8 % PUZZLES.len();
        match number % 8 {
            0 => bytes.map(|byte| if byte % 32 <= 10 { byte % 32 } else { 0 }),
            1..=3 => thinned(bytes, &grids[base], 20 + number % 20),
            _ => changed(bytes, &cells(PUZZLES[base]), &grids[base]),
        }
    };
    (0..count).map(puzzle).collect()
}

/// A solved grid with about `clues` cells left. One in ten of these puzzles has a wrong clue. Most have several solutions.
fn thinned(bytes: Cells, grid: &Cells, clues: usize) -> Cells {
    std::array::from_fn(|cell| match usize::from(bytes[cell]) {
        255 if cell % 3 == 0 => grid[cell] % 9 + 1,
        byte if byte * 81 < clues * 255 => grid[cell],
        _ => 0,
    })
}

/// A puzzle with a clue or two dropped, added or wrong: with one solution, with several, or with none, found by guesses
/// only.
fn changed(bytes: Cells, puzzle: &Cells, grid: &Cells) -> Cells {
    std::array::from_fn(|cell| match (puzzle[cell], bytes[cell]) {
        (0, 0..=2) => grid[cell],
        (0, 3) => other(puzzle, cell, grid[cell]),
        (0, _) | (_, 0..=5) => 0,
        (clue, _) => clue,
    })
}

/// Another digit that no clue forbids in `cell`, or 0.
fn other(puzzle: &Cells, cell: usize, digit: u8) -> u8 {
    let (row, column) = (cell / 9, cell % 9);
    let sees =
        |at: usize| at / 9 == row || at % 9 == column || (at / 27 == row / 3 && at % 9 / 3 == column / 3);
    let is_free = |digit: &u8| (0..81).all(|at| puzzle[at] != *digit || !sees(at));
    (1..=9).filter(|&other| other != digit).find(is_free).unwrap_or(0)
}

fn solve(engine: &mut dyn Engine, puzzles: &[Cells], limits: Limits) -> (Vec<Answer>, Vec<Cells>) {
    let mut solutions = vec![[0; 81]; puzzles.len()];
    let mut answers = vec![Answer::default(); puzzles.len()];
    let mut places = Answers::new(solutions.as_flattened_mut(), &mut answers, 81);
    engine.solve(Puzzles::new(puzzles.as_flattened(), 81), limits, &mut places).expect("81 cells");
    (answers, solutions)
}

fuzz_target!(|data: &[u8]| {
    BENCH.with_borrow_mut(|bench| {
        let puzzles = puzzles(data, &bench.grids);
        let limits = Limits::UNIQUE.with_guesses(ORACLE_GUESSES);
        let (expected, only) = solve(&mut *bench.oracle, &puzzles, limits);
        let limits = limits.with_guesses(ENGINE_GUESSES);
        for (isa, engine) in &mut bench.engines {
            let (answers, solutions) = solve(&mut **engine, &puzzles, limits);
            for (place, puzzle) in puzzles.iter().enumerate() {
                let (answer, expected) = (answers[place], expected[place]);
                if answer.solutions > 0 {
                    let checked = bench.verifier.check(puzzle, &solutions[place]);
                    assert_eq!(checked, Ok(()), "{isa:?} {puzzle:?}");
                }
                if expected.gave_up() {
                    continue;
                }
                assert!(!answer.gave_up(), "{isa:?} {answer:?} {expected:?} {puzzle:?}");
                assert_eq!(answer.solutions, expected.solutions, "{isa:?} {puzzle:?}");
                if answer.solutions == 1 {
                    assert_eq!(solutions[place], only[place], "{isa:?} {puzzle:?}");
                }
            }
        }
    });
});
