//! `strategies`: the program of Sinai's repository, which adds pairs, triples and pointing pairs.
//!
//! As of July 2020 (commits d44c45a to 068e1ca), the one whose figures the post gives: mean 13.7 calls on
//! top95. The later ones erase from a set of peers, in the order of that set, and give 13.9.

use super::candidates::{Board, MOST_SYMBOLS, Plan, at, bit, symbols};
use super::order::Order;
use super::{Strategy, make};
use crate::engine::Entry;

pub(in crate::engine) const ENTRY: Entry = Entry {
    name: "strategies",
    about: "Sinai's repository in his order: the same with pairs, triples and pointing pairs",
    // To the proof: 434 at most over all 49,151 puzzles of 17 clues, 1,316 over 375 of the hardest of the forum.
    max_guesses: 1_000_000,
    counts_calls: true,
    make: make::<Strategies>,
    ..Entry::PLAIN
};

pub(super) struct Strategies;

impl Strategy for Strategies {
    const FLUSHES: bool = true;

    fn apply(board: &mut Board, plan: &Plan, cell: usize, changed: &mut Vec<usize>) {
        let units = plan.grid.units_of(cell);
        for &unit in units {
            if board.is_worth_a_look(unit) {
                narrow(board, plan, unit, 3);
            }
        }
        units.iter().for_each(|&unit| board.point(plan, unit, changed));
    }
}

/// Once over the whole grid before the search: singles and pairs of every unit, then the pointing pairs.
pub(super) fn flush(board: &mut Board, plan: &Plan, changed: &mut Vec<usize>) {
    (0..plan.grid.units().len()).for_each(|unit| narrow(board, plan, unit, 2));
    (0..plan.grid.units().len()).for_each(|unit| board.point(plan, unit, changed));
    // Nothing follows from what was changed, and triples were not looked for.
    changed.clear();
    board.forget_looks(plan);
}

/// Hidden singles, pairs and triples of `unit`, up to `most` symbols: where so many symbols have only as many
/// places, these cells keep no others.
///
/// A pair is looked for among symbols with two places, a triple among those with three, then those with two; all
/// places are those of before the first change. (He goes on to erase them from the unit's other cells, where
/// they are not.)
fn narrow(board: &mut Board, plan: &Plan, unit: usize, most: usize) {
    let cells = &plan.grid.units()[unit];
    let [ones, twos, threes] = board.counted(cells);
    let mut places = std::mem::take(&mut board.places);
    board.find_places(cells, ones | twos | threes, &mut places);

    for symbol in symbols(ones) {
        keep_only(board, plan, cells, places[at(symbol)], &[symbol]);
    }
    for first in symbols(twos) {
        for second in symbols(twos & !(bit(first) | (bit(first) - 1))) {
            if places[at(first)] == places[at(second)] {
                keep_only(board, plan, cells, places[at(first)], &[first, second]);
            }
        }
    }
    // As he lists them: those with three places, then those with two.
    let (mut listed, mut len) = ([0; MOST_SYMBOLS as usize], 0);
    for symbol in symbols(threes).chain(symbols(twos)).filter(|_| most == 3) {
        listed[len] = symbol;
        len += 1;
    }
    for (after, &first) in listed[..len].iter().enumerate() {
        for (after, &second) in listed[..len].iter().enumerate().skip(after + 1) {
            let of_two = places[at(first)] | places[at(second)];
            if of_two.count_ones() > 3 {
                continue;
            }
            for &third in &listed[after + 1..len] {
                let of_three = of_two | places[at(third)];
                if of_three.count_ones() == 3 {
                    keep_only(board, plan, cells, of_three, &[first, second, third]);
                }
            }
        }
    }
    board.places = places;
}

/// The cells at `places` lose all candidates but `kept`. The set of one that loses any is made anew, in the
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
