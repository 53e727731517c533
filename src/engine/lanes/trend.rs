//! Decides about the next round from the last ones: which choice it gets, and how many sweeps.
//!
//! Nothing here depends on time: the same batch always gets the same decisions.

/// The last rounds: moving averages of the number of stuck and of bad lanes per round.
#[derive(Clone, Copy)]
pub(super) struct Trend {
    stuck: f32,
    bad: f32,
}

impl Trend {
    /// The start of a batch. The first choices of a search tree matter most, so it begins with strong choices, and it
    /// is not calm.
    pub(super) fn new(lanes: usize) -> Trend {
        Trend { stuck: 0.05 * lanes as f32, bad: 0.25 * lanes as f32 }
    }

    pub(super) fn update(&mut self, stuck: u32, bad: u32) {
        self.stuck += 0.1 * (stuck as f32 - self.stuck);
        self.bad += 0.1 * (bad as f32 - self.bad);
    }

    /// Whether looking ahead pays: if the bad lanes are at least 0.4 of the stuck ones.
    pub(super) fn is_strong(self) -> bool {
        self.bad >= 0.4 * self.stuck
    }

    /// Whether almost no lane gets stuck: less than 2 % of the lanes.
    pub(super) fn is_calm(self, lanes: usize) -> bool {
        self.stuck < 0.02 * lanes as f32
    }

    /// Sweeps of the next round. More sweeps save rounds, but a lane that reaches its fixed point earlier waits for
    /// the others. The figures for three, four and five sweeps are in the list "Tried and lost" of the parent module.
    pub(super) fn sweeps(self, lanes: usize) -> u32 {
        match () {
            // Many bad lanes: contradictions appear early.
            () if self.bad > 0.3 * lanes as f32 => 3,
            () if self.is_calm(lanes) => 4,
            () if self.stuck < 0.19 * lanes as f32 => 5,
            () => 4,
        }
    }
}
