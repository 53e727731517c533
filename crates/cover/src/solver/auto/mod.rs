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
//! the whole        ■■■□□□□□                 adds □; if it gives up, its own branches replace those of the try,
//!                                           unless it has counted less than the try
//! ```
//! The counter that remembers begins at the root because a state far below has lost what makes it fall apart. (Four
//! Langford-8 that one item joins were never counted from the branches, and take 2 ms from the root.)
//!
//! Preprocessed problems have other sizes, and so another order of their tree; the order is the same on any number of
//! threads.
//!
//! Tables are built once, for all threads. A problem that is searched a second time gets option masks at once, if
//! they are narrow: thousands of related searches then cost an AND for each assumption.
//!
//! Tried and lost
//! - Counting with memory before anything else, and starting again if that does not pay: sudokus that come alone took
//!   7 times as long, 12 queens 1.15 times.

mod cache;
mod components;
mod independent;
mod known;
mod prove;
mod race;
mod stages;
mod whole;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::engine::{
    Build, CoverEngine, CoverEntry, Event, LINKS, Meter, Restarts, Room, Selection, StageFigures, Stop,
    Unsuitable, bitset, masks, sparse,
};
use crate::memory::Memory;
use crate::{Assumptions, ExactCover, Natural, OptionId, Term};
use cache::Cache;
use galop_simd::Isa;
use independent::{Independent, Split};
use prove::{Proof, Prover};
use race::{Board, Race};
use stages::{STAGES, Stage, StageSearch, degrees, is_remembering, make, try_nodes, words_of_wide_masks};
use whole::{CountEnd, Whole};

/// An engine that was built, and why it was selected.
pub(super) type Built = (Selection, Box<dyn CoverEngine>);

/// Items from which on independent parts are looked for before a try: a try saves numbers of all items at every level.
const MANY_ITEMS: usize = 1 << 14;

/// Primary items and options up to which multiplicity planes are the fastest, as a rule.
const MAX_PLANE_ITEMS: usize = 256;
const MAX_PLANE_OPTIONS: usize = 4096;

/// Nodes of the try of a problem with bounds, if there are restarts. The search in order is judged by what it does in
/// as many nodes after these: in packing problems some branches at the root end at once, and others never.
const BOUNDED_TRY_NODES: u64 = 500;

/// The engine of [`Choice::Auto`](crate::Choice::Auto) for `problem`.
///
/// A problem whose items are all covered exactly once begins with sparse sets, which need no table. Independent parts
/// are counted by a stage after the try, because most problems are solved by then; but very large problems, and
/// problems with bounds, are split first. `build` reserves what engines need of `memory`; what they remember may take
/// the rest.
pub(super) fn begin(problem: &ExactCover, build: Build<'_>, memory: &Memory) -> Result<Built, Unsuitable> {
    let has_try = problem.is_simple() && problem.item_count() <= MANY_ITEMS;
    if !has_try && let Some(split) = Split::of(problem, build.isa, memory) {
        return Ok((independent::SELECTION, Box::new(Independent::new(&Arc::new(split)))));
    }
    let based = base(problem, build).and_then(|(selection, engine)| {
        let rooms = rooms(problem, build, memory, engine.own_bytes())?;
        Ok((selection, Auto::new(problem, build.isa, (selection, engine), rooms, memory)))
    });
    match based {
        Ok((selection, auto)) => Ok((selection, Box::new(auto))),
        Err(stopped @ Unsuitable::Stopped(_)) => Err(stopped),
        Err(_) => first(problem, build, &TABLES).or_else(|_| last_resort(problem, build)),
    }
}

/// What solves problems that the search without a table takes too much memory for.
const TABLES: [(&str, &str); 3] = {
    let why = "it takes little memory";
    [("masks", why), ("wide", why), ("rows", why)]
};

/// The engine of last resort.
fn last_resort(problem: &ExactCover, build: Build<'_>) -> Result<Built, Unsuitable> {
    make(problem, build, (LINKS.name, "it solves any problem"))
}

/// The engine without a table.
///
/// With bounds, planes are the fastest as long as sets of items and of options are few words, or if an item is in all
/// options, which they have a trick for. Adders are the fastest if they are many.
fn base(problem: &ExactCover, build: Build<'_>) -> Result<Built, Unsuitable> {
    if problem.is_simple() {
        return make(problem, build, (sparse::ENTRY.name, "a try: it needs no table"));
    }
    let planes = ("planes", "some items are not covered exactly once");
    let adders = ("adders", "some items are not covered exactly once, and there are many items or options");
    let has_universal = degrees(problem).contains(&problem.option_count());
    let is_small = problem.primary_count() <= MAX_PLANE_ITEMS && problem.option_count() <= MAX_PLANE_OPTIONS;
    let engines = if is_small || has_universal { [planes, adders] } else { [adders, planes] };
    first(problem, build, &engines)
}

/// The first of `engines` (names and reasons) that can solve `problem`; the last one's error if none can.
fn first(
    problem: &ExactCover,
    build: Build<'_>,
    engines: &[(&str, &'static str)],
) -> Result<Built, Unsuitable> {
    let mut error = Unsuitable::Bounds;
    for &engine in engines {
        match make(problem, build, engine) {
            Err(why_not @ (Unsuitable::TooLarge { .. } | Unsuitable::Memory { .. } | Unsuitable::Bounds)) => {
                error = why_not;
            }
            built => return built,
        }
    }
    Err(error)
}

/// Reserves what a search takes besides the engine that it begins with: a copy of the problem, and another such engine
/// with restarts. It also reserves what a table takes, so that it is refused before any thread takes the rest: `None`
/// then.
fn rooms(
    problem: &ExactCover,
    build: Build<'_>,
    memory: &Memory,
    own: usize,
) -> Result<(Room, Option<Room>), Unsuitable> {
    let copy = size_of::<Term>() * problem.term_count() + size_of::<u32>() * (problem.option_count() + 1);
    // Of the solutions that restarts find one is always known.
    let known = 2 * size_of::<OptionId>() * problem.primary_count() + 1024;
    let restarts = build.reserve(copy + known, own)?;
    // A limit that was not given refuses nothing: then a table reserves its bytes when it is built.
    let [shared, own] = if memory.is_given() && problem.is_simple() { table_bytes(problem) } else { [0; 2] };
    Ok((restarts, build.reserve(shared, own).ok()))
}

/// The most bytes that masks or rows take: shared by their forks, and their own.
fn table_bytes(problem: &ExactCover) -> [usize; 2] {
    let (masks, rows) = (masks::most_bytes(problem), bitset::most_bytes(problem));
    [masks[0].max(rows[0]), masks[1].max(rows[1])]
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

/// Counts for `nodes[0]` nodes, to see how a problem is counted, or for `nodes[1]` if the count remembers. It depends
/// on no machine: engines are portable, and none is refused for its size.
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
                if !is_remembering(engine.delegate().unwrap_or(begun)) {
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

/// What the engines of all threads share.
struct Shared {
    /// The problem without its names.
    problem: Arc<ExactCover>,
    isa: Isa,
    /// Whether every item is covered exactly once.
    is_simple: bool,
    /// The words of an option in wide option masks; `None` if narrow ones have room for it.
    words: Option<usize>,
    /// Whether there is room for a table.
    has_table: bool,
    /// The engine without a table.
    base: &'static CoverEntry,
    /// Nodes of the try.
    try_nodes: u64,
    was_searched: AtomicBool,
    /// Whether a search without chosen options was counted before.
    was_counted: AtomicBool,
    memory: Memory,
    /// What is reserved for the search and its table.
    _rooms: Vec<Room>,
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

    /// How an engine with a table is built. It has room already if the memory was given; else it takes what it needs.
    fn build(&self) -> Build<'_> {
        match self.memory.is_given() {
            true => self.isa.into(),
            false => Build::from(self.isa).within(&self.memory),
        }
    }
}

/// A branch that is not searched yet.
struct Branch {
    assumptions: Assumptions,
    /// Its share of the whole search.
    weight: f64,
}

impl Branch {
    /// All branches that `engine`, which searches the share `weight`, has not tried: the next one last.
    fn all(engine: &mut dyn CoverEngine, weight: f64) -> Vec<Branch> {
        let (mut branches, mut done) = (Vec::new(), engine.progress());
        while let Some(assumptions) = engine.split() {
            let before = std::mem::replace(&mut done, engine.progress());
            branches.push(Branch { assumptions, weight: weight * (done - before) });
        }
        branches
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
    /// A count of the whole that a sweep interrupts.
    parked: Option<Whole>,
    /// Takes turns with a count that has met no solution.
    prover: Option<Prover>,
    /// What the stages took, and the nodes and the time up to which that is noted.
    figures: Vec<StageFigures>,
    noted: (u64, Instant),
    /// Nodes left for the stage.
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
    fn new(
        problem: &ExactCover,
        isa: Isa,
        (selection, base): Built,
        (room, table): (Room, Option<Room>),
        memory: &Memory,
    ) -> Auto {
        let is_simple = problem.is_simple();
        let words = words_of_wide_masks(problem);
        let (copy, plan) = (Arc::new(problem.without_names()), race::Plan::of(is_simple));
        let shared = Shared {
            board: Board::new(plan, Arc::clone(&copy), memory.growing()),
            problem: copy,
            isa,
            is_simple,
            words,
            has_table: table.is_some(),
            base: selection.entry,
            try_nodes: if is_simple { try_nodes(problem, words) } else { BOUNDED_TRY_NODES },
            was_searched: AtomicBool::new(false),
            was_counted: AtomicBool::new(false),
            memory: memory.clone(),
            _rooms: [Some(room), table].into_iter().flatten().collect(),
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
            parked: None,
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

    /// Begins with the first stage whose condition holds. A search with a chosen option is taken for one of many, whose
    /// counts are not worth remembering.
    fn begin(&mut self, is_counted: bool, meter: &Meter<'_>) {
        self.noted = (meter.nodes, Instant::now());
        self.is_one_of_many = self.shared.was_searched.swap(true, Ordering::Relaxed);
        self.is_whole = is_counted && self.assumptions.chosen.is_empty();
        self.was_counted = self.is_whole && self.shared.was_counted.swap(true, Ordering::Relaxed);
        self.shared.cache().selection = None;
        self.is_at_root = true;
        self.enter_first_of(&STAGES);
    }

    /// Notes what the stage has taken since this was last noted.
    fn note(&mut self, meter: &Meter<'_>) {
        if let Some(Stage { name, .. }) = self.stage {
            self.note_as(name, meter);
        }
    }

    /// Notes what `name`, a stage or a runner, has taken since this was last noted.
    fn note_as(&mut self, name: &'static str, meter: &Meter<'_>) {
        let now = Instant::now();
        let (nodes, time) = std::mem::replace(&mut self.noted, (meter.nodes, now));
        let figures = StageFigures { name, nodes: meter.nodes.saturating_sub(nodes), time: now - time };
        figures.add_to(&mut self.figures);
    }

    /// Goes on to the next stage whose condition holds.
    fn advance(&mut self, meter: &Meter<'_>) {
        self.note(meter);
        self.leave_whole();
        let next = self.stage.and_then(|stage| STAGES.iter().position(|other| std::ptr::eq(other, stage)));
        self.enter_first_of(STAGES.get(next.map_or(0, |stage| stage + 1)..).unwrap_or_default());
    }

    fn enter_first_of(&mut self, stages: &'static [Stage]) {
        for stage in stages {
            if stage.counts && (!self.is_whole || self.is_given_away) {
                continue;
            }
            if let Some(begun) = (stage.begin)(self, stage) {
                self.stage = Some(stage);
                return self.enter(begun);
            }
        }
    }

    fn enter(&mut self, begun: StageSearch) {
        let is_branches = matches!(begun, StageSearch::Branches(..));
        let (selection, nodes) = match begun {
            StageSearch::Base(nodes) => {
                // It goes on where it is, if it was at work.
                if !self.is_searching || self.engine.is_some() {
                    self.leave_engine();
                    self.engine = None;
                    self.begin_branch();
                }
                (None, nodes)
            }
            StageSearch::Branches(selection, engine) => {
                self.continue_with(engine);
                (Some(selection), u64::MAX)
            }
            StageSearch::Root(selection, engine) => {
                self.set_aside();
                let assumptions = self.assumptions.clone();
                self.pending = [Branch { assumptions, weight: 1.0 - self.done }].into();
                self.continue_with(engine);
                (Some(selection), u64::MAX)
            }
            StageSearch::Whole(selection, whole, nodes) => {
                self.set_aside();
                self.whole = Some(whole);
                (Some(selection), nodes)
            }
        };
        self.nodes_left = nodes;
        self.selection = selection;
        // Preprocessed problems and independent parts are searched by stages of their own.
        let is_last = nodes == u64::MAX && self.is_searching && (is_branches || self.engine.is_none());
        if is_last && self.is_whole && self.counted == 0 {
            self.prover = Some(Prover::new(self.progress()));
        }
        self.shared.cache().selection = selection;
    }

    /// Searches the branches with `engine`.
    fn continue_with(&mut self, mut engine: Box<dyn CoverEngine>) {
        self.leave_engine();
        if self.is_given_away {
            engine.give_away();
        }
        self.engine = Some(engine);
        self.begin_branch();
    }

    /// Turns what the current engine searches into branches, if it searches.
    fn leave_engine(&mut self) {
        if !self.is_at_root {
            self.set_aside();
        }
    }

    /// Turns the rest of the current engine's search into branches.
    fn set_aside(&mut self) {
        if std::mem::take(&mut self.is_at_root) {
            self.pending.push_back(Branch { assumptions: self.assumptions.clone(), weight: 1.0 });
        } else if std::mem::take(&mut self.is_searching) {
            let weight = std::mem::take(&mut self.weight);
            self.done += weight * self.engine().progress();
            let branches = Branch::all(self.engine_mut(), weight);
            self.pending.extend(branches);
        }
    }

    /// Starts the next branch; `false` after the last one.
    fn begin_branch(&mut self) -> bool {
        if std::mem::take(&mut self.is_at_root) {
            // Most searches begin so, and allocate nothing.
            let assumptions = std::mem::take(&mut self.assumptions);
            self.engine_mut().start(&assumptions);
            self.assumptions = assumptions;
            (self.weight, self.is_searching) = (1.0, true);
            return true;
        }
        self.done += std::mem::take(&mut self.weight);
        let branch = self.pending.pop_back();
        self.is_searching = branch.is_some();
        if let Some(branch) = branch {
            self.engine_mut().start(&branch.assumptions);
            self.weight = branch.weight;
        }
        self.is_searching
    }

    /// A fork of a stage's engine, which is built first if it was not needed before.
    fn engine_of(
        &mut self,
        stage: &Stage,
        make: impl FnOnce(&Shared) -> Result<Built, Unsuitable>,
    ) -> Option<Built> {
        match self.kept.take_if(|(of, ..)| of.name == stage.name) {
            Some((_, selection, engine)) => Some((selection, engine)),
            None => self.shared.cache().engine(stage.name, || make(&self.shared)),
        }
    }

    /// Leaves a count of the whole that has given up. Its branches replace those that are pending, unless it has
    /// counted fewer solutions than were counted before.
    fn leave_whole(&mut self) {
        let Some(whole) = self.whole.take() else { return };
        self.end_whole(&whole);
        if let Whole::Engine(mut whole) = whole
            && whole.found >= self.counted
        {
            self.pending = Branch::all(&mut *whole.engine, 1.0).into();
            self.share_rest();
        }
    }

    /// Ends a count of the whole. What it has done stays done.
    fn end_whole(&mut self, whole: &Whole) {
        self.done = self.progress_of(whole);
        self.share_rest();
    }

    /// The pending branches share what is not done: the progress never falls.
    fn share_rest(&mut self) {
        let weight: f64 = self.pending.iter().map(|branch| branch.weight).sum();
        let rest = (1.0 - self.done) / weight;
        self.pending.iter_mut().for_each(|branch| branch.weight *= rest);
    }

    fn progress_of(&self, whole: &Whole) -> f64 {
        self.done + (1.0 - self.done) * whole.progress()
    }

    /// Continues the try; `None` if it used up its nodes before the search ended.
    fn try_on(&mut self, meter: &mut Meter<'_>) -> Option<Event> {
        let (event, nodes) = meter.within(self.nodes_left, |meter| self.base.next(meter));
        self.nodes_left -= nodes;
        self.has_found |= event == Event::Solution;
        let is_over = self.nodes_left == 0 && event == Event::Stopped(Stop::Nodes);
        (!is_over).then_some(event)
    }

    /// Counts the whole; `None` if another stage must go on.
    fn count_whole(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        let whole = self.whole.as_mut()?;
        let (counted, nodes) = meter.within(self.nodes_left, |meter| whole.run(meter));
        let is_limited = self.nodes_left != u64::MAX;
        self.nodes_left -= if is_limited { nodes } else { 0 };
        let count = whole.count();
        // Solutions of earlier stages are counted already.
        if let Some(more) = count.checked_sub(&self.counted) {
            *found += &more;
            self.counted = count;
        }
        match counted {
            CountEnd::Shown => Some(Event::Solution),
            CountEnd::Stopped(Stop::Nodes) if is_limited && self.nodes_left == 0 => {
                self.done = self.progress();
                self.parked = self.whole.take();
                None
            }
            CountEnd::Stopped(stop) => Some(Event::Stopped(stop)),
            CountEnd::GaveUp => {
                if let Some(stage) = self.stage {
                    self.shared.cache().give_up(stage.name);
                }
                None
            }
            CountEnd::Done => {
                if whole.is_forgetting()
                    && let Some(selection) = &mut self.shared.cache().selection
                {
                    selection.why = stages::FORGETS;
                }
                self.pending.clear();
                (self.done, self.weight) = (1.0, 0.0);
                Some(Event::End)
            }
        }
    }

    /// Counts on, in turns with the runners that look for a proof; `None` if the search in order goes on alone.
    #[inline(never)]
    fn count_in_turns(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        loop {
            let Auto { prover: Some(prover), engine, base, .. } = self else { return None };
            if prover.is_proving() {
                let (shared, seeker) = (&self.shared, &self.base);
                let make = |is_learner| if is_learner { shared.board.learner() } else { seeker.seeker() };
                let (name, selection) = (prover.name(), prover.selection(self.shared.base));
                let proof = prover.prove(make, &self.assumptions, meter);
                self.note_as(name, meter);
                match proof {
                    Proof::Found => {
                        self.pending.clear();
                        (self.done, self.weight, self.is_searching) = (1.0, 0.0, false);
                        self.shared.cache().selection = selection;
                        return Some(Event::End);
                    }
                    Proof::Open => {}
                    Proof::Refuted => {
                        self.prover = None;
                        return None;
                    }
                    Proof::Stopped(stop) => return Some(Event::Stopped(stop)),
                }
                continue;
            }
            let engine = engine.as_mut().unwrap_or(base);
            let (event, nodes) = meter.within(prover.nodes_left, |meter| engine.next(meter));
            prover.add(nodes);
            let is_turn_over = prover.nodes_left == 0;
            match event {
                Event::End if self.begin_branch() => {}
                Event::Stopped(Stop::Nodes) if is_turn_over => {
                    let progress = self.progress();
                    let terms = self.shared.problem.term_count();
                    self.note(meter);
                    self.prover.iter_mut().for_each(|prover| prover.end_turn(progress, terms));
                }
                Event::Solution => {
                    *found += 1;
                    self.prover = None;
                    return Some(event);
                }
                event => return Some(event),
            }
        }
    }

    /// The nodes that a search is expected to have, by the share of it that the try has done; `None` without a try.
    fn expected_nodes(&self) -> Option<f64> {
        let is_tried = self.stage.is_some_and(|stage| stage.name == "try");
        is_tried.then(|| self.shared.try_nodes as f64 / self.base.progress())
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
        (self.stage, self.whole, self.parked, self.is_searching) = (None, None, None, false);
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
                Some(self.count_in_turns(meter, found)?)
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

    /// A count of the whole leaves its branches, or those of the try. Once branches are given away, the whole is not
    /// counted any more.
    fn give_away(&mut self) {
        self.is_given_away = true;
        self.is_trying = false;
        if let Some(parked) = self.parked.take() {
            // What the sweep has done stays done.
            self.done = self.progress();
            self.whole = Some(parked);
        }
        if self.stage.is_none() {
            self.begin(false, &Meter::new(0, None, None));
        }
        match self.whole.take() {
            // It goes on as a search, whose branches can be split off.
            Some(Whole::Engine(whole)) if whole.found >= self.counted => {
                self.pending.clear();
                (self.weight, self.is_searching) = (1.0 - self.done, true);
                self.engine = Some(whole.engine);
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

    /// The base in order and with restarts, and a table.
    fn own_bytes(&self) -> usize {
        let table = self.shared.cache().own_bytes().unwrap_or_else(|| match self.shared.has_table {
            true if self.shared.is_simple => table_bytes(&self.shared.problem)[1],
            _ => 0,
        });
        2 * self.base.own_bytes() + table
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
        let why = "its order led nowhere, so it restarted with random choices and learnt weights";
        if let Some(selection) = self.shared.board.selection(self.shared.base, why) {
            return Some(selection);
        }
        let inner = self.engine.as_ref().and_then(|engine| engine.delegate());
        inner.or_else(|| self.shared.cache().selection)
    }
}

/// What a race asks of the search in order.
impl Auto {
    /// Searches to the next solution in order.
    fn next_in_order(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            // The way of nearly all solutions.
            if self.is_searching && self.nodes_left == u64::MAX {
                match self.engine_mut().next(meter) {
                    Event::End if self.begin_branch() => continue,
                    event => return event,
                }
            }
            if self.stage.is_none() {
                self.begin(false, meter);
            } else if self.is_searching {
                match self.try_on(meter) {
                    Some(event) => return event,
                    None => {
                        self.tried = self.progress();
                        self.advance(meter);
                    }
                }
            } else if self.whole.is_some() {
                // From now on solutions are listed.
                self.is_whole = false;
                self.advance(meter);
            } else {
                return Event::End;
            }
        }
    }

    /// The options of the last solution found in order.
    fn found_in_order(&self) -> &[OptionId] {
        self.whole.as_ref().map_or_else(|| self.engine().solution(), Whole::solution)
    }

    /// The share that is done: what the rest is expected to take is judged by it.
    fn share_done(&self) -> f64 {
        if self.shared.is_simple { self.progress() } else { self.progress() - self.tried }
    }

    /// Makes the try go on until the race ends it, and returns how many nodes it has.
    fn prolong_try(&mut self) -> u64 {
        self.is_trying = true;
        if self.shared.is_simple { self.shared.try_nodes } else { 2 * self.shared.try_nodes }
    }

    /// Ends the try: the next node is one of the engine that continues.
    fn end_try(&mut self) {
        self.is_trying = false;
        if self.shared.is_simple && self.nodes_left != u64::MAX {
            self.nodes_left = 0;
        }
    }

    /// The work of the search in order, in updates of the search with restarts.
    /// Option masks read their state for each node and update.
    fn work(&self, nodes: u64, updates: u64) -> u64 {
        match self.selection {
            Some(Selection { entry, .. }) if [masks::NARROW.name, masks::WIDE.name].contains(&entry.name) => {
                (nodes + updates) * (64 + self.shared.problem.primary_count() as u64) / 128
            }
            _ => updates,
        }
    }
}

#[cfg(test)]
mod tests;
