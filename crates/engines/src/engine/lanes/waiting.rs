//! States that wait outside the lanes, either for the strong choice or for a lane.

use super::state::{self, Chunk};

/// States outside the lanes, and the job of each.
pub(super) struct Waiting {
    pub(super) states: Vec<Chunk>,
    pub(super) jobs: Vec<u32>,
    /// Index of the first state that was not yet taken.
    first: usize,
}

impl Waiting {
    /// No states; `size` is the number of chunks that a state will have.
    pub(super) fn new(lanes: usize, size: usize) -> Waiting {
        Waiting {
            states: Vec::with_capacity(2 * lanes * size),
            jobs: Vec::with_capacity(2 * lanes),
            first: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.jobs.len() - self.first
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Drops all states.
    pub(super) fn clear(&mut self) {
        self.first = 0;
        self.jobs.clear();
        self.states.clear();
    }

    /// Adds `state` of `job` at the end, and returns its place.
    #[inline(always)]
    pub(super) fn push(&mut self, state: &[Chunk], job: u32) -> &mut [Chunk] {
        let last = self.states.len();
        self.jobs.push(job);
        self.states.extend_from_slice(state);
        &mut self.states[last..]
    }

    /// Takes the state that has waited longest, if there is one. Its bytes have left the store buffer by then. (The
    /// store buffer cannot forward words that a split has written to vectors that a copy reads.)
    #[inline(always)]
    pub(super) fn pop(&mut self, size: usize) -> Option<(&[Chunk], u32)> {
        if self.first == self.jobs.len() {
            self.clear();
            return None;
        }
        let at = self.first;
        self.first += 1;
        Some((state::at(&self.states, at, size), self.jobs[at]))
    }
}
