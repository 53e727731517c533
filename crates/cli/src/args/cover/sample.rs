//! The options of `galop cover sample`.

use clap::Args as ClapArgs;

use super::{LimitArgs, MemoryArgs, ProblemArgs, SolutionFormat, WritingArgs};

/// Print random solutions, all equally likely
///
/// A solution may be drawn more than once. All solutions are first stored in a decision diagram, which stores equal
/// parts only once: the 2.4 * 10^30 domino tilings of 16x16 cells take a few megabytes. Problems whose parts rarely
/// repeat, such as queens, need much memory. Problems with bounds have no diagram.
#[derive(ClapArgs, Debug)]
pub(crate) struct CoverSampleArgs {
    #[command(flatten)]
    pub(crate) problems: ProblemArgs,

    /// Number of solutions
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1, help_heading = "What to find")]
    pub(crate) count: u64,

    /// The seed of the random choices: the same seed gives the same sample [default: drawn, and named at the end]
    #[arg(short, long, value_name = "N", help_heading = "What to find")]
    pub(crate) seed: Option<u64>,

    /// How a solution is written [default: from the ending of -o, or else options]
    #[arg(short, long, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<SolutionFormat>,

    #[command(flatten)]
    pub(crate) writing: WritingArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}
