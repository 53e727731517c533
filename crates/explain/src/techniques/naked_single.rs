//! Naked single: a cell has one candidate.

use crate::deduction::{Deduction, Truth};
use crate::geometry::{Candidate, bit, each};
use crate::technique::{Finder, Level, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "naked single",
    about: "a cell has one candidate",
    group: "singles",
    level: Level::Easy,
    score: 23,
    needs_uniqueness: false,
    reason: "no other symbol is left for the cell",
    find,
};

fn find(finder: &mut Finder<'_>) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    let cell = board.marks.iter().position(|marks| marks.is_power_of_two())? as u16;
    let symbol = each(board.marks(cell)).next()?;
    // A filled cell for each other symbol, where there is one.
    let lost = each(geometry.all() & !bit(symbol));
    let mut because: Vec<Candidate> =
        lost.filter_map(|symbol| board.excluder(geometry, Candidate { cell, symbol })).collect();
    because.sort_unstable();
    because.dedup();
    Some(Deduction {
        places: vec![Candidate { cell, symbol }],
        because,
        truths: vec![Truth::Cell(cell)],
        ..Deduction::default()
    })
}
