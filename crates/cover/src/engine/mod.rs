//! What all engines of the cover have in common: how they are asked, and what ends them.
//!
//! An engine is built once for a problem and serves any number of searches. A search is a state that can be left
//! and taken up again: [`Engine::next`] runs to the next solution, so that iterators, callbacks, budgets and
//! deadlines need nothing of their own, and a part of it can be given away ([`Engine::split`]) to another thread.
//!
//! Every engine searches in the same way as far as that can be seen: it branches on one item, whose options are
//! tried in ascending order, so that every solution is found exactly once.

pub(crate) mod bitset;
pub(crate) mod links;
mod masks;
mod planes;
pub(crate) mod sparse;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::{Chosen, ExactCover, Natural, OptionId};
use galop_simd::Isa;

/// What a search takes for granted. One built problem serves thousands of related ones in this way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumptions {
    /// Options that are part of every solution.
    pub chosen: Vec<OptionId>,
    /// Options that are part of none.
    pub forbidden: Vec<OptionId>,
}

impl Assumptions {
    /// Takes these for granted instead, in the memory that is there.
    pub fn replace(&mut self, chosen: &[OptionId], forbidden: &[OptionId]) {
        self.chosen.clear();
        self.chosen.extend_from_slice(chosen);
        self.forbidden.clear();
        self.forbidden.extend_from_slice(forbidden);
    }
}

/// What is taken for granted about an option, for engines that note it down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Assumed {
    Nothing,
    Chosen,
    Forbidden,
}

/// A step of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A solution was found: [`Engine::solution`] has it.
    Solution,
    /// There are no more.
    End,
    /// Something else ended it; it can go on.
    Stopped(Stop),
}

/// Why a search was ended before it was finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The budget of nodes, or of guesses, was used up.
    Nodes,
    /// The deadline passed.
    Deadline,
    /// Somebody cancelled it.
    Cancelled,
}

/// Counts a search's work and knows when it must end.
#[derive(Debug)]
pub struct Meter<'a> {
    /// States looked at: the root, and one for every option tried.
    pub nodes: u64,
    /// Options struck out or masked away, or what the engine counts in its place.
    pub updates: u64,
    /// Options tried while another one of the same item was still open. Counted by engines that give puzzles their
    /// answers, and by no others.
    pub guesses: u64,
    max_guesses: u64,
    /// How many nodes there were at each depth (choices taken, forced ones not counted).
    pub depths: Vec<u64>,
    /// At which number of nodes to look at the clock and the flag again, or to end.
    next_look: u64,
    /// Nodes between two looks, so that they are some milliseconds apart however large the nodes are.
    interval: u64,
    looked: Option<Instant>,
    max_nodes: u64,
    deadline: Option<Instant>,
    cancel: Option<&'a AtomicBool>,
}

impl<'a> Meter<'a> {
    /// The most nodes between two looks at the clock.
    const LOOK: u64 = 1024;
    /// The time that may pass between two of them: well below the tenth of a second in which a search must end.
    const PATIENCE: Duration = Duration::from_millis(10);

    /// A meter that ends a search at `max_nodes` nodes, at `deadline`, or once `cancel` is true.
    pub fn new(max_nodes: u64, deadline: Option<Instant>, cancel: Option<&'a AtomicBool>) -> Meter<'a> {
        Meter {
            nodes: 0,
            updates: 0,
            guesses: 0,
            max_guesses: u64::MAX,
            depths: Vec::new(),
            next_look: 0,
            interval: 1,
            looked: None,
            max_nodes,
            deadline,
            cancel,
        }
    }

    /// Has the search end at `max_nodes` nodes from now on.
    pub fn set_max_nodes(&mut self, max_nodes: u64) {
        self.max_nodes = max_nodes;
        self.next_look = 0;
    }

    /// Counts from 0 again, for a search of at most `max_guesses` guesses.
    pub fn begin(&mut self, max_guesses: u64) {
        (self.nodes, self.updates, self.guesses, self.next_look) = (0, 0, 0, 0);
        self.depths.fill(0);
        self.max_guesses = max_guesses;
    }

    /// Counts a guess, which is about to be taken; a reason not to, where it would be one too many.
    #[inline]
    pub(crate) fn guess(&mut self) -> Option<Stop> {
        if self.guesses >= self.max_guesses {
            return Some(Stop::Nodes);
        }
        self.guesses += 1;
        None
    }

    /// As [`set_max_nodes`](Self::set_max_nodes) if that is sooner than it would end; tells at how many it would have ended.
    pub(crate) fn set_max_nodes_below(&mut self, max_nodes: u64) -> u64 {
        let before = self.max_nodes;
        self.set_max_nodes(before.min(max_nodes));
        before
    }

    /// Gives back the nodes that were allowed and not used, and tells how many.
    pub(crate) fn give_back(&mut self) -> u64 {
        let unused = self.max_nodes.saturating_sub(self.nodes);
        self.set_max_nodes(self.nodes.min(self.max_nodes));
        unused
    }

    /// Counts a node at `depth`; the search must leave off, and be able to go on, where this gives a reason.
    #[inline]
    pub fn node(&mut self, depth: usize) -> Option<Stop> {
        if self.nodes >= self.next_look
            && let Some(stop) = self.look()
        {
            return Some(stop);
        }
        self.nodes += 1;
        match self.depths.get_mut(depth) {
            Some(count) => *count += 1,
            None => self.deepen(depth),
        }
        None
    }

    #[cold]
    fn deepen(&mut self, depth: usize) {
        self.depths.resize(depth + 1, 0);
        self.depths[depth] += 1;
    }

    #[cold]
    fn look(&mut self) -> Option<Stop> {
        if self.nodes >= self.max_nodes {
            return Some(Stop::Nodes);
        }
        if self.deadline.is_none() && self.cancel.is_none() {
            self.next_look = self.max_nodes;
            return None;
        }
        if self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Some(Stop::Cancelled);
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Some(Stop::Deadline);
        }
        let passed = self.looked.replace(now).map(|looked| now - looked);
        self.interval = match passed {
            Some(passed) if passed > Self::PATIENCE => (self.interval / 4).max(1),
            Some(passed) if passed < Self::PATIENCE / 4 => (self.interval * 2).min(Self::LOOK),
            _ => self.interval,
        };
        self.next_look = (self.nodes + self.interval).min(self.max_nodes);
        None
    }
}

/// Searches an exact cover problem that it was built for.
pub trait Engine: Send {
    /// Begins a search for every solution that fits `assumptions`; whatever was under way is forgotten. Allocates
    /// nothing once it has searched as deep.
    fn start(&mut self, assumptions: &Assumptions);

    /// Searches on to the next solution.
    fn next(&mut self, meter: &mut Meter<'_>) -> Event;

    /// Searches on to count the solutions, where the engine can do that without finding each of them; `None` if it
    /// cannot, or no longer: [`next`](Self::next) then goes on from here. What it counts it adds to `found`.
    ///
    /// An event that is a solution shows one of those counted (it was added too), for the sake of a check.
    fn count(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        let _ = (meter, found);
        None
    }

    /// The options of the solution that was found last, the assumed ones first, otherwise in no order.
    fn solution(&self) -> &[OptionId];

    /// Gives away the last untried branch of the shallowest level that has one: the assumptions that another engine
    /// of the same problem starts it with. This search will then pass it over. `None` if nothing is left to give.
    /// (The last one, because it then comes after all that is left here: see ordered runs.)
    fn split(&mut self) -> Option<Assumptions>;

    /// How much of the search is done, 0 to 1, every branch of a choice counted alike (Knuth's estimate). What was
    /// given away counts as done.
    fn progress(&self) -> f64;

    /// Another engine of the same problem, with no search under way. What both only read they share.
    fn fork(&self) -> Box<dyn Engine>;

    /// The engine that does the work, and why, where this one only hands it to others.
    fn chosen(&self) -> Option<Chosen> {
        None
    }
}

/// A row of the table of engines.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name on the command line and in reports.
    pub name: &'static str,
    /// One line: what it does.
    pub about: &'static str,
    /// Builds one for a problem, if it can solve it. Those that are compiled for several instruction sets take this
    /// one; one that is not [available](Isa::is_available) has none of them.
    pub make: fn(&ExactCover, Isa) -> Option<Box<dyn Engine>>,
}

/// Every engine: one row adds one.
pub const ENGINES: &[Entry] =
    &[links::ENTRY, masks::NARROW, masks::WIDE, sparse::ENTRY, bitset::ENTRY, planes::ENTRY];

/// The engine of that name, or `None`.
pub fn engine(name: &str) -> Option<&'static Entry> {
    ENGINES.iter().find(|entry| entry.name == name)
}
