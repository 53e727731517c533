//! A try first, then the engine that is worth its table: what [`Choice::Auto`](crate::Choice::Auto) searches with.
//!
//! Most problems that come alone need few nodes: they are solved with [`sparse`] sets before a table of option masks
//! would be made. So it begins with sparse sets, for so many nodes as take about the time of a table. What is not
//! finished then is handed over, not begun again:
//! ```text
//!        root                              the try has searched 1 and 2.1; what is left of it
//!    /    |    \                           are branches: 2.2, 2.3 and 3, the last one first
//!   1     2     3    untried
//!       / | \                              pending   | 3 | 2.3 | 2.2 |
//!     2.1 2.2 2.3    untried               give away ◀──         ──▶ search
//! ```
//! A branch is a list of options that are assumed, and any engine can be started with it. So no solution is found
//! twice and none has to wait or be remembered, no node is searched in vain, nodes and progress simply go on, and
//! solutions come in the order of the tree, which is the same for sparse sets and for option masks: the item with
//! the fewest options, the first of several, its options in ascending order.
//!
//! Where solutions are only counted, the try is followed by another one: the row filter counts by what is left, as
//! long as equal parts of the search come again, and hands over in the same way once they do not.
//!
//! The table is made once, for all threads. A problem that is searched a second time gets option masks at once, if
//! they are narrow: thousands of related ones then cost an AND for each thing assumed.
//!
//! Tried and lost
//! - To count by what is left before anything else, and to begin again where that does not pay: sudokus that come
//!   alone took 7 times as long, 12 queens 1.15 times.

pub(crate) mod choose;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::engine::sparse::Sparse;
use crate::solver::auto::choose::{Chosen, counter, finisher, is_narrow};
use crate::{Assumptions, Engine, Event, ExactCover, Meter, Natural, OptionId, Stop};
use galop_simd::Isa;

/// What the engines of all threads share.
struct Shared {
    /// Nodes of the try.
    budget: u64,
    /// Whether option masks would be narrow.
    is_narrow: bool,
    was_searched: AtomicBool,
    /// Whether the search under way, or the last one, counts what comes again once. (On whichever thread it does.)
    is_counting: AtomicBool,
    parts: Mutex<Parts>,
}

/// The engines that go on after the try.
struct Parts {
    /// The problem without its names, until both were asked for.
    problem: Option<ExactCover>,
    isa: Isa,
    counter: Part,
    finisher: Part,
}

/// An engine that was asked for, or not yet.
enum Part {
    Unbuilt,
    /// This one; it is never started, others are its forks.
    Built(Chosen, Box<dyn Engine>),
    /// There is none: sparse sets go on instead of a finisher; what a counter would count is found.
    Missing,
}

impl Part {
    fn is_built(&self) -> bool {
        matches!(self, Part::Built(..))
    }

    fn chosen(&self) -> Option<Chosen> {
        match self {
            Part::Built(chosen, _) => Some(*chosen),
            _ => None,
        }
    }

    /// An engine like it, which is made if nobody asked for one before.
    fn fork(
        &mut self,
        problem: Option<&ExactCover>,
        isa: Isa,
        make: fn(&ExactCover, Isa) -> Option<(Chosen, Box<dyn Engine>)>,
    ) -> Option<Box<dyn Engine>> {
        if let Part::Unbuilt = self {
            *self = match problem.and_then(|problem| make(problem, isa)) {
                Some((chosen, engine)) => Part::Built(chosen, engine),
                None => Part::Missing,
            };
        }
        match self {
            Part::Built(_, engine) => Some(engine.fork()),
            _ => None,
        }
    }
}

impl Parts {
    fn counter(&mut self) -> Option<Box<dyn Engine>> {
        let engine = self.counter.fork(self.problem.as_ref(), self.isa, counter);
        self.drop_problem();
        engine
    }

    fn finisher(&mut self) -> Option<Box<dyn Engine>> {
        let engine = self.finisher.fork(self.problem.as_ref(), self.isa, finisher);
        self.drop_problem();
        engine
    }

    fn drop_problem(&mut self) {
        if !matches!(self.counter, Part::Unbuilt) && !matches!(self.finisher, Part::Unbuilt) {
            self.problem = None;
        }
    }
}

impl Shared {
    fn parts(&self) -> MutexGuard<'_, Parts> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a search works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing yet: what it begins with depends on what it is asked for.
    Begin,
    /// The try.
    Try,
    /// The rest, or all of it, with the counter, as long as that pays.
    Count,
    /// The rest, or all of it, with the finisher.
    Finish,
    /// The rest, with sparse sets.
    Sparse,
}

/// A branch that nobody has searched.
struct Branch {
    assumptions: Assumptions,
    /// Its part of the whole.
    weight: f64,
}

/// The engine; see above.
pub(crate) struct Auto {
    shared: Arc<Shared>,
    sparse: Sparse,
    counter: Option<Box<dyn Engine>>,
    finisher: Option<Box<dyn Engine>>,
    phase: Phase,
    /// What the search was started with.
    assumptions: Assumptions,
    /// Nodes that the try has left.
    left: u64,
    /// What the tries left, the next one last.
    pending: VecDeque<Branch>,
    /// The part that is done, and that of the branch under way.
    done: f64,
    weight: f64,
}

impl Auto {
    /// A try of `budget` nodes, one at least, with `sparse`, the sparse sets of `problem`.
    pub(crate) fn new(problem: &ExactCover, isa: Isa, sparse: Sparse, budget: u64) -> Auto {
        let problem_alone = Some(problem.without_names());
        let parts = Parts { problem: problem_alone, isa, counter: Part::Unbuilt, finisher: Part::Unbuilt };
        let shared = Shared {
            budget: budget.max(1),
            is_narrow: is_narrow(&sparse),
            was_searched: AtomicBool::new(false),
            is_counting: AtomicBool::new(false),
            parts: Mutex::new(parts),
        };
        Auto::with(Arc::new(shared), sparse)
    }

    fn with(shared: Arc<Shared>, sparse: Sparse) -> Auto {
        Auto {
            shared,
            sparse,
            counter: None,
            finisher: None,
            phase: Phase::Begin,
            assumptions: Assumptions::default(),
            left: 0,
            pending: VecDeque::new(),
            done: 0.0,
            weight: 1.0,
        }
    }

    /// The engine at work.
    fn engine(&self) -> &dyn Engine {
        match (self.phase, &self.counter, &self.finisher) {
            (Phase::Count, Some(engine), _) | (Phase::Finish, _, Some(engine)) => &**engine,
            _ => &self.sparse,
        }
    }

    fn engine_mut(&mut self) -> &mut dyn Engine {
        match (self.phase, &mut self.counter, &mut self.finisher) {
            (Phase::Count, Some(engine), _) | (Phase::Finish, _, Some(engine)) => &mut **engine,
            _ => &mut self.sparse,
        }
    }

    /// Starts the engine to begin with: a try, or instead of it one that is there, or that pays because this is not
    /// the first search. With an option chosen it is one of many searches, none of which is worth remembering.
    fn begin(&mut self, is_counted: bool) {
        let was_searched = self.shared.was_searched.swap(true, Ordering::Relaxed);
        let is_whole = is_counted && self.assumptions.chosen.is_empty();
        let mut parts = self.shared.parts();
        self.counter = match is_whole && (was_searched || parts.counter.is_built()) {
            true => parts.counter(),
            false => None,
        };
        if self.counter.is_none() && self.finisher.is_none() {
            let is_worth = parts.finisher.is_built() || was_searched && self.shared.is_narrow;
            self.finisher = if is_worth { parts.finisher() } else { None };
        }
        drop(parts);
        self.phase = match (&self.counter, &self.finisher) {
            (Some(_), _) => Phase::Count,
            (None, Some(_)) => Phase::Finish,
            _ => Phase::Try,
        };
        self.shared.is_counting.store(self.phase == Phase::Count, Ordering::Relaxed);
        let assumptions = std::mem::take(&mut self.assumptions);
        self.engine_mut().start(&assumptions);
        self.assumptions = assumptions;
    }

    /// The try: `None` if it has used up its nodes, and something is left.
    fn try_on(&mut self, meter: &mut Meter<'_>) -> Option<Event> {
        let before = meter.nodes;
        let most = meter.set_max_nodes_below(before.saturating_add(self.left));
        let event = self.sparse.next(meter);
        meter.set_max_nodes(most);
        self.left -= meter.nodes - before;
        (self.left > 0 || event != Event::Stopped(Stop::Nodes)).then_some(event)
    }

    /// Hands what is left over to the counter, if there is one.
    fn hand_over_to_count(&mut self) {
        if self.assumptions.chosen.is_empty() {
            self.counter = self.shared.parts().counter();
        }
        if self.counter.is_some() { self.leave_for(Phase::Count) } else { self.hand_over() }
    }

    /// Hands what is left over to the finisher, if there is one.
    fn hand_over(&mut self) {
        self.finisher = self.shared.parts().finisher();
        match (&self.finisher, self.phase) {
            (Some(_), _) => self.leave_for(Phase::Finish),
            (None, Phase::Try) => self.phase = Phase::Sparse,
            (None, _) => self.leave_for(Phase::Sparse),
        }
    }

    /// Makes branches of what the engine at work has left; the one of `phase` goes on with them.
    fn leave_for(&mut self, phase: Phase) {
        let weight = std::mem::replace(&mut self.weight, 0.0);
        let mut done = self.engine().progress();
        self.done += weight * done;
        while let Some(assumptions) = self.engine_mut().split() {
            let before = std::mem::replace(&mut done, self.engine().progress());
            self.pending.push_back(Branch { assumptions, weight: weight * (done - before) });
        }
        self.phase = phase;
        self.shared.is_counting.store(phase == Phase::Count, Ordering::Relaxed);
        self.begin_branch();
    }

    /// Begins the next branch; `false` if there is none.
    fn begin_branch(&mut self) -> bool {
        self.done += std::mem::take(&mut self.weight);
        let Some(branch) = self.pending.pop_back() else { return false };
        self.engine_mut().start(&branch.assumptions);
        self.weight = branch.weight;
        true
    }
}

impl Engine for Auto {
    fn start(&mut self, assumptions: &Assumptions) {
        self.assumptions.replace(&assumptions.chosen, &assumptions.forbidden);
        self.pending.clear();
        self.left = self.shared.budget;
        (self.done, self.weight) = (0.0, 1.0);
        self.phase = Phase::Begin;
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            match self.phase {
                Phase::Begin => self.begin(false),
                Phase::Try => match self.try_on(meter) {
                    Some(event) => return event,
                    None => self.hand_over(),
                },
                _ => match self.engine_mut().next(meter) {
                    Event::End if self.begin_branch() => {}
                    event => return event,
                },
            }
        }
    }

    fn count(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        loop {
            match self.phase {
                Phase::Begin => self.begin(true),
                Phase::Try => match self.try_on(meter) {
                    Some(event) => {
                        *found += u64::from(event == Event::Solution);
                        return Some(event);
                    }
                    None => self.hand_over_to_count(),
                },
                Phase::Count => match self.engine_mut().count(meter, found) {
                    Some(Event::End) if self.begin_branch() => {}
                    Some(event) => return Some(event),
                    None => {
                        self.shared.parts().counter = Part::Missing;
                        self.hand_over();
                        self.counter = None;
                    }
                },
                Phase::Finish | Phase::Sparse => return None,
            }
        }
    }

    fn solution(&self) -> &[OptionId] {
        self.engine().solution()
    }

    /// Nothing during the tries, which are short: so they are the same on any number of threads. Nor while it pays to
    /// count by what is left: what one thread knows another one would not.
    fn split(&mut self) -> Option<Assumptions> {
        if matches!(self.phase, Phase::Begin | Phase::Try | Phase::Count) {
            return None;
        }
        match self.pending.pop_front() {
            Some(branch) => {
                self.done += branch.weight;
                Some(branch.assumptions)
            }
            None => self.engine_mut().split(),
        }
    }

    fn progress(&self) -> f64 {
        match self.phase {
            Phase::Begin => 0.0,
            _ => self.done + self.weight * self.engine().progress(),
        }
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(Auto::with(Arc::clone(&self.shared), self.sparse.clone()))
    }

    fn chosen(&self) -> Option<Chosen> {
        let parts = self.shared.parts();
        let is_counting = self.shared.is_counting.load(Ordering::Relaxed);
        let counter = if is_counting { parts.counter.chosen() } else { None };
        counter.or_else(|| parts.finisher.chosen())
    }
}

#[cfg(test)]
mod tests;
