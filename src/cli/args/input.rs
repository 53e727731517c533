//! The files of puzzles that a command reads.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::KindArgs;

/// The files of puzzles that a command reads.
#[derive(ClapArgs, Debug)]
pub(crate) struct InputArgs {
    /// Files of puzzles; `-` or no file means standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    /// Read files in blocks instead of mapping them into memory
    #[arg(long, display_order = 900)]
    pub(crate) no_mmap: bool,
}
