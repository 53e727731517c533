//! A race for some solutions in any order: the search in order, the search with restarts and the learner of clauses, in
//! turns.
//!
//! The search in order is unbeaten where it meets a solution soon, or where it can look everywhere. Where it can do
//! neither, it is lost at the bottom of a deep tree, and a [`Seeker`] is needed. Which of them it is shows after the
//! try:
//! ```text
//! share of the search done after the try (Knuth's estimate)
//! 4e-2  pentominoes 8x8     2e-2  edge matching 10x10     2e-3  4-colouring, 80 vertices      4e-14  hexominoes
//! 4e-2  Y-pentominoes       3e-3  Costas arrays 9         2e-5  MacMahon squares              1e-20  and less: quasigroups,
//!       15x15               5e-4  3-colouring             2e-5  word rectangle                       queens 64, Langford 40
//! ```
//! If the share is above 1e-9, the search in order has the first turn and most of the time; the try
//! costs nothing then, because it goes on where it stopped. Otherwise restarts have the first turn, before any table
//! is built. Turns double, so what is learnt late costs a constant factor at most.
//!
//! Problems with bounds have another [plan](Plan::BOUNDED): see there.
//!
//! Turns are measured in updates, not in time, so that the same seed gives the same solutions. All of them are
//! complete: the race ends with the first one that is. A solution that one search has found is skipped if the other one
//! finds it. The learner joins once the others have worked for as long as its clauses take to make; with threads,
//! another thread runs it. A thousand solutions in order end the race: the search in order needs no help then.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::Auto;
use super::known::{SolutionSet, Turn, Verdict};
use crate::engine::{Event, Meter, Restarts, Seeker, Selection, Stop};
#[cfg(feature = "learn")]
use crate::learn::{self, Learner};
use crate::memory::Reservation;
use crate::{ExactCover, OptionId};

/// The try goes on until it has this many nodes for each level: before that, its share says nothing.
const NODES_PER_LEVEL: u64 = 5;

/// The share after the try above which the search in order nearly always ends: it has most of the time then.
const SURE: f64 = 1e-3;

/// Updates of the first two turns of each runner. Later turns are twice as long as the one before.
type Turns = [[u64; 2]; 3];

/// How turns are divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// The share of a search above which it is expected to end.
    hope: f64,
    /// If more than [`SURE`] is done after the try.
    hopeful: Turns,
    /// If less is done. Restarts have the first turn, if the search in order is not even expected to end.
    hopeless: Turns,
    /// Nodes between two looks at the updates.
    slice_nodes: u64,
    /// Updates for each term of the problem that come before the learner: to make the clauses takes as long. If the
    /// search in order is expected to end, as many for each pair of options of an item.
    updates_per_term: u64,
}

/// A million updates take 20 to 40 milliseconds. Early in a hopeful search restarts have a short turn, because
/// sometimes the weights are all that is missing. Then they wait: Y-pentominoes 15x15 need 5.6 million updates in
/// order, and restarts do not help there.
impl Default for Plan {
    fn default() -> Plan {
        Plan {
            hope: 1e-9,
            hopeful: [[1 << 19, 6 << 20], [1 << 17, 1 << 20], [3 << 22, 3 << 22]],
            hopeless: [[1 << 19, 1 << 20], [1 << 20, 1 << 22], [3 << 22, 3 << 22]],
            slice_nodes: 256,
            updates_per_term: 8,
        }
    }
}

impl Plan {
    /// The plan for a problem whose items are all covered once, or for one with bounds.
    pub(super) fn of(is_simple: bool) -> Plan {
        if is_simple { Plan::default() } else { Plan::BOUNDED }
    }

    /// Restarts do everything.
    #[cfg(test)]
    pub(super) const RESTARTS: Plan = {
        let turns = [[0; 2], [u64::MAX; 2], [0; 2]];
        Plan { hope: 2.0, hopeful: turns, hopeless: turns, slice_nodes: 1, updates_per_term: u64::MAX }
    };

    /// The plan for problems with bounds. Packing problems may look hopeful where they are not, so all runners have
    /// much time.
    pub(super) const BOUNDED: Plan = Plan {
        hope: 5e-4,
        hopeful: [[1 << 17, 6 << 20], [1 << 17, 1 << 20], [3 << 20, 3 << 21]],
        hopeless: [[1 << 17, 1 << 21], [1 << 20, 1 << 24], [3 << 20, 3 << 20]],
        slice_nodes: 256,
        updates_per_term: 8,
    };
}

/// What is expected of the search in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outlook {
    /// The try is not over.
    Unknown,
    /// It will end.
    Hopeful,
    /// It is lost at the bottom of a deep tree.
    Hopeless,
    /// It finds many solutions, and needs no restarts.
    Orderly,
}

impl Outlook {
    const ALL: [Outlook; 4] = [Outlook::Unknown, Outlook::Hopeful, Outlook::Hopeless, Outlook::Orderly];
}

/// What the threads of a race share.
#[derive(Debug)]
pub(super) struct Board {
    pub(super) plan: Plan,
    /// What the learner learns about, and what its clauses take.
    problem: Arc<ExactCover>,
    /// The pairs of options that share an item, about.
    pairs: OnceLock<u64>,
    #[cfg_attr(not(feature = "learn"), allow(dead_code))]
    room: Reservation,
    known: Mutex<SolutionSet>,
    /// An [`Outlook`].
    outlook: AtomicU8,
    /// Whether restarts or the learner have found all solutions.
    is_complete: AtomicBool,
    /// Whether a solution of theirs was lost, because too many are known: only the search in order finds them all.
    has_lost: AtomicBool,
    /// Whether a thread that does not race has the learner, or it gave up.
    is_learner_taken: AtomicBool,
    /// Who found the last solution, or that there is no other one: a [`Turn`].
    winner: AtomicU8,
}

impl Auto {
    /// Starts the part in the race. The search in order was started.
    pub(super) fn start_race(&mut self) {
        match self.race.take() {
            None => self.shared.board.forget_winner(),
            Some(mut race) => {
                race.start(self);
                self.race = Some(race);
            }
        }
    }
}

/// The part of one thread in a race.
#[derive(Default)]
pub(super) struct Race {
    pub(super) part: Restarts,
    /// Restarts and the learner; made when they have their first turn.
    seekers: [Option<Box<dyn Seeker>>; 2],
    /// Those that were started, or cannot be, in this race.
    are_begun: [bool; 2],
    turn: Turn,
    /// Updates of this turn so far, and of the whole race.
    spent: u64,
    total: u64,
    /// Updates of the race before the learner's first turn.
    before_learner: u64,
    turns: Turns,
    /// Nodes to the next look, and nodes of the learner.
    slice_left: u64,
    learner_nodes: u64,
}

impl Race {
    /// Starts the part. The search in order was started.
    fn start(&mut self, order: &mut Auto) {
        let plan = order.shared.board.plan;
        (self.spent, self.total, self.learner_nodes, self.turn) = (0, 0, 0, Turn::Order);
        (self.slice_left, self.are_begun) = (plan.slice_nodes, [false; 2]);
        let part = self.part;
        match part {
            Restarts::Off => order.shared.board.forget_winner(),
            Restarts::Branch => {}
            Restarts::Race(_) => {
                order.shared.board.clear();
                self.slice_left = order.prolong_try();
            }
            Restarts::Seek(_) if self.begin(order, Turn::Restarts) => self.turn = Turn::Restarts,
            Restarts::Seek(_) => {}
        }
    }

    /// Starts a runner, if it is there and was not started; `false` if it is not there, or has given up.
    fn begin(&mut self, order: &Auto, turn: Turn) -> bool {
        let (Some(at), Restarts::Race(seed) | Restarts::Seek(seed)) =
            ((turn as usize).checked_sub(1), self.part)
        else {
            return true;
        };
        let seeker = &mut self.seekers[at];
        if !std::mem::replace(&mut self.are_begun[at], true) {
            if seeker.is_none() {
                *seeker =
                    if turn == Turn::Restarts { order.base.seeker() } else { order.shared.board.learner() };
            }
            if let Some(seeker) = seeker {
                seeker.start(&order.assumptions, seed);
            }
        }
        seeker.as_ref().is_some_and(|seeker| !seeker.has_given_up())
    }

    /// Whether this thread takes part.
    pub(super) fn is_on(&self) -> bool {
        self.part != Restarts::Off
    }

    /// Notes what the runner whose turn it is has taken.
    pub(super) fn note(&self, order: &mut Auto, meter: &Meter<'_>) {
        match self.turn.name() {
            Some(name) => order.note_as(name, meter),
            None => order.note(meter),
        }
    }

    /// Searches to the next solution that no thread has found before.
    pub(super) fn next(&mut self, order: &mut Auto, meter: &mut Meter<'_>) -> Event {
        loop {
            if order.shared.board.is_complete.load(Ordering::Relaxed) {
                return Event::End;
            }
            let updates = meter.updates;
            let (event, nodes) = meter.within(self.slice_left, |meter| match self.seeker() {
                Some(seeker) => seeker.next(meter),
                None => order.next_in_order(meter),
            });
            let updates = meter.updates - updates;
            self.slice_left -= nodes;
            let work = if self.turn == Turn::Order { order.work(nodes, updates) } else { updates };
            (self.spent, self.total) = (self.spent + work, self.total + work);
            self.learner_nodes += if self.turn == Turn::Learner { nodes } else { 0 };
            let has_given_up = self.seeker().is_some_and(|seeker| seeker.has_given_up());
            let is_over = match event {
                Event::Solution if self.is_new(order) => return event,
                Event::Solution => false,
                Event::Stopped(Stop::Nodes) if self.slice_left == 0 || has_given_up => {
                    self.end_slice(order, meter)
                }
                Event::End if self.turn != Turn::Order && order.shared.board.has_lost() => {
                    self.end_slice(order, meter)
                }
                Event::End if self.turn != Turn::Order => {
                    order.shared.board.winner.store(self.turn as u8, Ordering::Relaxed);
                    order.shared.board.is_complete.store(true, Ordering::Relaxed);
                    return event;
                }
                _ => return event,
            };
            if is_over {
                return Event::End;
            }
        }
    }

    /// Whose turn it is, unless it is the turn of the search in order.
    fn seeker(&mut self) -> Option<&mut Box<dyn Seeker>> {
        self.seekers[(self.turn as usize).checked_sub(1)?].as_mut()
    }

    /// The options of the last solution, if the search in order has not found it.
    pub(super) fn solution(&self) -> Option<&[OptionId]> {
        Some(self.seekers[(self.turn as usize).checked_sub(1)?].as_ref()?.solution())
    }

    /// Whether the solution was not found before. It prolongs the turn.
    fn is_new(&mut self, order: &Auto) -> bool {
        let board = &order.shared.board;
        if board.outlook() == Outlook::Orderly {
            return self.turn == Turn::Order;
        }
        let mut known = board.known();
        // Another thread may have come first.
        if board.outlook() == Outlook::Orderly {
            return self.turn == Turn::Order;
        }
        let verdict = known.add(self.solution().unwrap_or(order.found_in_order()), self.turn);
        if verdict == Verdict::NewAndOrderly {
            board.set(Outlook::Orderly);
        }
        if verdict == Verdict::Lost {
            board.has_lost.store(true, Ordering::Relaxed);
        }
        let is_new = !matches!(verdict, Verdict::Old | Verdict::Lost);
        if is_new {
            self.spent = 0;
            board.winner.store(self.turn as u8, Ordering::Relaxed);
        }
        is_new
    }

    /// Looks whose turn is next. Returns whether this part is over.
    fn end_slice(&mut self, order: &mut Auto, meter: &Meter<'_>) -> bool {
        let outlook = order.shared.board.outlook();
        let is_seeking = matches!(self.part, Restarts::Seek(_));
        if outlook == Outlook::Orderly || order.shared.board.has_lost() {
            self.turn = Turn::Order;
            self.slice_left = u64::MAX;
            order.end_try();
            return is_seeking;
        }
        self.slice_left = order.shared.board.plan.slice_nodes;
        let part = self.part;
        match part {
            Restarts::Race(_) if outlook == Outlook::Unknown => self.judge(order, meter),
            Restarts::Race(_)
                if self.spent >= self.turns[self.turn as usize][0] || !self.begin(order, self.turn) =>
            {
                self.note(order, meter);
                self.pass(order);
            }
            Restarts::Seek(_) if outlook == Outlook::Hopeful => return true,
            // One of the threads that do not race has the learner.
            Restarts::Seek(_) if self.turn == Turn::Restarts && outlook == Outlook::Hopeless => {
                let is_taken = order.shared.board.is_learner_taken.swap(true, Ordering::Relaxed);
                if !is_taken && self.begin(order, Turn::Learner) {
                    self.note(order, meter);
                    self.turn = Turn::Learner;
                }
            }
            Restarts::Seek(_) if !self.begin(order, self.turn) => self.turn = Turn::Restarts,
            _ => {}
        }
        // Every slice ends a run of the learner, so its slices grow.
        if self.turn == Turn::Learner {
            self.slice_left = self.slice_left.max(self.learner_nodes);
        }
        is_seeking && !self.begin(order, self.turn)
    }

    /// Ends the turn. The next one belongs to the next runner that may run.
    fn pass(&mut self, order: &Auto) {
        self.spent = 0;
        let [_, second] = self.turns[self.turn as usize];
        self.turns[self.turn as usize] = [second, second.saturating_mul(2)];
        loop {
            self.turn = self.turn.next();
            let is_taken = order.shared.board.is_learner_taken.load(Ordering::Relaxed);
            let may_run = self.turn != Turn::Learner || self.total >= self.before_learner && !is_taken;
            if may_run && self.begin(order, self.turn) {
                return;
            }
        }
    }

    /// Decides whether the search in order is expected to end, if that shows already.
    fn judge(&mut self, order: &mut Auto, meter: &Meter<'_>) {
        let levels = meter.depths.iter().rposition(|&nodes| nodes > 0).unwrap_or(0) as u64;
        if meter.nodes < NODES_PER_LEVEL * levels {
            self.slice_left = NODES_PER_LEVEL * levels - meter.nodes;
            return;
        }
        self.note(order, meter);
        order.end_try();
        let board = &order.shared.board;
        let share = order.share_done();
        let is_hopeful = share > board.plan.hope || !board.known().is_empty();
        self.before_learner = board.updates_before_learner(is_hopeful);
        self.turns = if is_hopeful && share > SURE { board.plan.hopeful } else { board.plan.hopeless };
        self.spent = 0;
        board.set(if is_hopeful { Outlook::Hopeful } else { Outlook::Hopeless });
        if !is_hopeful && self.begin(order, Turn::Restarts) {
            self.turn = Turn::Restarts;
        }
    }
}

impl Board {
    /// A board for a race with this plan. The clauses of `problem` take what `room` can reserve.
    pub(super) fn new(plan: Plan, problem: Arc<ExactCover>, room: Reservation) -> Board {
        Board {
            plan,
            problem,
            known: Mutex::default(),
            pairs: OnceLock::new(),
            room,
            outlook: AtomicU8::default(),
            is_complete: AtomicBool::default(),
            has_lost: AtomicBool::default(),
            is_learner_taken: AtomicBool::default(),
            winner: AtomicU8::default(),
        }
    }

    /// A learner, if there is one.
    pub(super) fn learner(&self) -> Option<Box<dyn Seeker>> {
        #[cfg(feature = "learn")]
        return Some(Box::new(Learner::new(Arc::clone(&self.problem), self.room.another())));
        #[cfg(not(feature = "learn"))]
        None
    }

    /// Updates that come before the learner.
    fn updates_before_learner(&self, is_hopeful: bool) -> u64 {
        let weight = match is_hopeful {
            true => *self.pairs.get_or_init(|| {
                let degrees = &self.problem.degrees()[..self.problem.primary_count()];
                degrees.iter().map(|&degree| u64::from(degree).pow(2)).sum()
            }),
            false => self.problem.term_count() as u64,
        };
        self.plan.updates_per_term.saturating_mul(weight)
    }

    fn known(&self) -> MutexGuard<'_, SolutionSet> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn outlook(&self) -> Outlook {
        Outlook::ALL[usize::from(self.outlook.load(Ordering::Relaxed)) % Outlook::ALL.len()]
    }

    fn has_lost(&self) -> bool {
        self.has_lost.load(Ordering::Relaxed)
    }

    fn set(&self, outlook: Outlook) {
        self.outlook.store(outlook as u8, Ordering::Relaxed);
    }

    /// Clears everything, for a new search with restarts.
    fn clear(&self) {
        self.known().clear();
        self.set(Outlook::Unknown);
        self.is_complete.store(false, Ordering::Relaxed);
        self.has_lost.store(false, Ordering::Relaxed);
        self.is_learner_taken.store(false, Ordering::Relaxed);
        self.forget_winner();
    }

    /// For a search without restarts.
    fn forget_winner(&self) {
        self.winner.store(Turn::Order as u8, Ordering::Relaxed);
    }

    /// Who found the last solution, or proved that there is no other one, unless the search in order did. `name` is the
    /// engine that restarts.
    pub(super) fn selection(&self, name: &'static str, why: &'static str) -> Option<Selection> {
        match Turn::ALL[usize::from(self.winner.load(Ordering::Relaxed)) % Turn::ALL.len()] {
            Turn::Order => None,
            Turn::Restarts => Some(Selection { name, why }),
            #[cfg(feature = "learn")]
            Turn::Learner => Some(learn::SELECTION),
            #[cfg(not(feature = "learn"))]
            Turn::Learner => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::super::tests::auto_within;
    use super::*;
    #[cfg(feature = "learn")]
    use crate::Assumptions;
    use crate::engine::CoverEngine;
    use crate::engine::tests::sorted;
    use crate::tests::{assumptions, brute_force_with, problems};
    #[cfg(feature = "learn")]
    use galop_testing::exact_cover::pigeons;

    /// A race with short turns.
    fn race(problem: &ExactCover, try_nodes: u64, plan: Plan) -> Box<dyn CoverEngine> {
        let mut auto = auto_within(problem, try_nodes, 1 << 20).unwrap();
        Arc::get_mut(&mut auto.shared).unwrap().board.plan = plan;
        Box::new(auto)
    }

    /// Searches with all engines in turns until the first one, which races, ends.
    fn solutions(engines: &mut [Box<dyn CoverEngine>], slice: u64) -> Vec<Vec<OptionId>> {
        let mut meters: Vec<Meter<'_>> = engines.iter().map(|_| Meter::new(0, None, None)).collect();
        let mut found = Vec::new();
        loop {
            for at in (0..engines.len()).rev() {
                let meter = &mut meters[at];
                meter.set_max_nodes(meter.nodes + slice);
                match engines[at].next(meter) {
                    Event::Solution => {
                        found.push(sorted(engines[at].solution()));
                    }
                    Event::End if at == 0 => {
                        found.sort();
                        return found;
                    }
                    _ => {}
                }
            }
        }
    }

    /// Six pigeons in five holes: the learner proves that they do not fit, and is named.
    #[cfg(feature = "learn")]
    #[test]
    fn the_runner_that_proves_that_there_is_no_solution_is_named() {
        let turns = [[1, 1], [1, 1], [u64::MAX; 2]];
        let plan = Plan { hope: 2.0, hopeful: turns, hopeless: turns, slice_nodes: 1, updates_per_term: 0 };
        let mut engine = race(&pigeons(6, 5).parse().unwrap(), 1, plan);
        engine.set_restarts(Restarts::Race(1));
        engine.start(&Assumptions::default());
        assert_eq!(engine.next(&mut Meter::new(u64::MAX, None, None)), Event::End);
        assert_eq!(engine.delegate().unwrap().name, "clauses");
    }

    proptest! {
        #[test]
        fn every_solution_is_delivered_once(
            problem in problems(),
            draws in any::<[u32; 2]>(),
            seed in 0_u64..20,
            hope in prop_oneof![Just(2.0), Just(-1.0)],
            turns in any::<[[u8; 2]; 3]>(),
            slices in (1_u64..4, 1_u64..20),
            try_nodes in 1_u64..5,
        ) {
            let turns = turns.map(|turns| turns.map(|updates| u64::from(updates / 4 + 1)));
            let plan = Plan { hope, hopeful: turns, hopeless: turns, slice_nodes: slices.0, updates_per_term: 1 };
            let assumptions = assumptions(&problem, draws);
            let expected = brute_force_with(&problem, &assumptions.chosen, &assumptions.forbidden);
            let mut engines = vec![race(&problem, try_nodes, plan)];
            for others in 0..3 {
                for number in 0..=others {
                    if number == engines.len() {
                        engines.push(engines[0].fork());
                    }
                    let part = if number == 0 { Restarts::Race(seed) } else { Restarts::Seek(seed + number as u64) };
                    prop_assert!(engines[number].set_restarts(part));
                    engines[number].start(&assumptions);
                }
                prop_assert_eq!(&solutions(&mut engines, slices.1), &expected, "{} beside it", others);
            }
        }
    }
}
