//! `strategies`: the program of Sinai's repository, which adds pairs, triples and pointing pairs.
//!
//! As of July 2020 (commits d44c45a to 068e1ca), the one whose figures the post gives: mean 13.7 calls on
//! top95. The later ones erase from a set of peers, in the order of that set, and give 13.9.

use super::candidates::{Board, Plan};
use super::inference::Counts;
use super::order::Order;
use super::{Strategy, make};
use galop_engines::engine::Entry;
use galop_engines::grid::inference::{bit, symbols};

pub(crate) const ENTRY: Entry = Entry {
    about: "Sinai's repository in his order: the same with pairs, triples and pointing pairs",
    // To the proof: 434 at most over all 49,151 puzzles of 17 clues, 1,316 over 375 of the hardest of the forum.
    max_guesses: 1_000_000,
    counts_calls: true,
    lists: true,
    accepts: super::accept,
    ..Entry::new("strategies", make::<Strategies>)
};

pub(super) struct Strategies;

impl Strategy for Strategies {
    const FLUSHES: bool = true;

    fn apply(board: &mut Board, plan: &Plan, cell: usize, changed: &mut Vec<usize>) {
        let units = plan.grid.units_of(cell);
        for &unit in units {
            if board.take_stale(unit) {
                narrow(board, plan, unit, true);
            }
        }
        units.iter().for_each(|&unit| board.point(plan, unit, changed));
    }
}

/// Searches the whole grid once before the search: singles and pairs of every unit, then the pointing pairs.
pub(super) fn flush(board: &mut Board, plan: &Plan, changed: &mut Vec<usize>) {
    (0..plan.grid.units().len()).for_each(|unit| narrow(board, plan, unit, false));
    (0..plan.grid.units().len()).for_each(|unit| board.point(plan, unit, changed));
    // His flush infers nothing from these changes, and does not look for triples.
    changed.clear();
    board.mark_all_stale(plan);
}

/// Hidden singles, pairs and, if `triples`, triples of `unit`: their cells keep no other candidates.
///
/// All places are as they were before the first change. (He then erases the symbols from the unit's other cells, which
/// do not have them.)
fn narrow(board: &mut Board, plan: &Plan, unit: usize, triples: bool) {
    let cells = &plan.grid.units()[unit];
    let counts = Counts::new(&board.candidates, cells);
    let mut places = std::mem::take(&mut board.places);
    places.find(&board.candidates, cells, counts.once | counts.twice | counts.thrice);
    counts.hidden(&places, triples, |at, kept| keep_only(board, plan, cells, at, kept));
    board.places = places;
}

/// Eliminates all candidates but `kept` in the cells at `places`. If that changes a cell, its set is made anew in the
/// order of `kept`.
fn keep_only(board: &mut Board, plan: &Plan, cells: &[usize], places: u64, kept: &[u8]) {
    let keep = kept.iter().fold(0, |keep, &symbol| keep | bit(symbol));
    for &cell in symbols(places).map(|place| &cells[usize::from(place) - 1]) {
        let left = board.candidates[cell] & keep;
        if left != board.candidates[cell] {
            board.set(plan, cell, left);
            board.orders[cell] = Order::of(kept.iter().copied().filter(|&symbol| left & bit(symbol) != 0));
        }
    }
}
