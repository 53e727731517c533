//! Hidden pair, triple and quad: some symbols of a unit have together as many cells as there are symbols. So these
//! cells hold them, and lose all others.

use crate::cells::Cells;
use crate::deduction::{Deduction, Truth};
use crate::geometry::{bit, each, places};
use crate::technique::{Finder, Level, Technique, choose};

const REASON: &str = "because {symbols} have no other cells in {units} than {cells}";

pub(super) const PAIR: Technique = Technique {
    name: "hidden pair",
    about: "two symbols have the same two cells of a unit, so these cells lose all others",
    group: "pairs",
    level: Level::Hard,
    score: 34,
    needs_uniqueness: false,
    reason: REASON,
    find: |finder| find(finder, 2),
};

pub(super) const TRIPLE: Technique = Technique {
    name: "hidden triple",
    about: "three symbols have three cells of a unit together, so these cells lose all others",
    group: "triples",
    level: Level::Hard,
    score: 40,
    needs_uniqueness: false,
    reason: REASON,
    find: |finder| find(finder, 3),
};

pub(super) const QUAD: Technique = Technique {
    name: "hidden quad",
    about: "four symbols have four cells of a unit together, so these cells lose all others",
    group: "quads",
    level: Level::Hard,
    score: 54,
    needs_uniqueness: false,
    reason: REASON,
    find: |finder| find(finder, 4),
};

fn find(finder: &mut Finder<'_>, count: usize) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    for (number, unit) in geometry.units.iter().enumerate() {
        let is_small = |symbol: &u8| (2..=count as u32).contains(&board.places(number, *symbol).count_ones());
        let symbols: Vec<u8> = each(board.open(geometry, number)).filter(is_small).collect();
        let masks: Vec<u32> = symbols.iter().map(|&symbol| board.places(number, symbol)).collect();
        let found = choose(&masks, count, count as u32, &mut |chosen, union| {
            let kept = chosen.iter().fold(0, |kept, &at| kept | bit(symbols[at]));
            let cells = Cells::of(places(union).map(|place| unit.cells[place]));
            let eliminates = finder.candidates(cells, !kept);
            (!eliminates.is_empty()).then(|| Deduction {
                eliminates,
                because: finder.candidates(cells, kept),
                truths: each(kept).map(|symbol| Truth::Unit { unit: number as u16, symbol }).collect(),
                units: vec![number as u16],
                ..Deduction::default()
            })
        });
        if found.is_some() {
            return found;
        }
    }
    None
}
