//! Counts that meet no solution: in turns with the search in order, two runners try to prove that there is none.
//!
//! Near a phase transition most items have equally few options, and the order of the items decides whether a
//! contradiction shows after ten choices or after forty. Restarts with learnt weights find that out, and so does a
//! [learner](crate::learn) of clauses, within some hundred contradictions.
//! ```text
//! search in order    |4096 nodes|            |12288 nodes|            |49152 nodes|        |..
//! the learner                   |first turn|                                        |a 16th|
//! restarts                                               |first turn|
//! ```
//! 1. A runner starts at the root. If it ends without a solution, the count is 0. If it finds one, there is nothing to
//!    prove.
//! 2. A runner has no turn unless the rest of the search in order, by the share that it has done, is 3 times what the
//!    turn costs.
//! 3. Turns are counted in nodes and updates, never by the clock.

use super::known::Turn;
use crate::Assumptions;
use crate::engine::{CoverEntry, Event, Meter, Seeker, Selection, Stop};

/// Nodes in order before the first turn of a runner; before later turns the nodes are `GROWTH` times as many.
const FIRST_NODES: u64 = 1 << 12;
const GROWTH: u64 = 4;
/// Updates of a runner's first turn, besides the updates that make its clauses.
const FIRST_UPDATES: u64 = 1 << 18;
/// The share of the nodes in order that a later turn takes is one of this many.
const SHARE: u64 = 16;
/// Updates that take as long as a node of option masks.
const UPDATES_PER_NODE: u64 = 4;
/// How many times as long as a turn the rest of the search in order must be expected to take.
const WORTH: f64 = 3.0;
/// Nodes of a runner (the learner's are contradictions) between two looks at the updates.
const SLICE_NODES: u64 = 32;
/// Nodes in order after which idle threads get branches of it, which ends the turns.
const KEPT_NODES: u64 = 1 << 16;

/// What is named if the learner's proof ended a count.
#[cfg(feature = "learn")]
const LEARNT: Option<Selection> = Some(crate::learn::SELECTION);
#[cfg(not(feature = "learn"))]
const LEARNT: Option<Selection> = None;

/// How a runner's turn ends, or pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// There is no solution.
    Found,
    /// The search in order has the next turn.
    Open,
    /// There is a solution, or the runner gave up.
    Refuted,
    /// A limit stopped it; it can be continued.
    Stopped(Stop),
}

/// The turns of a count that has met no solution.
pub(super) struct Prover {
    /// The search with restarts, whose complete run is a proof, and the learner: each is made for its first turn.
    runners: [Option<Box<dyn Seeker>>; 2],
    rounds: usize,
    /// Nodes in order so far and to the next turn of a runner, and the progress before the first of them.
    nodes: u64,
    pub(super) nodes_left: u64,
    before: f64,
    /// Updates left of the runner's turn.
    updates_left: u64,
}

impl Prover {
    /// Begins the turns where the search in order has done the share `progress`.
    pub(super) fn new(progress: f64) -> Prover {
        Prover {
            runners: [None, None],
            rounds: 0,
            nodes: 0,
            nodes_left: FIRST_NODES,
            before: progress,
            updates_left: 0,
        }
    }

    /// Whether it is a runner's turn.
    pub(super) fn is_proving(&self) -> bool {
        self.updates_left > 0
    }

    /// Whether the turn is, or was, the learner's.
    fn is_learner(&self) -> bool {
        self.rounds.is_multiple_of(2)
    }

    /// The name of the runner in reports.
    pub(super) fn name(&self) -> &'static str {
        let turn = if self.is_learner() { Turn::Learner } else { Turn::Restarts };
        turn.name().unwrap_or_default()
    }

    /// What is named if the turn ended in a proof; `base` is the engine that restarts.
    pub(super) fn selection(&self, base: &'static CoverEntry) -> Option<Selection> {
        let why = "it proved that there is no solution, with restarts and learnt weights";
        if self.is_learner() { LEARNT } else { Some(Selection { entry: base, why }) }
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
    pub(super) fn end_turn(&mut self, progress: f64, terms: usize) {
        self.nodes_left = self.nodes.saturating_mul(GROWTH - 1);
        let updates = match self.runners[self.rounds % 2] {
            None => FIRST_UPDATES + terms as u64,
            Some(_) => self.nodes / SHARE * UPDATES_PER_NODE,
        };
        let cost = updates / UPDATES_PER_NODE;
        let rest = self.nodes as f64 * (1.0 - progress) / (progress - self.before).max(f64::MIN_POSITIVE);
        if rest >= WORTH * cost as f64 {
            self.updates_left = updates;
            self.rounds += 1;
        }
    }

    /// Searches for a proof to the end of the turn.
    pub(super) fn prove(
        &mut self,
        make: impl Fn(bool) -> Option<Box<dyn Seeker>>,
        assumptions: &Assumptions,
        meter: &mut Meter<'_>,
    ) -> Proof {
        let is_learner = self.is_learner();
        let runner = &mut self.runners[usize::from(is_learner)];
        if runner.is_none() {
            *runner = make(is_learner);
            if let Some(runner) = runner {
                runner.start(assumptions, 0);
            }
        }
        let Some(runner) = runner else { return Proof::Refuted };
        while self.updates_left > 0 {
            let updates = meter.updates;
            let (event, nodes) = meter.within(SLICE_NODES, |meter| runner.next(meter));
            self.updates_left = self.updates_left.saturating_sub(meter.updates - updates);
            match event {
                Event::End => return Proof::Found,
                Event::Solution => return Proof::Refuted,
                Event::Stopped(_) if runner.has_given_up() => return Proof::Refuted,
                Event::Stopped(Stop::Nodes) if nodes >= SLICE_NODES => {}
                Event::Stopped(stop) => return Proof::Stopped(stop),
            }
        }
        Proof::Open
    }
}
