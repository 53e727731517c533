//! `singles`: the program of Sinai's post, which propagates hidden singles.

use super::candidates::{Board, Plan};
use super::inference::Counts;
use super::{Strategy, make};
use galop_engines::engine::Entry;

pub(crate) const ENTRY: Entry = Entry {
    about: "Sinai's post in his order: naked and hidden singles, then the cell with fewest candidates",
    // To the proof: 38,966 at most over all 49,151 puzzles of 17 clues, 1,889 over 375 of the hardest of the
    // forum. Norvig's impossible puzzle, which the post's program does not check for, takes 4,051,104.
    max_guesses: 10_000_000,
    counts_calls: true,
    lists: true,
    accepts: super::accept,
    ..Entry::new("singles", make::<Singles>)
};

pub(super) struct Singles;

impl Strategy for Singles {
    const FLUSHES: bool = false;

    /// In every unit of `cell`, a symbol with one place becomes the only candidate there. If a cell is the only place
    /// of several symbols, the last one stays: a contradiction that he does not see yet.
    ///
    /// (He then erases the symbol from the unit's other cells, which do not have it. So a change here starts no further
    /// search, and only the caller adds to `changed`.)
    fn apply(board: &mut Board, plan: &Plan, cell: usize, _changed: &mut Vec<usize>) {
        for &unit in plan.grid.units_of(cell) {
            if board.take_stale(unit) {
                narrow(board, plan, &plan.grid.units()[unit]);
            }
        }
    }
}

fn narrow(board: &mut Board, plan: &Plan, unit: &[usize]) {
    let uniques = Counts::new(&board.candidates, unit).once;
    if uniques == 0 {
        return;
    }
    for &cell in unit {
        let candidates = board.candidates[cell];
        let found = candidates & uniques;
        if found != 0 {
            let last = 1 << found.ilog2();
            if candidates != last {
                board.set(plan, cell, last);
            }
        }
    }
}
