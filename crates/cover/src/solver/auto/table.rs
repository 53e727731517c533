//! The table of the search: what runs when, for how long, and with which share of the effort. It is read from top to
//! bottom.
//!
//! ```text
//!                  does             of 1000 ticks, if the search in order is expected to end
//!                  lists counts proves      surely soon perhaps never     a count
//! the search in order
//! try              yes   yes               950    600  200      60        910      until a table would be built
//! sweep                  yes                                                if it is shorter than the search
//! parts                  yes                                                if some items have nothing to do with others
//! remember               yes                                                as long as equal subproblems occur again
//! preprocess       yes   yes                                                if it is likely to pay
//! masks, wide      yes   yes                                                if the table is not too large
//! preprocess all   yes   yes                                                if nothing else is left
//! search           yes   yes                                                to the end
//! beside it
//! restarts         yes         yes          20    150  400      500        90
//! clauses          yes         yes          30    250  400      440         0      once making them takes no longer than all before
//! ```
//! A row of the search in order has a condition and a limit of its own. It ends the search, or gives up: then the next
//! row whose condition holds continues with what is left. [`Order`] keeps that, so no row knows another one.

use std::sync::Arc;

use super::beside::Who;
use super::engines::{NARROW_OPTIONS, first, make};
use super::independent::{self, Independent};
use super::order::{Order, Whole};
use super::{Aim, Built, begin_reduced};
use crate::ExactCover;
use crate::engine::sweep::{self, Sweep, SweepPlan};
use crate::engine::{Build, CoverEngine, CoverEntry, MASKS, Seeker, Selection, Unsuitable, bitset, masks};
#[cfg(feature = "learn")]
use crate::learn::{self, Learner};
use crate::memory::Memory;
use crate::reduce::{ReducedEngine, Reduction, STEPS_PER_TERM};

/// A row of the table.
pub(super) struct Row {
    /// Its name in reports.
    pub(super) name: &'static str,
    /// Why it is taken, in one line for people.
    pub(super) why: &'static str,
    /// Who runs it.
    pub(super) who: Who,
    /// Whether it counts the whole problem from its root, without finding each solution. The others search branches, or
    /// run beside the search in order.
    pub(super) is_whole: bool,
    /// Whether no other row may follow.
    pub(super) is_last: bool,
    /// Of 1000 ticks of the whole effort, by what is [expected](super::beside::Expected) of the search in order: that
    /// it surely ends, soon, perhaps, or never, and of a count.
    pub(super) share: [u16; 5],
    /// What it runs; `None` if its condition does not hold.
    pub(super) start: fn(&mut Order, &'static Row) -> Option<Start>,
}

/// What a row runs.
pub(super) enum Start {
    /// The engine that needs no table, for some ticks or to the end.
    Base(Option<u64>),
    /// An engine for the branches that are left.
    Branches(Selection, Box<dyn CoverEngine>),
    /// An engine that is best started at the root, if no solution has been found.
    Root(Selection, Box<dyn CoverEngine>),
    /// A count of the whole.
    Whole(Selection, Whole),
    /// A search of the whole beside the search in order.
    Beside(Box<dyn Seeker>),
}

/// Why equal subproblems are remembered, if there was too little memory.
pub(super) const FORGETS: &str =
    "equal subproblems occur again; some were counted several times, for lack of memory";
const REDUCES: &str = "preprocessing has removed options";

/// A row of the search in order.
const ORDER: Row = Row {
    name: "search",
    why: "no table has room for it",
    who: Who::Order,
    is_whole: false,
    is_last: true,
    share: [950, 600, 200, 60, 910],
    start: |_, _| Some(Start::Base(None)),
};

/// All rows; see above.
pub(super) static TABLE: &[Row] = &[
    Row { name: "try", why: "a try: it needs no table", is_last: false, start: try_without_table, ..ORDER },
    Row {
        name: "sweep",
        why: "few states lie on the border of a sweep",
        is_whole: true,
        is_last: false,
        start: sweep_if_shorter,
        ..ORDER
    },
    Row {
        name: "parts",
        why: independent::SELECTION.why,
        is_whole: true,
        is_last: false,
        start: count_parts,
        ..ORDER
    },
    Row {
        name: "remember",
        why: "equal subproblems occur again: each is counted once",
        is_whole: true,
        is_last: false,
        start: remember,
        ..ORDER
    },
    Row { name: "preprocess", why: REDUCES, start: preprocess_for_table, ..ORDER },
    Row {
        name: "masks",
        why: "not solved within a few nodes, and its items have few options",
        start: |order, row| use_table(order, row, &MASKS),
        ..ORDER
    },
    Row {
        name: "wide",
        why: "not solved within a few nodes, and some item has many options",
        start: |order, row| use_table(order, row, &masks::WIDE),
        ..ORDER
    },
    Row { name: "preprocess all", why: REDUCES, is_last: false, start: preprocess_large, ..ORDER },
    ORDER,
    Row {
        name: "restarts",
        why: "the search in order found too little, so it restarted with random choices and learnt weights",
        who: Who::Restarts,
        share: [20, 150, 400, 500, 90],
        start: |order, _| order.base.seeker().map(Start::Beside),
        ..ORDER
    },
    #[cfg(feature = "learn")]
    Row {
        name: learn::SELECTION.name,
        why: learn::SELECTION.why,
        who: Who::Clauses,
        share: [30, 250, 400, 440, 0],
        start: learn_clauses,
        ..ORDER
    },
];

/// The row of a runner beside the search in order.
pub(super) fn row_of(who: Who) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.who == who && who != Who::Order)
}

/// Words of a table of wide option masks above which a problem is not preprocessed for it: what is left would not fit
/// either.
const MAX_REDUCED_WORDS: usize = 1 << 24;

/// A search begins with a try, unless an engine is built already, or one pays because this is one of many searches. A
/// first count of the whole is tried in any case: it may be swept. Of problems with bounds only a search for some
/// solutions has a try.
fn try_without_table(order: &mut Order, _: &Row) -> Option<Start> {
    let shared = &order.shared;
    let start = Start::Base(Some(shared.try_ticks(order.aim)));
    if !shared.is_simple {
        return (order.aim == Aim::Some).then_some(start);
    }
    let is_prepared = shared.cache().is_any_built() || order.is_one_of_many && shared.words.is_none();
    let is_known = !order.is_whole || order.was_counted;
    (!(is_prepared && is_known)).then_some(start)
}

/// A sweep of the whole takes fewer steps than the try lets expect of a search, or it was swept before.
fn sweep_if_shorter(order: &mut Order, row: &'static Row) -> Option<Start> {
    let expected = order.expected().map(|[nodes, _]| nodes);
    let shared = Arc::clone(&order.shared);
    let mut cache = shared.cache();
    if let (None, Some(nodes)) = (&cache.plan, expected) {
        cache.plan = Some(SweepPlan::new(&shared.problem, sweep::MOST_STATES, nodes).map(Arc::new));
    }
    let plan = Arc::clone(cache.plan.as_ref()?.as_ref()?);
    if !cache.is_built(row) && expected.is_none_or(|nodes| plan.work() > nodes) {
        return None;
    }
    let (selection, mut engine) = cache.engine(row, || {
        let selection = Selection { name: row.name, why: row.why };
        Ok((selection, Box::new(Sweep::new(&plan, shared.memory.growing()))))
    })?;
    engine.start(&order.assumptions);
    Some(Start::Whole(selection, Whole::of(engine)))
}

/// Independent parts are counted one by one.
fn count_parts(order: &mut Order, _: &Row) -> Option<Start> {
    let shared = &order.shared;
    let split = shared.cache().split(&shared.problem, shared.isa, &shared.memory)?;
    let selection = independent::SELECTION;
    let mut engine = Box::new(Independent::new(&split));
    if order.counted == 0 {
        return Some(Start::Root(selection, engine));
    }
    // Its solutions include the solutions of the try.
    engine.start(&order.assumptions);
    Some(Start::Whole(selection, Whole::of(engine)))
}

/// Counts are remembered for as long as that pays.
fn remember(order: &mut Order, row: &'static Row) -> Option<Start> {
    let shared = &order.shared;
    let (selection, mut engine) = shared.cache().engine(row, || {
        let memory = &shared.memory;
        Ok((
            Selection { name: bitset::ENTRY.name, why: row.why },
            counter(&shared.problem, Build::from(shared.isa).within(memory), memory.bytes())?,
        ))
    })?;
    engine.start(&order.assumptions);
    Some(Start::Whole(selection, Whole::of(engine)))
}

/// The engine that remembers counts.
///
/// With colours and more options than narrow masks have room for, a node of the row filter takes some microseconds, and
/// its trial longer than wide masks take for the whole search. 6x6 squares whose edges match took 5 times as long.
fn counter(
    problem: &ExactCover,
    build: Build<'_>,
    memory: usize,
) -> Result<Box<dyn CoverEngine>, Unsuitable> {
    if problem.has_colours() {
        let most = problem.degrees()[..problem.primary_count()].iter().copied().max().unwrap_or(0);
        Unsuitable::check_size("options of an item, with colours", most as usize, NARROW_OPTIONS as usize)?;
    }
    bitset::counter(problem, build, memory)
}

/// A coloured problem for wide masks is preprocessed before its table is built, if that soon removes enough.
///
/// (Squares whose edges match, 6x6 all and 10x10 the first, take 0.29 and 0.27 of the time; the first of 4x5 crosswords
/// takes 1.08 times as long. Pentominoes 6x10 gained 4 % and 3x20 lost 8 %: they have no colours. Golomb rulers of 7
/// marks, whose search is as short as preprocessing, took 2.5 times as long.)
fn preprocess_for_table(order: &mut Order, row: &'static Row) -> Option<Start> {
    let shared = &order.shared;
    if !shared.problem.has_colours() || shared.table_words()? > MAX_REDUCED_WORDS {
        return None;
    }
    let most_ticks = STEPS_PER_TERM * shared.problem.term_count() as u64;
    if order.expected().is_some_and(|[_, ticks]| ticks < 3.0 * most_ticks as f64) {
        return None;
    }
    let begin = |problem: &ExactCover, build: Build<'_>, _: &Memory| {
        first(problem, build, &[&MASKS, &masks::WIDE].map(|entry| (entry, row.why)))
    };
    let (selection, engine) = preprocess(order, row, ExactCover::reduce_if_worth, begin)?;
    Some(Start::Branches(selection, engine))
}

/// A problem that no table has room for is preprocessed: it may have room then, or fall apart. (Nonograms do.)
fn preprocess_large(order: &mut Order, row: &'static Row) -> Option<Start> {
    if order.shared.is_reduced {
        return None;
    }
    let (selection, engine) = preprocess(order, row, ExactCover::reduce_while_worth, begin_reduced)?;
    Some(match order.has_found {
        false => Start::Root(selection, engine),
        true => Start::Branches(selection, engine),
    })
}

/// The engine that `begin` makes for the problem that `reduce` leaves.
fn preprocess(
    order: &mut Order,
    row: &'static Row,
    reduce: impl Fn(&ExactCover, Build<'_>) -> Option<Reduction>,
    begin: impl Fn(&ExactCover, Build<'_>, &Memory) -> Result<Built, Unsuitable>,
) -> Option<Built> {
    if !order.shared.is_simple {
        return None;
    }
    order.engine_of(row, |shared| {
        let build = Build::from(shared.isa).within(&shared.memory);
        let reduction = reduce(&shared.problem, build).ok_or(Unsuitable::Bounds)?;
        let (selection, engine) = begin(reduction.problem(), build, &shared.memory)?;
        Ok((selection, Box::new(ReducedEngine::new(&reduction, shared.problem.option_count(), engine))))
    })
}

/// Option masks, if the problem suits them.
///
/// Each engine knows what it has room for.
fn use_table(order: &mut Order, row: &'static Row, entry: &CoverEntry) -> Option<Start> {
    let shared = &order.shared;
    if !shared.is_simple {
        return None;
    }
    let (selection, engine) =
        order.engine_of(row, |shared| make(&shared.problem, shared.isa.into(), (entry, row.why)))?;
    Some(Start::Branches(selection, engine))
}

/// The learner of clauses.
#[cfg(feature = "learn")]
fn learn_clauses(order: &mut Order, _: &Row) -> Option<Start> {
    let shared = &order.shared;
    Some(Start::Beside(Box::new(Learner::new(Arc::clone(&shared.problem), shared.memory.growing()))))
}
