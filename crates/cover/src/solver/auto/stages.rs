//! The stages of a search, in the order in which they are tried: this table says which engine is used when.
//!
//! ```text
//!            solutions are listed                       solutions are counted
//! try           sparse sets: most problems are solved before a table would be built
//! sweep                                                 if it takes fewer steps than the search is expected to take
//! parts                                                 if some items have nothing to do with others
//! remember                                              as long as equal subproblems occur again
//! preprocess    if it is likely to pay
//! masks, wide   if the table is not too large
//! preprocess all   if nothing else is left
//! search        sparse sets, or the engine for bounds, to the end
//! ```
//! Each stage has a condition and a limit of its own. It ends the search, or gives up: then the next stage whose
//! condition holds continues with what is left. [`Auto`] keeps that, so no stage knows another one.

use std::sync::Arc;

use super::engines::{NARROW_OPTIONS, first, make};
use super::independent::{self, Independent};
use super::whole::Whole;
use super::{Auto, Built, begin};
use crate::ExactCover;
use crate::engine::sweep::{self, Sweep, SweepPlan};
use crate::engine::{Build, CoverEngine, Selection, Unsuitable, bitset};
use crate::memory::Memory;
use crate::reduce::{ReducedEngine, Reduction};

/// A stage of a search.
pub(super) struct Stage {
    /// Its name in reports.
    pub(super) name: &'static str,
    /// Why it is taken, in one line for people.
    pub(super) why: &'static str,
    /// Whether it counts a problem as a whole, without finding each solution.
    pub(super) counts: bool,
    /// What it searches with; `None` if its condition does not hold.
    pub(super) begin: fn(&mut Auto, &Stage) -> Option<StageSearch>,
}

/// What a stage searches with.
pub(super) enum StageSearch {
    /// The engine that needs no table, for some nodes (`u64::MAX`: to the end).
    Base(u64),
    /// An engine for the branches that are left.
    Branches(Selection, Box<dyn CoverEngine>),
    /// An engine that is best started at the root, if no solution has been found.
    Root(Selection, Box<dyn CoverEngine>),
    /// A count of the whole.
    Whole(Selection, Whole),
}

/// Why equal subproblems are remembered, if there was too little memory.
pub(super) const FORGETS: &str =
    "equal subproblems occur again; some were counted several times, for lack of memory";
const REDUCES: &str = "preprocessing has removed options";

/// All stages; see above.
pub(super) static STAGES: [Stage; 9] = [
    Stage { name: "try", why: "a try: it needs no table", counts: false, begin: try_without_table },
    Stage {
        name: "sweep",
        why: "few states lie on the border of a sweep",
        counts: true,
        begin: sweep_if_shorter,
    },
    Stage { name: "parts", why: independent::SELECTION.why, counts: true, begin: count_parts },
    Stage {
        name: "remember",
        why: "equal subproblems occur again: each is counted once",
        counts: true,
        begin: remember,
    },
    Stage { name: "preprocess", why: REDUCES, counts: false, begin: preprocess_for_table },
    Stage {
        name: "masks",
        why: "not solved within a few nodes, and its items have few options",
        counts: false,
        begin: use_table,
    },
    Stage {
        name: "wide",
        why: "not solved within a few nodes, and some item has many options",
        counts: false,
        begin: use_table,
    },
    Stage { name: "preprocess all", why: REDUCES, counts: false, begin: preprocess_large },
    Stage { name: "search", why: "no table has room for it", counts: false, begin: search_on },
];

/// Words of a table of wide option masks above which a problem is not preprocessed for it: what is left would not fit
/// either.
const MAX_REDUCED_WORDS: usize = 1 << 24;

/// A search begins with a try, unless an engine is built already, or one pays because this is one of many searches. A
/// first count of the whole is tried in any case: it may be swept.
fn try_without_table(auto: &mut Auto, _: &Stage) -> Option<StageSearch> {
    let shared = &auto.shared;
    if !shared.is_simple {
        return auto.is_trying.then_some(StageSearch::Base(shared.try_nodes));
    }
    // A race ends it.
    let nodes = if auto.is_trying { u64::MAX - 1 } else { shared.try_nodes };
    let cache = shared.cache();
    let is_prepared = cache.is_any_built() || auto.is_one_of_many && shared.words.is_none();
    let is_known = !auto.is_whole || auto.was_counted;
    (!(is_prepared && is_known)).then_some(StageSearch::Base(nodes))
}

/// A sweep of the whole takes fewer steps than the try lets expect of a search.
fn sweep_if_shorter(auto: &mut Auto, stage: &Stage) -> Option<StageSearch> {
    let expected = auto.expected_nodes();
    let shared = Arc::clone(&auto.shared);
    let mut cache = shared.cache();
    if let (None, Some(nodes)) = (&cache.plan, expected) {
        cache.plan = Some(SweepPlan::new(&shared.problem, sweep::MOST_STATES, nodes).map(Arc::new));
    }
    let plan = cache.plan.as_ref()?.as_ref()?;
    if !cache.is_swept && expected.is_none_or(|nodes| plan.work() > nodes) {
        return None;
    }
    let sweep = Sweep::new(plan, &auto.assumptions.forbidden, auto.shared.memory.growing());
    cache.is_swept = true;
    let selection = Selection { name: sweep::NAME, why: stage.why };
    Some(StageSearch::Whole(selection, Whole::Sweep(Box::new(sweep), false)))
}

/// Independent parts are counted one by one.
fn count_parts(auto: &mut Auto, _: &Stage) -> Option<StageSearch> {
    let shared = &auto.shared;
    let mut cache = shared.cache();
    let split = cache.split(&shared.problem, shared.isa, &shared.memory)?;
    let selection = independent::SELECTION;
    let mut engine = Box::new(Independent::new(&split));
    if auto.counted == 0 {
        return Some(StageSearch::Root(selection, engine));
    }
    // Its solutions include the solutions of the try.
    engine.start(&auto.assumptions);
    Some(StageSearch::Whole(selection, Whole::of(engine)))
}

/// Counts are remembered for as long as that pays.
fn remember(auto: &mut Auto, stage: &Stage) -> Option<StageSearch> {
    let shared = &auto.shared;
    let (selection, mut engine) = shared.cache().engine(stage.name, || {
        let memory = &shared.memory;
        Ok((
            Selection { name: bitset::ENTRY.name, why: stage.why },
            counter(&shared.problem, Build::from(shared.isa).within(memory), memory.bytes())?,
        ))
    })?;
    engine.start(&auto.assumptions);
    Some(StageSearch::Whole(selection, Whole::of(engine)))
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
/// takes 1.08 times as long. Pentominoes 6x10 gained 4 % and 3x20 lost 8 %: they have no colours.)
fn preprocess_for_table(auto: &mut Auto, stage: &Stage) -> Option<StageSearch> {
    let shared = &auto.shared;
    if !shared.problem.has_colours() || shared.table_words()? > MAX_REDUCED_WORDS {
        return None;
    }
    let begin = |problem: &ExactCover, build: Build<'_>, _: &Memory| {
        first(problem, build, &["masks", "wide"].map(|name| (name, stage.why)))
    };
    let (selection, engine) = preprocess(auto, stage, ExactCover::reduce_if_worth, begin)?;
    Some(StageSearch::Branches(selection, engine))
}

/// A problem that no table has room for is preprocessed: it may have room then, or fall apart. (Nonograms do.)
fn preprocess_large(auto: &mut Auto, stage: &Stage) -> Option<StageSearch> {
    let (selection, engine) = preprocess(auto, stage, ExactCover::reduce_while_worth, begin)?;
    Some(match auto.has_found {
        false => StageSearch::Root(selection, engine),
        true => StageSearch::Branches(selection, engine),
    })
}

/// The engine that `begin` makes for the problem that `reduce` leaves.
fn preprocess(
    auto: &mut Auto,
    stage: &Stage,
    reduce: impl Fn(&ExactCover, Build<'_>) -> Option<Reduction>,
    begin: impl Fn(&ExactCover, Build<'_>, &Memory) -> Result<Built, Unsuitable>,
) -> Option<Built> {
    if !auto.shared.is_simple {
        return None;
    }
    auto.engine_of(stage, |shared| {
        let build = Build::from(shared.isa).within(&shared.memory);
        let reduction = reduce(&shared.problem, build).ok_or(Unsuitable::Bounds)?;
        let (selection, engine) = begin(reduction.problem(), build, &shared.memory)?;
        Ok((selection, Box::new(ReducedEngine::new(&reduction, shared.problem.option_count(), engine))))
    })
}

/// Option masks, if the problem suits them.
///
/// Each engine knows what it has room for.
fn use_table(auto: &mut Auto, stage: &Stage) -> Option<StageSearch> {
    let shared = &auto.shared;
    if !shared.is_simple {
        return None;
    }
    let (selection, engine) =
        auto.engine_of(stage, |shared| make(&shared.problem, shared.isa.into(), (stage.name, stage.why)))?;
    Some(StageSearch::Branches(selection, engine))
}

/// The search goes on in the engine that it began with.
fn search_on(_: &mut Auto, _: &Stage) -> Option<StageSearch> {
    Some(StageSearch::Base(u64::MAX))
}

/// Whether a count by this engine remembers what it has counted.
pub(super) fn is_remembering(selection: Selection) -> bool {
    [sweep::NAME, independent::SELECTION.name, bitset::ENTRY.name].contains(&selection.name)
}
