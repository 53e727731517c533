//! A place between two chunks of a run, so that a later run can go on there.

use serde::{Deserialize, Serialize};

use super::{Part, SolvedInput};

/// Where a run was in its sources. A run that goes on has the same sources.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    /// The sources that were read to their end.
    finished: Vec<Progress>,
    /// The place in the source that was being read.
    current: Option<Behind>,
}

/// What was read of a source.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Progress {
    bytes: u64,
    lines: u64,
    records: u64,
    /// Whether its format is known.
    pub(crate) is_recognised: bool,
}

/// A place in a source, behind a chunk.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Behind {
    pub(crate) read: Progress,
    /// The first byte that was not read.
    pub(crate) offset: u64,
    /// Lines before it.
    pub(crate) lines: u64,
}

impl Progress {
    pub(crate) fn of(input: &SolvedInput) -> Progress {
        let is_recognised = !input.format.is_empty();
        Progress { bytes: input.bytes, lines: input.lines, records: input.records, is_recognised }
    }

    pub(crate) fn give_to(self, input: &mut SolvedInput) {
        (input.bytes, input.lines, input.records) = (self.bytes, self.lines, self.records);
    }
}

impl Checkpoint {
    /// The place `current` in the source behind the `finished` ones.
    pub(crate) fn new(finished: &[SolvedInput], current: Option<Behind>) -> Checkpoint {
        Checkpoint { finished: finished.iter().map(Progress::of).collect(), current }
    }

    /// The records before it.
    pub(crate) fn records(&self) -> u64 {
        let current = self.current.map_or(0, |current| current.read.records);
        self.finished.iter().map(|read| read.records).sum::<u64>() + current
    }

    /// Whether the source `index` was finished. While a run passes over it, the output and the counts are ahead of its
    /// place, so no state must be kept.
    pub(crate) fn has_finished(&self, index: usize) -> bool {
        index < self.finished.len()
    }

    /// The rest of `part` of the source `index`, and what was read of it before.
    pub(crate) fn rest_of(&self, index: usize, part: Part) -> (Part, Option<Behind>) {
        if let Some(&read) = self.finished.get(index) {
            return (Part::NOTHING, Some(Behind { read, ..Behind::default() }));
        }
        match self.current.filter(|_| index == self.finished.len()) {
            Some(current) if current.offset >= part.to => (Part::NOTHING, Some(current)),
            Some(current) => {
                let rest = Part { from: current.offset, lines_before: Some(current.lines), ..part };
                (rest, Some(current))
            }
            None => (part, None),
        }
    }
}
