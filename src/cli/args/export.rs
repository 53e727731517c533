//! What was typed behind `galop export`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

/// Write a puzzle as an exact cover problem, in the text format of Knuth's programs
///
/// The clues are already taken: what they cover is gone, items and options, and what is left is solved as it stands.
/// Items are named after cells (r1c2: row 1, column 2 holds something) and symbols in units (r1=5, c2=5, b3=5: the 5 of
/// row 1, column 2, block 3). Where clues clash, items without an option tell that there is no solution.
///
///     galop export 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......
///     galop export puzzles.txt | galop cover -      how many solutions the first one has
///     galop export sudoku --full                    the 324 items and 729 options of the empty grid
///
/// Exit codes: 0 complete; 2 usage or I/O error, or no puzzle.
#[derive(ClapArgs, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct ExportArgs {
    /// A kind of puzzle (sudoku unless it is named), then a puzzle or a file, the first record of which is taken; `-`:
    /// standard input; none: the empty grid
    #[arg(value_name = "KIND] [PUZZLE|FILE", num_args = 0..=2)]
    pub(crate) words: Vec<String>,

    /// All items and options of the rules; of the cells with clues, the clues' options alone
    #[arg(long)]
    pub(crate) full: bool,

    /// Write to FILE, which gets its name when it is complete [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
