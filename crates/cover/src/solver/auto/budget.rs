//! How far a runner runs, in ticks.

use crate::engine::{Event, Meter, Stop};

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ran {
    /// A solution was found, or one that is counted is shown.
    Solution,
    /// There is nothing left: everything is counted, or it is proved that there is no other solution.
    Done,
    /// The runner gives up. What it has not searched is left to others.
    GaveUp,
    /// Its ticks are used up; it can be continued.
    Open,
    /// A limit of the meter stopped it; it can be continued.
    Stopped(Stop),
}

impl From<Event> for Ran {
    fn from(event: Event) -> Ran {
        match event {
            Event::Solution => Ran::Solution,
            Event::End => Ran::Done,
            Event::Stopped(stop) => Ran::Stopped(stop),
        }
    }
}

/// Ticks that a runner may take. An engine knows nothing of them: it runs for slices of nodes, whose number follows
/// from the ticks of the slice before. So a budget ends after the same node on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// Ticks that are left.
    pub(super) left: u64,
    /// Nodes of the slice under way, how many of them are left, and its ticks so far.
    slice: u64,
    nodes_left: u64,
    ticks: u64,
}

impl Budget {
    /// Nodes of the first slice.
    const FIRST_SLICE: u64 = 16;

    /// A budget of `ticks`.
    pub(super) fn new(ticks: u64) -> Budget {
        let slice = Budget::FIRST_SLICE.min(ticks.max(1));
        Budget { left: ticks.max(1), slice, nodes_left: slice, ticks: 0 }
    }

    /// Runs until the ticks are used up ([`Ran::Open`]), or until something else ends the run.
    pub(super) fn spend(&mut self, meter: &mut Meter<'_>, mut run: impl FnMut(&mut Meter<'_>) -> Ran) -> Ran {
        while self.left > 0 {
            let before = meter.ticks;
            let (ran, nodes) = meter.within(self.nodes_left, &mut run);
            self.ticks += meter.ticks - before;
            self.nodes_left = self.nodes_left.saturating_sub(nodes);
            if ran != Ran::Stopped(Stop::Nodes) || self.nodes_left > 0 {
                return ran;
            }
            self.left = self.left.saturating_sub(self.ticks);
            let fitting = u128::from(self.left) * u128::from(self.slice) / u128::from(self.ticks.max(1));
            self.slice = u64::try_from(fitting).unwrap_or(u64::MAX).clamp(1, 2 * self.slice);
            (self.nodes_left, self.ticks) = (self.slice, 0);
        }
        Ran::Open
    }
}
