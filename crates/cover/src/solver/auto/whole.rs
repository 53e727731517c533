//! Counts of a whole problem from its root, beside the branches that are left. The branches are kept until the count is
//! done, so nothing is lost if it gives up.

use crate::engine::sweep::{Sweep, SweepEnd};
use crate::engine::{CoverEngine, Event, Meter};
use crate::{Natural, OptionId};

/// A count of a whole problem under way.
pub(super) enum Whole {
    /// A sweep, and whether it is over.
    Sweep(Box<Sweep>, bool),
    /// A count by an engine that was started at the root.
    Engine {
        engine: Box<dyn CoverEngine>,
        /// The solutions counted.
        found: Natural,
    },
}

impl Whole {
    /// A count by `engine`, which was started.
    pub(super) fn of(engine: Box<dyn CoverEngine>) -> Whole {
        Whole::Engine { engine, found: Natural::ZERO }
    }

    /// Counts on; `None` if it gives up. The event `Solution` shows a solution that is counted.
    pub(super) fn run(&mut self, meter: &mut Meter<'_>) -> Option<Event> {
        match self {
            Whole::Engine { engine, found } => engine.count(meter, found),
            Whole::Sweep(sweep, is_over) => match sweep.run(meter) {
                SweepEnd::Done => {
                    *is_over = true;
                    Some(Event::End)
                }
                SweepEnd::Full => None,
                SweepEnd::Stopped(stop) => Some(Event::Stopped(stop)),
            },
        }
    }

    /// The solutions counted: together with the solutions of the branches that remain, they are all solutions.
    pub(super) fn count(&self) -> Natural {
        match self {
            Whole::Sweep(sweep, true) => sweep.count(),
            Whole::Sweep(..) => Natural::ZERO,
            Whole::Engine { found, .. } => found.clone(),
        }
    }

    /// A solution, if one was found on the way.
    pub(super) fn solution(&self) -> &[OptionId] {
        match self {
            Whole::Sweep(..) => &[],
            Whole::Engine { engine, .. } => engine.solution(),
        }
    }

    pub(super) fn progress(&self) -> f64 {
        match self {
            Whole::Sweep(sweep, _) => sweep.progress(),
            Whole::Engine { engine, .. } => engine.progress(),
        }
    }

    pub(super) fn is_forgetting(&self) -> bool {
        matches!(self, Whole::Engine { engine, .. } if engine.is_forgetting())
    }
}
