//! A try first, then the engine that is worth its table: what [`Choice::Auto`](super::Choice::Auto) searches with.
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
//! The table is made once, for all threads. A problem that is searched a second time gets option masks at once, if
//! they are narrow: thousands of related ones then cost an AND for each thing assumed.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::choose::{Chosen, finisher, is_narrow};
use super::sparse::Sparse;
use super::{Assumptions, Engine, Event, ExactCover, Meter, OptionId, Stop};
use crate::isa::Isa;

/// What the engines of all threads share.
struct Shared {
    /// Nodes of the try.
    budget: u64,
    /// Whether option masks would be narrow.
    is_narrow: bool,
    isa: Isa,
    was_searched: AtomicBool,
    finisher: Mutex<Finisher>,
}

/// The engine that goes on after the try.
enum Finisher {
    /// Not needed yet. (The problem without its names, for as long.)
    Unbuilt(ExactCover),
    /// This one; it is never started, others are its forks.
    Built(Chosen, Box<dyn Engine>),
    /// There is none: sparse sets go on.
    Missing,
}

impl Shared {
    fn finisher(&self) -> MutexGuard<'_, Finisher> {
        self.finisher.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An engine to go on with, built if need be.
    fn build(&self) -> Option<Box<dyn Engine>> {
        let mut state = self.finisher();
        if let Finisher::Unbuilt(problem) = &*state {
            *state = match finisher(problem, self.isa) {
                Some((chosen, engine)) => Finisher::Built(chosen, engine),
                None => Finisher::Missing,
            };
        }
        match &*state {
            Finisher::Built(_, engine) => Some(engine.fork()),
            _ => None,
        }
    }

    /// An engine to begin with instead of a try: one that is there, or pays because this is not the first search.
    fn begin(&self) -> Option<Box<dyn Engine>> {
        let was_searched = self.was_searched.swap(true, Ordering::Relaxed);
        let is_built = matches!(&*self.finisher(), Finisher::Built(..));
        if is_built || was_searched && self.is_narrow { self.build() } else { None }
    }
}

/// What a search works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The try.
    Try,
    /// The rest, with sparse sets.
    Sparse,
    /// The rest, or all of it, with the finisher.
    Finish,
}

/// A branch that nobody has searched.
struct Branch {
    assumptions: Assumptions,
    /// Its part of the whole.
    weight: f64,
}

/// The engine; see above.
pub(super) struct Auto {
    shared: Arc<Shared>,
    sparse: Sparse,
    finisher: Option<Box<dyn Engine>>,
    phase: Phase,
    /// Nodes that the try has left.
    left: u64,
    /// What the try left, the next one last.
    pending: VecDeque<Branch>,
    /// The part that is done, and that of the branch under way.
    done: f64,
    weight: f64,
}

impl Auto {
    /// A try of `budget` nodes, one at least, with `sparse`, the sparse sets of `problem`.
    pub(super) fn new(problem: &ExactCover, isa: Isa, sparse: Sparse, budget: u64) -> Auto {
        let shared = Shared {
            budget: budget.max(1),
            is_narrow: is_narrow(problem),
            isa,
            was_searched: AtomicBool::new(false),
            finisher: Mutex::new(Finisher::Unbuilt(problem.without_names())),
        };
        Auto::with(Arc::new(shared), sparse)
    }

    fn with(shared: Arc<Shared>, sparse: Sparse) -> Auto {
        Auto {
            shared,
            sparse,
            finisher: None,
            phase: Phase::Try,
            left: 0,
            pending: VecDeque::new(),
            done: 0.0,
            weight: 1.0,
        }
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

    /// Hands what the try left over to the finisher, if there is one.
    fn hand_over(&mut self) {
        self.finisher = self.shared.build();
        if self.finisher.is_none() {
            self.phase = Phase::Sparse;
            return;
        }
        self.phase = Phase::Finish;
        let mut done = self.sparse.progress();
        (self.done, self.weight) = (done, 0.0);
        while let Some(assumptions) = self.sparse.split() {
            let before = std::mem::replace(&mut done, self.sparse.progress());
            self.pending.push_back(Branch { assumptions, weight: done - before });
        }
        self.begin_branch();
    }

    /// Begins the next branch; `false` if there is none.
    fn begin_branch(&mut self) -> bool {
        self.done += std::mem::take(&mut self.weight);
        let (Some(engine), Some(branch)) = (&mut self.finisher, self.pending.pop_back()) else {
            return false;
        };
        engine.start(&branch.assumptions);
        self.weight = branch.weight;
        true
    }
}

impl Engine for Auto {
    fn start(&mut self, assumptions: &Assumptions) {
        self.pending.clear();
        self.left = self.shared.budget;
        (self.done, self.weight) = (0.0, 1.0);
        if self.finisher.is_none() {
            self.finisher = self.shared.begin();
        }
        match &mut self.finisher {
            Some(engine) => {
                engine.start(assumptions);
                self.phase = Phase::Finish;
            }
            None => {
                self.sparse.start(assumptions);
                self.phase = Phase::Try;
            }
        }
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            match (self.phase, &mut self.finisher) {
                (Phase::Try, _) => match self.try_on(meter) {
                    Some(event) => return event,
                    None => self.hand_over(),
                },
                (Phase::Finish, Some(engine)) => match engine.next(meter) {
                    Event::End if self.begin_branch() => {}
                    event => return event,
                },
                _ => return self.sparse.next(meter),
            }
        }
    }

    fn solution(&self) -> &[OptionId] {
        match (self.phase, &self.finisher) {
            (Phase::Finish, Some(engine)) => engine.solution(),
            _ => self.sparse.solution(),
        }
    }

    /// Nothing during the try, which is short: so it is the same on any number of threads.
    fn split(&mut self) -> Option<Assumptions> {
        match (self.phase, &mut self.finisher) {
            (Phase::Try, _) => None,
            (Phase::Finish, Some(engine)) => match self.pending.pop_front() {
                Some(branch) => {
                    self.done += branch.weight;
                    Some(branch.assumptions)
                }
                None => engine.split(),
            },
            _ => self.sparse.split(),
        }
    }

    fn progress(&self) -> f64 {
        match (self.phase, &self.finisher) {
            (Phase::Finish, Some(engine)) => self.done + self.weight * engine.progress(),
            _ => self.sparse.progress(),
        }
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(Auto::with(Arc::clone(&self.shared), self.sparse.clone()))
    }

    fn chosen(&self) -> Option<Chosen> {
        match &*self.shared.finisher() {
            Finisher::Built(chosen, _) => Some(*chosen),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
