//! The options of `galop cover` for counts.

use clap::Args as ClapArgs;

use super::values::bytes;

/// How a count is made.
#[derive(ClapArgs, Debug)]
pub(crate) struct CountingArgs {
    /// Memory that a count or a diagram may take, as 500M or 4G [default: a quarter of the memory of this machine]
    ///
    /// A count remembers numbers of subproblems, and takes no more memory than it needs. If it needs more than SIZE, the
    /// number is still right, but the count takes longer; -v then says that memory was lacking.
    /// A diagram that needs more is an error.
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub(crate) memory: Option<u64>,
}
