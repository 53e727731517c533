//! Which part of a search `galop cover` does, and how it goes on later.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop::pipeline::Shard;

use super::values::shard;

/// Which part of a search is done, and how it goes on later.
#[derive(ClapArgs, Debug)]
pub(crate) struct WorkArgs {
    /// Search only the I-th of N parts that take about equally long; for example 3/10
    ///
    /// N machines can share a long search: the counts of all parts add up to the count of the whole, and each solution is
    /// printed by one of them. How the search is shared depends on the problem, --with, --without and N alone.
    ///
    /// If the search is expected to be over sooner than it is shared (each part needs 8 million nodes at least, about a
    /// second), or is over within its first nodes (65,536, or a million of a count that remembers equal subproblems), part 1
    /// has all of it, and the others are empty. A longer count that remembers equal subproblems, as those of tilings with
    /// small pieces, repeats most of its work in each part; a warning says so.
    #[arg(long, value_name = "I/N", value_parser = shard, display_order = 920, conflicts_with_all = DIAGRAMS)]
    pub(crate) shard: Option<Shard>,

    /// Keep what was counted and what remains in STATE, and go on from there if STATE is present
    ///
    /// STATE is written every ten minutes, when --max-nodes or --time-limit ends the run, and after an interrupt. The same
    /// command goes on; the engine, the limits and the number of threads may differ. The count is the same as that of a
    /// run without interruption, but the rest may take longer if the search counts with memory, because what it remembered
    /// is lost. Only counts have a state, not lists, and only of one FILE. With --shard, STATE says how the search is shared,
    /// and a run that would share it in another way is refused.
    #[arg(long, value_name = "STATE", display_order = 921, conflicts_with_all = ["first", "all"])]
    #[arg(conflicts_with_all = DIAGRAMS)]
    pub(crate) resume: Option<PathBuf>,
}

/// Options whose answers need all solutions.
const DIAGRAMS: [&str; 6] = ["sample", "marginals", "nth", "diagram", "best", "worst"];
