//! The engines that a search begins with, and how large their tables are.

use super::Built;
use crate::ExactCover;
use crate::engine::{Build, CoverEntry, LINKS, Selection, Unsuitable, planes, sparse};

/// Options of an item: a word of wide option masks holds this many.
pub(super) const NARROW_OPTIONS: u32 = 63;

/// An engine of the table, and why it was selected.
pub(super) fn make(
    problem: &ExactCover,
    build: Build<'_>,
    (entry, why): (&CoverEntry, &'static str),
) -> Result<Built, Unsuitable> {
    Ok((Selection { name: entry.name, why }, (entry.make)(problem, build)?))
}

/// The engine without a table: sparse sets, or planes if there are bounds. Links have room for more.
pub(super) fn base(problem: &ExactCover, build: Build<'_>) -> Result<Built, Unsuitable> {
    let engines = match problem.is_simple() {
        true => {
            [(&sparse::ENTRY, "a try: it needs no table"), (&LINKS, "it has room for the largest problems")]
        }
        false => [
            (&planes::ENTRY, "some items are not covered exactly once"),
            (&LINKS, "some items are not covered exactly once, and the problem is too large for planes"),
        ],
    };
    first(problem, build, &engines)
}

/// The first of `engines` (with reasons) that can solve `problem`; the last one's error if none can.
pub(super) fn first(
    problem: &ExactCover,
    build: Build<'_>,
    engines: &[(&CoverEntry, &'static str)],
) -> Result<Built, Unsuitable> {
    let mut error = Unsuitable::Bounds;
    for &engine in engines {
        match make(problem, build, engine) {
            Err(why_not @ (Unsuitable::TooLarge { .. } | Unsuitable::Bounds)) => {
                error = why_not;
            }
            built => return built,
        }
    }
    Err(error)
}

/// The words that an option has in wide option masks; `None` if narrow ones have room for every item.
pub(super) fn words_of_wide_masks(problem: &ExactCover) -> Option<usize> {
    let degrees = &problem.degrees()[..problem.primary_count()];
    let words = degrees.iter().map(|degree| degree.div_ceil(NARROW_OPTIONS) as usize).sum();
    degrees.iter().any(|&degree| degree > NARROW_OPTIONS).then_some(words)
}

/// Ticks of the try: if one solution may end the search, and of others.
///
/// If one solution is enough, the try takes half as long as building a table would: it is likely to find it. Otherwise
/// the table will be built, and a node of the try takes several times as long as a node of option masks, so the try has
/// a share of that.
///
/// Of a thousand 17-clue sudokus, each a problem of its own, all but a few end within 150 nodes. They take 26 ms with
/// 150 to 1000 nodes, 30 ms with 30, 60 ms with 1. But pentominoes and Soma cubes, which are wide, are fastest with 10
/// to 50.
///
/// A coloured problem for wide masks is preprocessed before its table is built, and both take long if it is large: then
/// the try is longer. (The first of 4x5 crosswords ends after 145 nodes of sparse sets, half a millisecond;
/// preprocessing takes 1.3 ms and the tables 2 ms. 256 nodes of matching edges, 10x10, take 0.2 ms.)
pub(super) fn ticks_of_table(problem: &ExactCover, words: Option<usize>) -> [u64; 2] {
    if !problem.is_simple() {
        return [TRY_WITH_BOUNDS; 2];
    }
    let lines = words.unwrap_or(problem.primary_count() / 4).div_ceil(8) as u64;
    let table = lines.saturating_mul(TICKS_PER_LINE * problem.term_count() as u64);
    let share = match (words, problem.has_colours()) {
        (None, _) => 4,
        (Some(_), true) => 16,
        (Some(_), false) => 64,
    };
    [(table / 2).clamp(LEAST_TRY, MOST_TRY), (table / share).clamp(LEAST_TRY, MOST_TRY)]
}

/// Ticks of a line of a row, for each term of its option, while a table of option masks is built: most of it is new
/// memory.
const TICKS_PER_LINE: u64 = 6;

/// Ticks of the shortest and of the longest try, and of the try of a problem with bounds: the search in order is judged
/// by what it does after it.
const LEAST_TRY: u64 = 1 << 13;
const MOST_TRY: u64 = 1 << 20;
const TRY_WITH_BOUNDS: u64 = 1 << 15;
