//! The options of `galop dedup`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::classes::{ByArgs, MemoryArgs};
use super::{InputArgs, PartArgs, RewriteArgs};

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop dedup puzzles.txt -o different.txt
  galop dedup train.csv -o unique.csv --dropped dropped.txt";

/// Keep the first puzzle of each class of equivalent puzzles
///
/// Writes the first record of each class, in the order of the input, with its solution and, where the format has
/// columns, all other columns. Two puzzles are in the same class if a symmetry turns one into the other, as for `galop
/// canon`; --by grid is coarser, and --by text is finer. For example, galop dedup puzzles.csv -o unique.csv --dropped
/// dropped.txt.
///
/// The files are read twice and must not change in between; input from a pipe is copied to a temporary file first.
/// Sudokus of 9x9, 6x6 and 4x4 have classes. --by text works for all puzzles.
///
/// A malformed record is reported on standard error and left out.
#[derive(ClapArgs, Debug)]
pub(crate) struct DedupArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) part: PartArgs,

    #[command(flatten)]
    pub(crate) by: ByArgs,

    /// List the records that are left out, each with the record it equals, in FILE: `a.txt:7: equals a.txt:3`
    #[arg(long, value_name = "FILE", conflicts_with = "resume", help_heading = "Output")]
    pub(crate) dropped: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) memory: MemoryArgs,

    /// Also write a report, FILE.json: classes, repeats, the engine, checksums (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) rewrite: RewriteArgs,
}
