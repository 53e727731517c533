//! Unique rectangle type 3: two cells beside each other hold only the two symbols, and the other two more. One of these
//! holds another symbol, so they are together like a cell with these other candidates, and may form a naked subset with
//! cells of a unit.
//!
//! ```text
//! ab   ab     one of the two holds c or d; so if a cell that both see
//! abc  abd    holds only cd, the other cells of the unit lose c and d
//! ```

use super::rectangles::{Rectangle, SIDES, find};
use crate::cells::Cells;
use crate::deduction::Deduction;
use crate::technique::{Example, Finder, Technique, choose};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "unique rectangle type 3",
    about: "two cells of a rectangle hold one of some other symbols between them, and form a naked subset with others",
    description: "Two cells of a unique rectangle have only its two symbols, and the other two cells, which share a \
        row, column or block, have more. At least one of these two must hold one of the additional \
        symbols. So the two act together as a single cell with the additional symbols as candidates. If \
        this cell forms a naked pair, triple or quad with other cells of the unit, the remaining cells of \
        the unit lose these symbols.",
    example: Example::sudoku(
        "..8..45..96.....4...17...3..73.4....2....6..........7..5.6.9..26...1..5..1.5.24..",
    ),
    group: "uniqueness",
    // Two tenths above the other types, as in Sudoku Explainer: the subset has to be found as well.
    score: 47,
    is_rated: false,
    needs_uniqueness: true,
    reason: "because one of {cells} holds another symbol than the two of the rectangle, as the puzzle has one solution, and so {units} has {symbols} there",
    find: |finder| find(finder, of_rectangle),
};

fn of_rectangle(finder: &Finder<'_>, rectangle: Rectangle) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    let extras = rectangle.extras(finder);
    for (at, roof) in SIDES.iter().enumerate() {
        let floor = SIDES[at ^ 1];
        let is_plain = floor.iter().all(|&at| extras[at] == 0);
        let extra = extras[roof[0]] | extras[roof[1]];
        if !is_plain || roof.iter().any(|&at| extras[at] == 0) {
            continue;
        }
        let roof = roof.map(|at| rectangle.cells[at]);
        for number in geometry.units_with(&roof) {
            let unit = &geometry.units[usize::from(number)];
            let is_other = |cell: &u16| board.marks(*cell) != 0 && !roof.contains(cell);
            let cells: Vec<u16> = unit.cells.iter().copied().filter(is_other).collect();
            let masks: Vec<u32> = cells.iter().map(|&cell| board.marks(cell)).collect();
            for count in 1..=3 {
                let found = choose(&masks, count, count as u32 + 1, &mut |chosen, union| {
                    let symbols = union | extra;
                    if symbols.count_ones() != count as u32 + 1 {
                        return None;
                    }
                    let subset = Cells::of(chosen.iter().map(|&at| cells[at]));
                    let rest = unit.set & !subset & !Cells::of(roof);
                    let eliminates = finder.candidates(rest, symbols);
                    let mut because = finder.candidates_of(&rectangle.cells, !0);
                    because.extend(finder.candidates(subset, symbols));
                    finder.is_new(&eliminates).then(|| Deduction {
                        eliminates,
                        because,
                        units: vec![number],
                        ..Deduction::default()
                    })
                });
                if found.is_some() {
                    return found;
                }
            }
        }
    }
    None
}
