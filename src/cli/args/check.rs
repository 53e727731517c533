//! What was typed behind `galop check`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::KindArgs;

/// Find puzzles that cannot have a solution, without solving them
///
/// Reads what `solve` reads and prints every such puzzle's place and the reason: a digit twice in a unit, a cell
/// for which nothing is left, or a digit for which no cell of a unit is left, be it once singles, pairs and
/// pointing pairs are found. Lines that are no puzzles are named too. A puzzle that passes may still have no
/// solution: solve it to know.
///
/// Exit codes: 0 nothing was found; 1 some records are impossible or malformed; 2 usage or I/O error.
#[derive(ClapArgs, Debug)]
pub(crate) struct CheckArgs {
    /// Files of puzzles; `-` or none: standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    /// Threads that check; 0 is one a core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,

    /// Read files in blocks and do not map them into memory
    #[arg(long)]
    pub(crate) no_mmap: bool,

    /// No summary; what was found is still printed
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
