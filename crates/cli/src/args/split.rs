//! The options of `galop split`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::classes::ByArgs;
use super::values::{Tests, tests};
use super::{InputArgs, PartArgs, RewriteArgs};

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop split train.csv --test 0.1 --seed 1 -o most.csv --test-output rest.csv";

/// Split records into training and test data, with all equivalent puzzles on one side
///
/// With a share, the class of a puzzle and the seed decide its side: a class is on the same side in every run with that
/// seed, whatever the other records are, and the share is exact only on average. With a number, the files are read twice
/// and must not change in between, and a class that would make the tests too many is training data.
///
/// With --by grid, all puzzles with equivalent solutions are on one side. For example, galop split all.csv --test 0.1
/// --seed 1 -o train.csv --test-output test.csv.
///
/// Records keep their order, their solutions and, where the format has columns, all other columns. Both outputs have
/// the same format. A malformed record is reported on standard error and left out.
#[derive(ClapArgs, Debug)]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) part: PartArgs,

    /// The share of the tests, from 0 to 1 or 0% to 100%, or how many there are, such as 2000
    #[arg(long, value_name = "SHARE|N", value_parser = tests)]
    pub(crate) test: Tests,

    /// The seed; another seed gives another split
    #[arg(short, long, value_name = "N")]
    pub(crate) seed: u64,

    /// Write the tests to FILE; -o gets the training data
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) test_output: PathBuf,

    #[command(flatten)]
    pub(crate) by: ByArgs,

    /// Also write a report, FILE.json: records of both sides, the engine, checksums of the inputs (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) rewrite: RewriteArgs,
}
