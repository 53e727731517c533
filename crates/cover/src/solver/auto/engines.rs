//! The engines that a search begins with, and how large their tables are.

use super::Built;
use crate::ExactCover;
use crate::engine::{Build, LINKS, Selection, Unsuitable, by_name, sparse};

/// Options of an item: a word of wide option masks holds this many.
pub(super) const NARROW_OPTIONS: u32 = 63;

/// An engine by name, and why it was selected.
pub(super) fn make(
    problem: &ExactCover,
    build: Build<'_>,
    (name, why): (&str, &'static str),
) -> Result<Built, Unsuitable> {
    let entry = by_name(name).ok_or(Unsuitable::Bounds)?;
    Ok((Selection { name: entry.name, why }, (entry.make)(problem, build)?))
}

/// The engine without a table: sparse sets, or planes if there are bounds. Links have room for more.
pub(super) fn base(problem: &ExactCover, build: Build<'_>) -> Result<Built, Unsuitable> {
    let engines = match problem.is_simple() {
        true => [
            (sparse::ENTRY.name, "a try: it needs no table"),
            (LINKS.name, "it has room for the largest problems"),
        ],
        false => [
            ("planes", "some items are not covered exactly once"),
            (LINKS.name, "some items are not covered exactly once, and the problem is too large for planes"),
        ],
    };
    first(problem, build, &engines)
}

/// The first of `engines` (names and reasons) that can solve `problem`; the last one's error if none can.
pub(super) fn first(
    problem: &ExactCover,
    build: Build<'_>,
    engines: &[(&str, &'static str)],
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

/// Nodes of the try: about as many as take the time of building a table.
///
/// Of a thousand 17-clue sudokus, each a problem of its own, all but a few end within 150 nodes. They take 26 ms with
/// 150 to 1000 nodes, 30 ms with 30, 60 ms with 1. The search continues where the try stopped, so a long try costs
/// little elsewhere; but pentominoes and Soma cubes, which are wide, are fastest with 10 to 50.
///
/// A coloured problem for wide masks is preprocessed before its table is built, and both take long if it is large: then
/// the try is longer. (The first of 4x5 crosswords ends after 145 nodes of sparse sets, half a millisecond;
/// preprocessing takes 1.3 ms and the tables 2 ms. 256 nodes of matching edges, 10x10, take 0.2 ms.)
pub(super) fn try_nodes(problem: &ExactCover, words: Option<usize>) -> u64 {
    let Some(words) = words else { return 150 };
    let words = if problem.has_colours() { words } else { 0 };
    (words.saturating_mul(problem.option_count()) as u64 / TABLE_WORDS_PER_NODE).clamp(30, 256)
}

/// Words of a table of wide masks in whose building time sparse sets search a node, if nine tenths of the time are for
/// the table.
const TABLE_WORDS_PER_NODE: u64 = 1 << 13;
