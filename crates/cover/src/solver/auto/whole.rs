//! Counts of a whole problem from its root, beside the branches that are left. The branches are kept until the count is
//! done, so nothing is lost if it gives up.

use crate::engine::sweep::{Sweep, SweepEnd};
use crate::engine::{CoverEngine, Event, Meter, Stop};
use crate::{Natural, OptionId};

/// How a count of the whole ends, or pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountEnd {
    Done,
    /// It has met a solution, which is counted.
    Shown,
    /// Another stage must count.
    GaveUp,
    /// A limit stopped it; it can be continued.
    Stopped(Stop),
}

/// A count of a whole problem under way.
pub(super) enum Whole {
    /// A sweep, and whether it is over.
    Sweep(Box<Sweep>, bool),
    Engine(FromRoot),
}

/// A count by an engine that was started at the root.
pub(super) struct FromRoot {
    pub(super) engine: Box<dyn CoverEngine>,
    pub(super) found: Natural,
    /// Whether the engine still counts without finding each solution.
    pub(super) can_count: bool,
    /// Whether it gives up once the engine no longer does.
    pub(super) gives_up: bool,
}

impl FromRoot {
    pub(super) fn new(engine: Box<dyn CoverEngine>, gives_up: bool) -> FromRoot {
        FromRoot { engine, found: Natural::ZERO, can_count: true, gives_up }
    }

    fn run(&mut self, meter: &mut Meter<'_>) -> CountEnd {
        let counted = if self.can_count { self.engine.count(meter, &mut self.found) } else { None };
        self.can_count = counted.is_some();
        if self.gives_up && !self.can_count {
            return CountEnd::GaveUp;
        }
        match counted.unwrap_or_else(|| self.engine.next(meter)) {
            Event::Solution => {
                self.found += u64::from(!self.can_count);
                CountEnd::Shown
            }
            Event::End => CountEnd::Done,
            Event::Stopped(stop) => CountEnd::Stopped(stop),
        }
    }
}

impl Whole {
    pub(super) fn run(&mut self, meter: &mut Meter<'_>) -> CountEnd {
        match self {
            Whole::Engine(engine) => engine.run(meter),
            Whole::Sweep(sweep, is_over) => match sweep.run(meter) {
                SweepEnd::Done => {
                    *is_over = true;
                    CountEnd::Done
                }
                SweepEnd::Full => CountEnd::GaveUp,
                SweepEnd::Stopped(stop) => CountEnd::Stopped(stop),
            },
        }
    }

    /// The solutions counted: together with the solutions of the branches that remain, they are all solutions.
    pub(super) fn count(&self) -> Natural {
        match self {
            Whole::Sweep(sweep, true) => sweep.count(),
            Whole::Sweep(..) => Natural::ZERO,
            Whole::Engine(engine) => engine.found.clone(),
        }
    }

    /// A solution, if one was found on the way.
    pub(super) fn solution(&self) -> &[OptionId] {
        match self {
            Whole::Sweep(..) => &[],
            Whole::Engine(engine) => engine.engine.solution(),
        }
    }

    pub(super) fn progress(&self) -> f64 {
        match self {
            Whole::Sweep(sweep, _) => sweep.progress(),
            Whole::Engine(engine) => engine.engine.progress(),
        }
    }

    pub(super) fn is_forgetting(&self) -> bool {
        matches!(self, Whole::Engine(engine) if engine.engine.is_forgetting())
    }
}
