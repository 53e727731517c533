//! Which part of the records is read.

use std::ops::RangeInclusive;

use clap::Args as ClapArgs;
use galop_batch::input::{Cut, Source};

use super::values::{at_least_one, line_range};

/// Which part of the records is read.
#[derive(ClapArgs, Debug)]
pub(crate) struct PartArgs {
    /// Read only the records of these lines of each file: A..B, A.., ..B or N; for example 1..1000
    #[arg(long, value_name = "A..B", value_parser = line_range, display_order = 880, help_heading = "Input")]
    #[arg(hide_short_help = true)]
    lines: Option<RangeInclusive<u64>>,

    /// Stop after N records of all files together, malformed ones included
    #[arg(long, value_name = "N", value_parser = at_least_one, display_order = 881, hide_short_help = true)]
    #[arg(help_heading = "Advanced")]
    limit_records: Option<usize>,
}

impl PartArgs {
    /// All records.
    pub(crate) const WHOLE: PartArgs = PartArgs { lines: None, limit_records: None };

    /// Whether all records are read.
    pub(crate) fn is_whole(&self) -> bool {
        self.lines.is_none() && self.limit_records.is_none()
    }

    /// Tells the sources which of their records are read.
    pub(crate) fn apply(&self, sources: &mut [Source]) {
        let cut = Cut::new(self.lines.clone(), self.limit_records.map(|records| records as u64));
        sources.iter_mut().for_each(|source| source.cut(&cut));
    }
}
