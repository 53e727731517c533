//! A race for some solutions in any order: the search in order and the search with restarts, in turns.
//!
//! The search in order is unbeaten where it meets a solution soon, or where it can look everywhere. Where it can do
//! neither, it is lost at the bottom of a deep tree, and a [`Seeker`] is needed. Which of them it is shows after the try:
//! ```text
//! share of the search done after the try (Knuth's estimate)
//! 4e-2  pentominoes 8x8     2e-2  edge matching 10x10     2e-3  4-colouring, 80 vertices      4e-14  hexominoes
//! 4e-2  Y-pentominoes       3e-3  Costas arrays 9         2e-5  MacMahon squares              1e-20  and less: quasigroups,
//!       15x15               5e-4  3-colouring             2e-5  word rectangle                       queens 64, Langford 40
//! ```
//! If the share is above 1e-9, the search in order has the first turn and most of the time; the try
//! costs nothing then, because it goes on where it stopped. Otherwise restarts have the first turn, before any table
//! is built, and then four fifths. Turns double, so what is learnt late costs a constant factor at most.
//!
//! Problems with bounds have another [plan](Plan::BOUNDED): see there.
//!
//! Turns are measured in updates, not in time, so that the same seed gives the same solutions. Both searches are complete:
//! the race ends with the first one that is. A solution that one search has found is skipped if the other one finds it.
//! A thousand solutions in order end the race: the search in order needs no help then.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::known::{Known, Verdict};
use crate::engine::{CoverEntry, Event, Meter, Restarts, Seeker, Selection, Stop};
use crate::memory::Reserved;
use crate::{Assumptions, OptionId};

/// The try goes on until it has this many nodes for each level: before that, its share says nothing.
const NODES_PER_LEVEL: u64 = 5;

/// How turns are divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// The share of a search above which it is expected to end.
    hope: f64,
    /// Updates of the first four turns, if the search in order is expected to end: of that search, of restarts, and of
    /// both again. Later turns are twice as long as the last but one.
    hopeful: [u64; 4],
    /// Updates of the first four turns, if it is not: of restarts, of the search in order, and of both again.
    hopeless: [u64; 4],
    /// Nodes between two looks at the updates.
    slice_nodes: u64,
}

/// A million updates take 20 to 40 milliseconds. Early in a hopeful search restarts have a short turn, because sometimes
/// the weights are all that is missing. Then they wait: Y-pentominoes 15x15
/// need 5.6 million updates in order, and restarts do not help there.
impl Default for Plan {
    fn default() -> Plan {
        Plan {
            hope: 1e-9,
            hopeful: [1 << 19, 1 << 17, 6 << 20, 1 << 20],
            hopeless: [1 << 21, 1 << 19, 1 << 22, 1 << 20],
            slice_nodes: 256,
        }
    }
}

impl Plan {
    /// The plan for problems with bounds. Packing problems may look hopeful where they are not, so both searches have much
    /// time.
    pub(super) const BOUNDED: Plan = Plan {
        hope: 5e-4,
        hopeful: [1 << 20, 1 << 17, 6 << 20, 1 << 20],
        hopeless: [1 << 23, 1 << 20, 1 << 24, 1 << 21],
        slice_nodes: 256,
    };
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Turn {
    #[default]
    Order,
    Restarts,
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
#[derive(Debug, Default)]
pub(super) struct Board {
    plan: Plan,
    known: Mutex<Known>,
    /// An [`Outlook`].
    outlook: AtomicU8,
    /// Whether a run of restarts was complete: all solutions were found.
    is_complete: AtomicBool,
    /// Whether a solution of restarts was lost, for lack of memory: only the search in order finds them all.
    has_lost: AtomicBool,
    /// Whether restarts found the last solution.
    by_restarts: AtomicBool,
}

/// What a race asks of the search in order, and what takes part in the race for it.
pub(super) trait InOrder {
    /// What the threads share.
    fn board(&self) -> &Board;

    /// The part in the race; `None` until a search with restarts is asked for.
    fn race(&mut self) -> &mut Option<Box<Race>>;

    /// Searches to the next solution in order.
    fn next_in_order(&mut self, meter: &mut Meter<'_>) -> Event;

    /// The options of the last solution found in order.
    fn found_in_order(&self) -> &[OptionId];

    /// The share that is done: what the rest is expected to take is judged by it.
    fn share_done(&self) -> f64;

    /// The assumptions that the search was started with.
    fn assumptions(&self) -> &Assumptions;

    /// Makes the try go on until the race ends it, and returns how many nodes it has.
    fn prolong_try(&mut self) -> u64;

    /// Ends the try: the next node is one of the engine that continues.
    fn end_try(&mut self);

    /// The work of the search in order, in updates of the search with restarts.
    fn work(&self, nodes: u64, updates: u64) -> u64;

    /// A search with restarts.
    fn make_seeker(&self) -> Box<dyn Seeker>;

    /// Sets the part of the next search in the race.
    fn set_part(&mut self, part: Restarts) {
        if part != Restarts::Off || self.race().is_some() {
            self.race().get_or_insert_default().part = part;
        }
    }

    /// Starts the part in the race. The search in order was started.
    fn start_race(&mut self)
    where
        Self: Sized,
    {
        match self.race().take() {
            None => self.board().forget_winner(),
            Some(mut race) => {
                race.start(self);
                *self.race() = Some(race);
            }
        }
    }

    /// Searches to the next solution: in the race, if there is one.
    #[inline(always)]
    fn next_in_race(&mut self, meter: &mut Meter<'_>) -> Event
    where
        Self: Sized,
    {
        match self.race().take() {
            None => self.next_in_order(meter),
            Some(mut race) => {
                let event = race.next(self, meter);
                *self.race() = Some(race);
                event
            }
        }
    }
}

/// The part of one thread in a race.
#[derive(Default)]
pub(super) struct Race {
    part: Restarts,
    /// Made when restarts have their first turn.
    seek: Option<Box<dyn Seeker>>,
    turn: Turn,
    /// Updates of this turn so far, and of this turn and the next three in all.
    spent: u64,
    turns: [u64; 4],
    /// Nodes to the next look.
    slice_left: u64,
}

impl Race {
    /// Starts the part. The search in order was started.
    fn start(&mut self, order: &mut dyn InOrder) {
        (self.spent, self.slice_left, self.turn) = (0, order.board().plan.slice_nodes, Turn::Order);
        match self.part {
            Restarts::Off => order.board().forget_winner(),
            Restarts::Branch => {}
            Restarts::Race(_) => {
                order.board().clear();
                self.slice_left = order.prolong_try();
            }
            Restarts::Seek(seed) => self.begin_seek(order, seed),
        }
    }

    fn begin_seek(&mut self, order: &dyn InOrder, seed: u64) {
        self.turn = Turn::Restarts;
        self.seek.get_or_insert_with(|| order.make_seeker()).start(order.assumptions(), seed);
    }

    /// Searches to the next solution that no thread has found before.
    fn next(&mut self, order: &mut dyn InOrder, meter: &mut Meter<'_>) -> Event {
        if self.part == Restarts::Off {
            return order.next_in_order(meter);
        }
        loop {
            if order.board().is_complete.load(Ordering::Relaxed) {
                return Event::End;
            }
            let updates = meter.updates;
            let (event, nodes) = meter.within(self.slice_left, |meter| match (self.turn, &mut self.seek) {
                (Turn::Restarts, Some(seek)) => seek.next(meter),
                _ => order.next_in_order(meter),
            });
            let updates = meter.updates - updates;
            self.slice_left -= nodes;
            self.spent += if self.turn == Turn::Order { order.work(nodes, updates) } else { updates };
            match event {
                Event::Solution if self.is_new(order) => return event,
                Event::Solution => {}
                Event::Stopped(Stop::Nodes) if self.slice_left == 0 => {
                    if self.end_slice(order, meter) {
                        return Event::End;
                    }
                }
                Event::End if self.turn == Turn::Restarts && order.board().has_lost() => {
                    if self.end_slice(order, meter) {
                        return Event::End;
                    }
                }
                Event::End if self.turn == Turn::Restarts => {
                    order.board().is_complete.store(true, Ordering::Relaxed);
                    return event;
                }
                _ => return event,
            }
        }
    }

    /// The options of the last solution, if restarts found it.
    pub(super) fn solution(&self) -> Option<&[OptionId]> {
        let seek = self.seek.as_ref().filter(|_| self.turn == Turn::Restarts)?;
        Some(seek.solution())
    }

    /// Whether the solution was not found before. It prolongs the turn.
    fn is_new(&mut self, order: &dyn InOrder) -> bool {
        let board = order.board();
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
            board.by_restarts.store(self.turn == Turn::Restarts, Ordering::Relaxed);
        }
        is_new
    }

    /// Looks whose turn is next. Returns whether this part is over.
    fn end_slice(&mut self, order: &mut dyn InOrder, meter: &Meter<'_>) -> bool {
        let board = order.board();
        self.slice_left = board.plan.slice_nodes;
        let outlook = board.outlook();
        match self.part {
            _ if outlook == Outlook::Orderly || board.has_lost() => {
                self.turn = Turn::Order;
                self.slice_left = u64::MAX;
                order.end_try();
                return matches!(self.part, Restarts::Seek(_));
            }
            Restarts::Race(seed) if outlook == Outlook::Unknown => self.judge(order, meter, seed),
            Restarts::Race(_) if self.spent >= self.turns[0] => {
                self.spent = 0;
                let [_, next, second, third] = self.turns;
                self.turns = [next, second, third, second.saturating_mul(2)];
                self.turn = match self.turn {
                    Turn::Order => Turn::Restarts,
                    Turn::Restarts => Turn::Order,
                };
            }
            Restarts::Seek(_) => return outlook == Outlook::Hopeful,
            _ => {}
        }
        false
    }

    /// Decides whether the search in order is expected to end, if that shows already.
    fn judge(&mut self, order: &mut dyn InOrder, meter: &Meter<'_>, seed: u64) {
        let levels = meter.depths.iter().rposition(|&nodes| nodes > 0).unwrap_or(0) as u64;
        if meter.nodes < NODES_PER_LEVEL * levels {
            self.slice_left = NODES_PER_LEVEL * levels - meter.nodes;
            return;
        }
        order.end_try();
        self.spent = 0;
        self.begin_seek(order, seed);
        let board = order.board();
        let is_hopeful = order.share_done() > board.plan.hope || !board.known().is_empty();
        if is_hopeful {
            self.turn = Turn::Order;
            self.turns = board.plan.hopeful;
        } else {
            self.turns = board.plan.hopeless;
        }
        board.set(if is_hopeful { Outlook::Hopeful } else { Outlook::Hopeless });
    }
}

impl Board {
    /// A board for a race with this plan, whose solutions take what `room` can reserve.
    pub(super) fn new(plan: Plan, room: Reserved) -> Board {
        Board { plan, known: Mutex::new(Known::within(room)), ..Board::default() }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
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
        self.forget_winner();
    }

    /// For a search without restarts.
    fn forget_winner(&self) {
        self.by_restarts.store(false, Ordering::Relaxed);
    }

    /// The engine that is named if restarts found the solution: `entry`.
    pub(super) fn selection(&self, entry: &'static CoverEntry, why: &'static str) -> Option<Selection> {
        self.by_restarts.load(Ordering::Relaxed).then_some(Selection { entry, why })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::super::tests::auto_within;
    use super::*;
    use crate::ExactCover;
    use crate::engine::CoverEngine;
    use crate::random::{brute_force_with, problems};

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
                        let mut solution = engines[at].solution().to_vec();
                        solution.sort_unstable();
                        found.push(solution);
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

    proptest! {
        #[test]
        fn every_solution_is_delivered_once(
            problem in problems(),
            draws in any::<[u32; 2]>(),
            seed in 0_u64..20,
            hope in prop_oneof![Just(2.0), Just(-1.0)],
            turns in (1_u64..60, 1_u64..60),
            slices in (1_u64..4, 1_u64..20),
            try_nodes in 1_u64..5,
        ) {
            let turns = [turns.0, turns.1, turns.1, turns.0];
            let plan = Plan { hope, hopeful: turns, hopeless: turns, slice_nodes: slices.0 };
            let count = problem.option_count().max(1) as u32;
            let [chosen, forbidden] = draws.map(|draw| if draw % 3 > 0 || problem.option_count() == 0 {
                Vec::new()
            } else {
                vec![draw / 3 % count]
            });
            let expected = brute_force_with(&problem, &chosen, &forbidden);
            let assumptions = Assumptions { chosen, forbidden };
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
