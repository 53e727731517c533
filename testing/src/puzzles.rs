//! 9x9 puzzles as text and as cells.

use std::sync::atomic::AtomicBool;

use galop_corpora::generate::{self, Recipe};

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
