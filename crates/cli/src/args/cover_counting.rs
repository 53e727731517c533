//! The options of `galop cover` for counts.

use clap::Args as ClapArgs;

use super::values::bytes;

/// How a count is made.
#[derive(ClapArgs, Debug)]
pub(crate) struct CountingArgs {
    /// Memory that a search or a diagram may take, as 500M or 4G [default: a quarter of the memory of this machine]
    ///
    /// All threads of a search share it: for tables, for the states at every level, and for what a count remembers. If
    /// the usual engine could need more than SIZE, another one is used; if fewer threads fit than -j says, fewer search.
    /// A count that needs more forgets numbers of subproblems: the result is still right, but takes longer; -v then says
    /// that memory was lacking. If no engine fits, or a diagram needs more, that is an error that names the bytes needed.
    /// The problem itself is not included, nor are --best and --worst. Without this option no engine is refused.
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub(crate) memory: Option<u64>,
}
