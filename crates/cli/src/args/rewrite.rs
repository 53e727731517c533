//! How commands that write records in another way write them.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop_batch::output;

use super::values::{converted_format_parser, format_or};
use super::{LongRunArgs, RunArgs};

/// How commands that write records in another way write them.
#[derive(ClapArgs, Debug)]
pub(crate) struct RewriteArgs {
    /// Write the records to FILE, which appears under that name when it is complete [default: standard output]
    ///
    /// If the name ends in .gz, .zst, .xz or .bz2, FILE is compressed; for example, -o puzzles.csv.zst.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// The format of the output [default: from the ending of -o, or else pair; csv for ratings]
    ///
    /// The endings are .txt for pair, .csv, .tsv, .json, .jsonl and .ndjson for json, .npy and .npz. Any other ending
    /// is refused without --format.
    #[arg(short, long, value_name = "FORMAT", value_parser = converted_format_parser(), help_heading = "Output")]
    format: Option<&'static output::FormatEntry>,

    #[command(flatten)]
    pub(crate) long_run: LongRunArgs,

    /// Exit with 0 even if some records were malformed or some fields had no column
    #[arg(long, help_heading = "Running", hide_short_help = true)]
    pub(crate) allow_malformed: bool,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

impl RewriteArgs {
    /// Whether the output or its format is named.
    pub(crate) fn has_output(&self) -> bool {
        self.output.is_some() || self.format.is_some()
    }

    /// Whether the format is named.
    pub(crate) fn names_format(&self) -> bool {
        self.format.is_some()
    }

    /// The format of the output: `usual` if nothing names another one.
    pub(crate) fn format_or(
        &self,
        usual: Option<&'static output::FormatEntry>,
    ) -> &'static output::FormatEntry {
        let output = self.output.as_deref();
        match usual.filter(|_| self.format.is_none() && output.and_then(output::format_of).is_none()) {
            Some(usual) => usual,
            None => format_or(self.format, output),
        }
    }
}
