//! Where a run writes its records: to a new output, or to one that an earlier run began.

use std::num::NonZero;
use std::path::Path;

use galop_batch::output::{Earlier, FormatEntry, RunFact};

use crate::output::{Content, Destination, Sink, Writing};
use crate::resume;

/// Where a run writes its records.
#[derive(Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) path: Option<&'a Path>,
    pub(crate) format: &'static FormatEntry,
    /// Whether an option names the format.
    pub(crate) is_format_named: bool,
    pub(crate) is_resumed: bool,
    /// Threads that compress; `None` means one per core.
    pub(crate) threads: Option<NonZero<usize>>,
    pub(crate) is_quiet: bool,
    pub(crate) is_summed: bool,
}

impl Target<'_> {
    /// Opens a new output, or checks the name of one that goes on. It must not be one of `others`, the inputs and
    /// reports. All that can be wrong with its name shows here, before an input is waited for.
    pub(crate) fn prepare(self, others: &[&Path]) -> anyhow::Result<Option<Destination>> {
        let Target { path, format, threads, is_quiet, is_summed, .. } = self;
        let content = Content::of(format, self.is_format_named);
        if self.is_resumed {
            resume::check(path, format, others, content)?;
            return Ok(None);
        }
        let opened = Destination::new(path, others, Writing { content, threads, is_quiet, is_summed })?;
        opened.check_format(format)?;
        Ok(Some(opened))
    }

    /// The output of a `prepared` target: `sink` makes a new one; one that goes on must have the same `facts`. Returns
    /// what an earlier run left, too.
    pub(crate) fn open(
        self,
        prepared: Option<Destination>,
        sink: impl FnOnce(Destination) -> anyhow::Result<Sink>,
        facts: impl FnOnce() -> anyhow::Result<Vec<RunFact>>,
    ) -> anyhow::Result<(Sink, Option<Earlier>)> {
        match prepared {
            Some(opened) => Ok((sink(opened)?, None)),
            None => resume::open_file(self.path, self.threads, facts()?, self.is_quiet),
        }
    }
}
