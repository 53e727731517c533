//! What was typed behind `galop show`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::KindArgs;

/// Draw puzzles and their solutions as grids
///
/// Prints every record as a framed grid in the symbols of its file, its solution, where one stands in the record, beside it. Records are
/// separated by a blank line. Malformed ones are named on standard error.
///
/// Exit codes: 0 complete; 1 complete, but some records were malformed; 2 usage or I/O error.
#[derive(ClapArgs, Debug)]
pub(crate) struct ShowArgs {
    /// Puzzles (a character a cell, `puzzle,solution` too) or files of them; `-` or none: standard input
    #[arg(value_name = "PUZZLE|FILE")]
    pub(crate) inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    /// Show what is possible in each cell, once singles have been followed up, in place of the puzzle
    ///
    /// That is the `display` of Norvig's program after his two rules: a cell with one value is settled. It says so
    /// where the rules come to a contradiction.
    #[arg(short, long)]
    pub(crate) candidates: bool,
}
