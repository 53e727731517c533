//! How a long run is interrupted and divided.

use clap::Args as ClapArgs;
use galop_batch::pipeline::Shard;

use super::values::shard;

/// How a long run is interrupted and divided.
#[derive(ClapArgs, Debug)]
pub(crate) struct LongRunArgs {
    /// Continue an earlier run of the same command that was ended before FILE was complete
    ///
    /// The run writes to FILE.partial and its progress to FILE.progress, and continues there even after `kill -9`. A
    /// command whose FILE is complete (.FILE.complete says so) solves nothing. galop, the options that decide the
    /// output, and the inputs, which must be regular files, must be the same. The output of another command is never
    /// replaced.
    #[arg(long, requires = "output", conflicts_with_all = ["lines", "limit_records"], help_heading = "Running")]
    pub(crate) resume: bool,

    /// Read only the I-th of N equal shares of the input, for example 3/10
    ///
    /// The outputs of all shards, joined in order, are the output of a run without --shard. Of csv and tsv, only the
    /// first shard has the header. A share may be empty. The input must be regular files that are not compressed.
    #[arg(long, value_name = "I/N", value_parser = shard, conflicts_with_all = ["lines", "limit_records"])]
    #[arg(help_heading = "Running", hide_short_help = true)]
    pub(crate) shard: Option<Shard>,
}

impl LongRunArgs {
    /// The whole run at once.
    pub(crate) const WHOLE: LongRunArgs = LongRunArgs { resume: false, shard: None };
}
