//! How a long run is interrupted and divided.

use clap::Args as ClapArgs;
use galop_batch::pipeline::Shard;

use super::values::shard;

/// How a long run is interrupted and divided.
#[derive(ClapArgs, Debug)]
pub(crate) struct LongRunArgs {
    /// Continue an earlier run of the same command that was ended before FILE was complete
    ///
    /// The run writes to FILE.partial, and about twice a second its progress to FILE.progress. If it is ended at any
    /// moment, even by `kill -9`, the same command continues from there: a batch job can always use this option. A
    /// command whose FILE is complete says so, writes its reports again, and solves nothing; it knows this by the
    /// hidden file .FILE.complete.
    ///
    /// The version of galop, the options that decide the output, and the names, lengths, times and first bytes of the
    /// inputs must be the same; --threads and the reports may differ. An output of another command is never replaced.
    /// The inputs must be regular files.
    #[arg(long, requires = "output", conflicts_with_all = ["lines", "limit_records"], help_heading = "Running")]
    pub(crate) resume: bool,

    /// Read only the I-th of N equal shares of the input, for example 3/10
    ///
    /// The outputs of all shards, joined in order, are the output of a run without --shard, byte for byte (apart from
    /// times). So N machines can share a large file. Of csv and tsv, only the first shard has the header.
    ///
    /// The bytes of all files, end to end, are cut into N equal shares; a block of records, at most 512 KiB, belongs to
    /// the share in which it begins, so a share may be empty. Lines in messages count from the start of the file. The
    /// input must be regular files that are not compressed.
    #[arg(long, value_name = "I/N", value_parser = shard, conflicts_with_all = ["lines", "limit_records"])]
    #[arg(help_heading = "Running")]
    pub(crate) shard: Option<Shard>,
}

impl LongRunArgs {
    /// The whole run at once.
    pub(crate) const WHOLE: LongRunArgs = LongRunArgs { resume: false, shard: None };
}
