//! The options of `galop leak`.

use std::path::PathBuf;

use clap::{Arg, Args as ClapArgs};

use super::classes::{MemoryArgs, TrustArgs};
use super::{InputArgs, RunArgs};

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop leak train.csv test.csv                nothing is printed if they share nothing";

/// Find test puzzles that are in the training data, up to symmetry
///
/// Prints each record of TEST that is equivalent to a record of TRAIN, with the first such record and the symmetry that
/// turns the test puzzle into it: `test.txt:5: equals train.txt:7 by r123456789-c213456789-d123456789`. A test puzzle
/// that is not equivalent to any may still have the solution of a training puzzle, up to symmetry; it is printed too,
/// with `has the solution of` in place of `equals`.
///
/// TRAIN and TEST are files, folders, or zip archives; `-` is standard input. If something is found, they are read
/// twice and must not change in between; input from a pipe is copied to a temporary file first. Sudokus of 9x9, 6x6 and
/// 4x4 have symmetries. Malformed records are not compared.
#[derive(ClapArgs, Debug)]
#[command(override_usage = "galop leak [OPTIONS] <TRAIN> <TEST>", mut_arg("files", two_inputs))]
pub(crate) struct LeakArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) trust: TrustArgs,

    #[command(flatten)]
    pub(crate) memory: MemoryArgs,

    /// Also write a report, FILE.json: how many test puzzles and solutions are in the training data, checksums
    /// (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// The argument for the files, in a command that reads training data and tests.
fn two_inputs(files: Arg) -> Arg {
    let help =
        "The training data and the tests: files, folders, zip archives or puzzles; `-` means standard input";
    files.value_names(["TRAIN", "TEST"]).num_args(2).required(true).help(help).long_help(help)
}
