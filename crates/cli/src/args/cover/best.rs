//! The options of `galop cover best`.

use clap::Args as ClapArgs;

use super::{LimitArgs, ProblemArgs, SolutionFormat, SpeakingArgs, ThreadsArgs};
use crate::args::BarArgs;

/// Print the solutions of least or greatest total cost
///
/// The cost of a solution is the sum of the costs of its options, |n in the file; |n at the end of its line is the
/// total. Solutions that cost the same are printed in the order of their options in the file. The search proves that no
/// other solution costs less. If it is interrupted, or stopped by --time-limit or --max-nodes, the best solutions found
/// so far are printed. A message gives the cost that is proved to be the least possible, and the gap to it.
#[derive(ClapArgs, Debug)]
pub(crate) struct BestArgs {
    #[command(flatten)]
    pub(crate) problems: ProblemArgs,

    /// Print the N best solutions, best first
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..), help_heading = "What to find")]
    pub(crate) limit: u64,

    /// Find the greatest total cost instead of the least
    #[arg(long, help_heading = "What to find")]
    pub(crate) dearest: bool,

    /// How a solution is written [default: from the ending of -o, or else options]
    #[arg(short, long, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<SolutionFormat>,

    #[command(flatten)]
    pub(crate) speaking: SpeakingArgs,

    #[command(flatten)]
    pub(crate) bar: BarArgs,

    #[command(flatten)]
    pub(crate) threads: ThreadsArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}
