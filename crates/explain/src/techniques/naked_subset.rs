//! Naked pair, triple and quad: some cells of a unit have together as many candidates as there are cells. So each of
//! these symbols is in one of them, and every other cell that sees all its places there loses it.

use crate::deduction::{Deduction, Truth};
use crate::geometry::{bit, each};
use crate::technique::{Finder, Level, Technique, choose};

const REASON: &str = "because {cells} of {units} hold only {symbols}";

pub(super) const PAIR: Technique = Technique {
    name: "naked pair",
    about: "two cells of a unit have the same two candidates, so other cells lose them",
    group: "pairs",
    level: Level::Hard,
    score: 30,
    needs_uniqueness: false,
    reason: REASON,
    find: |finder| find(finder, 2),
};

pub(super) const TRIPLE: Technique = Technique {
    name: "naked triple",
    about: "three cells of a unit have three candidates together, so other cells lose them",
    group: "triples",
    level: Level::Hard,
    score: 36,
    needs_uniqueness: false,
    reason: REASON,
    find: |finder| find(finder, 3),
};

pub(super) const QUAD: Technique = Technique {
    name: "naked quad",
    about: "four cells of a unit have four candidates together, so other cells lose them",
    group: "quads",
    level: Level::Hard,
    score: 50,
    needs_uniqueness: false,
    reason: REASON,
    find: |finder| find(finder, 4),
};

fn find(finder: &mut Finder<'_>, count: usize) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    for (number, unit) in geometry.units.iter().enumerate() {
        let is_small = |cell: &u16| (2..=count as u32).contains(&board.marks(*cell).count_ones());
        let cells: Vec<u16> = unit.cells.iter().copied().filter(is_small).collect();
        let masks: Vec<u32> = cells.iter().map(|&cell| board.marks(cell)).collect();
        let found = choose(&masks, count, count as u32, &mut |chosen, union| {
            let cells: Vec<u16> = chosen.iter().map(|&at| cells[at]).collect();
            let mut eliminates = Vec::new();
            for symbol in each(union) {
                let with = cells.iter().copied().filter(|&cell| board.marks(cell) & bit(symbol) != 0);
                eliminates.extend(finder.candidates(geometry.see_all(with), bit(symbol)));
            }
            eliminates.sort_unstable();
            (!eliminates.is_empty()).then(|| Deduction {
                eliminates,
                because: finder.candidates_of(&cells, union),
                truths: cells.iter().map(|&cell| Truth::Cell(cell)).collect(),
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
