//! The runners beside the search in order, and whose turn it is.
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
//! Some solutions in any order: each runner has a [share](super::table) of the effort, which depends on what is
//! [expected](Expected). The next turn belongs to the runner that would have the least for its share at the end of it.
//! Turns double, so what is learnt late costs a constant factor at most. Where the last turn of the search in order
//! shows that its rest takes a minute, or a few times as long as all before, it has most of the effort, and nearly all
//! if all turns show so for a third of a second. (Trusted for a minute, it took eight times as long for a sequence of
//! 20 cars, and three times for dominosas up to 30-30.) All runners are complete: the search ends with the first one
//! that is. A solution that one of them has found is skipped if another one finds it. A thousand solutions in order end
//! the turns: the search in order needs no help then.
//!
//! Counts: as long as there is no solution, restarts look for a proof that there is none, in their share of what the
//! count is expected to take. Near a phase transition most items have equally few options, and the order of the items
//! decides whether a contradiction shows after ten choices or after forty. Restarts with learnt weights find that out.
//!
//! With several threads, the others begin with restarts or clauses, and end if the search in order is expected to end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::budget::{Budget, Ran};
use super::known::{SolutionSet, Verdict};
use super::order::Order;
use super::table::{Start, TABLE, row_of};
use super::{Aim, Shared};
use crate::engine::{Meter, Restarts, Seeker};
use crate::{Natural, OptionId};

/// When turns begin, and how long they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turns {
    /// The share after the try above which the search in order is expected to end.
    hope: f64,
    /// Ticks of the first turn of each runner. A million ticks take some milliseconds.
    first_ticks: [u64; 3],
    /// What the rest of the search in order may take to have most of the effort: the ticks of a minute, or this multiple
    /// of what was spent.
    soon: [f64; 2],
    /// Ticks of the first search for a proof that there is nothing to count; an eighth of them comes before it.
    proof_ticks: u64,
    /// Ticks of making the clauses: for each term of the problem, or for each pair of options of an item if the search
    /// in order is expected to end. As much is spent before the first turn of the learner.
    clause_ticks: u64,
}

impl Turns {
    /// The turns of a problem whose items are all covered once, or of one with bounds: packing problems may look
    /// hopeful where they are not.
    pub(super) fn of(is_simple: bool) -> Turns {
        let hope = if is_simple { 1e-9 } else { 5e-4 };
        let first_ticks = if is_simple { [1 << 17, 1 << 21, 1 << 22] } else { [1 << 15, 1 << 21, 1 << 22] };
        Turns { hope, first_ticks, proof_ticks: 1 << 19, soon: [2e10, 16.0], clause_ticks: 50 }
    }

    /// Restarts do everything.
    #[cfg(test)]
    pub(super) const RESTARTS: Turns = Turns {
        hope: 2.0,
        first_ticks: [u64::MAX, 1, u64::MAX],
        proof_ticks: 1,
        soon: [-1.0; 2],
        clause_ticks: u64::MAX,
    };
}

/// Who runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Who {
    #[default]
    Order,
    Restarts,
    Clauses,
}

/// What is expected of the search in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Expected {
    /// It will end: two estimates agree on when.
    Surely,
    /// It will end soon.
    Soon,
    /// It may end.
    Perhaps,
    /// It is lost at the bottom of a deep tree.
    Never,
    /// It will end, as it counts.
    Count,
    /// The try is not over.
    #[default]
    Unknown,
}

/// What the threads of a search for some solutions share. What is asked for at every solution is beside the lock.
#[derive(Debug, Default)]
pub(super) struct Contest {
    /// Whether restarts or the learner have found all solutions.
    is_complete: AtomicBool,
    /// Whether only the search in order goes on: it finds many solutions, all of them new.
    is_orderly: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
pub(super) struct State {
    known: SolutionSet,
    expected: Expected,
    /// Whether a solution was lost, because too many are known: only the search in order finds them all.
    has_lost: bool,
    /// Whether a thread beside the first one has the learner, or it gave up.
    is_learner_taken: bool,
    /// Who found the last solution, or that there is no other one.
    pub(super) winner: Who,
}

impl Contest {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn expected(&self) -> Expected {
        self.state().expected
    }

    /// Whether only the search in order goes on.
    fn is_alone(&self) -> bool {
        self.is_orderly.load(Ordering::Relaxed) || self.state().has_lost
    }

    /// Clears everything, for a new search.
    fn clear(&self) {
        let mut state = self.state();
        let mut known = std::mem::take(&mut state.known);
        known.clear();
        *state = State { known, ..State::default() };
        for flag in [&self.is_complete, &self.is_orderly] {
            flag.store(false, Ordering::Relaxed);
        }
    }
}

/// The runners of one thread, and their accounts.
#[derive(Default)]
pub(super) struct Beside {
    pub(super) role: Restarts,
    /// Restarts and the learner; made when they have their first turn, and whether they were started or cannot be.
    seekers: [Option<Box<dyn Seeker>>; 2],
    are_begun: [bool; 2],
    pub(super) who: Who,
    /// What is left of the turn; `None` if nothing else runs.
    turn: Option<Budget>,
    /// Ticks of each runner.
    spent: [u64; 3],
    /// The progress of the search in order, and its ticks, when its last turn began.
    before: (f64, u64),
    /// What that turn shows, if it will end soon.
    near: Option<Expected>,
    /// Whether a count looks for a proof.
    is_proving: bool,
}

impl Beside {
    /// Prepares for a new search, which `order` has not begun.
    pub(super) fn start(&mut self, order: &mut Order) {
        (self.who, self.turn, self.spent, self.near) = (Who::Order, None, [0; 3], None);
        (self.are_begun, self.before, self.is_proving) = ([false; 2], (0.0, 0), false);
        match self.role {
            Restarts::Off => order.shared.contest.state().winner = Who::Order,
            Restarts::Race(_) => order.shared.contest.clear(),
            Restarts::Branch => {}
            Restarts::Seek(_) => {
                self.begin(order, Who::Restarts);
                self.give_turn(order, Who::Restarts);
            }
        }
    }

    /// What the search is for, if it is no count.
    pub(super) fn aim(&self) -> Aim {
        if matches!(self.role, Restarts::Race(_)) { Aim::Some } else { Aim::All }
    }

    /// The search in order has begun. If some solutions are wanted, the first turn is short, to judge it.
    pub(super) fn begin_turns(&mut self, order: &mut Order) {
        match order.aim {
            Aim::Some => self.give_turn(order, Who::Order),
            Aim::Count => self.look_for_proof(order),
            Aim::All => {}
        }
    }

    /// Runs whose turn it is.
    #[inline]
    pub(super) fn run(
        &mut self,
        order: &mut Order,
        meter: &mut Meter<'_>,
        mut found: Option<&mut Natural>,
    ) -> Ran {
        if self.role != Restarts::Off && order.shared.contest.is_complete.load(Ordering::Relaxed) {
            return Ran::Done;
        }
        let Some(turn) = &mut self.turn else { return order.run(meter, found) };
        let before = meter.ticks;
        let ran = match (self.who as usize).checked_sub(1) {
            None => turn.spend(meter, |meter| order.run(meter, found.as_deref_mut())),
            Some(at) => match &mut self.seekers[at] {
                Some(seeker) => turn.spend(meter, |meter| match seeker.next(meter).into() {
                    Ran::Stopped(_) if seeker.has_given_up() => Ran::GaveUp,
                    ran => ran,
                }),
                None => Ran::GaveUp,
            },
        };
        self.spent[self.who as usize] += meter.ticks - before;
        ran
    }

    /// The options of the last solution, if the search in order has not found it.
    pub(super) fn solution(&self) -> Option<&[OptionId]> {
        Some(self.seekers[(self.who as usize).checked_sub(1)?].as_ref()?.solution())
    }

    /// Whether a solution was not found before. It prolongs the turn.
    pub(super) fn is_new(&mut self, order: &Order) -> bool {
        if self.role == Restarts::Off {
            return true;
        }
        let contest = &order.shared.contest;
        // Another thread may come first: then the second look counts.
        if contest.is_orderly.load(Ordering::Relaxed) {
            return self.who == Who::Order;
        }
        let mut state = contest.state();
        if contest.is_orderly.load(Ordering::Relaxed) {
            return self.who == Who::Order;
        }
        match state.known.add(self.solution().unwrap_or(order.solution()), self.who) {
            Verdict::Old => return false,
            Verdict::Lost => {
                state.has_lost = true;
                return false;
            }
            Verdict::NewAndOrderly => contest.is_orderly.store(true, Ordering::Relaxed),
            Verdict::New => {}
        }
        state.winner = self.who;
        drop(state);
        if self.turn.is_some() {
            self.spent[self.who as usize] = 0;
            self.give_turn(order, self.who);
        }
        true
    }

    /// A runner beside the search in order has found everything. `false` if some of that was lost.
    pub(super) fn prove(&self, shared: &Shared) -> bool {
        let mut state = shared.contest.state();
        if self.who != Who::Order && !state.has_lost {
            state.winner = self.who;
            shared.contest.is_complete.store(true, Ordering::Relaxed);
            return true;
        }
        self.who == Who::Order
    }

    /// Branches are given away: a proof would search them, too.
    pub(super) fn end_proof(&mut self) {
        if self.is_proving {
            self.leave();
        }
    }

    /// Ends the turns: only the search in order goes on.
    pub(super) fn leave(&mut self) {
        (self.who, self.turn, self.is_proving) = (Who::Order, None, false);
    }

    /// Whether branches may be given to other threads. Nothing is given away by a short count without a solution, which
    /// a proof may end, and by a search for some solutions of a problem with bounds that is not judged yet.
    pub(super) fn may_split(&self, order: &Order) -> bool {
        /// Ticks of a short count.
        const SHORT: u64 = 1 << 20;
        let is_judged = order.shared.is_simple
            || self.aim() == Aim::All
            || order.shared.contest.expected() != Expected::Unknown;
        is_judged && !(self.is_proving && self.spent[0] < SHORT)
    }

    /// Gives the next turn to whom it belongs. Returns whether this part of the search is over.
    pub(super) fn pass(&mut self, order: &mut Order, ran: Ran, meter: &Meter<'_>) -> bool {
        match (self.role, order.aim) {
            (Restarts::Seek(_), _) => return self.support(order),
            (_, Aim::All) => order.go_on(),
            (_, Aim::Count) => self.look_for_proof(order),
            (_, Aim::Some) => self.divide(order, ran, meter),
        }
        false
    }

    /// A runner has the next turn, which is as long as all its turns before.
    fn give_turn(&mut self, order: &Order, who: Who) {
        (self.who, self.turn) = (who, Some(Budget::new(self.next_ticks(order, who))));
        if who == Who::Order {
            self.before = (order.progress(), self.spent[0]);
        }
    }

    fn next_ticks(&self, order: &Order, who: Who) -> u64 {
        let turns = &order.shared.turns;
        let is_lost = order.shared.is_simple && order.shared.contest.expected() == Expected::Never;
        let first = match who {
            Who::Restarts if self.is_proving => turns.proof_ticks,
            Who::Order if self.is_proving => turns.proof_ticks / 8,
            // Where the search in order is lost the others have the first turns, and short ones.
            Who::Restarts | Who::Clauses if is_lost => turns.first_ticks[who as usize] / 8,
            _ => turns.first_ticks[who as usize],
        };
        self.spent[who as usize].max(first)
    }

    /// What a runner has for its share at the end of its next turn.
    fn load(&self, order: &Order, who: Who, expected: Expected) -> f64 {
        let share = row_of(who).unwrap_or(&TABLE[0]).share.get(expected as usize).copied().unwrap_or(0);
        (self.spent[who as usize] as f64 + self.next_ticks(order, who) as f64) / f64::from(share)
    }

    /// Starts a runner, if it was not started; `false` if it is not there, or has given up.
    fn begin(&mut self, order: &mut Order, who: Who) -> bool {
        let Some(at) = (who as usize).checked_sub(1) else { return true };
        let seed = match self.role {
            Restarts::Race(seed) | Restarts::Seek(seed) => seed,
            _ => 0,
        };
        if !std::mem::replace(&mut self.are_begun[at], true) {
            if self.seekers[at].is_none()
                && let Some(row) = row_of(who)
                && let Some(Start::Beside(seeker)) = (row.start)(order, row)
            {
                self.seekers[at] = Some(seeker);
            }
            if let Some(seeker) = &mut self.seekers[at] {
                seeker.start(&order.assumptions, seed);
            }
        }
        self.seekers[at].as_ref().is_some_and(|seeker| !seeker.has_given_up())
    }

    /// What the rest of the search in order is expected to take, in ticks, by its last turn: early branches may end at
    /// once.
    fn rest(&self, order: &Order) -> f64 {
        let (progress, (before, spent)) = (order.progress(), self.before);
        (self.spent[0] - spent) as f64 * (1.0 - progress) / (progress - before).max(f64::MIN_POSITIVE)
    }

    /// Whether the rest of the search in order will take little, by its last turn; or by all turns, and not very long by
    /// the last one. It surely ends if both agree on little.
    fn near(&self, order: &Order) -> Option<Expected> {
        /// How many times as long the rest may take by the last turn, if all turns show that it takes little.
        const UNEVEN: f64 = 50.0;
        /// The largest quotient of two estimates that agree, and the most ticks that are believed: a third of a second.
        const AGREE: f64 = 2.0;
        const SURE: f64 = 1.3e8;
        let [ticks, times] = order.shared.turns.soon;
        let (rest, progress) = (self.rest(order), order.progress());
        let by_all = self.spent[0] as f64 * (1.0 - progress) / progress.max(f64::MIN_POSITIVE);
        let is_even = order.shared.is_simple && by_all <= ticks && rest <= UNEVEN * ticks;
        let is_near = is_even || rest <= ticks.max(times * self.spent.iter().sum::<u64>() as f64);
        let agree = rest.max(by_all) <= AGREE * rest.min(by_all) && rest <= SURE;
        is_near.then_some(if agree { Expected::Surely } else { Expected::Soon })
    }

    /// A count that has found nothing in its last row takes turns with restarts.
    fn look_for_proof(&mut self, order: &mut Order) {
        order.go_on();
        let is_open = order.is_last_row() && order.is_whole && !order.has_found;
        if !is_open {
            return self.leave();
        }
        if !std::mem::replace(&mut self.is_proving, true) {
            self.spent = [0; 3];
            return self.give_turn(order, Who::Order);
        }
        // In their share of the whole effort, and in half of it if there are bounds: estimates are too high there.
        let effort = self.spent[0] as f64 + self.rest(order);
        let effort = if order.shared.is_simple { effort } else { effort / 2.0 };
        let is_worth = self.load(order, Who::Restarts, Expected::Count) * 1000.0 <= effort;
        let who = if self.who == Who::Order && is_worth { Who::Restarts } else { Who::Order };
        let who = if self.begin(order, who) { who } else { Who::Order };
        self.give_turn(order, who);
    }

    /// Some solutions are wanted: the runner with the least for its share has the next turn.
    fn divide(&mut self, order: &mut Order, ran: Ran, meter: &Meter<'_>) {
        if order.shared.contest.is_alone() {
            self.leave();
            return order.go_on();
        }
        if order.shared.contest.expected() == Expected::Unknown {
            // In packing problems some branches at the root end at once: what comes after the try is judged.
            let is_early = !order.shared.is_simple && (ran == Ran::GaveUp || order.is_trying());
            if is_early || ran == Ran::Open && is_short(meter) {
                order.go_on();
                return self.give_turn(order, Who::Order);
            }
        }
        if self.who == Who::Order {
            // What looked hopeless may look better later.
            if order.shared.contest.expected() != Expected::Perhaps {
                self.judge(order);
            }
            self.near = self.near(order);
        }
        let expected = self.near.unwrap_or(order.shared.contest.expected());
        let mut least = (self.load(order, Who::Order, expected), Who::Order);
        for who in [Who::Restarts, Who::Clauses] {
            let load = self.load(order, who, expected);
            if load < least.0 && self.may_run(order, who, expected) && self.begin(order, who) {
                least = (load, who);
            }
        }
        self.give_turn(order, least.1);
        if least.1 == Who::Order {
            order.go_on();
        }
    }

    /// Whether it is time for a runner: clauses take long to make, and another thread may have them.
    fn may_run(&self, order: &Order, who: Who, expected: Expected) -> bool {
        if who != Who::Clauses {
            return true;
        }
        let contest = &order.shared.contest;
        let ticks =
            order.shared.turns.clause_ticks.saturating_mul(order.shared.clauses(expected != Expected::Never));
        !contest.state().is_learner_taken && self.spent.iter().sum::<u64>() >= ticks
    }

    /// Decides what is expected of the search in order.
    fn judge(&mut self, order: &Order) {
        let mut state = order.shared.contest.state();
        let share = order.progress() - if order.shared.is_simple { 0.0 } else { self.before.0 };
        let hope = order.shared.turns.hope;
        let is_first = state.expected == Expected::Unknown;
        let may_end = share > hope || is_first && !state.known.is_empty();
        state.expected = if may_end { Expected::Perhaps } else { Expected::Never };
    }

    /// The turn of a thread beside the first one is over. Returns whether its part is.
    fn support(&mut self, order: &mut Order) -> bool {
        let contest = &order.shared.contest;
        let expected = contest.expected();
        if contest.is_alone() || expected == Expected::Perhaps {
            return true;
        }
        let is_free = expected == Expected::Never && self.who == Who::Restarts && self.spent[1] > 0;
        let takes_learner = is_free && !std::mem::replace(&mut contest.state().is_learner_taken, true);
        if takes_learner && self.begin(order, Who::Clauses) {
            self.give_turn(order, Who::Clauses);
            return false;
        }
        let who = if self.begin(order, self.who) { self.who } else { Who::Restarts };
        self.give_turn(order, who);
        !self.begin(order, who)
    }
}

/// Whether a search has too few nodes for each level to be judged.
fn is_short(meter: &Meter<'_>) -> bool {
    /// Nodes for each level.
    const NODES: u64 = 5;
    let levels = meter.depths.iter().rposition(|&nodes| nodes > 0).unwrap_or(0) as u64;
    meter.nodes < NODES * levels
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::super::tests::auto_within;
    use super::*;
    use crate::engine::tests::sorted;
    use crate::engine::{CoverEngine, Driver, Event};
    use crate::tests::{assumptions, brute_force_with, made, problems};
    use crate::{Assumptions, ExactCover};
    #[cfg(feature = "learn")]
    use galop_testing::exact_cover::pigeons;

    /// A search with these turns.
    fn auto(problem: &ExactCover, try_ticks: u64, turns: Turns) -> super::super::Auto {
        let mut auto = auto_within(problem, try_ticks, 1 << 20).unwrap();
        Arc::get_mut(&mut auto.order.shared).unwrap().turns = turns;
        auto
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
        let turns =
            Turns { hope: 2.0, first_ticks: [u64::MAX, u64::MAX, 1], clause_ticks: 0, ..Turns::RESTARTS };
        let mut engine = auto(&pigeons(6, 5).parse().unwrap(), 1, turns);
        engine.set_restarts(Restarts::Race(1));
        engine.start(&Assumptions::default());
        assert_eq!(engine.next(&mut Meter::new(u64::MAX, None, None)), Event::End);
        assert_eq!(engine.delegate().unwrap().name, "clauses");
    }

    /// A proof that was looked for in vain changes nothing: the count goes on.
    #[test]
    fn a_count_goes_on_after_a_solution_that_refutes_the_proof() {
        let turns = Turns { first_ticks: [1; 3], proof_ticks: 1, ..Turns::of(false) };
        let mut engine = auto(&made("queen-domination 5 3"), 1, turns);
        let (mut meter, mut found) = (Meter::new(u64::MAX, None, None), Natural::ZERO);
        engine.start(&Assumptions::default());
        while engine.count(&mut meter, &mut found) != Some(Event::End) {}
        assert!(found == 186 && !engine.beside.is_proving, "{found}");
        assert!(engine.stages().iter().any(|stage| stage.name == "restarts"));
    }

    proptest! {
        #[test]
        fn every_solution_is_delivered_once(
            problem in problems(),
            draws in any::<[u32; 2]>(),
            seed in 0_u64..20,
            hope in prop_oneof![Just(2.0), Just(-1.0)],
            first_ticks in any::<[u8; 3]>(),
            slice in 1_u64..20,
            try_ticks in 1_u64..200,
        ) {
            let first_ticks = first_ticks.map(|ticks| u64::from(ticks) + 1);
            let turns = Turns { hope, first_ticks, clause_ticks: 1, ..Turns::RESTARTS };
            let assumptions = assumptions(&problem, draws);
            let expected = brute_force_with(&problem, &assumptions.chosen, &assumptions.forbidden);
            let mut engines: Vec<Box<dyn CoverEngine>> = vec![Box::new(auto(&problem, try_ticks, turns))];
            for others in 0..3 {
                for number in 0..=others {
                    if number == engines.len() {
                        engines.push(engines[0].fork());
                    }
                    let part = if number == 0 { Restarts::Race(seed) } else { Restarts::Seek(seed + number as u64) };
                    prop_assert!(engines[number].driver().unwrap().set_restarts(part));
                    engines[number].start(&assumptions);
                }
                prop_assert_eq!(&solutions(&mut engines, slice), &expected, "{} beside it", others);
            }
        }

        /// However short the turns are, a count with a search for a proof beside it is right.
        #[test]
        fn a_count_beside_a_search_for_a_proof_is_right(
            problem in problems(),
            draws in any::<[u32; 2]>(),
            first_ticks in any::<[u8; 3]>(),
            slice in 1_u64..20,
        ) {
            let first_ticks = first_ticks.map(|ticks| u64::from(ticks / 4) + 1);
            let turns = Turns { first_ticks, proof_ticks: first_ticks[1], ..Turns::of(true) };
            let mut engine = auto(&problem, 1, turns);
            let Assumptions { forbidden, .. } = assumptions(&problem, draws);
            let expected = brute_force_with(&problem, &[], &forbidden).len() as u128;
            engine.start(&Assumptions { chosen: Vec::new(), forbidden });
            let (mut meter, mut found) = (Meter::new(0, None, None), Natural::ZERO);
            while engine.count(&mut meter, &mut found) != Some(Event::End) {
                meter.set_max_nodes(meter.nodes + slice);
            }
            prop_assert_eq!(found, expected);
            prop_assert!(engine.progress() == 1.0);
        }
    }
}
