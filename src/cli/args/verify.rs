//! What was typed behind `galop verify`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop::Entry;

use super::KindArgs;
use super::values::engine_parser;

/// Check files of puzzles with their solutions
///
/// Reads `puzzle,solution` lines, or a CSV file whose header names such columns, and prints every faulty
/// record's place and fault. Records with a status word in place of the solution count as unanswered.
///
/// Exit codes: 0 all is right; 1 some records are faulty; 2 usage or I/O error.
#[derive(ClapArgs, Debug)]
pub(crate) struct VerifyArgs {
    /// Files to check; `-` or none: standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    /// Also prove that each solution is the only one (and each `none` and `multiple` true)
    #[arg(short, long)]
    pub(crate) unique: bool,

    /// The engine that proves it [default: bitboard; grid for all but 9x9 sudoku]
    #[arg(short, long, value_name = "NAME", value_parser = engine_parser())]
    pub(crate) engine: Option<&'static Entry>,

    /// Threads that check; 0 is one a core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,

    /// Read files in blocks and do not map them into memory
    #[arg(long)]
    pub(crate) no_mmap: bool,

    /// No summary; faulty records are still printed
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
