//! What the next round is like, from what the last ones were like: which choice, and how many sweeps.
//!
//! Nothing here depends on time: the same batch goes the same way.

/// What is known of the last rounds: moving averages of lanes a round.
#[derive(Clone, Copy)]
pub(super) struct Trend {
    stuck: f32,
    bad: f32,
}

impl Trend {
    /// The first choices of a tree matter most: a batch begins with strong ones, and is not calm.
    pub(super) fn new(lanes: usize) -> Trend {
        Trend { stuck: 0.05 * lanes as f32, bad: 0.25 * lanes as f32 }
    }

    pub(super) fn update(&mut self, stuck: u32, bad: u32) {
        self.stuck += 0.1 * (stuck as f32 - self.stuck);
        self.bad += 0.1 * (bad as f32 - self.bad);
    }

    /// Whether looking ahead pays.
    pub(super) fn is_strong(self) -> bool {
        self.bad >= 0.4 * self.stuck
    }

    /// Whether next to no lane gets stuck.
    pub(super) fn is_calm(self, lanes: usize) -> bool {
        self.stuck < 0.02 * lanes as f32
    }

    /// Sweeps a round: a lane that comes to rest earlier waits, but a round costs something besides.
    pub(super) fn sweeps(self, lanes: usize) -> u32 {
        match () {
            // Contradictions show early.
            () if self.bad > 0.3 * lanes as f32 => 3,
            () if self.is_calm(lanes) => 4,
            () if self.stuck < 0.19 * lanes as f32 => 5,
            () => 4,
        }
    }
}
