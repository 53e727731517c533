//! The options of `galop sample`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::values::share;
use super::{InputArgs, PartArgs, RewriteArgs};

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop sample train.csv -n 2 --seed 1 -o some.csv
  galop sample train.csv --share 10% --seed 1";

/// Draw records at random: a share of them, or a number
///
/// Records are unchanged and keep their order, their solutions and, where the format has columns, all other columns.
/// For example, galop sample all.csv -n 10000 --seed 1 -o some.csv. The draw depends on the seed and the places of the
/// records, not on the number of threads. To keep equivalent puzzles on the same side of a split, see `galop split`.
///
/// With -n, the files are read twice and must not change in between; input from a pipe is copied to a temporary file
/// first.
///
/// A malformed record is reported on standard error and left out.
#[derive(ClapArgs, Debug)]
pub(crate) struct SampleArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) part: PartArgs,

    #[command(flatten)]
    pub(crate) amount: AmountArgs,

    /// The seed of the draw [default: drawn, and named at the end]
    #[arg(short, long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Also write a report, FILE.json: records drawn, the seed, checksums (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) rewrite: RewriteArgs,
}

/// How many records are drawn.
#[derive(ClapArgs, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct AmountArgs {
    /// Draw each record with this probability, from 0 to 1 or 0% to 100%
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) share: Option<f64>,

    /// Draw exactly N of the well-formed records, all choices equally likely
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) count: Option<u64>,
}
