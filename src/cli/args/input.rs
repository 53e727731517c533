//! The files of puzzles that a command reads.

use std::path::PathBuf;

use clap::{Arg, Args as ClapArgs};

use super::KindArgs;

/// The files of puzzles that a command reads.
#[derive(ClapArgs, Debug)]
pub(crate) struct InputArgs {
    /// Files of puzzles; `-` or no file means standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    /// The number of a blank in arrays of numpy (.npy): 0, or 1 if the digits are 2 to 10 [default: from the values]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=1), display_order = 890)]
    pub(crate) npy_offset: Option<u8>,

    /// Read files in blocks instead of mapping them into memory
    #[arg(long, display_order = 900)]
    pub(crate) no_mmap: bool,
}

/// The argument for the files, in a command that also takes puzzles in their place.
pub(super) fn or_puzzle(files: Arg) -> Arg {
    files.value_name("PUZZLE|FILE").help("Puzzles, or files of puzzles; `-` or nothing means standard input").long_help(
        "Puzzles, or files of puzzles; `-` or nothing means standard input\n\nA puzzle is one character per cell. If there \
         is a file of that name, the file is read.",
    )
}
