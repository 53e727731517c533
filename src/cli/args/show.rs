//! The options of `galop show`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::{ColumnArgs, KindArgs};

/// Draw puzzles and their solutions as grids
///
/// Prints each record as a framed grid in the symbols of its file, with the solution beside it if the record has one.
/// A blank line separates records. Malformed records are printed on standard error.
///
/// Exit codes: 0 complete; 1 complete, but some records were malformed; 2 usage or I/O error.
#[derive(ClapArgs, Debug)]
pub(crate) struct ShowArgs {
    /// Puzzles, or files of puzzles; `-` or nothing means standard input
    ///
    /// A puzzle is one character per cell, or `puzzle,solution`.
    #[arg(value_name = "PUZZLE|FILE")]
    pub(crate) inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    #[command(flatten)]
    pub(crate) columns: ColumnArgs,

    /// Draw the candidates of each cell instead of the puzzle, after all naked and hidden singles
    ///
    /// This is `display` of Peter Norvig's program after his two rules. A cell with one candidate is solved. If the
    /// rules find a contradiction, a line says so.
    #[arg(short, long)]
    pub(crate) candidates: bool,
}
