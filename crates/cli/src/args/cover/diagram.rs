//! The options of `galop cover diagram`.

use std::path::PathBuf;

use clap::{ArgGroup, Args as ClapArgs};
use galop_cover::Natural;

use super::{GivenArgs, LimitArgs, MemoryArgs, SolutionFormat, WritingArgs};

/// Answer questions about all solutions from a decision diagram
///
/// A diagram stores equal parts only once: the 2.4 * 10^30 domino tilings of 16x16 cells take a few megabytes. Problems
/// whose parts rarely repeat, such as queens, need much memory. Problems with bounds have no diagram.
#[derive(ClapArgs, Debug)]
#[command(group = ArgGroup::new("answer").args(["marginals", "nth"]).required(true))]
pub(crate) struct DiagramArgs {
    /// A file with a problem; `-` or no file means standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) given: GivenArgs,

    /// Print how many solutions each option is in: a number and the option on each line
    #[arg(long, help_heading = "What to find")]
    pub(crate) marginals: bool,

    /// Print the K-th solution, counted from 1 in an order that only the problem determines
    #[arg(long, value_name = "K", help_heading = "What to find")]
    pub(crate) nth: Option<Natural>,

    /// The format of --marginals (options or json) and --nth [default: from the ending of -o, or else options]
    #[arg(short, long, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<SolutionFormat>,

    #[command(flatten)]
    pub(crate) writing: WritingArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}
