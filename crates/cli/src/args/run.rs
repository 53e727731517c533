//! How a run over records works, and what it says meanwhile.

use std::num::NonZero;

use clap::Args as ClapArgs;

use super::BarArgs;
use super::values::threads;

/// How a run over records works, and what it says meanwhile.
#[derive(ClapArgs, Debug)]
pub(crate) struct RunArgs {
    /// Number of threads, at most 1024 [default: one per core]
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = threads, help_heading = "Running")]
    #[arg(hide_default_value = true)]
    threads: usize,

    #[command(flatten)]
    pub(crate) bar: BarArgs,

    /// Show no progress bar and no summary, only warnings and errors
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

impl RunArgs {
    /// The number of threads; `None` means one per core.
    pub(crate) fn threads(&self) -> Option<NonZero<usize>> {
        NonZero::new(self.threads)
    }
}
