//! How a long run is interrupted and divided.

use clap::Args as ClapArgs;
use galop_batch::pipeline::Shard;

use super::values::shard;

/// How a long run is interrupted and divided.
#[derive(ClapArgs, Debug)]
pub(crate) struct LongRunArgs {
    /// Continue an earlier run of the same command that was ended before FILE was complete
    ///
    /// A run with this option writes to FILE.partial, and about twice a second it writes its progress to FILE.progress.
    /// If it is ended at any moment, even by `kill -9` or a full disk, the same command continues from there. Apart
    /// from times, FILE, the summary and the reports are then the same as those of an uninterrupted run. Both files are
    /// removed when FILE is complete. Without these files, a run begins at the start, so a batch job can always use
    /// this option.
    ///
    /// A run continues only if the version of galop, the options that decide the output, and the names, lengths, times
    /// and first bytes of the inputs are the same. --threads, --isa and the reports may differ. If FILE exists without
    /// an unfinished run, it may be complete: the command then does nothing and fails with exit code 2.
    ///
    /// This option needs -o FILE, and regular files as inputs; compressed files are unpacked again from their start.
    /// With this option, a .zst file is written as many frames, not as one.
    #[arg(long, requires = "output", conflicts_with_all = ["lines", "limit_records"], help_heading = "Running")]
    pub(crate) resume: bool,

    /// Read only the I-th of N equal shares of the input, for example 3/10
    ///
    /// The outputs of all shards, joined in order, are the output of a run without --shard, byte for byte (apart from
    /// times; compressed outputs after unpacking). So N machines can share a large file. Only shard 1 writes the header
    /// of a table.
    ///
    /// The bytes of all files, end to end, are cut into N equal shares. Records are assigned in blocks: all records of
    /// a block go to the share in which the block begins. A block has 512 KiB. If `galop solve` uses an engine that
    /// solves each puzzle by itself, a block has 32 KiB or, in a small input, a sixteenth of a share, but at least one
    /// record. A share may be empty. Lines in messages count from the start of the whole file. To count them, a run
    /// also reads the bytes before its share, which takes about as long as copying them.
    ///
    /// The input must be regular files that are not compressed.
    #[arg(long, value_name = "I/N", value_parser = shard, conflicts_with_all = ["lines", "limit_records"])]
    #[arg(help_heading = "Running")]
    pub(crate) shard: Option<Shard>,
}

impl LongRunArgs {
    /// The whole run at once.
    pub(crate) const WHOLE: LongRunArgs = LongRunArgs { resume: false, shard: None };
}
