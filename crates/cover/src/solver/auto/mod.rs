//! What [`Choice::Auto`](crate::Choice::Auto) searches with: a short try first, then the stages of a table, one after
//! the other.
//!
//! Most problems that come alone need few nodes: [`sparse`](crate::engine::sparse) sets solve them before a table of
//! option masks would be built. So the search begins with a try by sparse sets, for about as many nodes as take the
//! time of building a table. If the problem is not solved then, the stages of [`stages`] continue where the try
//! stopped:
//! ```text
//!        root                              the try has searched 1 and 2.1; the rest of it
//!    /    |    \                           becomes branches: 2.2, 2.3 and 3, the last one first
//!   1     2     3    untried
//!       / | \                              pending   | 3 | 2.3 | 2.2 |
//!     2.1 2.2 2.3    untried              split off  ◀──         ──▶ search
//! ```
//! A branch is a list of options that are assumed, and any engine can start with it. So no solution is found twice, no
//! solution has to wait or be remembered, no node is searched in vain, and nodes and progress continue. Solutions come
//! in the order of the tree, which is the same for sparse sets and for option masks. It branches on the item with the
//! fewest options, the first such item, and tries its options in ascending order.
//!
//! Some stages count a problem as a [whole](Whole), from its root: sweeps, independent parts, the memory of equal
//! subproblems. What they count includes the solutions that were counted before, so only the rest is added:
//! ```text
//! counted before   ■■■                      by the try, whose branches stay pending
//! the whole        ■■■□□□□□                 adds □; if it gives up, its own branches replace the try's,
//!                                           unless it has counted less than the try
//! ```
//! Preprocessed problems have other sizes, and so another order of their tree; the order is the same on any number of
//! threads.
//!
//! Tables are built once, for all threads. A problem that is searched a second time gets option masks at once, if
//! they are narrow: thousands of related searches then cost an AND for each assumption.
//!
//! [`stages`] says which stage comes when, [`turns`] how one follows another, [`engines`] what a search begins with.
//! [`order`] and [`race`] search in order and with restarts, [`counting`] counts, [`prove`] looks for a proof.
//!
//! Tried and lost
//! - Counting with memory before anything else, and starting again if that does not pay: sudokus that come alone took
//!   7 times as long, 12 queens 1.15 times.

mod cache;
mod components;
mod counting;
mod engines;
mod first_nodes;
mod independent;
mod known;
mod order;
mod prove;
mod race;
mod stages;
mod turns;
mod whole;

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::engine::{Build, CoverEngine, Event, Meter, Restarts, Selection, StageFigures, Unsuitable};
use crate::memory::Memory;
use crate::{Assumptions, ExactCover, Natural, OptionId};
use cache::Cache;
use engines::{base, try_nodes, words_of_wide_masks};
pub(crate) use first_nodes::{FirstNodes, count_first_nodes};
use galop_simd::Isa;
use independent::{Independent, Split};
use prove::Prover;
use race::{Board, Race};
use stages::Stage;
use turns::Branch;
use whole::Whole;

/// An engine that was built, and why it was selected.
pub(super) type Built = (Selection, Box<dyn CoverEngine>);

/// Items from which on independent parts are looked for before a try: a try saves numbers of all items at every level.
const MANY_ITEMS: usize = 1 << 14;

/// Nodes of the try of a problem with bounds, if there are restarts. The search in order is judged by what it does in
/// as many nodes after these: in packing problems some branches at the root end at once, and others never.
const BOUNDED_TRY_NODES: u64 = 500;

/// The engine of [`Choice::Auto`](crate::Choice::Auto) for `problem`.
///
/// A problem whose items are all covered exactly once begins with sparse sets, which need no table. Independent parts
/// are counted by a stage after the try, because most problems are solved by then; but very large problems, and
/// problems with bounds, are split first. What a count remembers may take `memory`.
pub(super) fn begin(problem: &ExactCover, build: Build<'_>, memory: &Memory) -> Result<Built, Unsuitable> {
    let has_try = problem.is_simple() && problem.item_count() <= MANY_ITEMS;
    if !has_try && let Some(split) = Split::of(problem, build.isa, memory) {
        return Ok((independent::SELECTION, Box::new(Independent::new(&Arc::new(split)))));
    }
    let (selection, engine) = base(problem, build)?;
    Ok((selection, Box::new(Auto::new(problem, build.isa, (selection, engine), memory))))
}

/// What the engines of all threads share.
struct Shared {
    /// The problem without its names.
    problem: Arc<ExactCover>,
    isa: Isa,
    /// Whether every item is covered exactly once.
    is_simple: bool,
    /// The words of an option in wide option masks; `None` if narrow ones have room for it.
    words: Option<usize>,
    /// The name of the engine without a table.
    base: &'static str,
    /// Nodes of the try.
    try_nodes: u64,
    was_searched: AtomicBool,
    /// Whether a search without chosen options was counted before.
    was_counted: AtomicBool,
    memory: Memory,
    cache: Mutex<Cache>,
    board: Board,
}

impl Shared {
    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The words of a table of wide option masks, if narrow ones have no room for the problem.
    fn table_words(&self) -> Option<usize> {
        Some(self.words?.saturating_mul(self.problem.option_count()))
    }
}

/// A search in stages: see above.
///
/// Everything that is left is in one place: the branch that the engine of the stage searches, of the share `weight`,
/// and the branches `pending`. The shares and `done` add up to 1. While a count of the whole is under way nothing is
/// searched.
pub(crate) struct Auto {
    shared: Arc<Shared>,
    /// The engine without a table.
    base: Box<dyn CoverEngine>,
    /// The stage, if the search was begun.
    stage: Option<&'static Stage>,
    /// The engine of the stage, if it is not the base, and whether it (or the base) searches a branch.
    engine: Option<Box<dyn CoverEngine>>,
    is_searching: bool,
    /// Whether nothing is searched yet: the root is pending.
    is_at_root: bool,
    /// The engine of the last search, and its stage.
    kept: Option<(&'static Stage, Selection, Box<dyn CoverEngine>)>,
    /// Why the stage was selected; `None` for the try.
    selection: Option<Selection>,
    whole: Option<Whole>,
    /// Takes turns with a count that has met no solution.
    prover: Option<Prover>,
    /// What the stages took, and the nodes and the time up to which that is noted.
    figures: Vec<StageFigures>,
    noted: (u64, Instant),
    /// Nodes left for the try.
    nodes_left: u64,
    /// The assumptions that the search was started with.
    assumptions: Assumptions,
    /// Whether all solutions that fit no more than forbidden options are counted, and whether that was done before.
    is_whole: bool,
    was_counted: bool,
    /// Whether the problem was searched before.
    is_one_of_many: bool,
    /// Solutions that were counted, as long as a count of the whole may follow; and whether any was found by the try.
    counted: Natural,
    has_found: bool,
    /// Whether every branch is given away that another search asks for.
    is_given_away: bool,
    /// Whether a race has not judged the search in order yet, and the share that was done after the try.
    is_trying: bool,
    tried: f64,
    /// Branches left by earlier stages, the next one last.
    pending: VecDeque<Branch>,
    /// The share of the search that is done, and the share of the current branch.
    done: f64,
    weight: f64,
    /// Made by the first search with restarts.
    race: Option<Box<Race>>,
}

impl Auto {
    /// A search by stages that begins with `base`, an engine of `problem`.
    fn new(problem: &ExactCover, isa: Isa, (selection, base): Built, memory: &Memory) -> Auto {
        let is_simple = problem.is_simple();
        let words = words_of_wide_masks(problem);
        let (copy, plan) = (Arc::new(problem.without_names()), race::Plan::of(is_simple));
        let shared = Shared {
            board: Board::new(plan, Arc::clone(&copy), memory.growing()),
            problem: copy,
            isa,
            is_simple,
            words,
            base: selection.name,
            try_nodes: if is_simple { try_nodes(problem, words) } else { BOUNDED_TRY_NODES },
            was_searched: AtomicBool::new(false),
            was_counted: AtomicBool::new(false),
            memory: memory.clone(),
            cache: Mutex::default(),
        };
        Auto::with(Arc::new(shared), base)
    }

    fn with(shared: Arc<Shared>, base: Box<dyn CoverEngine>) -> Auto {
        Auto {
            shared,
            base,
            stage: None,
            engine: None,
            is_searching: false,
            is_at_root: false,
            kept: None,
            selection: None,
            whole: None,
            prover: None,
            figures: Vec::new(),
            noted: (0, Instant::now()),
            nodes_left: u64::MAX,
            assumptions: Assumptions::default(),
            is_whole: false,
            was_counted: false,
            is_one_of_many: false,
            counted: Natural::ZERO,
            has_found: false,
            is_given_away: false,
            is_trying: false,
            tried: 0.0,
            pending: VecDeque::new(),
            done: 0.0,
            weight: 1.0,
            race: None,
        }
    }

    /// The engine in use.
    fn engine(&self) -> &dyn CoverEngine {
        &**self.engine.as_ref().unwrap_or(&self.base)
    }

    fn engine_mut(&mut self) -> &mut dyn CoverEngine {
        &mut **self.engine.as_mut().unwrap_or(&mut self.base)
    }
}

impl CoverEngine for Auto {
    fn start(&mut self, assumptions: &Assumptions) {
        self.assumptions.replace(&assumptions.chosen, &assumptions.forbidden);
        self.pending.clear();
        if let (Some(stage), Some(selection), Some(engine)) = (self.stage, self.selection, self.engine.take())
        {
            self.kept = Some((stage, selection, engine));
        }
        (self.stage, self.whole, self.is_searching) = (None, None, false);
        self.prover = None;
        (self.counted, self.has_found) = (Natural::ZERO, false);
        (self.is_given_away, self.is_trying, self.tried) = (false, false, 0.0);
        (self.done, self.weight) = (0.0, 0.0);
        self.start_race();
    }

    fn set_restarts(&mut self, restarts: Restarts) -> bool {
        if restarts != Restarts::Off || self.race.is_some() {
            self.race.get_or_insert_default().part = restarts;
        }
        true
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        match self.race.take_if(|race| race.is_on()) {
            Some(mut race) => {
                let event = race.next(self, meter);
                race.note(self, meter);
                self.race = Some(race);
                event
            }
            None => {
                let event = self.next_in_order(meter);
                if event != Event::Solution {
                    self.note(meter);
                }
                event
            }
        }
    }

    fn count(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        if self.stage.is_none() {
            self.begin(true, meter);
        }
        loop {
            let event = if self.whole.is_some() {
                self.count_whole(meter, found)
            } else if self.nodes_left != u64::MAX {
                let event = self.try_on(meter);
                if event == Some(Event::Solution) {
                    self.counted += 1;
                    *found += 1;
                }
                event
            } else if !self.is_searching {
                return Some(Event::End);
            } else if self.prover.is_some() {
                let Some(event) = self.count_in_turns(meter, found) else { continue };
                Some(event)
            } else {
                match self.engine_mut().count(meter, found)? {
                    Event::End if self.begin_branch() => continue,
                    event => Some(event),
                }
            };
            match event {
                Some(Event::Solution) => return event,
                Some(_) => {
                    self.note(meter);
                    return event;
                }
                None => self.advance(meter),
            }
        }
    }

    fn solution(&self) -> &[OptionId] {
        let by_restarts = self.race.as_ref().and_then(|race| race.solution());
        by_restarts.unwrap_or_else(|| self.found_in_order())
    }

    /// `None` during a try: tries are short, and so they are the same on any number of threads. `None` while the whole
    /// is counted: its memory would not help another thread.
    fn split(&mut self) -> Option<Assumptions> {
        let is_trying = self.nodes_left != u64::MAX || self.is_trying && !self.shared.is_simple;
        let is_proving = self.prover.as_ref().is_some_and(Prover::is_kept);
        if is_trying || is_proving || self.stage.is_none() || self.whole.is_some() {
            return None;
        }
        // The runners would search what is given away.
        self.prover = None;
        match self.pending.pop_front() {
            Some(branch) => {
                self.done += branch.weight;
                Some(branch.assumptions)
            }
            None if self.is_searching => self.engine_mut().split(),
            None => None,
        }
    }

    /// A count of the whole leaves its branches, or the branches of the try. Once branches are given away, the whole is
    /// not counted any more.
    fn give_away(&mut self) {
        self.is_given_away = true;
        self.is_trying = false;
        if self.stage.is_none() {
            self.begin(false, &Meter::new(0, None, None));
        }
        match self.whole.take() {
            // It goes on as a search, whose branches can be split off.
            Some(Whole::Engine { engine, found }) if found >= self.counted => {
                self.pending.clear();
                (self.weight, self.is_searching) = (1.0 - self.done, true);
                self.engine = Some(engine);
            }
            Some(whole) => {
                self.end_whole(&whole);
                self.engine = None;
                self.begin_branch();
            }
            None => {}
        }
        (self.nodes_left, self.prover) = (u64::MAX, None);
        self.engine_mut().give_away();
    }

    fn progress(&self) -> f64 {
        match &self.whole {
            _ if self.stage.is_none() => 0.0,
            Some(whole) => self.progress_of(whole),
            None if self.is_searching => self.done + self.weight * self.engine().progress(),
            None => 1.0,
        }
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Auto::with(Arc::clone(&self.shared), self.base.fork()))
    }

    fn is_forgetting(&self) -> bool {
        self.whole.as_ref().is_some_and(Whole::is_forgetting) || self.engine().is_forgetting()
    }

    /// What an engine with stages of its own has taken is shown by these stages, and not a second time.
    fn stages(&self) -> Vec<StageFigures> {
        let mut stages = self.figures.clone();
        let current = self.engine.iter().filter_map(|engine| Some((self.stage?, engine)));
        let kept = self.kept.iter().map(|(stage, _, engine)| (*stage, engine));
        for (outer, engine) in current.chain(kept) {
            for inner in engine.stages() {
                if let Some(outer) = stages.iter_mut().find(|stage| stage.name == outer.name) {
                    outer.nodes = outer.nodes.saturating_sub(inner.nodes);
                    outer.time = outer.time.saturating_sub(inner.time);
                }
                inner.add_to(&mut stages);
            }
        }
        stages
    }

    fn delegate(&self) -> Option<Selection> {
        let why =
            "the search in order found too little, so it restarted with random choices and learnt weights";
        if let Some(selection) = self.shared.board.selection(self.shared.base, why) {
            return Some(selection);
        }
        let inner = self.engine.as_ref().and_then(|engine| engine.delegate());
        inner.or_else(|| self.shared.cache().selection)
    }
}

#[cfg(test)]
mod tests;
