//! Solves sudokus with one solver: the rules are built once, and the clues of each puzzle are assumptions.
//!
//! `cargo run --release -p galop-cover --example sudoku`

use std::error::Error;

use galop_cover::{CoverLimits, OptionId, models};

const PUZZLES: [&str; 3] = [
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
];

fn main() -> Result<(), Box<dyn Error>> {
    // Option 9 * cell + digit - 1 puts a digit into a cell; cells are numbered row by row from 0.
    let problem = models::sudoku(3, 3)?;
    let mut solver = problem.solver()?;
    for puzzle in PUZZLES {
        let clues = puzzle.bytes().zip(0..).filter(|&(byte, _)| byte != b'.');
        let clues: Vec<OptionId> =
            clues.map(|(byte, cell)| OptionId(9 * cell + u32::from(byte - b'1'))).collect();
        solver.assume(&clues, &[])?;
        match solver.search(&CoverLimits::NONE).first()? {
            Some(solution) => {
                // Ascending options are ascending cells.
                let digits: String =
                    solution.iter().map(|option| char::from(b'1' + (option.0 % 9) as u8)).collect();
                println!("{digits}");
            }
            None => println!("no solution"),
        }
    }
    Ok(())
}

#[test]
fn the_puzzles_are_solved() -> Result<(), Box<dyn Error>> {
    main()
}
