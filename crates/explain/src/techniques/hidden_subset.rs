//! Hidden pair, triple and quad: some symbols of a unit have together as many cells as there are symbols. So these
//! cells hold them, and lose all others.

use crate::cells::Cells;
use crate::deduction::{Deduction, Truth};
use crate::geometry::{bit, each, places};
use crate::technique::{Example, Finder, Technique, choose};

const REASON: &str = "because {symbols} have no other cells in {units} than {cells}";

pub(super) const PAIR: Technique = Technique {
    name: "hidden pair",
    about: "two symbols have the same two cells of a unit, so these cells lose all others",
    description: "In a row, column or block, two symbols can go only in the same two cells. The two symbols fill the \
        two cells, in an order that is not known yet. So all other candidates of these cells are \
        eliminated.",
    example: Example::sudoku(
        "3...7...9.9.....6.....8...1....31.5.7.859.1...2.........4.1..93......6..8..35...7",
    ),
    group: "pairs",
    score: 34,
    is_rated: true,
    needs_uniqueness: false,
    reason: REASON,
    find: |finder| find(finder, 2),
};

pub(super) const TRIPLE: Technique = Technique {
    name: "hidden triple",
    about: "three symbols have three cells of a unit together, so these cells lose all others",
    description: "In a row, column or block, three symbols can go only in three cells; a cell need not have all \
        three as candidates. The three symbols fill the three cells. So all other candidates of these \
        cells are eliminated.",
    example: Example::sudoku(
        ".8679..4.......6..2.1......95..2.36.....5.7...6.8..1....9...4.....58..7....64..3.",
    ),
    group: "triples",
    score: 40,
    is_rated: true,
    needs_uniqueness: false,
    reason: REASON,
    find: |finder| find(finder, 3),
};

pub(super) const QUAD: Technique = Technique {
    name: "hidden quad",
    about: "four symbols have four cells of a unit together, so these cells lose all others",
    description: "In a row, column or block, four symbols can go only in four cells. The four symbols fill the four \
        cells. So all other candidates of these cells are eliminated. There is always a naked subset in \
        the remaining cells of the unit, which is easier to see if it is small.",
    example: Example::sudoku(
        "...2.....8...15...4...76...21..5.....39.....7..5.6..14..8..2.5..6..93...1......9.",
    ),
    group: "quads",
    score: 54,
    is_rated: true,
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
            finder.is_new(&eliminates).then(|| Deduction {
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
