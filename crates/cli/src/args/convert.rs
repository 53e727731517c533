//! The options of `galop convert`.

use clap::Args as ClapArgs;

use super::{InputArgs, PartArgs, RewriteArgs};

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop convert puzzles.txt -o puzzles.csv
  galop convert puzzles.txt -f grid            drawn grids
  galop convert train.csv -o train.npz";

/// Write the puzzles of files in another format, without solving them
///
/// Reads the same files as `solve`, compressed or not, on all cores. A puzzle keeps its characters if the output is
/// text, and the answer beside it is kept unchanged; nothing is checked. For example, galop convert sudoku.csv -o
/// sudoku.npz, or galop convert puzzles.npy -f csv | head.
///
/// csv and json keep all other columns. A column of a table whose first fields are numbers becomes numbers in json, and
/// an empty field null. A key that is missing from the first objects of a JSON file has no column in csv; such fields
/// are counted. pair and npz hold puzzles and answers, grid and npy only puzzles; what is left out is named on standard
/// error. Only csv and json can hold an answer that is not a grid; with other formats, such answers are counted. Lines
/// that are written as lines keep all of their text, but comments and blank lines are left out. Arrays are named puzzle
/// and solution, and hold 0 for a blank and 1 to n for the symbols, whatever the input uses.
///
/// A malformed record is reported on standard error. Its text takes the place of the puzzle, and the word `malformed`
/// the place of the answer. In arrays such a record is a row of zeros.
#[derive(ClapArgs, Debug)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) part: PartArgs,

    #[command(flatten)]
    pub(crate) rewrite: RewriteArgs,
}
