//! Records that are not puzzles, from the chunk to the outcome of a run.

use super::PagePlace;
use super::solve::{SolvedInput, Watch};
use crate::input::LineError;
use crate::input::records::{MALFORMED_KEPT, MalformedRecord, Record};

/// The first malformed records of a chunk. Lines count from 0 in the chunk.
#[derive(Debug, Default)]
pub(super) struct MalformedLines(Vec<(u64, LineError)>);

impl MalformedLines {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds `record`, unless there are enough.
    pub(super) fn add(&mut self, record: &Record<'_>, error: LineError) {
        if self.0.len() < MALFORMED_KEPT {
            self.0.push((record.line, error));
        }
    }

    /// Moves them to `all`, the first malformed records of the run, and tells `watch`. The page was made of a chunk of
    /// `input`.
    pub(super) fn move_to(
        &mut self,
        all: &mut Vec<MalformedRecord>,
        (input, at): (&SolvedInput, &PagePlace),
        watch: &mut dyn Watch,
    ) {
        let room = MALFORMED_KEPT.saturating_sub(all.len());
        for (line, error) in self.0.drain(..).take(room) {
            let malformed =
                MalformedRecord { path: input.name.clone(), line: at.lines_before + line + 1, error };
            watch.malformed(&malformed);
            all.push(malformed);
        }
    }
}
