//! A batched engine, on every instruction set of this machine, against dancing links: the same counts, the same
//! only solutions, and every solution passes the verifier.
#![no_main]

use std::cell::RefCell;

use galop::rules::Verifier;
use galop::{Answer, Answers, Engine, Isa, Limits, Puzzles, Rules, engine};
use libfuzzer_sys::fuzz_target;

/// The engine that is tested, and the one it is held to.
const ENGINE: &str = "hybrid";
const ORACLE: &str = "dlx";

/// Guesses of the oracle, after which a puzzle is passed over, and of the engine, which needs fewer.
const ORACLE_GUESSES: u64 = 2_000;
const ENGINE_GUESSES: u64 = 100_000;

/// More than any vector has lanes, so that lanes are filled again.
const MOST_PUZZLES: usize = 600;

/// Clues are taken from these grids.
const GRIDS: [&[u8; 81]; 3] = [
    b"417369825632158947958724316825437169791586432346912758289643571573291684164875293",
    b"123456789456789123789123456214365897365897214897214365531642978642978531978531642",
    b"812753649943682175675491283154237896369845721287169534521974368438526917796318452",
];

type Cells = [u8; 81];

/// The engines live as long as the process: what one input leaves behind must not show in the next.
struct Bench {
    verifier: Verifier,
    oracle: Box<dyn Engine>,
    engines: Vec<(Isa, Box<dyn Engine>)>,
}

impl Bench {
    fn new() -> Bench {
        let rules = Rules::sudoku();
        let make = |name, isa| (engine(name).expect("a row of ENGINES").make)(&rules, isa).expect("9x9");
        let isas = Isa::ALL.into_iter().filter(|isa| isa.is_available());
        Bench {
            verifier: Verifier::new(&rules),
            oracle: make(ORACLE, Isa::best()),
            engines: isas.map(|isa| (isa, make(ENGINE, isa))).collect(),
        }
    }
}

thread_local! {
    static BENCH: RefCell<Bench> = RefCell::new(Bench::new());
}

/// The first two bytes say how many puzzles; the others are their bytes, read again and again until there are
/// enough. Noise is laid over them, so that few bytes give many puzzles, none like another.
fn puzzles(data: &[u8]) -> Vec<Cells> {
    let Some((&[one, two], bytes)) = data.split_first_chunk() else { return Vec::new() };
    // The product: small batches are cheaper, and come more often.
    let count = 1 + usize::from(one) * usize::from(two) * MOST_PUZZLES / (256 * 256);
    let mut bytes = bytes.iter().chain(&[0]).cycle();
    let mut noise = 0x9E37_79B9_7F4A_7C15_u64;
    let mut byte = || {
        // Xorshift: Marsaglia, "Xorshift RNGs" (2003).
        noise ^= noise << 13;
        noise ^= noise >> 7;
        noise ^= noise << 17;
        bytes.next().copied().unwrap_or(0) ^ (noise >> 32) as u8
    };
    (0..count).map(|number| cells_of(std::array::from_fn(|_| byte()), number)).collect()
}

/// Most bytes blank a cell or leave the clue of a solved grid: many puzzles with several solutions, some with one. A
/// few put another digit there, so that others have none; every eighth puzzle is the bytes as they are.
fn cells_of(bytes: Cells, number: usize) -> Cells {
    if number % 8 == 7 {
        return bytes.map(|byte| if byte % 32 <= 10 { byte % 32 } else { 0 });
    }
    let grid = GRIDS[number % GRIDS.len()];
    // Of 256 bytes, so many leave a clue: 20 to 40 clues in random ones.
    let clues = 63 + (number % 11) as u8 * 6;
    std::array::from_fn(|cell| {
        let digit = grid[cell] - b'0';
        match bytes[cell] {
            254 => digit % 9 + 1,
            255 => 0,
            byte if byte % 128 < clues / 2 => digit,
            _ => 0,
        }
    })
}

fn solve(engine: &mut dyn Engine, puzzles: &[Cells], limits: Limits) -> (Vec<Answer>, Vec<Cells>) {
    let mut solutions = vec![[0; 81]; puzzles.len()];
    let mut answers = vec![Answer::default(); puzzles.len()];
    let mut places = Answers::new(solutions.as_flattened_mut(), &mut answers, 81);
    engine.solve(Puzzles::new(puzzles.as_flattened(), 81), limits, &mut places);
    (answers, solutions)
}

fuzz_target!(|data: &[u8]| {
    let puzzles = puzzles(data);
    BENCH.with_borrow_mut(|bench| {
        let limits = Limits { solutions: 2, guesses: ORACLE_GUESSES };
        let (expected, only) = solve(&mut *bench.oracle, &puzzles, limits);
        let limits = Limits { guesses: ENGINE_GUESSES, ..limits };
        for (isa, engine) in &mut bench.engines {
            let (answers, solutions) = solve(&mut **engine, &puzzles, limits);
            for (place, puzzle) in puzzles.iter().enumerate() {
                let (answer, expected) = (answers[place], expected[place]);
                if answer.solutions > 0 {
                    let checked = bench.verifier.check(puzzle, &solutions[place]);
                    assert_eq!(checked, Ok(()), "{isa:?} {puzzle:?}");
                }
                if expected.gave_up {
                    continue;
                }
                assert!(!answer.gave_up, "{isa:?} {answer:?} {expected:?} {puzzle:?}");
                assert_eq!(answer.solutions, expected.solutions, "{isa:?} {puzzle:?}");
                if answer.solutions == 1 {
                    assert_eq!(solutions[place], only[place], "{isa:?} {puzzle:?}");
                }
            }
        }
    });
});
