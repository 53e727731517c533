//! Counts that have found no solution: in turns with the search in order, a search with restarts tries to prove that
//! there is none.
//!
//! Near a phase transition most items have equally few options, and the order of the items decides whether a
//! contradiction shows after ten choices or after forty. Restarts with learnt weights find that out.
//! ```text
//! search in order    |4096 nodes|            |12288 nodes|        |49152 nodes|        |..
//! restarts                       |first turn|             |a 16th|             |a 16th|
//! ```
//! 1. Restarts begin at the root. If a run is complete, the count is 0. If it finds a solution, there is nothing to
//!    prove.
//! 2. There is no turn unless the rest of the search in order, by the share that it has done, is 3 times what the turn
//!    costs.
//! 3. Turns are counted in nodes and updates, never by the clock.

use crate::Assumptions;
use crate::engine::{Event, Meter, Seeker, Stop};

/// Nodes in order before the first turn of restarts; before later turns the nodes are `GROWTH` times as many.
const FIRST_NODES: u64 = 1 << 12;
const GROWTH: u64 = 4;
/// Updates of the first turn.
const FIRST_UPDATES: u64 = 1 << 18;
/// The share of the nodes in order that a later turn takes is one of this many.
const SHARE: u64 = 16;
/// Updates that take as long as a node of option masks.
const UPDATES_PER_NODE: u64 = 4;
/// How many times as long as a turn the rest of the search in order must be expected to take.
const WORTH: f64 = 3.0;
/// Nodes between two looks at the updates.
const SLICE_NODES: u64 = 32;
/// Nodes in order after which idle threads get branches of it, which ends the turns.
const KEPT_NODES: u64 = 1 << 16;

/// How a turn ends, or pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// There is no solution.
    Found,
    /// The search in order has the next turn.
    Open,
    /// There is a solution, or there are no restarts.
    Refuted,
    /// A limit stopped it; it can be continued.
    Stopped(Stop),
}

/// The turns of a count that has found no solution.
pub(super) struct Prover {
    /// The search with restarts, made for its first turn.
    restarts: Option<Box<dyn Seeker>>,
    /// Nodes in order so far and to the next turn, and the progress before the first of them.
    nodes: u64,
    pub(super) nodes_left: u64,
    before: f64,
    /// Updates left of the turn of restarts.
    updates_left: u64,
}

impl Prover {
    /// Begins the turns where the search in order has done the share `progress`.
    pub(super) fn new(progress: f64) -> Prover {
        Prover { restarts: None, nodes: 0, nodes_left: FIRST_NODES, before: progress, updates_left: 0 }
    }

    /// Begins with a turn of restarts.
    #[cfg(test)]
    pub(super) fn at_once() -> Prover {
        Prover { updates_left: FIRST_UPDATES, ..Prover::new(0.0) }
    }

    /// Whether restarts have the turn.
    pub(super) fn is_proving(&self) -> bool {
        self.updates_left > 0
    }

    /// Whether no branch is given to other threads yet.
    pub(super) fn is_kept(&self) -> bool {
        self.nodes < KEPT_NODES
    }

    /// Notes nodes in order.
    pub(super) fn add(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.nodes_left -= nodes;
    }

    /// Ends a turn of the search in order, which has done the share `progress`.
    pub(super) fn end_turn(&mut self, progress: f64) {
        self.nodes_left = self.nodes.saturating_mul(GROWTH - 1);
        let updates = match self.restarts {
            None => FIRST_UPDATES,
            Some(_) => self.nodes / SHARE * UPDATES_PER_NODE,
        };
        let cost = updates / UPDATES_PER_NODE;
        let rest = self.nodes as f64 * (1.0 - progress) / (progress - self.before).max(f64::MIN_POSITIVE);
        if rest >= WORTH * cost as f64 {
            self.updates_left = updates;
        }
    }

    /// Searches for a proof to the end of the turn. `make` makes the search with restarts.
    pub(super) fn prove(
        &mut self,
        make: impl Fn() -> Option<Box<dyn Seeker>>,
        assumptions: &Assumptions,
        meter: &mut Meter<'_>,
    ) -> Proof {
        if self.restarts.is_none() {
            self.restarts = make();
            if let Some(restarts) = &mut self.restarts {
                restarts.start(assumptions, 0);
            }
        }
        let Some(restarts) = &mut self.restarts else { return Proof::Refuted };
        while self.updates_left > 0 {
            let updates = meter.updates;
            let (event, nodes) = meter.within(SLICE_NODES, |meter| restarts.next(meter));
            self.updates_left = self.updates_left.saturating_sub(meter.updates - updates);
            match event {
                Event::End => return Proof::Found,
                Event::Solution => return Proof::Refuted,
                Event::Stopped(Stop::Nodes) if nodes >= SLICE_NODES => {}
                Event::Stopped(stop) => return Proof::Stopped(stop),
            }
        }
        Proof::Open
    }
}
