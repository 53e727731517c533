//! Which engines suit a problem, by the figures of the problem alone.

use super::bounded::Bounded;
use crate::ExactCover;
use crate::engine::adders::{self, Adders};
use crate::engine::sparse::Sparse;
use crate::engine::{Build, CoverEngine, Selection, Unsuitable, bitset, by_name, masks};
use crate::memory::Memory;
use crate::reduce::Reduced;
use galop_simd::Isa;

/// An engine that was built, and why it was selected.
pub(super) type Built = (Selection, Box<dyn CoverEngine>);

/// Options of an item: a lane of narrow option masks holds this many.
const NARROW_OPTIONS: usize = 63;

/// Primary items and options up to which multiplicity planes are the fastest, as a rule.
const MAX_PLANE_ITEMS: usize = 256;
const MAX_PLANE_OPTIONS: usize = 4096;

/// Items that sparse sets are used for. They store the size of every item at every level of the search, so their
/// memory is quadratic in the items. Above this many, dancing links are used: they store nothing per level, and find
/// the smallest item at the same cost.
const MAX_SPARSE_ITEMS: usize = 1 << 14;

/// The engine of last resort, and why it is selected.
pub(super) const ANY: (&str, &str) = ("links", "it solves any problem");

/// Whether a search begins with a try by sparse sets: all items are covered exactly once, and are not too many.
pub(super) fn has_try(problem: &ExactCover, build: Build<'_>) -> bool {
    !build.prefers_sharp && problem.is_simple() && problem.item_count() <= MAX_SPARSE_ITEMS
}

/// The engine of a search from its first node; `None` if the search begins with a try by sparse sets.
///
/// Items that are covered several times, or need not be covered, have engines of their own; too many items for these are
/// for dancing links.
pub(super) fn starter(problem: &ExactCover, build: Build<'_>) -> Option<Result<Built, Unsuitable>> {
    if build.prefers_sharp {
        return Some(first(problem, build, &[("links", "items whose names begin with # are preferred")]));
    }
    if !problem.is_simple() {
        return Some(match bounded(problem, build) {
            Err(Unsuitable::TooLarge { .. } | Unsuitable::Memory { .. }) => first(problem, build, &[ANY]),
            Ok((selection, engine)) if selection.entry.name != adders::ENTRY.name => {
                Ok((selection, Box::new(Bounded::new(problem, engine, None, build.growing()))))
            }
            built => built,
        });
    }
    if problem.item_count() > MAX_SPARSE_ITEMS {
        let why = "too many items for engines that store something per item and level";
        return Some(first(problem, build, &[("links", why)]));
    }
    None
}

/// The fastest engine for items that are not all covered exactly once.
///
/// Planes are the fastest as long as sets of items and of options are few words, or if an item is in all options, which they
/// have a trick for. Quotas take a quarter of their time on mixed dominoes and rosters with 400 items, and half of it on a
/// timetable with 170 items and 15,000 options.
fn bounded(problem: &ExactCover, build: Build<'_>) -> Result<Built, Unsuitable> {
    let planes = ("planes", "some items are not covered exactly once");
    let quotas = ("quotas", "some items are not covered exactly once, and there are many items or options");
    if problem.item_count() > MAX_SPARSE_ITEMS {
        return first(problem, build, &[planes]);
    }
    let has_universal = degrees(problem).contains(&problem.option_count());
    let is_small = problem.primary_count() <= MAX_PLANE_ITEMS && problem.option_count() <= MAX_PLANE_OPTIONS;
    if is_small || has_universal {
        return first(problem, build, &[planes, quotas]);
    }
    if adders::is_fastest(problem)
        && let Ok(engine) = Adders::new(problem, build)
    {
        let why = "some items are not covered exactly once, and choices exclude hundreds of options";
        let seeker = Some(Bounded::seeker(&engine));
        let engine = Bounded::new(problem, Box::new(engine), seeker, build.growing());
        return Ok((Selection { entry: &adders::ENTRY, why }, Box::new(engine)));
    }
    first(problem, build, &[quotas, planes])
}

/// The engine that continues after a try: the fastest one that has room for the problem. `Err` if sparse sets must
/// continue.
///
/// Each engine knows what it has room for: option masks for tables of 32 MB, narrow ones for 63 options an item and
/// states of 64 vectors; the row filter for 512 bits.
///
/// A coloured problem for wide masks is preprocessed first, if that soon removes enough. (Squares whose edges match, 6x6 all
/// and 10x10 the first, take 0.29 and 0.27 of the time; the first of 4x5 crosswords takes 1.08 times as long. Pentominoes
/// 6x10 gained 4 % and 3x20 lost 8 %: they have no colours.)
pub(super) fn finisher(problem: &ExactCover, build: Build<'_>) -> Result<Built, Unsuitable> {
    let words = words_of_wide_masks(problem).filter(|_| problem.has_colours());
    if words.is_some_and(|words| words.saturating_mul(problem.option_count()) <= MAX_REDUCED_WORDS)
        && let Some(reduction) = problem.reduce_if_worth(build)
        && let Ok((selection, engine)) = fastest(reduction.problem(), build)
    {
        let engine = Reduced::new(&reduction, problem.option_count(), engine);
        return Ok((selection, Box::new(engine)));
    }
    fastest(problem, build)
}

/// The most bytes that the finisher takes: shared by its forks, and its own.
pub(super) fn finisher_bytes(problem: &ExactCover) -> [usize; 2] {
    let (masks, rows) = (masks::most_bytes(problem), bitset::most_bytes(problem));
    [masks[0].max(rows[0]), masks[1].max(rows[1])]
}

/// Words of wide option masks above which a problem is not preprocessed: what is left would not fit their table either.
const MAX_REDUCED_WORDS: usize = 1 << 24;

/// The words that an option has in wide option masks; `None` if narrow ones have room for every item.
fn words_of_wide_masks(problem: &ExactCover) -> Option<usize> {
    let degrees = degrees(problem);
    let words = degrees.iter().map(|degree| degree.div_ceil(NARROW_OPTIONS)).sum();
    degrees.iter().any(|&degree| degree > NARROW_OPTIONS).then_some(words)
}

/// The number of options of each primary item.
fn degrees(problem: &ExactCover) -> Vec<usize> {
    let mut degrees = vec![0; problem.item_count()];
    problem.options().flatten().for_each(|term| degrees[term.item as usize] += 1);
    degrees.truncate(problem.primary_count());
    degrees
}

/// The fastest engine that has room for `problem`.
pub(super) fn fastest(problem: &ExactCover, build: Build<'_>) -> Result<Built, Unsuitable> {
    let engines = [
        ("masks", "not solved within a few nodes, and no item has more than 63 options"),
        ("wide", "not solved within a few nodes, and its table fits the cache"),
        ("rows", "not solved within a few nodes, and too large for a table"),
    ];
    first(problem, build, &engines)
}

/// Why the counter was selected.
pub(super) const COUNTING: &str = "equal subproblems occur again: each is counted once";

/// Why the counter was selected, if it then had too little memory.
pub(super) const FORGETTING: &str =
    "equal subproblems occur again; some were counted several times, for lack of memory";

/// The engine that continues if solutions are only counted, as long as equal subproblems occur again.
/// It takes what is left of `memory`.
///
/// With colours and more options than narrow masks have room for, a node of the row filter takes some microseconds, and
/// its trial longer than wide masks take for the whole search: 6x6 squares whose edges match took 5 times as long.
pub(super) fn counter(problem: &ExactCover, isa: Isa, memory: &Memory) -> Result<Built, Unsuitable> {
    if problem.has_colours() {
        let most = degrees(problem).into_iter().max().unwrap_or(0);
        Unsuitable::check_size("options of an item, with colours", most, NARROW_OPTIONS)?;
    }
    Ok((
        Selection { entry: &bitset::ENTRY, why: COUNTING },
        bitset::counter(problem, Build::from(isa).within(memory), memory.bytes())?,
    ))
}

/// Nodes of the try: about as many as take the time of building a table.
///
/// Of a thousand 17-clue sudokus, each a problem of its own, all but a few end within 150 nodes: they take 26 ms with
/// 150 to 1000 nodes, 30 ms with 30, 60 ms with 1. The search continues where the try stopped, so a long try costs
/// little elsewhere; but pentominoes and Soma cubes, which are wide, are fastest with 10 to 50.
///
/// A coloured problem for wide masks is preprocessed before its table is built, and both take long if it is large: then the
/// try is longer. (The first of 4x5 crosswords ends after 145 nodes of sparse sets, half a millisecond; preprocessing
/// takes 1.3 ms and the tables 2 ms. 256 nodes of matching edges, 10x10, take 0.2 ms.)
pub(super) fn try_nodes(problem: &ExactCover, sparse: &Sparse) -> u64 {
    if is_narrow(sparse) {
        return 150;
    }
    let words = words_of_wide_masks(problem).filter(|_| problem.has_colours()).unwrap_or(0);
    (words.saturating_mul(problem.option_count()) as u64 / TABLE_WORDS_PER_NODE).clamp(30, 256)
}

/// Words of a table of wide masks in whose building time sparse sets search a node, if nine tenths of the time are for
/// the table.
const TABLE_WORDS_PER_NODE: u64 = 1 << 13;

/// Whether every primary item fits a lane of narrow option masks.
pub(super) fn is_narrow(sparse: &Sparse) -> bool {
    sparse.most_options() <= NARROW_OPTIONS
}

/// The first of `engines` (names and reasons) that can solve `problem`; the last one's error if none can.
pub(super) fn first(
    problem: &ExactCover,
    build: Build<'_>,
    engines: &[(&str, &'static str)],
) -> Result<Built, Unsuitable> {
    let mut error = Unsuitable::Bounds;
    for &(name, why) in engines {
        let Some(entry) = by_name(name) else { continue };
        match (entry.make)(problem, build) {
            Ok(engine) => return Ok((Selection { entry, why }, engine)),
            Err(stopped @ Unsuitable::Stopped(_)) => return Err(stopped),
            Err(why_not) => error = why_not,
        }
    }
    Err(error)
}
