//! What [`Choice::Auto`](crate::Choice::Auto) searches with: a short try first, then an engine that is worth its
//! table.
//!
//! Most problems that come alone need few nodes: [`sparse`] sets solve them before a table of option masks would be
//! built. So the search begins with sparse sets, for about as many nodes as take the time of building a table. If the
//! problem is not solved then, another engine continues where the try stopped:
//! ```text
//!        root                              the try has searched 1 and 2.1; the rest of it
//!    /    |    \                           becomes branches: 2.2, 2.3 and 3, the last one first
//!   1     2     3    untried
//!       / | \                              pending   | 3 | 2.3 | 2.2 |
//!     2.1 2.2 2.3    untried              split off  ◀──         ──▶ search
//! ```
//! A branch is a list of options that are assumed, and any engine can start with it. So no solution is found twice,
//! no solution has to wait or be remembered, no node is searched in vain, and nodes and progress continue. Solutions
//! come in the order of the tree, which is the same for sparse sets and for option masks: branch on the item with the
//! fewest options, the first such item, and try its options in ascending order.
//!
//! If solutions are only counted, the try also says how large the search would be. If a [`sweep`](crate::engine::sweep)
//! over the items takes fewer steps, it counts the whole, and if the problem has independent parts, each is counted by
//! itself ([`whole`]). Otherwise a second try follows the first: the row filter remembers counts of subproblems as long
//! as equal subproblems occur again, and hands over in the same way once they do not. It begins at the root again, because
//! what falls apart does so near the root, and gives way to a sweep once it has taken longer than that. A count that has met
//! no solution by then learns which items fail ([`steer`]).
//!
//! Wide option masks search the problem that [preprocessing](crate::reduce) leaves. Its sizes, and so the order of its
//! tree, may differ from those of the try; the order is the same on any number of threads.
//!
//! The table is built once, for all threads. A problem that is searched a second time gets option masks at once, if
//! they are narrow: thousands of related searches then cost an AND for each assumption.
//!
//! Tried and lost
//! - Counting with memory before anything else, and starting again if that does not pay: sudokus that come alone took
//!   7 times as long, 12 queens 1.15 times.

mod bounded;
mod choose;
mod components;
mod count;
mod independent;
mod known;
mod parts;
mod race;
mod steer;
mod whole;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::engine::sparse::{self, Seek, Sparse};
use crate::engine::sweep;
use crate::engine::{Build, CoverEngine, Event, Meter, Restarts, Room, Seeker, Selection, Stop, Unsuitable};
use crate::memory::Memory;
use crate::{Assumptions, ExactCover, Natural, OptionId, Term};
use choose::{Built, finisher, has_try, is_narrow, starter, try_nodes};
use galop_simd::Isa;
use independent::{Independent, Split};
use parts::{Part, Parts};
use race::{Board, InOrder, Race};
use steer::Steering;
use whole::{Ways, Whole};

/// The engine that [`Choice::Auto`](crate::Choice::Auto) starts a search of `problem` with. The search may continue
/// with another engine; [`Solver::engine`](crate::Solver::engine) says which.
///
/// # Errors
/// [`Unsuitable`] if the problem is too large for every engine.
pub fn choose(problem: &ExactCover) -> Result<Selection, Unsuitable> {
    Ok(begin(problem, Isa::best().into(), &Memory::new(None))?.0)
}

/// The engine of [`Choice::Auto`](crate::Choice::Auto) for `problem`.
///
/// Independent parts are searched one by one. A problem that is tried is split after the try, if it was not solved by then:
/// most are, and to look for parts takes as long.
///
/// Problems that [`starter`] has no engine for are tried with sparse sets, which need no table; most problems are
/// solved before a table would be built. The [`finisher`] continues with the rest. `build` reserves what engines need of
/// `memory`; what they remember may take the rest.
pub(super) fn begin(problem: &ExactCover, build: Build<'_>, memory: &Memory) -> Result<Built, Unsuitable> {
    if !has_try(problem, build)
        && !build.prefers_sharp
        && let Some(split) = Split::of(problem, build.isa, memory)
    {
        return Ok((independent::SELECTION, Box::new(Independent::new(&Arc::new(split)))));
    }
    if let Some(built) = starter(problem, build) {
        return built;
    }
    let tried = Sparse::new(problem, build).and_then(|sparse| {
        let rooms = rooms(problem, &sparse, build, memory)?;
        Ok((sparse, rooms))
    });
    match tried {
        Ok((sparse, rooms)) => {
            let selection = Selection { entry: &sparse::ENTRY, why: "a try: it needs no table" };
            let nodes = try_nodes(problem, &sparse);
            let mut auto = Auto::new(problem, build.isa, sparse, nodes, memory);
            auto.keep(rooms);
            Ok((selection, Box::new(auto)))
        }
        Err(_) => finisher(problem, build).or_else(|_| choose::first(problem, build, &[choose::ANY])),
    }
}

/// What the first nodes of a count show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstNodes {
    /// They count everything.
    Everything,
    /// A sweep, a memory of subproblems or independent parts count the rest.
    Remembered,
    /// Each solution of the rest has to be met.
    Plain,
}

/// Bytes that a count of the first nodes may remember, on every machine.
const FIRST_MEMORY: u64 = 1 << 26;

/// Counts for `nodes[0]` nodes, to see how a problem is counted, or for `nodes[1]` if the count remembers. It depends on no
/// machine: engines are portable, and none is refused for its size.
pub(crate) fn count_first_nodes(
    problem: &ExactCover,
    assumptions: &Assumptions,
    nodes: [u64; 2],
) -> FirstNodes {
    let memory = Memory::new(Some(FIRST_MEMORY));
    let Ok((begun, mut engine)) = begin(problem, Isa::Portable.into(), &memory) else {
        return FirstNodes::Plain;
    };
    engine.start(assumptions);
    let (mut meter, mut found, mut can_count) = (Meter::new(nodes[0], None, None), Natural::ZERO, true);
    loop {
        let counted = if can_count { engine.count(&mut meter, &mut found) } else { None };
        can_count = counted.is_some();
        match counted.unwrap_or_else(|| engine.next(&mut meter)) {
            Event::Solution => {}
            Event::End => return FirstNodes::Everything,
            Event::Stopped(_) => {
                let Selection { entry, why } = engine.delegate().unwrap_or(begun);
                let is_remembered = [sweep::ENTRY.name, independent::ENTRY.name].contains(&entry.name)
                    || [choose::COUNTING, choose::FORGETTING].contains(&why);
                if !is_remembered {
                    return FirstNodes::Plain;
                }
                if meter.nodes >= nodes[1] {
                    return FirstNodes::Remembered;
                }
                meter.set_max_nodes(nodes[1]);
            }
        }
    }
}

/// Reserves what a search takes besides the sparse sets that it begins with: a copy of the problem, and the sets of a search
/// with restarts; and what the finisher takes, so that it is refused, if it is, before any thread takes the rest: `None` then.
fn rooms(
    problem: &ExactCover,
    sparse: &Sparse,
    build: Build<'_>,
    memory: &Memory,
) -> Result<(Room, Option<Room>), Unsuitable> {
    let copy = size_of::<Term>() * problem.term_count() + size_of::<u32>() * (problem.option_count() + 1);
    // Of the solutions that restarts find one is always known.
    let known = 2 * size_of::<OptionId>() * problem.primary_count() + 1024;
    let restarts = build.reserve(copy + known, sparse.own_bytes())?;
    // A limit that was not given refuses nothing: then the finisher reserves its bytes when it is built.
    let [shared, own] = if memory.is_given() { choose::finisher_bytes(problem) } else { [0; 2] };
    Ok((restarts, build.reserve(shared, own).ok()))
}

/// What the engines of all threads share.
struct Shared {
    /// Nodes of the try.
    try_nodes: u64,
    /// Whether option masks would be narrow.
    is_narrow: bool,
    was_searched: AtomicBool,
    /// Whether a search without chosen options was counted before.
    was_counted: AtomicBool,
    memory: Memory,
    /// What is reserved for the search and its finisher.
    rooms: Vec<Room>,
    parts: Mutex<Parts>,
    board: Board,
}

impl Shared {
    fn parts(&self) -> MutexGuard<'_, Parts> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Which engine a search is using.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// None yet: the first engine depends on whether solutions are listed or counted.
    Begin,
    /// Sparse sets, for the try.
    Try,
    /// A count of the whole, which needs no search.
    Whole,
    /// Nothing: the whole is counted.
    Counted,
    /// The counter, for the rest or the whole search, as long as that pays.
    Count,
    /// The finisher, and in turns with it a search that learns which items fail.
    Steer,
    /// The finisher, for the rest or the whole search.
    Finish,
    /// Sparse sets, for the rest.
    Sparse,
}

/// A branch that is not searched yet.
struct Branch {
    assumptions: Assumptions,
    /// Its share of the whole search.
    weight: f64,
}

/// The engine described above.
pub(crate) struct Auto {
    shared: Arc<Shared>,
    sparse: Sparse,
    counter: Option<Box<dyn CoverEngine>>,
    finisher: Option<Box<dyn CoverEngine>>,
    /// Whether the finisher covers first what fails most: it counts, but does not list.
    is_steered: bool,
    steering: Steering,
    whole: Option<Whole>,
    phase: Phase,
    /// The assumptions that the search was started with.
    assumptions: Assumptions,
    /// Nodes left for the try.
    nodes_left: u64,
    /// Solutions that this search has counted, before it searches by itself alone.
    counted: Natural,
    /// Solutions of the try that the counter, which began at the root again, has not counted yet, and the branches that the try
    /// left, as long as there are any.
    debt: Natural,
    suspended: VecDeque<Branch>,
    /// Nodes after which the counter gives way to a count of the whole, and whether it waits for one.
    counter_nodes_left: u64,
    is_counter_waiting: bool,
    /// Whether every branch is given away that another search asks for.
    is_given_away: bool,
    /// Branches left by the tries, the next one last.
    pending: VecDeque<Branch>,
    /// The share of the search that is done, and the share of the current branch.
    done: f64,
    weight: f64,
    /// Made by the first search with restarts.
    race: Option<Box<Race>>,
}

impl Auto {
    /// Starts with a try of `try_nodes` nodes (at least 1) by `sparse`, the sparse sets of `problem`.
    pub(crate) fn new(
        problem: &ExactCover,
        isa: Isa,
        sparse: Sparse,
        try_nodes: u64,
        memory: &Memory,
    ) -> Auto {
        let problem = Arc::new(problem.without_names());
        let parts = Parts {
            problem: Some(Arc::clone(&problem)),
            is_kept: is_narrow(&sparse),
            isa,
            counter: Part::Unbuilt,
            finisher: Part::Unbuilt,
            steered: Part::Unbuilt,
            ways: Ways::default(),
            counting: None,
        };
        let shared = Shared {
            try_nodes: try_nodes.max(1),
            is_narrow: is_narrow(&sparse),
            was_searched: AtomicBool::new(false),
            was_counted: AtomicBool::new(false),
            memory: memory.clone(),
            rooms: Vec::new(),
            parts: Mutex::new(parts),
            board: Board::new(race::Plan::default(), Some(problem), memory.growing()),
        };
        Auto::with(Arc::new(shared), sparse)
    }

    fn with(shared: Arc<Shared>, sparse: Sparse) -> Auto {
        Auto {
            shared,
            sparse,
            counter: None,
            finisher: None,
            is_steered: false,
            steering: Steering::default(),
            whole: None,
            phase: Phase::Begin,
            assumptions: Assumptions::default(),
            nodes_left: 0,
            counted: Natural::ZERO,
            debt: Natural::ZERO,
            suspended: VecDeque::new(),
            counter_nodes_left: u64::MAX,
            is_counter_waiting: false,
            is_given_away: false,
            pending: VecDeque::new(),
            done: 0.0,
            weight: 1.0,
            race: None,
        }
    }

    /// Keeps what is reserved as long as any fork needs it. Without room for a finisher there is none.
    fn keep(&mut self, (room, finisher): (Room, Option<Room>)) {
        let Some(shared) = Arc::get_mut(&mut self.shared) else { return };
        if finisher.is_none() {
            shared.parts().finisher = Part::Missing;
        }
        shared.rooms = [Some(room), finisher].into_iter().flatten().collect();
    }

    /// The engine in use.
    fn engine(&self) -> &dyn CoverEngine {
        match (self.phase, &self.counter, &self.finisher) {
            (Phase::Count, Some(engine), _) | (Phase::Steer | Phase::Finish, _, Some(engine)) => &**engine,
            _ => &self.sparse,
        }
    }

    fn engine_mut(&mut self) -> &mut dyn CoverEngine {
        match (self.phase, &mut self.counter, &mut self.finisher) {
            (Phase::Count, Some(engine), _) | (Phase::Steer | Phase::Finish, _, Some(engine)) => {
                &mut **engine
            }
            _ => &mut self.sparse,
        }
    }

    /// Starts the first engine: a try, or an engine that is built already, or one that pays because this is not the
    /// first search. A search with a chosen option is taken for one of many, whose counts are not worth remembering.
    fn begin(&mut self, is_counted: bool) {
        let was_searched = self.shared.was_searched.swap(true, Ordering::Relaxed);
        let is_whole = is_counted && self.assumptions.chosen.is_empty();
        let was_counted = is_whole && self.shared.was_counted.swap(true, Ordering::Relaxed);
        let mut parts = self.shared.parts();
        parts.counting = None;
        if was_counted && parts.ways.is_worth() {
            drop(parts);
            self.sparse.start(&self.assumptions);
            self.weight = 0.0;
            self.pending.push_back(Branch { assumptions: self.assumptions.clone(), weight: 1.0 });
            return self.count_whole(f64::INFINITY);
        }
        let is_steered = is_counted && parts.steered.is_built();
        if is_steered != std::mem::replace(&mut self.is_steered, is_steered) {
            self.finisher = parts.steered.fork_built().filter(|_| is_steered);
        }
        self.counter = if was_counted && !is_steered { parts.counter(&self.shared.memory) } else { None };
        if self.counter.is_none() && self.finisher.is_none() && (was_counted || !is_whole) {
            let is_worth = parts.finisher.is_built() || was_searched && self.shared.is_narrow;
            self.finisher = if is_worth { parts.finisher(&self.shared.memory) } else { None };
        }
        self.phase = match (&self.counter, &self.finisher) {
            (Some(_), _) => Phase::Count,
            (None, Some(_)) if was_counted || is_steered || !is_whole => Phase::Finish,
            _ => Phase::Try,
        };
        parts.counting = match self.phase {
            Phase::Count => parts.counter.selection(),
            Phase::Finish if is_steered => parts.steered.selection(),
            _ => None,
        };
        self.counter_nodes_left = if is_whole { parts.ways.nodes_of_sweep() } else { u64::MAX };
        drop(parts);
        let assumptions = std::mem::take(&mut self.assumptions);
        self.engine_mut().start(&assumptions);
        self.assumptions = assumptions;
        if is_whole {
            self.begin_steering();
        }
    }

    /// Continues the try; `None` if it used up its nodes before the search ended.
    fn try_on(&mut self, meter: &mut Meter<'_>) -> Option<Event> {
        let (event, nodes) = meter.within(self.nodes_left, |meter| self.sparse.next(meter));
        self.nodes_left -= nodes;
        (self.nodes_left > 0 || event != Event::Stopped(Stop::Nodes)).then_some(event)
    }

    /// Hands the rest over to the finisher, if there is one.
    fn hand_over(&mut self) {
        self.finisher = self.shared.parts().finisher(&self.shared.memory);
        self.is_steered = false;
        match (&self.finisher, self.phase) {
            (Some(_), _) => {
                self.set_aside();
                self.continue_in(Phase::Finish);
            }
            (None, Phase::Try) => self.phase = Phase::Sparse,
            (None, _) => {
                self.set_aside();
                self.continue_in(Phase::Sparse);
            }
        }
    }

    /// Turns the rest of the current engine's search into branches.
    fn set_aside(&mut self) {
        let weight = std::mem::replace(&mut self.weight, 0.0);
        let mut done = self.engine().progress();
        self.done += weight * done;
        while let Some(assumptions) = self.engine_mut().split() {
            let before = std::mem::replace(&mut done, self.engine().progress());
            self.pending.push_back(Branch { assumptions, weight: weight * (done - before) });
        }
    }

    /// Searches the branches with the engine of `phase`.
    fn continue_in(&mut self, phase: Phase) {
        self.phase = phase;
        self.shared.parts().counting = None;
        self.begin_branch();
    }

    /// Starts the next branch; `false` after the last one.
    fn begin_branch(&mut self) -> bool {
        self.done += std::mem::take(&mut self.weight);
        let Some(branch) = self.pending.pop_back() else { return false };
        self.engine_mut().start(&branch.assumptions);
        self.weight = branch.weight;
        true
    }
}

impl CoverEngine for Auto {
    fn start(&mut self, assumptions: &Assumptions) {
        self.assumptions.replace(&assumptions.chosen, &assumptions.forbidden);
        self.pending.clear();
        self.is_given_away = false;
        (self.nodes_left, self.counted, self.is_counter_waiting) =
            (self.shared.try_nodes, Natural::ZERO, false);
        (self.whole, self.debt) = (None, Natural::ZERO);
        self.suspended.clear();
        (self.done, self.weight) = (0.0, 1.0);
        self.phase = Phase::Begin;
        self.start_race();
    }

    fn set_restarts(&mut self, restarts: Restarts) -> bool {
        self.set_part(restarts);
        true
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        self.next_in_race(meter)
    }

    fn count(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        self.count_in_turn(meter, found)
    }

    fn solution(&self) -> &[OptionId] {
        let by_restarts = self.race.as_ref().and_then(|race| race.solution());
        let by_probe = self.steering.solution().filter(|_| self.phase == Phase::Steer);
        by_restarts.or(by_probe).unwrap_or_else(|| match &self.whole {
            Some(whole) => whole.solution().unwrap_or_default(),
            None => self.engine().solution(),
        })
    }

    /// `None` during a try: tries are short, and so they are the same on any number of threads. `None` while the whole is
    /// counted, and while the counter works: its memory would not help another thread.
    fn split(&mut self) -> Option<Assumptions> {
        let is_kept = match self.phase {
            Phase::Begin | Phase::Try | Phase::Whole | Phase::Counted => true,
            Phase::Count => !self.is_given_away,
            Phase::Steer => {
                let is_kept = !self.is_given_away && self.steering.is_kept();
                self.phase = if is_kept { Phase::Steer } else { Phase::Finish };
                is_kept
            }
            Phase::Finish | Phase::Sparse => false,
        };
        if is_kept {
            return None;
        }
        match self.pending.pop_front() {
            Some(branch) => {
                self.done += branch.weight;
                Some(branch.assumptions)
            }
            None => self.engine_mut().split(),
        }
    }

    /// A count of the whole has counted nothing yet, so the branches of the try remain. Once branches are given away, the
    /// whole is not counted any more.
    fn give_away(&mut self) {
        self.is_given_away = true;
        self.counter_nodes_left = u64::MAX;
        if self.phase == Phase::Begin {
            self.begin(false);
        }
        match self.phase {
            Phase::Try => self.phase = Phase::Sparse,
            Phase::Whole => {
                self.drop_whole();
                if self.phase == Phase::Whole {
                    self.continue_in(Phase::Sparse);
                }
            }
            _ => {}
        }
        if self.phase == Phase::Count && self.debt != 0 {
            self.leave_counter();
            self.continue_in(Phase::Sparse);
        }
    }

    fn progress(&self) -> f64 {
        match self.phase {
            Phase::Begin => 0.0,
            Phase::Whole => {
                let (whole, before) =
                    (self.whole.as_ref().map_or(0.0, Whole::progress), self.done_before_whole());
                before + (1.0 - before) * whole
            }
            _ => self.done + self.weight * self.engine().progress(),
        }
    }

    /// Sparse sets in order and with restarts, and the finisher.
    fn own_bytes(&self) -> usize {
        2 * self.sparse.own_bytes() + self.shared.parts().finisher_bytes()
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Auto::with(Arc::clone(&self.shared), self.sparse.clone()))
    }

    fn delegate(&self) -> Option<Selection> {
        let why = "its order led nowhere, so it restarted with random choices and learnt weights";
        if let Some(selection) = self.shared.board.selection(&sparse::ENTRY, why) {
            return Some(selection);
        }
        let parts = self.shared.parts();
        parts.counting.or_else(|| parts.finisher.selection())
    }
}

impl InOrder for Auto {
    fn board(&self) -> &Board {
        &self.shared.board
    }

    fn race(&mut self) -> &mut Option<Box<Race>> {
        &mut self.race
    }

    fn next_in_order(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            // The way of nearly all solutions.
            if let (Phase::Finish, Some(finisher)) = (self.phase, &mut self.finisher) {
                match finisher.next(meter) {
                    Event::End if self.begin_branch() => continue,
                    event => return event,
                }
            }
            match self.phase {
                Phase::Begin => self.begin(false),
                Phase::Try => match self.try_on(meter) {
                    Some(event) => return event,
                    None => self.hand_over(),
                },
                Phase::Whole => self.count_branches(),
                Phase::Counted => return Event::End,
                Phase::Steer => self.phase = Phase::Finish,
                _ => match self.engine_mut().next(meter) {
                    Event::End if self.begin_branch() => {}
                    event => return event,
                },
            }
        }
    }

    fn found_in_order(&self) -> &[OptionId] {
        self.engine().solution()
    }

    fn share_done(&self) -> f64 {
        self.progress()
    }

    fn assumptions(&self) -> &Assumptions {
        &self.assumptions
    }

    fn prolong_try(&mut self) -> u64 {
        std::mem::replace(&mut self.nodes_left, u64::MAX)
    }

    fn end_try(&mut self) {
        self.nodes_left = 0;
    }

    /// Option masks read their state for each node and update.
    fn work(&self, nodes: u64, updates: u64) -> u64 {
        match self.phase {
            Phase::Finish if !self.shared.parts().has_rows() => {
                (nodes + updates) * (64 + self.sparse.primary_count() as u64) / 128
            }
            _ => updates,
        }
    }

    fn make_seeker(&self) -> Option<Box<dyn Seeker>> {
        Some(Box::new(Seek::new(&self.sparse)))
    }
}

#[cfg(test)]
mod tests;
