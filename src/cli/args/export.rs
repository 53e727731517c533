//! What was typed behind `galop export`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop::grid::KINDS;

use super::KindArgs;

const EXAMPLES: &str = "\
Examples:
  galop export puzzles.txt | galop cover -    how many solutions the first puzzle has
  galop export puzzles.txt --full             its clues as cells with a single option
  galop export                                the 324 items and 729 options of the empty 9x9 grid
  galop export latin --side 5                 those of the empty Latin square of 5x5
  galop export --regions map.txt              those of the empty jigsaw of the map";

/// Write a puzzle of any kind as an exact cover problem, in the text format of Knuth's programs
///
/// The clues are already taken: what they cover is gone, items and options, and what is left is solved as it stands.
/// Items are named after cells (r1c2: row 1, column 2 holds something) and symbols in units (r1=5, c2=5, b3=5: the 5 of
/// row 1, column 2, block 3; regions, diagonals and windows count on as blocks). Where clues clash, items without an
/// option tell that there is no solution.
///
/// Exit codes: 0 complete; 2 usage or I/O error, or no puzzle.
#[derive(ClapArgs, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ExportArgs {
    #[arg(value_name = "KIND", help = kinds())]
    pub(crate) word: Option<String>,

    /// A puzzle, or a file, of which the first record is taken; `-`: standard input; without it, the empty grid
    #[arg(value_name = "PUZZLE|FILE")]
    pub(crate) puzzle: Option<String>,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    /// Cells of a row of the empty grid [default: 9, or what the map of --regions has]
    #[arg(long, value_name = "N", help_heading = "Kinds of puzzles")]
    pub(crate) side: Option<usize>,

    /// All items and options of the rules; of the cells with clues, the clues' options alone
    #[arg(long)]
    pub(crate) full: bool,

    /// Write to FILE, which gets its name when it is complete [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// What may stand in the first place.
fn kinds() -> String {
    let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    format!("The kind of puzzle, as --kind names it: {}; may be left out", names.join(", "))
}
