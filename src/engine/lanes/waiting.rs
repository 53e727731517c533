//! States that wait outside the lanes: for the strong choice, or for a lane.

use super::planes::Planes;

/// States outside the lanes, and whose they are.
pub(super) struct Waiting {
    pub(super) states: Vec<Planes>,
    pub(super) jobs: Vec<u32>,
    /// Those before are gone.
    first: usize,
}

impl Waiting {
    pub(super) fn new(lanes: usize) -> Waiting {
        Waiting { states: Vec::with_capacity(2 * lanes), jobs: Vec::with_capacity(2 * lanes), first: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.jobs.len() - self.first
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds `state` of `job` at the end, and gives it.
    #[inline(always)]
    pub(super) fn push(&mut self, state: &Planes, job: u32) -> &mut Planes {
        let last = self.states.len();
        self.jobs.push(job);
        self.states.push(*state);
        &mut self.states[last]
    }

    /// Takes the one that has waited longest: its bytes have long left the store buffer, which cannot forward the
    /// words that a split wrote to the vectors that a copy reads.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<(&Planes, u32)> {
        if self.first == self.jobs.len() {
            self.first = 0;
            self.jobs.clear();
            self.states.clear();
            return None;
        }
        let at = self.first;
        self.first += 1;
        Some((&self.states[at], self.jobs[at]))
    }
}
