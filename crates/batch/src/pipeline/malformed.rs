//! Records that are not puzzles, from the chunk to the outcome of a run.

use crate::input::LineError;
use crate::input::records::{MALFORMED_KEPT, Record};

/// The malformed records of a chunk. Lines count from 0 in the chunk.
#[derive(Debug, Default)]
pub(super) struct MalformedLines {
    /// All of them.
    pub(super) count: u64,
    /// The first of them.
    pub(super) first: Vec<(u64, LineError)>,
}

impl MalformedLines {
    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.first.clear();
    }

    /// Adds `record`.
    pub(super) fn add(&mut self, record: &Record<'_>, error: LineError) {
        self.count += 1;
        if self.first.len() < MALFORMED_KEPT {
            self.first.push((record.line, error));
        }
    }
}
