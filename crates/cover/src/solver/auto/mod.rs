//! What [`Choice::Auto`](crate::Choice::Auto) searches with: a short try first, then the rows of a [`table`], one after
//! the other, and beside them restarts and a learner of clauses.
//!
//! Most problems that come alone need few nodes: [`sparse`](crate::engine::sparse) sets solve them before a table of
//! option masks would be built. So the search begins with a try by sparse sets, for about as long as building a table
//! takes. If the problem is not solved then, the next rows continue where the try stopped:
//! ```text
//!        root                              the try has searched 1 and 2.1; the rest of it
//!    /    |    \                           becomes branches: 2.2, 2.3 and 3, the last one first
//!   1     2     3    untried
//!       / | \                              pending   | 3 | 2.3 | 2.2 |
//!     2.1 2.2 2.3    untried              split off  ◀──         ──▶ search
//! ```
//! A branch is a list of options that are assumed, and any engine can start with it. So no solution is found twice, no
//! solution has to wait or be remembered, no node is searched in vain, and nodes and progress continue. Solutions come
//! in the order of the tree, which is the same for sparse sets and for option masks. It branches on the item with the
//! fewest options, the first such item, and tries its options in ascending order.
//!
//! Some rows count a problem as a whole, from its root: sweeps, independent parts, the memory of equal subproblems. What
//! they count includes the solutions that were counted before, so only the rest is added:
//! ```text
//! counted before   ■■■                      by the try, whose branches stay pending
//! the whole        ■■■□□□□□                 adds □; if it gives up, its own branches replace the try's,
//!                                           unless it has counted less than the try
//! ```
//! Preprocessed problems have other sizes, and so another order of their tree; the order is the same on any number of
//! threads.
//!
//! Tables are built once, for all threads. A problem that is searched a second time gets option masks at once, if
//! they are narrow: thousands of related searches then cost an AND for each assumption.
//!
//! [`table`] says what runs when and with which share of the effort; [`order`] is the search in order, row after row;
//! [`beside`] has the other runners and says whose turn it is. All effort is measured in
//! [ticks](crate::engine::Meter), never by the clock, so the same seed gives the same solutions.
//!
//! Tried and lost
//! - Counting with memory before anything else, and starting again if that does not pay: sudokus that come alone took
//!   7 times as long, 12 queens 1.15 times.

mod beside;
mod budget;
mod cache;
mod components;
mod engines;
mod first_nodes;
mod independent;
mod known;
mod order;
mod table;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use crate::engine::{
    Build, CoverEngine, Driver, Event, Meter, Restarts, Selection, StageFigures, Unsuitable,
};
use crate::memory::Memory;
use crate::{Assumptions, ExactCover, Natural, OptionId};
use beside::{Beside, Contest, Turns, Who};
use budget::Ran;
use cache::Cache;
use engines::{base, ticks_of_table, words_of_wide_masks};
pub(crate) use first_nodes::{FirstNodes, count_first_nodes};
use galop_simd::Isa;
use independent::{Independent, Split};
use order::Order;
use table::row_of;

/// An engine that was built, and why it was selected.
pub(super) type Built = (Selection, Box<dyn CoverEngine>);

/// Items from which on independent parts are looked for before a try: a try saves numbers of all items at every level.
const MANY_ITEMS: usize = 1 << 14;

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    /// Some solutions, in any order.
    Some,
    /// All solutions, in order.
    All,
    /// The number of solutions.
    Count,
}

/// The engine of [`Choice::Auto`](crate::Choice::Auto) for `problem`.
///
/// A problem whose items are all covered exactly once begins with sparse sets, which need no table. Independent parts
/// are counted by a row after the try, because most problems are solved by then; but very large problems, and problems
/// with bounds, are split first. What a count remembers may take `memory`.
pub(super) fn begin(problem: &ExactCover, build: Build<'_>, memory: &Memory) -> Result<Built, Unsuitable> {
    begin_as(problem, build, memory, false)
}

/// The same for what preprocessing has left: it is not preprocessed again.
fn begin_reduced(problem: &ExactCover, build: Build<'_>, memory: &Memory) -> Result<Built, Unsuitable> {
    begin_as(problem, build, memory, true)
}

fn begin_as(
    problem: &ExactCover,
    build: Build<'_>,
    memory: &Memory,
    is_reduced: bool,
) -> Result<Built, Unsuitable> {
    let has_try = problem.is_simple() && problem.item_count() <= MANY_ITEMS;
    if !has_try && let Some(split) = Split::of(problem, build.isa, memory) {
        return Ok((independent::SELECTION, Box::new(Independent::new(&Arc::new(split)))));
    }
    let (selection, engine) = base(problem, build)?;
    Ok((selection, Box::new(Auto::new(problem, build.isa, (selection, engine), memory, is_reduced))))
}

/// What the engines of all threads share.
struct Shared {
    /// The problem without its names.
    problem: Arc<ExactCover>,
    isa: Isa,
    /// Whether every item is covered exactly once.
    is_simple: bool,
    /// Whether it is what preprocessing has left.
    is_reduced: bool,
    /// The words of an option in wide option masks; `None` if narrow ones have room for it.
    words: Option<usize>,
    /// The name of the engine without a table.
    base: &'static str,
    /// Ticks of the try: if one solution may end the search, and of others.
    try_ticks: [u64; 2],
    was_searched: AtomicBool,
    /// Whether a search without chosen options was counted before.
    was_counted: AtomicBool,
    memory: Memory,
    cache: Mutex<Cache>,
    contest: Contest,
    turns: Turns,
    /// The pairs of options that share an item, about.
    pairs: OnceLock<u64>,
}

impl Shared {
    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The words of a table of wide option masks, if narrow ones have no room for the problem.
    fn table_words(&self) -> Option<usize> {
        Some(self.words?.saturating_mul(self.problem.option_count()))
    }

    /// Ticks of the try.
    fn try_ticks(&self, aim: Aim) -> u64 {
        self.try_ticks[usize::from(aim != Aim::Some)]
    }

    /// The size of the problem as clauses: of its pairs, or without them.
    fn clauses(&self, has_pairs: bool) -> u64 {
        if !has_pairs {
            return self.problem.term_count() as u64;
        }
        *self.pairs.get_or_init(|| {
            let degrees = &self.problem.degrees()[..self.problem.primary_count()];
            degrees.iter().map(|&degree| u64::from(degree).pow(2)).sum()
        })
    }
}

/// A search by the table: see above.
pub(crate) struct Auto {
    order: Order,
    beside: Beside,
    /// What the rows took, and the nodes, the ticks and the time up to which that is written down.
    figures: Vec<StageFigures>,
    figures_until: (u64, u64, Instant),
    /// Whether the search was begun.
    is_begun: bool,
}

impl Auto {
    /// A search that begins with `base`, an engine of `problem`.
    fn new(
        problem: &ExactCover,
        isa: Isa,
        (selection, base): Built,
        memory: &Memory,
        is_reduced: bool,
    ) -> Auto {
        let is_simple = problem.is_simple();
        let words = words_of_wide_masks(problem);
        let shared = Shared {
            problem: Arc::new(problem.without_names()),
            isa,
            is_simple,
            is_reduced,
            words,
            base: selection.name,
            try_ticks: ticks_of_table(problem, words),
            was_searched: AtomicBool::new(false),
            was_counted: AtomicBool::new(false),
            memory: memory.clone(),
            cache: Mutex::default(),
            contest: Contest::default(),
            turns: Turns::of(is_simple),
            pairs: OnceLock::new(),
        };
        Auto::with(Arc::new(shared), base)
    }

    fn with(shared: Arc<Shared>, base: Box<dyn CoverEngine>) -> Auto {
        Auto {
            order: Order::new(shared, base),
            beside: Beside::default(),
            figures: Vec::new(),
            figures_until: (0, 0, Instant::now()),
            is_begun: false,
        }
    }

    /// Begins the search, if it was not begun.
    fn begin(&mut self, aim: Aim, meter: &Meter<'_>) {
        if std::mem::replace(&mut self.is_begun, true) {
            return;
        }
        self.figures_until = (meter.nodes, meter.ticks, Instant::now());
        if self.beside.who == Who::Order {
            self.order.begin(aim);
            self.beside.begin_turns(&mut self.order);
        }
    }

    /// Runs whose turn it is, until something is to be told: solutions are listed, or their number is added to `found`.
    fn drive(&mut self, meter: &mut Meter<'_>, mut found: Option<&mut Natural>) -> Event {
        loop {
            let Auto { order, beside, .. } = self;
            let event = match beside.run(order, meter, found.as_deref_mut()) {
                Ran::Solution if found.is_none() => {
                    if !beside.is_new(order) {
                        continue;
                    }
                    Event::Solution
                }
                // From now on there is nothing to prove.
                Ran::Solution if beside.who == Who::Order => {
                    beside.leave();
                    return Event::Solution;
                }
                Ran::Solution => {
                    self.note(meter);
                    self.order.has_found = true;
                    self.beside.leave();
                    continue;
                }
                Ran::Done if beside.prove(&order.shared) => {
                    if beside.who != Who::Order && found.is_some() {
                        order.finish();
                    }
                    Event::End
                }
                Ran::Stopped(stop) => Event::Stopped(stop),
                ran @ (Ran::GaveUp | Ran::Open | Ran::Done) => {
                    self.note(meter);
                    if self.beside.pass(&mut self.order, ran, meter) {
                        return Event::End;
                    }
                    continue;
                }
            };
            if event != Event::Solution || self.beside.who != Who::Order {
                self.note(meter);
            }
            return event;
        }
    }

    /// Writes down what has run since the last time.
    fn note(&mut self, meter: &Meter<'_>) {
        let row = row_of(self.beside.who).or(self.order.row);
        let Some(row) = row else { return };
        let now = Instant::now();
        let until = (meter.nodes, meter.ticks, now);
        let (nodes, ticks, time) = std::mem::replace(&mut self.figures_until, until);
        let figures = StageFigures {
            name: row.name,
            nodes: meter.nodes.saturating_sub(nodes),
            ticks: meter.ticks.saturating_sub(ticks),
            time: now - time,
        };
        figures.add_to(&mut self.figures);
    }
}

impl CoverEngine for Auto {
    fn start(&mut self, assumptions: &Assumptions) {
        self.is_begun = false;
        self.order.start(assumptions);
        self.beside.start(&mut self.order);
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        self.begin(self.beside.aim(), meter);
        self.drive(meter, None)
    }

    fn count(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        self.begin(Aim::Count, meter);
        Some(self.drive(meter, Some(found)))
    }

    fn solution(&self) -> &[OptionId] {
        self.beside.solution().unwrap_or(self.order.solution())
    }

    fn split(&mut self) -> Option<Assumptions> {
        if !self.beside.may_split(&self.order) {
            return None;
        }
        let branch = self.order.split()?;
        self.beside.end_proof();
        Some(branch)
    }

    fn progress(&self) -> f64 {
        self.order.progress()
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Auto::with(Arc::clone(&self.order.shared), self.order.base.fork()))
    }

    fn driver(&mut self) -> Option<&mut dyn Driver> {
        Some(self)
    }

    fn as_driver(&self) -> Option<&dyn Driver> {
        Some(self)
    }
}

impl Driver for Auto {
    fn set_restarts(&mut self, restarts: Restarts) -> bool {
        self.beside.role = restarts;
        true
    }

    fn give_away(&mut self) {
        self.is_begun = true;
        self.order.give_away();
        self.beside.end_proof();
    }

    fn is_forgetting(&self) -> bool {
        self.order.is_forgetting()
    }

    fn is_remembering(&self) -> bool {
        self.order.is_remembering()
    }

    /// What an engine with rows of its own has taken is shown by these rows, and not a second time.
    fn stages(&self) -> Vec<StageFigures> {
        let mut figures = self.figures.clone();
        self.order.open_figures(&mut figures);
        figures
    }

    fn delegate(&self) -> Option<Selection> {
        let shared = &self.order.shared;
        let winner = shared.contest.state().winner;
        match (winner, row_of(winner)) {
            (Who::Restarts, Some(row)) => Some(Selection { name: shared.base, why: row.why }),
            (_, Some(row)) => Some(Selection { name: row.name, why: row.why }),
            (_, None) => self.order.delegate().or_else(|| shared.cache().selection),
        }
    }
}

#[cfg(test)]
mod tests;
