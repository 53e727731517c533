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

    /// The number of a blank in numpy arrays: 0, or 1 if the digits are 2 to 10 [default: from the values]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=1), display_order = 890, hide_short_help = true)]
    #[arg(help_heading = "Advanced")]
    pub(crate) npy_offset: Option<u8>,

    /// Read files in blocks instead of mapping them into memory
    #[arg(long, display_order = 900, hide_short_help = true, help_heading = "Advanced")]
    pub(crate) no_mmap: bool,
}

/// The files of puzzles that a command reads and prints one by one.
#[derive(ClapArgs, Debug)]
pub(crate) struct GridInputArgs {
    /// Puzzles, files of puzzles, folders of them, or zip archives; `-` or nothing means standard input
    ///
    /// If a file of that name exists, the file is read. Of a folder, the files with known endings are read, sorted by
    /// name, and a message names the others.
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
    /// The column or key that holds the puzzles: a name, or a number from 1 [default: by its name or its fields]
    #[arg(long, value_name = "NAME|N", help_heading = "Input")]
    pub(crate) column: Option<String>,

    /// The same for the answers
    #[arg(long, value_name = "NAME|N", help_heading = "Input")]
    pub(crate) answer_column: Option<String>,
}

impl ColumnArgs {
    /// The choice for a source.
    pub(crate) fn choice(&self) -> ColumnChoice {
        ColumnChoice { puzzle: self.column.clone(), answer: self.answer_column.clone() }
    }
}
