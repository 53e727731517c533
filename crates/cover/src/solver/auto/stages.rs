//! The stages of a search, in the order in which they are tried: this table says which engine is used when.
//!
//! ```text
//!            solutions are listed                       solutions are counted
//! try           sparse sets: most problems are solved before a table would be built
//! sweep                                                 if it takes fewer steps than the search is expected to take
//! parts                                                 if some items have nothing to do with others
//! remember                                              as long as equal subproblems occur again
//! preprocess    if it is likely to pay
//! masks, wide   if the table fits the cache
//! rows          if it does not, up to 512 bits an option
//! wide          large tables of what the row filter does not suit
//! preprocess all   if nothing else is left
//! search        sparse sets, or the engine for bounds, to the end
//! ```
//! Each stage has a condition and a limit of its own. It ends the search, or gives up: then the next stage whose
//! condition holds continues with what is left. [`Auto`] keeps that, so no stage knows another one.

use std::sync::Arc;

use super::cache::Cache;
use super::engines::{NARROW_OPTIONS, TABLES, degrees, first, make};
use super::independent::Independent;
use super::whole::{FromRoot, Whole};
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
    /// A count of the whole, for some nodes.
    Whole(Selection, Whole, u64),
}

/// Why equal subproblems are remembered.
const REMEMBERS: &str = "equal subproblems occur again: each is counted once";
/// The same, if there was too little memory.
pub(super) const FORGETS: &str =
    "equal subproblems occur again; some were counted several times, for lack of memory";
const SWEEPS: &str = "few states lie on the border of a sweep";
const REDUCES: &str = "preprocessing has removed options";

/// All stages; see above.
pub(super) static STAGES: [Stage; 13] = [
    Stage { name: "try", why: "a try: it needs no table", counts: false, begin: try_without_table },
    Stage { name: "sweep", why: SWEEPS, counts: true, begin: sweep_if_shorter },
    Stage { name: "parts", why: "its parts have no item in common", counts: true, begin: count_parts },
    Stage { name: "remember", why: REMEMBERS, counts: true, begin: remember },
    Stage { name: "sweep", why: SWEEPS, counts: true, begin: sweep_in_place_of_memory },
    Stage { name: "remember", why: REMEMBERS, counts: true, begin: remember_on },
    Stage { name: "preprocess", why: REDUCES, counts: false, begin: preprocess_for_table },
    Stage {
        name: "masks",
        why: "not solved within a few nodes, and its items have few options",
        counts: false,
        begin: use_table,
    },
    Stage {
        name: "wide",
        why: "not solved within a few nodes, and its table fits the cache",
        counts: false,
        begin: use_small_table,
    },
    Stage {
        name: "rows",
        why: "not solved within a few nodes, and too large for a table",
        counts: false,
        begin: use_table,
    },
    Stage {
        name: "wide",
        why: "not solved within a few nodes, and a large table suits it alone",
        counts: false,
        begin: use_table,
    },
    Stage { name: "preprocess all", why: REDUCES, counts: false, begin: preprocess_large },
    Stage { name: "search", why: "no table has room for it", counts: false, begin: search_on },
];

/// Words of a table of wide option masks above which a problem is not preprocessed for it: what is left would not fit
/// either.
const MAX_REDUCED_WORDS: usize = 1 << 24;
/// Words of a table of wide option masks that fit the cache.
const MAX_CACHED_WORDS: usize = 1 << 19;

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
    begin_sweep(auto, stage, &mut cache)
}

/// A sweep, after the counter has searched for longer than it takes: the try expected too small a search.
fn sweep_in_place_of_memory(auto: &mut Auto, stage: &Stage) -> Option<StageSearch> {
    let shared = Arc::clone(&auto.shared);
    auto.parked.is_some().then(|| begin_sweep(auto, stage, &mut shared.cache()))?
}

fn begin_sweep(auto: &Auto, stage: &Stage, cache: &mut Cache) -> Option<StageSearch> {
    let plan = cache.plan.as_ref()?.as_ref()?;
    let sweep = Sweep::new(plan, &auto.assumptions.forbidden, auto.shared.memory.growing());
    cache.is_swept = true;
    let selection = Selection { entry: &sweep::ENTRY, why: stage.why };
    Some(StageSearch::Whole(selection, Whole::Sweep(Box::new(sweep), false), u64::MAX))
}

/// Independent parts are counted one by one.
fn count_parts(auto: &mut Auto, stage: &Stage) -> Option<StageSearch> {
    let shared = &auto.shared;
    let mut cache = shared.cache();
    let split = cache.split(&shared.problem, shared.isa, &shared.memory)?;
    let selection = Selection { entry: &super::independent::ENTRY, why: stage.why };
    let mut engine = Box::new(Independent::new(&split));
    if auto.counted == 0 {
        return Some(StageSearch::Root(selection, engine));
    }
    // Its solutions include the solutions of the try.
    engine.start(&auto.assumptions);
    Some(StageSearch::Whole(selection, Whole::Engine(FromRoot::new(engine, false)), u64::MAX))
}

/// Counts are remembered for as long as a sweep takes, if there is one.
fn remember(auto: &mut Auto, stage: &Stage) -> Option<StageSearch> {
    let shared = &auto.shared;
    let mut cache = shared.cache();
    let (selection, mut engine) = cache.engine(stage.name, || {
        let memory = &shared.memory;
        Ok((
            Selection { entry: &bitset::ENTRY, why: stage.why },
            counter(&shared.problem, Build::from(shared.isa).within(memory), memory.bytes())?,
        ))
    })?;
    engine.start(&auto.assumptions);
    Some(StageSearch::Whole(selection, Whole::Engine(FromRoot::new(engine, true)), cache.nodes_of_sweep()))
}

/// Counts are remembered on, because the sweep needed too much memory.
fn remember_on(auto: &mut Auto, stage: &Stage) -> Option<StageSearch> {
    let selection = Selection { entry: &bitset::ENTRY, why: stage.why };
    Some(StageSearch::Whole(selection, auto.parked.take()?, u64::MAX))
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
        let most = degrees(problem).into_iter().max().unwrap_or(0);
        Unsuitable::check_size("options of an item, with colours", most, NARROW_OPTIONS)?;
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
    let begin = |problem: &ExactCover, build: Build<'_>, _: &Memory| first(problem, build, &TABLES);
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

/// Option masks or rows, if the problem suits them.
///
/// Each engine knows what it has room for.
fn use_table(auto: &mut Auto, stage: &Stage) -> Option<StageSearch> {
    let shared = &auto.shared;
    if !shared.is_simple || !shared.has_table {
        return None;
    }
    let (selection, engine) =
        auto.engine_of(stage, |shared| make(&shared.problem, shared.build(), (stage.name, stage.why)))?;
    Some(StageSearch::Branches(selection, engine))
}

/// Wide option masks, unless their table is too large for the cache and the row filter may suit the problem.
///
/// (Of tilings with tables of 5 and 13 MB the row filter counts 1.8 and 1.3 times as many solutions in a second as wide
/// masks. Of one with 2.3 MB it counts half as many; with secondary items, a quarter.)
fn use_small_table(auto: &mut Auto, stage: &Stage) -> Option<StageSearch> {
    let shared = &auto.shared;
    let is_small = shared.table_words().is_none_or(|words| words <= MAX_CACHED_WORDS);
    let has_secondary = shared.problem.item_count() > shared.problem.primary_count();
    if is_small || has_secondary { use_table(auto, stage) } else { None }
}

/// The search goes on in the engine that it began with.
fn search_on(_: &mut Auto, _: &Stage) -> Option<StageSearch> {
    Some(StageSearch::Base(u64::MAX))
}

/// Whether a count by this engine, for this reason, remembers what it has counted.
pub(super) fn is_remembering(selection: Selection) -> bool {
    let names = [sweep::ENTRY.name, super::independent::ENTRY.name];
    names.contains(&selection.entry.name) || [REMEMBERS, FORGETS].contains(&selection.why)
}
