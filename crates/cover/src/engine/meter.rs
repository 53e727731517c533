//! The account of a search: what it counts, and what stops it.
//!
//! Nodes are what users see and limit. Ticks weigh one technique against another: about the cache lines that an engine
//! touches, added in its loop. They depend on the problem alone, so every machine decides alike. An engine multiplies
//! what it counts anyway (nodes, rows chosen, options hidden) by what that touches: a few numbers that it works out when
//! it is built.
//!
//! Millions of ticks a second, over 32 problems that take milliseconds or more (one core, busy with other work):
//! ```text
//!          least  median  most                              least  median  most
//! links    165    363     670     large options   rows      161    246     464
//! masks    102    229     388                     planes    106    317     651    wide boards
//! wide      48    248     534     32 MB of table  sweep     116    255     497
//! sparse   161    379     582
//! ```

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why a search stopped before it was finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It reached the limit on nodes, or on guesses.
    Nodes,
    /// The deadline passed.
    Deadline,
    /// The flag for cancelling was set.
    Cancelled,
}

/// Counts the work of a search and stops it at its limits.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    /// States examined: the root, and one for every option tried.
    pub(crate) nodes: u64,
    /// Work: about as many cache lines as the engine touched. See above.
    pub(crate) ticks: u64,
    /// Options tried while another option of the same item was still open.
    pub(crate) guesses: u64,
    max_guesses: u64,
    /// Nodes at each depth (the number of choices made; forced options do not count).
    pub(crate) depths: Vec<u64>,
    /// The number of nodes at which to check the limits again.
    next_check: u64,
    /// Nodes between two checks: adapted so that checks are some milliseconds apart, however large a node is.
    interval: u64,
    last_check: Option<Instant>,
    max_nodes: u64,
    deadline: Option<Instant>,
    cancel: Option<&'a AtomicBool>,
}

impl<'a> Meter<'a> {
    /// Nodes: the largest interval between two checks of the clock.
    const MAX_INTERVAL_NODES: u64 = 1024;
    /// Time that may pass between two checks: well below the tenth of a second in which a search must stop.
    const CHECK_INTERVAL: Duration = Duration::from_millis(10);

    /// A meter that stops a search at `max_nodes` nodes (`u64::MAX` is no limit), at `deadline`, or once `cancel` is
    /// true.
    pub(crate) fn new(
        max_nodes: u64,
        deadline: Option<Instant>,
        cancel: Option<&'a AtomicBool>,
    ) -> Meter<'a> {
        Meter {
            nodes: 0,
            ticks: 0,
            guesses: 0,
            max_guesses: u64::MAX,
            depths: Vec::new(),
            next_check: 0,
            interval: 1,
            last_check: None,
            max_nodes,
            deadline,
            cancel,
        }
    }

    /// Sets the limit on nodes.
    pub(crate) fn set_max_nodes(&mut self, max_nodes: u64) {
        self.max_nodes = max_nodes;
        self.next_check = 0;
    }

    /// Sets all counts to 0, for a new search of at most `max_guesses` guesses.
    pub(crate) fn begin(&mut self, max_guesses: u64) {
        (self.nodes, self.ticks, self.guesses, self.next_check) = (0, 0, 0, 0);
        self.depths.fill(0);
        self.max_guesses = max_guesses;
    }

    /// Lowers the limit on nodes to `max_nodes` if it is higher, and returns the limit as it was.
    pub(crate) fn lower_max_nodes(&mut self, max_nodes: u64) -> u64 {
        let before = self.max_nodes;
        self.set_max_nodes(before.min(max_nodes));
        before
    }

    /// Lets `search` take at most `nodes` nodes. Returns what it returns, and the nodes that it took.
    #[inline(always)]
    pub(crate) fn within<T>(&mut self, nodes: u64, search: impl FnOnce(&mut Self) -> T) -> (T, u64) {
        let before = self.nodes;
        let most = self.lower_max_nodes(before.saturating_add(nodes));
        let result = search(self);
        self.set_max_nodes(most);
        (result, self.nodes - before)
    }

    /// Nodes that the limit still allows.
    pub(crate) fn unused_nodes(&self) -> u64 {
        self.max_nodes.saturating_sub(self.nodes)
    }

    /// Takes the unused nodes off the limit and returns their number.
    pub(crate) fn take_unused_nodes(&mut self) -> u64 {
        let unused = self.unused_nodes();
        self.set_max_nodes(self.nodes.min(self.max_nodes));
        unused
    }

    /// Counts a node at `depth`. `Some` if a limit stops the search: the node is not counted then, and the search
    /// must be able to go on from it later.
    #[inline]
    pub(crate) fn node(&mut self, depth: usize) -> Option<Stop> {
        self.branch(depth, false)
    }

    /// Counts a node at `depth`, which is a guess or not. `Some` if a limit stops the search: nothing is counted then.
    #[inline]
    pub(crate) fn branch(&mut self, depth: usize, is_guess: bool) -> Option<Stop> {
        if self.nodes >= self.next_check
            && let Some(stop) = self.check(is_guess)
        {
            return Some(stop);
        }
        self.nodes += 1;
        self.guesses += u64::from(is_guess);
        match self.depths.get_mut(depth) {
            Some(count) => *count += 1,
            None => self.deepen(depth),
        }
        None
    }

    /// Checks all limits but that on nodes, between two nodes: for engines whose nodes take long.
    pub(crate) fn stop(&mut self) -> Option<Stop> {
        if self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Some(Stop::Cancelled);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Stop::Deadline)
    }

    /// Counts more nodes at the depth of the last call of `node`.
    pub(crate) fn add_nodes(&mut self, depth: usize, nodes: u64) {
        self.nodes += nodes;
        if let Some(count) = self.depths.get_mut(depth) {
            *count += nodes;
        }
    }

    #[cold]
    fn deepen(&mut self, depth: usize) {
        self.depths.resize(depth + 1, 0);
        self.depths[depth] += 1;
    }

    #[cold]
    fn check(&mut self, is_guess: bool) -> Option<Stop> {
        if self.nodes >= self.max_nodes || is_guess && self.guesses >= self.max_guesses {
            return Some(Stop::Nodes);
        }
        if self.deadline.is_none() && self.cancel.is_none() {
            self.next_check = self.max_nodes.min(self.nodes_to_guess());
            return None;
        }
        if self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Some(Stop::Cancelled);
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Some(Stop::Deadline);
        }
        let passed = self.last_check.replace(now).map(|last_check| now - last_check);
        self.interval = match passed {
            Some(passed) if passed > Self::CHECK_INTERVAL => (self.interval / 4).max(1),
            Some(passed) if passed < Self::CHECK_INTERVAL / 4 => {
                (self.interval * 2).min(Self::MAX_INTERVAL_NODES)
            }
            _ => self.interval,
        };
        self.next_check = (self.nodes + self.interval).min(self.max_nodes).min(self.nodes_to_guess());
        None
    }

    /// The number of nodes before which the limit on guesses is not reached: each guess is a node.
    fn nodes_to_guess(&self) -> u64 {
        self.nodes.saturating_add(self.max_guesses.saturating_sub(self.guesses).max(1))
    }
}
