//! The batched engine, on every instruction set of this machine, against dancing links: the same counts, the same only
//! solutions, and every solution passes the verifier.
#![no_main]

use std::cell::RefCell;

use galop_engines::Rules;
use galop_engines::engine::BITBOARD;
use galop_engines::puzzle::Limits;
use galop_fuzz::engines::Engines;
use galop_testing::chance::Chance;
use galop_testing::engines::{new, solve};
use galop_testing::puzzles::{Cells, cells};
use libfuzzer_sys::fuzz_target;

/// Guesses. A puzzle that takes the oracle more is not compared; the engine needs fewer.
const ORACLE_GUESSES: u64 = 2_000;
const ENGINE_GUESSES: u64 = 100_000;

/// Puzzles: more than any vector has lanes, so that lanes are filled again.
const MOST_PUZZLES: usize = 600;

/// Puzzles with one solution, from which the others are made: few clues, some of the hardest known, and an easy one.
const PUZZLES: [&str; 6] = [
    ".......12..8.3...........4.12.5..........47...6.......5.7...3.....62.......1.....",
    ".......17.9.6............5.2.....8.3....5.4.......1...6..2..3...41.7.............",
    "85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4.",
    "..4..3....7..8....2.81....6..3....9..8..2....1..7....3......45....8..9....9..5..8",
    "3.......1.4...2.7...5...8......76.4.....5.....6.2.9...1.....5...7.6...9...8.....3",
    "7...46.28...31.47...9...63.2.61.....3.4..21...1.......5.7....4....82..5.46.......",
];

/// The engines live as long as the process, because one input must not change the answers to the next.
struct Bench {
    engines: Engines,
    /// The puzzles of [`PUZZLES`], and their solutions.
    puzzles: [Cells; 6],
    grids: Vec<Cells>,
}

impl Bench {
    fn new() -> Bench {
        let puzzles = PUZZLES.map(cells);
        let mut bitboard = new(BITBOARD);
        let grids = solve(&mut *bitboard, &puzzles, Limits::ANY).into_iter().map(|(_, solution)| solution);
        let engines = Engines::new(&Rules::default(), |name| name == "lanes");
        Bench { engines, grids: grids.collect(), puzzles }
    }
}

thread_local! {
    static BENCH: RefCell<Bench> = RefCell::new(Bench::new());
}

/// The first two bytes give the number of puzzles. The others are the bytes of the puzzles, repeated and mixed with
/// random ones, so that few bytes make many different puzzles.
fn puzzles(data: &[u8], bench: &Bench) -> Vec<Cells> {
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
            1..=3 => thinned(bytes, &bench.grids[base], 20 + number % 20),
            _ => changed(bytes, &bench.puzzles[base], &bench.grids[base]),
        }
    };
    (0..count).map(puzzle).collect()
}

/// A solved grid with about `clues` cells left. One in ten of these puzzles has a wrong clue. Most have several
/// solutions.
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

fuzz_target!(|data: &[u8]| {
    BENCH.with_borrow_mut(|bench| {
        let puzzles = puzzles(data, bench);
        let limits = [ENGINE_GUESSES, ORACLE_GUESSES].map(|guesses| Limits::UNIQUE.with_guesses(guesses));
        bench.engines.agree_within(puzzles.as_flattened(), limits[0], limits[1]);
    });
});
