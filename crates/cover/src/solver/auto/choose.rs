//! Which engine a problem gets where none is named.

use crate::engine::sparse::{self, Sparse};
use crate::solver::auto::Auto;
use crate::{Engine, Entry, ExactCover, engine};
use galop_simd::Isa;

/// An engine, and why it.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    /// The engine.
    pub entry: &'static Entry,
    /// One line for people.
    pub why: &'static str,
}

/// The options that an item may have where option masks are narrow.
const NARROW: usize = 63;

/// The items that sparse sets may have: they keep the sizes of all of them for every level of the search, so that
/// memory grows as their square. Dancing links keep nothing for a level, and look for the smallest item as long.
const MANY: usize = 1 << 14;

/// The engine that a search of `problem` begins with. (It may go on with another one; the [`Solver`](crate::Solver)
/// says so.)
pub fn choose(problem: &ExactCover) -> Option<Chosen> {
    Some(begin(problem, Isa::best())?.0)
}

/// The rules.
///
/// An item that is covered more than once, or need not be, is for multiplicity planes; too many items are for dancing
/// links. Anything else is tried with sparse sets, which need no table; most problems are solved before one would be
/// made. What is left then is for the [finisher].
pub(crate) fn begin(problem: &ExactCover, isa: Isa) -> Option<(Chosen, Box<dyn Engine>)> {
    const ANY: (&str, &str) = ("links", "it solves any problem");
    if !problem.is_simple() {
        let planes = ("planes", "items that are not covered exactly once");
        return first(problem, isa, &[planes, ANY]);
    }
    if problem.item_count() > MANY {
        return first(problem, isa, &[("links", "too many items for what the others keep of each choice")]);
    }
    match Sparse::new(problem) {
        Some(sparse) => {
            let chosen = Chosen { entry: &sparse::ENTRY, why: "a try: it needs no table" };
            let budget = budget(&sparse);
            Some((chosen, Box::new(Auto::new(problem, isa, sparse, budget))))
        }
        None => finisher(problem, isa).or_else(|| first(problem, isa, &[ANY])),
    }
}

/// The engine of what a try leaves of `problem`, the fastest that has room for it; `None` if sparse sets shall go on.
///
/// Each knows itself what it has room for: option masks for tables of 32 MB, narrow ones for 63 options an item and
/// states of 64 vectors; the row filter for 512 bits.
pub(crate) fn finisher(problem: &ExactCover, isa: Isa) -> Option<(Chosen, Box<dyn Engine>)> {
    let engines = [
        ("masks", "not done in a few nodes, and no item has more than 63 options"),
        ("wide", "not done in a few nodes, and its table has room in the cache"),
        ("rows", "not done in a few nodes, and too large for a table"),
    ];
    first(problem, isa, &engines)
}

/// The engine that goes on where the solutions of `problem` are only counted, as long as equal parts of the search come
/// again.
pub(crate) fn counter(problem: &ExactCover, isa: Isa) -> Option<(Chosen, Box<dyn Engine>)> {
    let why = "equal parts of the search come again: each is counted once";
    Some((
        Chosen { entry: &crate::engine::bitset::ENTRY, why },
        crate::engine::bitset::counter(problem, isa)?,
    ))
}

/// The nodes of the try, about as many as take the time of a table.
///
/// Of a thousand 17-clue sudokus, each a problem of its own, all but a few end within 150: they take 26 ms with 150
/// to 1000, 30 with 30, 60 with 1. Nothing of the try is lost, so that a long one costs little elsewhere; but
/// pentominoes and Soma cubes, wide ones, are best with 10 to 50.
fn budget(sparse: &Sparse) -> u64 {
    if is_narrow(sparse) { 150 } else { 30 }
}

/// Whether no primary item has more options than a lane of narrow option masks holds.
pub(crate) fn is_narrow(sparse: &Sparse) -> bool {
    sparse.most_options() <= NARROW
}

/// The first of `engines`, by name, that is there and can solve `problem`.
fn first(
    problem: &ExactCover,
    isa: Isa,
    engines: &[(&str, &'static str)],
) -> Option<(Chosen, Box<dyn Engine>)> {
    engines.iter().find_map(|&(name, why)| {
        let entry = engine(name)?;
        Some((Chosen { entry, why }, (entry.make)(problem, isa)?))
    })
}
