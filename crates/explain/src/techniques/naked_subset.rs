//! Naked pair, triple and quad: some cells of a unit have together as many candidates as there are cells. So each of
//! these symbols is in one of them, and every other cell that sees all its places there loses it.

use crate::deduction::{Deduction, Truth};
use crate::geometry::{bit, each};
use crate::technique::{Example, Finder, Technique, choose};

const REASON: &str = "because {cells} of {units} hold only {symbols}";

pub(super) const PAIR: Technique = Technique {
    name: "naked pair",
    about: "two cells of a unit have the same two candidates, so other cells lose them",
    description: "Two cells of a row, column or block have the same two candidates and no others. One of the cells \
        holds the first symbol and the other the second, in an order that is not known yet. So no other \
        cell of the unit can hold either of them.",
    example: Example::sudoku(
        "53.......7.682...5281.........18.5.6.....2.....45..39..1..5........914.7......8..",
    ),
    group: "pairs",
    score: 30,
    is_rated: true,
    needs_uniqueness: false,
    reason: REASON,
    find: |finder| find(finder, 2),
};

pub(super) const TRIPLE: Technique = Technique {
    name: "naked triple",
    about: "three cells of a unit have three candidates together, so other cells lose them",
    description: "Three cells of a row, column or block have only three symbols as candidates together; a cell need \
        not have all three. The three symbols fill the three cells. So no other cell of the unit can hold \
        any of them.",
    example: Example::sudoku(
        ".9.7...............35.....75...8971.........6...15..4.28.9..6.4....2.8...146..23.",
    ),
    group: "triples",
    score: 36,
    is_rated: true,
    needs_uniqueness: false,
    reason: REASON,
    find: |finder| find(finder, 3),
};

pub(super) const QUAD: Technique = Technique {
    name: "naked quad",
    about: "four cells of a unit have four candidates together, so other cells lose them",
    description: "Four cells of a row, column or block have only four symbols as candidates together. The four \
        symbols fill the four cells. So no other cell of the unit can hold any of them.",
    example: Example::sudoku(
        "6........7953...........2.4.1.7.834.....6.92.....9......7....6.3..4..57.1......82",
    ),
    group: "quads",
    score: 50,
    is_rated: true,
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
            finder.is_new(&eliminates).then(|| Deduction {
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
