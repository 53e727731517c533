//! The options that `galop verify` and `galop check` share.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::PartArgs;
use super::values::threads;

/// How records are inspected, and what is written about them.
#[derive(ClapArgs, Debug)]
pub(crate) struct AuditArgs {
    #[command(flatten)]
    pub(crate) part: PartArgs,

    /// Also write a report, FILE.json: how many records have each fault, and the first of each (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Vec<PathBuf>,

    /// Number of threads; 0 means one per core; at most 1024
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = threads, help_heading = "Running")]
    pub(crate) threads: usize,

    /// Print only the faults, without a summary
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}
