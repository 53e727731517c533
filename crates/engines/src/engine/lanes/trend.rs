//! Decides about the next round from the last ones: which choice it gets, and how many sweeps.
//!
//! Nothing here depends on time: the same batch always gets the same decisions.

/// Calm rounds of which one ends with a thorough last sweep.
const CALM_ROUNDS: u32 = 4;

/// The last rounds: moving averages of the number of stuck and of contradictory lanes per round.
#[derive(Clone, Copy)]
pub(super) struct Trend {
    lanes: f32,
    stuck: f32,
    contradictory: f32,
    /// Calm rounds since one ended with a thorough last sweep.
    calm_rounds: u32,
}

/// What a round is like.
#[derive(Clone, Copy)]
pub(super) struct Round {
    /// Sweeps, with the last one.
    pub(super) sweeps: u32,
    /// The last sweep.
    pub(super) last: LastSweep,
    /// Whether stuck lanes get the strong choice.
    pub(super) is_strong: bool,
}

impl Round {
    /// The only round of a pool that does not depend on the batch.
    pub(super) const STEADY: Round = Round { sweeps: 4, last: LastSweep::Strong, is_strong: true };
}

/// The last sweep of a round.
#[derive(Clone, Copy, Debug)]
pub(super) enum LastSweep {
    /// A sweep like the others: no lane is found to be stuck.
    Plain,
    /// The strong choice follows.
    Strong,
    /// The cheap choice follows.
    Cheap,
}

impl Trend {
    /// The start of a batch. The first choices of a search tree matter most, so it begins with strong choices, and it
    /// is not calm.
    pub(super) fn new(lanes: usize) -> Trend {
        let lanes = lanes as f32;
        Trend { lanes, stuck: 0.05 * lanes, contradictory: 0.25 * lanes, calm_rounds: 0 }
    }

    /// Decides about the next round; it is one with the strong choice unless the kind `has_cheap` choices.
    #[inline(always)]
    pub(super) fn next_round(&mut self, has_cheap: bool) -> Round {
        let is_strong = !has_cheap || self.is_strong();
        // If almost no lane gets stuck, looking for stuck lanes does not pay in every round.
        self.calm_rounds = if self.is_calm() { (self.calm_rounds + 1) % CALM_ROUNDS } else { 0 };
        let last = match (self.calm_rounds, is_strong) {
            (0, true) => LastSweep::Strong,
            (0, false) => LastSweep::Cheap,
            _ => LastSweep::Plain,
        };
        Round { sweeps: self.sweeps(), last, is_strong }
    }

    /// Takes down how many lanes were stuck and how many were contradictory.
    pub(super) fn update(&mut self, stuck: u32, contradictory: u32) {
        self.stuck += 0.1 * (stuck as f32 - self.stuck);
        self.contradictory += 0.1 * (contradictory as f32 - self.contradictory);
    }

    /// Whether looking ahead pays: if the contradictory lanes are at least 0.4 of the stuck ones.
    fn is_strong(self) -> bool {
        self.contradictory >= 0.4 * self.stuck
    }

    /// Whether almost no lane gets stuck: less than 2 % of the lanes.
    fn is_calm(self) -> bool {
        self.stuck < 0.02 * self.lanes
    }

    /// Sweeps of the next round. More sweeps save rounds, but a lane that reaches its fixed point earlier waits for
    /// the others. The figures for three, four and five sweeps are in the list "Tried and lost" of the parent module.
    fn sweeps(self) -> u32 {
        match () {
            // Many contradictory lanes: contradictions appear early.
            () if self.contradictory > 0.3 * self.lanes => 3,
            () if self.is_calm() => 4,
            () if self.stuck < 0.19 * self.lanes => 5,
            () => 4,
        }
    }
}
