//! The interface of all engines, and the table of them.
//!
//! An engine is built once for a problem and then runs any number of searches. A search can be interrupted and
//! continued: `CoverEngine::next` runs to the next solution. So iterators, callbacks, limits on nodes and deadlines
//! need no support from the engine, and a part of a search can be split off (`CoverEngine::split`) for another
//! thread.
//!
//! All engines search alike: they branch on one item and try its options in ascending order. So every solution is
//! found exactly once.

mod bits;
pub(crate) mod bitset;
mod build;
pub(crate) mod links;
pub(crate) mod masks;
mod meter;
pub(crate) mod planes;
pub(crate) mod search;
pub(crate) mod sparse;
mod stepper;
pub(crate) mod sweep;
#[cfg(test)]
pub(crate) mod tests;

use std::time::Duration;

use crate::{Assumptions, ExactCover, Natural, OptionId};
use galop_simd::MissingIsa;

pub(crate) use build::Build;
pub(crate) use meter::Meter;
pub use meter::Stop;
pub use stepper::{Step, Stepper};

/// A step of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A solution was found: [`CoverEngine::solution`] returns it.
    Solution,
    /// There are no more solutions.
    End,
    /// A limit stopped the search; it can be continued.
    Stopped(Stop),
}

/// Searches the exact cover problem that it was built for.
pub(crate) trait CoverEngine: Send {
    /// Starts a search for all solutions that fit `assumptions`, and drops the search under way. It allocates nothing
    /// if an earlier search went as deep.
    fn start(&mut self, assumptions: &Assumptions);

    /// A search with restarts of the same problem; `None` if the engine has none.
    fn seeker(&self) -> Option<Box<dyn Seeker>> {
        None
    }

    /// Searches to the next solution.
    fn next(&mut self, meter: &mut Meter<'_>) -> Event;

    /// Counts on and adds the number of solutions to `found`. A search is either counted or listed, from its start to
    /// its end. `None` if the engine gives up, as counts do that remember in vain: what is left can be split off.
    ///
    /// The event `Solution` shows one of the solutions counted, so that it can be checked; `found` includes it already.
    fn count(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        let event = self.next(meter);
        if event == Event::Solution {
            *found += 1;
        }
        Some(event)
    }

    /// The options of the last solution found: the assumed ones first, the others in no particular order.
    fn solution(&self) -> &[OptionId];

    /// Splits off the last untried branch of the shallowest level that has one. Another engine of the same problem
    /// searches that branch if it is started with the assumptions returned; this search skips it. `None` if there is
    /// no untried branch.
    ///
    /// (It is the last branch so that its solutions come after all solutions left here: ordered runs depend on it.)
    fn split(&mut self) -> Option<Assumptions>;

    /// The share of the search that is done, 0 to 1, if all branches of a choice count alike (Knuth's estimate).
    /// Branches that were split off count as done.
    fn progress(&self) -> f64;

    /// Another engine of the same problem, with no search under way. Both share their read-only tables.
    fn fork(&self) -> Box<dyn CoverEngine>;

    /// What a solver asks of the engine besides its searches, if it decides how it searches.
    fn driver(&mut self) -> Option<&mut dyn Driver> {
        None
    }

    /// The same, to be read.
    fn as_driver(&self) -> Option<&dyn Driver> {
        None
    }
}

/// An engine that decides how it searches: it runs other engines, or gives up what does not pay.
pub(crate) trait Driver {
    /// What part the next searches have in a search for some solutions in any order, with restarts; `Off` at first.
    /// Returns whether there are restarts; if not, the search is in order as always.
    fn set_restarts(&mut self, restarts: Restarts) -> bool {
        let _ = restarts;
        false
    }

    /// Makes [`split`](CoverEngine::split) give away every untried branch from now on, even where sharing them costs
    /// more than it gains: the search is to be stopped, and to go on elsewhere.
    fn give_away(&mut self);

    /// Whether the search has forgotten counts because it may take no more memory.
    fn is_forgetting(&self) -> bool {
        false
    }

    /// Whether the count under way need not meet each solution.
    fn is_remembering(&self) -> bool {
        false
    }

    /// What the rows of the table took in all searches.
    fn stages(&self) -> Vec<StageFigures> {
        Vec::new()
    }

    /// The engine that does the work.
    fn delegate(&self) -> Option<Selection> {
        None
    }
}

/// A search with restarts.
pub(crate) trait Seeker: Send {
    /// Starts a search for the solutions that fit `assumptions`. What was learnt is forgotten.
    fn start(&mut self, assumptions: &Assumptions, seed: u64);

    /// Searches to the next solution. After a restart it may be one that was found before. A run that has found a
    /// solution goes on for as many nodes as it began with. `End` if a run was complete: it has found every solution.
    fn next(&mut self, meter: &mut Meter<'_>) -> Event;

    /// The options of the last solution found.
    fn solution(&self) -> &[OptionId];

    /// Whether it has given up, for lack of memory: `next` will find nothing more, and proves nothing.
    fn has_given_up(&self) -> bool {
        false
    }
}

/// What a stage of a search took, on one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StageFigures {
    /// The stage: `try`, `sweep`, `masks` and so on.
    pub name: &'static str,
    /// Nodes.
    pub nodes: u64,
    /// Work: about as many cache lines as were touched.
    pub ticks: u64,
    /// Time, with the time to build its tables.
    pub time: Duration,
}

impl StageFigures {
    /// Adds a stage to others: figures of the same stage are added up.
    pub(crate) fn add_to(self, stages: &mut Vec<StageFigures>) {
        match stages.iter_mut().find(|stage| stage.name == self.name) {
            Some(stage) => {
                stage.nodes += self.nodes;
                stage.ticks += self.ticks;
                stage.time += self.time;
            }
            None => stages.push(self),
        }
    }
}

/// The part of a search, on one thread, in a search for some solutions in any order; see
/// [`Driver::set_restarts`]. All parts together deliver a solution only once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Restarts {
    /// There are no restarts: all solutions are found in the order of the engine.
    #[default]
    Off,
    /// The whole search: in the order of the engine and with restarts, in turns. The number is the seed.
    Race(u64),
    /// Only restarts, beside the thread that races. The search ends if the order of the engine is expected to be
    /// faster.
    Seek(u64),
    /// A branch that the thread that races has split off.
    Branch,
}

/// A row of the table of engines.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CoverEntry {
    /// The name, in tools and reports.
    pub name: &'static str,
    /// What the engine does, in one line.
    pub about: &'static str,
    /// Whether it finds solutions one by one. An engine that does not can only count all of them.
    pub lists: bool,
    /// Whether the engine has room for a problem. This builds nothing, and the answer is the same on every machine.
    pub(crate) holds: fn(&ExactCover) -> Result<(), Unsuitable>,
    /// Builds the engine for a problem. (`Isa::best().into()` is such a `Build`.)
    pub(crate) make: fn(&ExactCover, Build<'_>) -> Result<Box<dyn CoverEngine>, Unsuitable>,
}

impl CoverEntry {
    /// Whether the engine finds the solutions of `problem` one by one. This builds nothing.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn check(&self, problem: &ExactCover) -> Result<(), Unsuitable> {
        self.check_lists()?;
        (self.holds)(problem)
    }

    /// `Err(OnlyCounts)` if the engine cannot find solutions one by one.
    pub(crate) fn check_lists(&self) -> Result<(), Unsuitable> {
        if self.lists { Ok(()) } else { Err(Unsuitable::OnlyCounts) }
    }
}

/// Dancing links.
pub const LINKS: CoverEntry = links::ENTRY;

/// Option masks, one narrow block per option.
pub const MASKS: CoverEntry = masks::NARROW;

/// Every engine: one row adds one.
pub static ENGINES: &[CoverEntry] = &[LINKS, MASKS, masks::WIDE, sparse::ENTRY, bitset::ENTRY, planes::ENTRY];

/// The engine of that name; `None` if no row has it.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static CoverEntry> {
    ENGINES.iter().find(|entry| entry.name == name)
}

/// Whether the next solution of a worker that only counts them is checked, after `found` others: the first 1,000 and
/// then every 64th are. (An engine that counts without finding each one checks those that it shows.)
pub(crate) fn is_checked(found: u64) -> bool {
    found < 1000 || found.is_multiple_of(64)
}

/// The engine selected for a problem, and the reason.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selection {
    /// The name of the engine.
    pub(crate) name: &'static str,
    /// The reason, in one line for people.
    pub(crate) why: &'static str,
}

/// Why an engine cannot solve a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsuitable {
    /// Some item has bounds, and the engine covers every primary item exactly once.
    #[error("some items have bounds (this engine covers every primary item exactly once)")]
    Bounds,
    /// The engine only counts, and solutions or a limit on their number were asked for.
    #[error("it only counts solutions: it can neither list them nor stop after some of them")]
    OnlyCounts,
    /// The problem is too large for the engine's tables.
    #[error("{found} {what} ({most} at most)")]
    TooLarge {
        /// The quantity that is too large, in words.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many the engine has room for.
        most: usize,
    },
    /// The deadline passed, or the flag for cancelling was set, while the engine was built.
    #[error("stopped while it was built")]
    Stopped(Stop),
    /// This machine lacks the instruction set.
    #[error(transparent)]
    MissingIsa(#[from] MissingIsa),
}

impl Unsuitable {
    /// `Err(TooLarge)` if `found` is more than `most`.
    pub(crate) fn check_size(what: &'static str, found: usize, most: usize) -> Result<(), Unsuitable> {
        if found > most { Err(Unsuitable::TooLarge { what, found, most }) } else { Ok(()) }
    }
}

/// Some item can no longer be covered as often as it must: this branch has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Contradiction;

/// What a search assumes about one option, for engines that store it by option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Assumption {
    Nothing,
    Chosen,
    Forbidden,
}
