//! The options of `galop cover` for counts.

use clap::Args as ClapArgs;

use super::values::bytes;

/// How a count is made.
#[derive(ClapArgs, Debug)]
pub(crate) struct CountingArgs {
    /// Memory that a count or a diagram may take, as 500M or 4G [default: a quarter of the memory of this machine]
    ///
    /// Counts remember numbers of subproblems, and take no more memory than they need. A count that is larger than the
    /// memory is still right, but it takes longer; -v says so. A diagram that is larger is an error.
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub(crate) memory: Option<u64>,
}
