//! The files of puzzles that a command reads.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop_batch::input::ColumnChoice;

use super::KindArgs;

/// The files of puzzles that a command reads.
#[derive(ClapArgs, Debug)]
pub(crate) struct InputArgs {
    #[command(flatten)]
    pub(crate) grids: GridInputArgs,

    /// The number that means a blank in numpy arrays (.npy): 0, or 1 if the digits are 2 to 10 [default: found from the
    /// values]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=1), display_order = 890, hide_short_help = true)]
    #[arg(help_heading = "Input")]
    pub(crate) npy_offset: Option<u8>,

    /// Read files in blocks instead of mapping them into memory
    #[arg(long, display_order = 900, hide_short_help = true, help_heading = "Input")]
    pub(crate) no_mmap: bool,
}

/// The files of puzzles that a command reads and prints one by one.
#[derive(ClapArgs, Debug)]
pub(crate) struct GridInputArgs {
    /// Puzzles, files of puzzles, folders of them, or zip archives; `-` or nothing means standard input
    ///
    /// A puzzle is one character per cell. If a file of that name exists, the file is read.
    ///
    /// Input compressed with gzip, zstd, xz or bzip2 is recognised by its first bytes and unpacked, in files and on
    /// standard input. Of a folder, the files that end in .txt, .csv, .tsv, .json, .jsonl, .ndjson, .npy, .npz, .zip,
    /// .sdk or .sdm are read, sorted by name; compressed, they have a further ending. A message names the other
    /// files, but not hidden files and folders. A zip archive, which must be a file, is read in the same way: its
    /// members in the order of the archive. A member is called ARCHIVE/MEMBER. If compressed data are cut short or
    /// damaged, the records before the damage are answered, and the exit code is 2.
    #[arg(value_name = "PUZZLE|FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
}

/// Which columns of a table, or keys of JSON objects, are read.
#[derive(ClapArgs, Debug, Default)]
pub(crate) struct ColumnArgs {
    /// The column of a table, or the key of JSON objects, that holds the puzzles: a name, or a number from 1
    ///
    /// By default, this is a column called puzzle, puzzles, question, questions, quiz, quizzes, sudoku,
    /// `sudoku_puzzle`, `sudoku_puzzles` or `initial_board`, or else the only column whose fields are puzzles. A table
    /// needs no header if the column is given by its number.
    ///
    /// The arrays of a numpy archive (.npz) are columns too: --column quizzes, --answer-column solutions. Arrays with
    /// one value for each puzzle are other columns, which csv and json keep.
    #[arg(long, value_name = "NAME|N", help_heading = "Input")]
    pub(crate) column: Option<String>,

    /// The column or key that holds the answers: a name, or a number from 1
    ///
    /// By default, this is a column called solution, answer, answers or solutions, or else the only column whose fields
    /// are grids without blanks.
    #[arg(long, value_name = "NAME|N", help_heading = "Input")]
    pub(crate) answer_column: Option<String>,
}

impl ColumnArgs {
    /// The choice for a source.
    pub(crate) fn choice(&self) -> ColumnChoice {
        ColumnChoice { puzzle: self.column.clone(), answer: self.answer_column.clone() }
    }
}
