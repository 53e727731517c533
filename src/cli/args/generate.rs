//! What was typed behind `galop generate`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::values::clue_range;
use super::{KindArgs, When};

/// Make puzzles of any kind and size with one solution
///
/// The same seed gives the same puzzles on every machine and for every number of threads; the first puzzles
/// of a longer run are those of a shorter one.
///
/// In grids larger than 9x9 a clue stays where it takes more than 1,000 guesses to prove that it can go (without
/// --minimal: 100): a minimal puzzle of 25x25 may have a clue or another that could go. Every puzzle is proved to have
/// one solution.
///
/// Exit codes: 0 complete; 2 usage or I/O error, or no such puzzles were found.
#[derive(ClapArgs, Debug)]
pub(crate) struct GenerateArgs {
    /// How many puzzles
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) count: u64,

    /// Where the random numbers start
    #[arg(short, long, value_name = "S")]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    /// Cells of a row [default: 9, or what the map of --regions has]
    #[arg(long, value_name = "N", help_heading = "Kinds of puzzles")]
    pub(crate) side: Option<usize>,

    /// Clues a puzzle, both ends included; each puzzle draws its number [default: 28..36; of other kinds and
    /// sizes what nearly every grid allows]
    #[arg(long, value_name = "A..B", value_parser = clue_range, conflicts_with = "minimal")]
    pub(crate) clues: Option<RangeInclusive<usize>>,

    /// Minimal puzzles: no clue can be left out
    #[arg(long)]
    pub(crate) minimal: bool,

    /// Print the solution beside each puzzle: puzzle,solution
    #[arg(long)]
    pub(crate) pairs: bool,

    /// Write the puzzles to FILE, which gets its name when it is complete [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// Threads; 0 is one a core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,

    /// Whether to show a progress bar; auto: on a terminal
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: When,
}
