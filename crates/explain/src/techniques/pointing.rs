//! Pointing: within a block, a symbol has cells only in one line. So it is in that line's part of the block, and not in
//! the rest of the line. (Blocks stand for all units that are not lines.)

use crate::deduction::{Deduction, Truth};
use crate::geometry::each;
use crate::technique::{Example, Finder, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "pointing",
    about: "locked candidates: the cells of a symbol in a block are in one line, so the rest of the line loses it",
    description: "All cells of a block that may hold a symbol lie in the same row or column. The block needs the \
        symbol, so one of these cells holds it. That is also the only place for it in the row or column, \
        and the cells outside the block lose it.",
    example: Example::sudoku(
        "...4.......3....4.1.4.5.97.9.87.1..24....23.1....6.....861..5.....9.....7...26.3.",
    ),
    group: "locked",
    score: 26,
    is_rated: true,
    needs_uniqueness: false,
    reason: "because all places of {symbols} in {units} are in {covers}",
    find,
};

fn find(finder: &mut Finder<'_>) -> Option<Deduction> {
    let lines = 2 * finder.geometry.side;
    find_locked(finder, lines..finder.geometry.units.len())
}

/// A symbol of one of the units `from` whose cells are all in another unit with more cells for it.
pub(super) fn find_locked(finder: &Finder<'_>, from: std::ops::Range<usize>) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    for number in from {
        let unit = &geometry.units[number];
        for symbol in each(board.open(geometry, number)) {
            let places = board.places(number, symbol);
            if places.count_ones() < 2 {
                continue;
            }
            for &(other, shared) in &geometry.crossings[number] {
                let here = places.count_ones();
                if places & !shared != 0 || board.places(usize::from(other), symbol).count_ones() == here {
                    continue;
                }
                let rest = geometry.units[usize::from(other)].set & !unit.set;
                let eliminates = finder.candidates(rest, 1 << (symbol - 1));
                if !finder.is_new(&eliminates) {
                    continue;
                }
                return Some(Deduction {
                    eliminates,
                    because: finder.candidates(unit.set, 1 << (symbol - 1)),
                    truths: vec![Truth::Unit { unit: number as u16, symbol }],
                    units: vec![number as u16],
                    covers: vec![other],
                    ..Deduction::default()
                });
            }
        }
    }
    None
}
