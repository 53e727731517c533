//! How the classes of puzzles are found.

use clap::Args as ClapArgs;
use galop_corpora::By;

use super::values::{by_parser, bytes};

/// Whether puzzles are solved to find their classes.
#[derive(ClapArgs, Debug)]
pub(crate) struct TrustArgs {
    /// Take the solution that a record gives as the only one, without a search
    ///
    /// For data that `galop verify --unique` has found right. It saves the search for a second solution. A wrong
    /// solution is not used; if a puzzle has several, its form depends on the given one.
    #[arg(long, help_heading = "Advanced", hide_short_help = true)]
    pub(crate) trust_solutions: bool,
}

/// What makes two records equal.
#[derive(ClapArgs, Debug)]
pub(crate) struct ByArgs {
    /// What makes two records equal
    #[arg(long, value_name = "WHAT", value_parser = by_parser(), default_value = "puzzle")]
    pub(crate) by: By,

    #[command(flatten)]
    pub(crate) trust: TrustArgs,
}

/// How much memory keys may take.
#[derive(ClapArgs, Debug)]
pub(crate) struct MemoryArgs {
    /// Approximate memory for the keys of the records, for example 64M or 2G; the rest goes to a temporary file
    ///
    /// A record takes 24 bytes. The temporary file has no name; it is in the folder that the environment variable
    /// TMPDIR names, or else in /tmp. If that folder is itself kept in memory, this saves nothing.
    #[arg(long, value_name = "SIZE", value_parser = bytes, default_value = "384M", help_heading = "Running")]
    pub(crate) memory: u64,
}
