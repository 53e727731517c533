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
        // A list that never becomes empty would grow for ever: its first half goes once all of it was taken.
        if self.jobs.len() == self.jobs.capacity() && 2 * self.first >= self.jobs.len() {
            self.jobs.drain(..self.first);
            self.states.drain(..self.first * state.len());
            self.first = 0;
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_never_becomes_empty_does_not_grow() {
        let mut waiting = Waiting::new(64, 2);
        let state = |number: u32| [Chunk([number as u8; 32]), Chunk([(number >> 8) as u8; 32])];
        for number in 0..10 {
            waiting.push(&state(number), number);
        }
        for number in 10..100_000 {
            assert_eq!(waiting.push(&state(number), number), state(number));
            assert_eq!(waiting.pop(2), Some((&state(number - 10)[..], number - 10)));
        }
        assert_eq!(waiting.len(), 10);
        assert!(waiting.jobs.capacity() <= 128 && waiting.states.capacity() <= 256);
    }
}
