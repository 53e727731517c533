//! 9x9 puzzles as text and as cells.

use std::sync::atomic::AtomicBool;

use galop_corpora::generate::{self, Recipe, Wish};
use galop_engines::chance::Chance;

/// 81 symbols row by row, 0 for a blank.
pub type Cells = [u8; 81];

/// The second example of <https://norvig.com/sudoku.html>, and its solution.
pub const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
pub const SOLUTION: &str =
    "417369825632158947958724316825437169791586432346912758289643571573291684164875293";

/// Norvig's impossible puzzle: a few clues in one corner contradict each other.
pub const IMPOSSIBLE: &str =
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";

/// A puzzle of 17 clues that makes a search in reading order slow.
pub const SLOW: &str = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";

/// A region map, and jigsaws with few clues: with one run, the engine `grid` took 100,000 to 700,000 guesses or more to
/// the first solution of each.
pub const LONG_TAILS: [(&str, &[&str]); 2] = [
    (
        "aaaacccccaaaabbbccadbbbbbfcddbeeeefcdddeefffidgdeehfiiggdhehffiggghhhhfiggghhiiii",
        &["........2.......1..7...................................6.........7..............4"],
    ),
    (
        "aaabbbbbcaabbcccccaabeccecfaabeeeeffdddddeeefdgghfffffdgghhiiiidggghhhiidgghhhiii",
        &[
            "..........5.9.1...................8....................3..9...........9..4.3.....",
            ".4............8.........8...8.....9.......9.8..............1.................7...",
        ],
    ),
];

/// A puzzle with very many solutions: any two of its three blank rows may change places.
pub fn open_puzzle() -> String {
    format!("{}{}", ".".repeat(30), &SOLUTION[30..])
}

/// A puzzle without a solution: two 1s in row 1.
pub fn contradictory() -> String {
    format!("11{}", ".".repeat(79))
}

/// The first 81 characters as cells. What is no digit is a blank.
pub fn cells(text: &str) -> Cells {
    let digit = |byte: &u8| if byte.is_ascii_digit() { byte - b'0' } else { 0 };
    text.as_bytes().first_chunk::<81>().unwrap().each_ref().map(digit)
}

/// The cells as digits, 0 for a blank.
pub fn digits(cells: &[u8]) -> String {
    cells.iter().map(|&cell| char::from(b'0' + cell)).collect()
}

/// The puzzles `0..count` of a recipe and their solutions, as lines of text.
pub fn generated(recipe: &Recipe, count: u64) -> (String, String) {
    let (mut puzzles, mut solutions) = (Vec::new(), Vec::new());
    generate::run(recipe, count, &AtomicBool::new(false), &mut |some, theirs| {
        puzzles.extend_from_slice(some);
        solutions.extend_from_slice(theirs);
        Ok(())
    })
    .unwrap();
    (String::from_utf8(puzzles).unwrap(), String::from_utf8(solutions).unwrap())
}

/// Puzzles of all kinds: generated ones as they are, with more clues and with fewer, and damaged ones. They have
/// one solution, many or none.
pub fn damaged(count: usize) -> Vec<u8> {
    let wishes = [Wish::Minimal, Wish::Clues(26..=34)].map(|wish| generated(&Recipe::new(1, wish), 150));
    let pairs = wishes.iter().flat_map(|(puzzles, solutions)| puzzles.lines().zip(solutions.lines()));
    let made: Vec<[Cells; 2]> = pairs.map(|(puzzle, solution)| [cells(puzzle), cells(solution)]).collect();
    let mut chance = Chance::new(7, 0);
    let mut puzzles = Vec::new();
    for number in 0..count {
        let [puzzle, solution] = &made[number % made.len()];
        let mut puzzle = *puzzle;
        if number >= made.len() {
            for _ in 0..chance.below(12) {
                let cell = chance.below(81) as usize;
                puzzle[cell] = solution[cell];
            }
            for _ in 0..chance.below(5) {
                puzzle[chance.below(81) as usize] = 0;
            }
            // A wrong clue, or one that is no digit.
            if number % 3 == 0 {
                puzzle[chance.below(81) as usize] = chance.below(10) as u8;
            }
            if number % 500 == 0 {
                puzzle[chance.below(81) as usize] = 10 + chance.below(240) as u8;
            }
        }
        puzzles.extend(puzzle);
    }
    puzzles.extend([0; 81]);
    puzzles.extend([1; 81]);
    puzzles
}
