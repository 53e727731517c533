//! Counts that meet no solution: the search in order, and in turns with it a search that has learnt which items fail.
//!
//! Near a phase transition most items have equally few options, and the order of the items decides whether a
//! contradiction shows after ten choices or after forty. [`Seek`] learns that within some hundred nodes: every failure of
//! an item adds to its weight. The same option masks with the heaviest items first then search a tree that is smaller by
//! orders of magnitude.
//! ```text
//! search in order   |4096 nodes|             |61440 nodes|               |..
//! weights learnt               |learn|                  |learn on|
//! heaviest first                     |probe|                     |a longer probe| ── it ends, or goes on alone
//! ```
//! 1. Nothing is learnt unless the rest of the search in order, by the share that it has done, is 8 times what the turn
//!    costs. Later turns double, the turns in order grow 16 times.
//! 2. A probe starts at the root and counts for itself. If it ends, its count is the answer. If it has done 4 times the share
//!    that the search in order does in as many nodes, it takes that one's place.
//! 3. If a run of `Seek` is complete and has found nothing, there is no solution.
//! 4. Only a count without a solution so far is steered, so nothing is counted twice. The first solution in order ends
//!    the turns.
//! 5. Turns are counted in nodes and updates, never by the clock.
//!
//! Only problems for narrow masks are steered: their tables are built in a tenth of a millisecond.
//!
//! Milliseconds of a count, without these turns and with them
//! ```text
//! 3-colourings of random graphs       150 vertices, 345 edges   20    1.8      200, 484   157   5.8
//!                                     150, 352                 165    3.0      200, 470   672    12
//!                                     150, 375                  48    3.5      200, 500    84   3.4
//! 4-colouring, 80 vertices, 330 edges                          4.3    2.2
//! ```
//! No colouring exists in any of these. What the turns cost where they do not help: Langford 13 (no solution, 10 million
//! nodes) has 0.2 % more nodes.
//!
//! Tried and lost
//! - Sparse sets with weights, all solutions in one run, in place of masks: they have fewer nodes (4-colouring of 80
//!   vertices 4,300 instead of 50,800, Amazons 14 .37 of them, Latin squares of 6 .5), and each takes 20 to 40 times
//!   as long.
//! - Heaviest first where solutions are found: Amazons 14 .6 to .7 of the nodes, 12 queens 1.02 to 1.5, squares whose edges
//!   match 1.3; Langford 12, Latin squares, Y-pentominoes, Soma, pentominoes, Costas arrays, crosswords .99 to 1.06.

use super::choose::fastest;
use super::parts::Part;
use super::{Auto, Phase};
use crate::engine::sparse::{self, Seek};
use crate::engine::{Build, CoverEngine, Event, Meter, Seeker, Selection, Stop};
use crate::order::sort_by_number;
use crate::{Assumptions, ExactCover, Natural, OptionId, Term};

/// Nodes of `Seek` between two looks at the updates.
const SLICE_NODES: u64 = 32;
/// Turns that double.
const MOST_ROUNDS: u32 = 32;
/// Updates that take as long as a node of option masks.
const UPDATES_PER_NODE: u64 = 4;

/// How turns are divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// Nodes in order before weights are learnt for the first time, and how many times as many have passed at each later
    /// time.
    first_nodes: u64,
    growth: u64,
    /// Updates of the first turn that learns, and nodes of the first probe. Later turns double.
    learn_updates: u64,
    probe_nodes: u64,
    /// How many times as long as a turn the rest of the search in order must be expected to take.
    worth: f64,
    /// How many times the share of the search in order a probe must have done to take its place.
    gain: f64,
    /// Nodes in order after which idle threads get branches of it, which ends the turns.
    kept_nodes: u64,
}

/// The first turn that learns takes half a millisecond. (With half as many updates most colourings end as soon. Langford 10,
/// which has no solution and whose order is right, is then steered, and takes 1.2 times as long.)
impl Default for Plan {
    fn default() -> Plan {
        Plan {
            first_nodes: 1 << 12,
            growth: 16,
            learn_updates: 1 << 13,
            probe_nodes: 1 << 11,
            worth: 8.0,
            gain: 4.0,
            kept_nodes: 1 << 16,
        }
    }
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Turn {
    #[default]
    Order,
    Learn,
    Probe,
}

/// The turns of a count.
#[derive(Default)]
pub(super) struct Steering {
    plan: Plan,
    /// Made when weights are first learnt, and whether it was started and has found a solution since.
    seek: Option<Seek>,
    is_learning: bool,
    has_met: bool,
    turn: Turn,
    /// What is left of the turn, in nodes or updates.
    left: u64,
    /// Turns that learnt.
    rounds: u32,
    /// Nodes in order, and the progress before the first of them.
    nodes: u64,
    before: f64,
    /// The search with the heaviest items first, its nodes and its solutions.
    probe: Option<Box<dyn CoverEngine>>,
    probe_nodes: u64,
    probed: Natural,
}

impl Steering {
    /// Begins the turns where the search in order has done the share `progress`.
    fn begin(&mut self, progress: f64) {
        let (seek, plan) = (self.seek.take(), self.plan);
        *self = Steering { plan, seek, left: plan.first_nodes, before: progress, ..Steering::default() };
    }

    /// Whether no branch is given to other threads yet.
    pub(super) fn is_kept(&self) -> bool {
        self.nodes < self.plan.kept_nodes
    }

    /// The options of the last solution, if a probe found it.
    pub(super) fn solution(&self) -> Option<&[OptionId]> {
        self.probe.as_ref().filter(|_| self.turn == Turn::Probe).map(|probe| probe.solution())
    }

    /// Whether the rest of the search in order is worth another turn; it has done the share `progress`.
    fn is_worth(&self, progress: f64) -> bool {
        let Plan { learn_updates, probe_nodes, worth, .. } = self.plan;
        let cost = (learn_updates / UPDATES_PER_NODE + probe_nodes) << self.rounds.min(MOST_ROUNDS);
        let rest = self.nodes as f64 * (1.0 - progress) / (progress - self.before).max(f64::MIN_POSITIVE);
        rest >= worth * cost as f64
    }

    /// Whether the probe is better than the search in order, which has done the share `progress`.
    fn is_better(&self, progress: f64) -> bool {
        let share = self.probe.as_ref().map_or(0.0, |probe| probe.progress());
        share * self.nodes as f64 >= self.plan.gain * (progress - self.before) * self.probe_nodes as f64
    }

    /// The next turn in order.
    fn continue_in_order(&mut self) {
        (self.turn, self.left) = (Turn::Order, self.nodes.saturating_mul(self.plan.growth - 1).max(1));
        self.probe = None;
    }

    fn begin_learning(&mut self, sparse: &sparse::Sparse, assumptions: &Assumptions) {
        let seek = self.seek.get_or_insert_with(|| Seek::new(sparse));
        if !std::mem::replace(&mut self.is_learning, true) {
            seek.start(assumptions, 0);
        }
        (self.turn, self.left) = (Turn::Learn, self.plan.learn_updates << self.rounds.min(MOST_ROUNDS));
        self.rounds += 1;
    }

    /// Learns to the end of the turn. `Some(End)` if there is no solution.
    fn learn(&mut self, meter: &mut Meter<'_>) -> Option<Event> {
        while self.left > 0 {
            let Some(seek) = &mut self.seek else { break };
            let updates = meter.updates;
            match meter.within(SLICE_NODES, |meter| seek.next(meter)) {
                // A complete run.
                (Event::End, _) if self.has_met => break,
                (Event::Stopped(Stop::Nodes), SLICE_NODES) => {}
                (Event::Solution, _) => self.has_met = true,
                (event, _) => return Some(event),
            }
            self.left = self.left.saturating_sub(meter.updates - updates);
        }
        None
    }

    /// Starts a probe with the heaviest items first; `false` if it cannot be built.
    fn begin_probe(
        &mut self,
        problem: Option<&ExactCover>,
        build: Build<'_>,
        assumptions: &Assumptions,
    ) -> bool {
        let (Some(problem), Some(seek)) = (problem, &self.seek) else { return false };
        let Ok((_, mut engine)) = fastest(&heaviest_first(problem, |item| seek.weight(item)), build) else {
            return false;
        };
        engine.start(assumptions);
        self.probe = Some(engine);
        (self.turn, self.left) = (Turn::Probe, self.plan.probe_nodes << (self.rounds - 1).min(MOST_ROUNDS));
        (self.probe_nodes, self.probed) = (0, Natural::ZERO);
        true
    }
}

/// The problem, without names, with its primary items in descending order of their weights.
#[inline(never)]
fn heaviest_first(problem: &ExactCover, weight: impl Fn(usize) -> f32) -> ExactCover {
    let mut order: Vec<usize> = (0..problem.primary_count()).collect();
    // Weights are positive, so their bits are in the order of their values.
    sort_by_number(&mut order, &|item| u64::from(!weight(item).to_bits()));
    let mut places: Vec<u32> = (0..problem.item_count() as u32).collect();
    (0..).zip(order).for_each(|(place, item)| places[item] = place);
    let mut ordered = problem.without_names();
    ordered.terms.iter_mut().for_each(|term| *term = Term { item: places[term.item as usize], ..*term });
    ordered
}

impl Auto {
    /// Begins to steer the count, if it is in the hands of narrow masks and has met no solution.
    pub(super) fn begin_steering(&mut self) {
        if self.phase == Phase::Finish && self.shared.is_narrow && self.counted == 0 && !self.is_steered {
            let progress = self.progress();
            self.steering.begin(progress);
            self.phase = Phase::Steer;
        }
    }

    /// Counts on, in turns; `None` if the search in order, or the one that took its place, goes on alone.
    #[inline(never)]
    pub(super) fn steer_on(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        loop {
            match self.steering.turn {
                Turn::Order => {
                    let (event, nodes) =
                        meter.within(self.steering.left, |meter| self.engine_mut().next(meter));
                    self.steering.nodes += nodes;
                    self.steering.left -= nodes;
                    match event {
                        Event::End if self.begin_branch() => {}
                        Event::Stopped(Stop::Nodes) if self.steering.left == 0 => self.end_turn_in_order(),
                        Event::Solution => {
                            *found += 1;
                            self.counted += 1;
                            self.phase = Phase::Finish;
                            return Some(event);
                        }
                        event => return Some(event),
                    }
                }
                Turn::Learn => match self.steering.learn(meter) {
                    Some(Event::End) => {
                        let why = "it proved that there is no solution, with learnt weights";
                        self.end_steered(Selection { entry: &sparse::ENTRY, why });
                        return Some(Event::End);
                    }
                    Some(event) => return Some(event),
                    None => {
                        let parts = self.shared.parts();
                        let build = Build::from(parts.isa).within(&self.shared.memory);
                        if !self.steering.begin_probe(parts.problem.as_deref(), build, &self.assumptions) {
                            drop(parts);
                            self.phase = Phase::Finish;
                            return None;
                        }
                    }
                },
                Turn::Probe => {
                    let Some(probe) = &mut self.steering.probe else { return None };
                    let (event, nodes) = meter.within(self.steering.left, |meter| probe.next(meter));
                    self.steering.probe_nodes += nodes;
                    self.steering.left -= nodes;
                    match event {
                        Event::Solution => {
                            self.steering.probed += 1;
                            return Some(event);
                        }
                        Event::Stopped(Stop::Nodes) if self.steering.left == 0 => {
                            if self.steering.is_better(self.progress()) {
                                self.follow_probe(found);
                                return None;
                            }
                            self.steering.continue_in_order();
                        }
                        Event::End => {
                            self.follow_probe(found);
                            return Some(Event::End);
                        }
                        event => return Some(event),
                    }
                }
            }
        }
    }

    fn end_turn_in_order(&mut self) {
        if self.steering.is_worth(self.progress()) {
            self.steering.begin_learning(&self.sparse, &self.assumptions);
        } else {
            self.steering.continue_in_order();
        }
    }

    /// Puts the probe in the place of the search in order.
    fn follow_probe(&mut self, found: &mut Natural) {
        let Some(probe) = self.steering.probe.take() else { return };
        let mut parts = self.shared.parts();
        let Some(plain) = parts.finisher.selection() else { return };
        let selection = Selection { why: WHY, ..plain };
        parts.steered = Part::Built(selection, probe.fork());
        parts.counting = Some(selection);
        drop(parts);
        *found += &std::mem::take(&mut self.steering.probed);
        // The progress never falls.
        (self.done, self.weight) = (self.progress(), 0.0);
        self.weight = 1.0 - self.done;
        self.pending.clear();
        self.finisher = Some(probe);
        (self.is_steered, self.phase) = (true, Phase::Finish);
    }

    fn end_steered(&mut self, selection: Selection) {
        self.shared.parts().counting = Some(selection);
        self.pending.clear();
        (self.done, self.weight) = (1.0, 0.0);
        self.phase = Phase::Counted;
    }
}

/// Why a count is steered, in reports.
const WHY: &str = "its order met no solution, so it covers first what fails most";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::engine::sparse::Sparse;
    use crate::memory::Memory;
    use crate::random::{brute_force_with, problems};
    use galop_simd::Isa;

    /// A count with short turns, whose problem is not counted in any other way.
    fn auto(problem: &ExactCover, plan: Plan) -> Option<Auto> {
        let mut auto = Auto::new(
            problem,
            Isa::best(),
            Sparse::new(problem, Isa::Portable.into()).ok()?,
            1,
            &Memory::new(Some(1 << 20)),
        );
        auto.steering.plan = plan;
        let mut parts = auto.shared.parts();
        parts.ways.give_up();
        parts.counter = Part::Missing;
        drop(parts);
        Some(auto)
    }

    proptest! {
        /// However turns are divided, wherever the search pauses and whatever is split off, the count is right.
        #[test]
        fn a_steered_count_is_exact(
            problem in problems(),
            draws in any::<[u32; 2]>(),
            turns in (1_u64..4, 1_u64..40, 1_u64..6, 2_u64..4),
            gain in prop_oneof![Just(0.0), Just(1.0), Just(f64::INFINITY)],
            kept_nodes in 0_u64..6,
            slice in 1_u64..9,
            pattern in prop_oneof![2 => Just(0), 1 => any::<u64>()],
            given_away in prop_oneof![2 => Just(u64::MAX), 1 => 0_u64..30],
        ) {
            let (first_nodes, learn_updates, probe_nodes, growth) = turns;
            let plan = Plan { first_nodes, learn_updates, probe_nodes, growth, worth: 0.0, gain, kept_nodes };
            let Some(mut auto) = auto(&problem, plan) else { return Ok(()) };
            let count = problem.option_count().max(1) as u32;
            let [chosen, forbidden] = draws.map(|draw| if draw % 3 > 0 || problem.option_count() == 0 {
                Vec::new()
            } else {
                vec![draw / 3 % count]
            });
            let expected = brute_force_with(&problem, &chosen, &forbidden).len() as u128;
            let assumptions = Assumptions { chosen, forbidden };
            for search in 0..3 {
                let (mut found, mut tasks, mut turn) = (Natural::ZERO, vec![assumptions.clone()], 0);
                while let Some(task) = tasks.pop() {
                    auto.start(&task);
                    let (mut meter, mut can_count, mut progress) = (Meter::new(0, None, None), true, 0.0);
                    loop {
                        let counted = if can_count { auto.count(&mut meter, &mut found) } else { None };
                        can_count = counted.is_some();
                        prop_assert!(auto.progress() >= progress - 1e-12);
                        progress = auto.progress();
                        match counted.unwrap_or_else(|| auto.next(&mut meter)) {
                            Event::Solution => found += u64::from(!can_count),
                            Event::Stopped(_) => meter.set_max_nodes(meter.nodes + slice),
                            Event::End => break,
                        }
                        turn += 1;
                        if turn == given_away {
                            auto.give_away();
                        }
                        if pattern >> (turn % 64) & 1 == 1 || turn > given_away {
                            tasks.extend(auto.split());
                        }
                    }
                }
                prop_assert_eq!(found.to_u128(), Some(expected), "{}", search);
            }
        }
    }
}
