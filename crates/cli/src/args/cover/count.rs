//! The options of `galop cover count`.

use clap::{Args as ClapArgs, ValueEnum};

use super::{ProblemArgs, SearchArgs, SpeakingArgs};
use crate::args::BarArgs;

/// Count the solutions of exact cover problems
///
/// With several files, each count follows the name of its file and a colon. If --max-nodes or --time-limit stops a
/// count, it is a lower bound and is printed as >=N. All limits apply to each file separately.
#[derive(ClapArgs, Debug)]
pub(crate) struct CountArgs {
    #[command(flatten)]
    pub(crate) problems: ProblemArgs,

    /// How a count is written [default: from the ending of -o, or else text]
    #[arg(short, long, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<CountFormat>,

    #[command(flatten)]
    pub(crate) speaking: SpeakingArgs,

    #[command(flatten)]
    pub(crate) bar: BarArgs,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    /// Save the count so far, and continue an earlier run of the same command that was ended
    ///
    /// With -o OUT, the count so far and the remaining work are in OUT.progress, which is written every ten minutes,
    /// when --max-nodes or --time-limit ends the run, and after an interrupt. The engine, the limits and the number of
    /// threads may differ between the runs. OUT appears when the count is complete; then OUT.progress becomes
    /// .OUT.complete, by which the same command knows that nothing is left to be done. The count is the same as without
    /// interruption, but the rest may take longer if the search remembers subproblems, because its memory of them is
    /// lost.
    #[arg(long, requires = "output", help_heading = "Running")]
    pub(crate) resume: bool,
}

/// How a count is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CountFormat {
    /// The number on a line
    Text,
    /// A JSON object with statistics: `is_lower_bound` is true if there may be more than `solutions`
    Json,
}

impl CountFormat {
    /// The usual format, and the one of a file whose name ends in .json.
    pub(crate) const USUAL: [CountFormat; 2] = [CountFormat::Text, CountFormat::Json];
}
