//! The options of `galop cover list`.

use clap::Args as ClapArgs;

use super::{ProblemArgs, SearchArgs, SolutionFormat, SpeakingArgs};

/// Print solutions of exact cover problems
///
/// All solutions are printed, or the first N found. Every solution is checked before it is printed.
///
/// With --limit, the search may restart: if most of the search tree is left after the first nodes, the order of the
/// file is unlikely to lead to a solution. Then the search begins again and again with random choices, and learns which
/// items fail. No solution is printed twice, and none is missed. With --ordered, and with any --engine other than auto,
/// there are no restarts.
#[derive(ClapArgs, Debug)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) problems: ProblemArgs,

    /// Print only the first N solutions found [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "What to find")]
    pub(crate) limit: Option<u64>,

    /// How a solution is written [default: from the ending of -o, or else options]
    #[arg(short, long, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<SolutionFormat>,

    /// Print solutions in the order in which one thread finds them, with any number of threads
    #[arg(long, help_heading = "Output")]
    pub(crate) ordered: bool,

    #[command(flatten)]
    pub(crate) speaking: SpeakingArgs,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    /// The seed of the random choices of restarts: with -j 1, the same seed gives the same solutions
    #[arg(short, long, value_name = "N", default_value_t = 0, help_heading = "Running")]
    pub(crate) seed: u64,
}
