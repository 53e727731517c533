//! Counts of a whole problem that need no search through its solutions: a [sweep](crate::engine::sweep) over its
//! items, or the product of [independent](super::independent) parts.
//!
//! Both start after the try, which says how large the search would be: nodes divided by the share of the search that
//! they did. The branches that the try left are kept until the count is done, so nothing is lost if it gives up.

use std::sync::Arc;

use super::independent::{self, Independent, Split};
use crate::engine::sweep::{self, Sweep, SweepPlan, Sweeping};
use crate::engine::{CoverEngine, Event, Meter, Selection, Stop};
use crate::memory::Memory;
use crate::{Assumptions, ExactCover, Natural, OptionId};
use galop_simd::Isa;

/// Options that a sweep tests while the counter searches a node: those of a short sweep, and of one whose states do not fit
/// the cache.
const TESTS_PER_NODE: [f64; 2] = [64.0, 8.0];
/// Options tested in a short sweep.
const SHORT_SWEEP: f64 = 1e7;

/// How a count ends, or pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    Done,
    /// Another engine must count.
    GaveUp,
    /// A limit stopped it; it can be continued.
    Stopped(Stop),
}

/// A count of a whole problem under way.
pub(super) enum Whole {
    Sweep(Sweep),
    Parts(Box<Independent>, Natural),
}

/// What is known about the ways to count a problem as a whole.
#[derive(Default)]
pub(super) struct Ways {
    /// `None` if not looked for yet.
    plan: Option<Option<Arc<SweepPlan>>>,
    split: Option<Option<Arc<Split>>>,
    /// Whether a count of the whole was begun before: it is begun again without a try.
    is_worth: bool,
}

impl Ways {
    /// A count of `problem` (`None` if it was looked at before) without the options of `forbidden`, if one is worth it in place of a search of `nodes`
    /// nodes.
    pub(super) fn begin(
        &mut self,
        problem: Option<&ExactCover>,
        nodes: f64,
        forbidden: &[OptionId],
        isa: Isa,
        memory: &Memory,
    ) -> Option<Whole> {
        let find = || SweepPlan::new(problem?, sweep::MOST_STATES, nodes).map(Arc::new);
        let plan = self.plan.get_or_insert_with(find);
        if let Some(plan) = plan
            && (self.is_worth || plan.work() <= nodes)
        {
            self.is_worth = true;
            return Some(Whole::Sweep(Sweep::new(plan, forbidden, memory.growing())));
        }
        let find = || Split::of(problem?, isa, memory).map(Arc::new);
        let mut parts = Independent::new(self.split.get_or_insert_with(find).as_ref()?);
        parts.start(&Assumptions { chosen: Vec::new(), forbidden: forbidden.to_vec() });
        self.is_worth = true;
        Some(Whole::Parts(Box::new(parts), Natural::ZERO))
    }

    /// Whether a count of the whole was begun before and did not give up.
    pub(super) fn is_worth(&self) -> bool {
        self.is_worth
    }

    /// The nodes of the counter that take longer than a sweep; `u64::MAX` without a sweep.
    pub(super) fn nodes_of_sweep(&self) -> u64 {
        let plan = self.plan.as_ref().and_then(|plan| plan.as_ref());
        plan.map_or(u64::MAX, |plan| {
            let tests = TESTS_PER_NODE[usize::from(plan.work() > SHORT_SWEEP)];
            (plan.work() / tests) as u64 + 1
        })
    }

    /// Notes that a count gave up: no other one is begun.
    pub(super) fn give_up(&mut self) {
        *self = Ways { plan: Some(None), split: Some(None), is_worth: false };
    }
}

impl Whole {
    pub(super) fn run(&mut self, meter: &mut Meter<'_>) -> Counted {
        match self {
            Whole::Parts(parts, count) => run_parts(parts, meter, count),
            Whole::Sweep(sweep) => match sweep.run(meter) {
                Sweeping::Done => Counted::Done,
                Sweeping::Full => Counted::GaveUp,
                Sweeping::Stopped(stop) => Counted::Stopped(stop),
            },
        }
    }

    /// The number of solutions, after it is done.
    pub(super) fn count(&self) -> Natural {
        match self {
            Whole::Sweep(sweep) => sweep.count(),
            Whole::Parts(_, count) => count.clone(),
        }
    }

    /// A solution, if one was found on the way.
    pub(super) fn solution(&self) -> Option<&[OptionId]> {
        match self {
            Whole::Sweep(_) => None,
            Whole::Parts(parts, _) => Some(parts.solution()).filter(|solution| !solution.is_empty()),
        }
    }

    pub(super) fn progress(&self) -> f64 {
        match self {
            Whole::Sweep(sweep) => sweep.progress(),
            Whole::Parts(parts, _) => parts.progress(),
        }
    }

    pub(super) fn selection(&self) -> Selection {
        match self {
            Whole::Sweep(_) => {
                Selection { entry: &sweep::ENTRY, why: "few states lie on the border of a sweep" }
            }
            Whole::Parts(..) => independent::SELECTION,
        }
    }
}

/// Counts the parts. It gives up before the largest part if all others have one solution together: the search of the
/// whole can be divided among threads.
fn run_parts(parts: &mut Independent, meter: &mut Meter<'_>, count: &mut Natural) -> Counted {
    loop {
        match parts.count(meter, count) {
            None => return Counted::GaveUp,
            Some(Event::Stopped(_)) if parts.is_whole_in_largest() => return Counted::GaveUp,
            Some(Event::Stopped(stop)) => return Counted::Stopped(stop),
            Some(Event::Solution) => {}
            Some(Event::End) => return Counted::Done,
        }
    }
}
