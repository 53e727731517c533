//! The options of `galop export`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop_engines::grid::KINDS;

use super::KindArgs;

/// Write a puzzle of any kind as an exact cover problem
///
/// The problem is written in the text format of Knuth's programs, which `galop cover` reads.
///
/// The options of the clues are chosen beforehand: they and all items they cover are left out. Items are named after
/// cells (r1c2: row 1, column 2 has a symbol) and after symbols in units (r1=5, c2=5, b3=5: the 5 of row 1, column 2,
/// block 3; x1=5: the 5 of a diagonal, a window or another extra unit). Regions are numbered like blocks. If clues
/// contradict each other, some items have no option, so the problem has no solution.
#[derive(ClapArgs, Debug)]
pub(crate) struct ExportArgs {
    #[arg(value_name = "KIND", help = kinds())]
    pub(crate) word: Option<String>,

    /// A puzzle, or a file whose first record is used; `-` means standard input [default: the empty grid]
    #[arg(value_name = "PUZZLE|FILE")]
    pub(crate) puzzle: Option<String>,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    /// Cells per row of the empty grid [default: 9, or the size of the maps or blocks]
    #[arg(long, value_name = "N", help_heading = "Input")]
    pub(crate) side: Option<usize>,

    /// Write all items and options of the rules; a cell with a clue has only the clue's option
    #[arg(long)]
    pub(crate) full: bool,

    /// Write to FILE, which appears under that name when it is complete [default: standard output]
    ///
    /// If the name ends in .gz, .zst, .xz or .bz2, FILE is compressed.
    ///
    /// An existing FILE keeps its mode, owner, group and extended attributes. If a new file cannot have them, if FILE
    /// has several hard links, or if its folder is write-protected, FILE is written in place. This is not atomic, and a
    /// message says so.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// The help of the first word.
fn kinds() -> String {
    let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    format!("The kind of puzzle, short for --kind: {} (optional)", names.join(", "))
}
