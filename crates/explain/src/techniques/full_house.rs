//! Full house: a unit has one blank cell, which holds the last symbol.

use crate::deduction::{Deduction, Truth};
use crate::geometry::{Candidate, each};
use crate::technique::{Example, Finder, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "full house",
    about: "one cell of a unit is blank: it holds the last symbol",
    description: "A row, column or block in which only one cell is blank is called a full house. Every symbol occurs \
        once in it, so the blank cell holds the one that is missing.",
    example: Example::sudoku(
        "2.86.....3...7.8.5..5..2....3..2..141.......9..416...34.....3..5....8....6...795.",
    ),
    group: "singles",
    score: 10,
    is_rated: true,
    needs_uniqueness: false,
    reason: "the last cell of {units}",
    find,
};

fn find(finder: &mut Finder<'_>) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    for (number, unit) in geometry.units.iter().enumerate() {
        let open = board.open(geometry, number);
        if !open.is_power_of_two() {
            continue;
        }
        let symbol = each(open).next()?;
        let value = |cell: u16| board.values[usize::from(cell)];
        let Some(&cell) = unit.cells.iter().find(|&&cell| value(cell) == 0 && board.marks(cell) & open != 0)
        else {
            continue;
        };
        if !finder.is_new(&[Candidate { cell, symbol }]) {
            continue;
        }
        let others = unit.cells.iter().filter(|&&other| other != cell);
        return Some(Deduction {
            places: vec![Candidate { cell, symbol }],
            because: others.map(|&cell| Candidate { cell, symbol: value(cell) }).collect(),
            truths: vec![Truth::Unit { unit: number as u16, symbol }],
            units: vec![number as u16],
            ..Deduction::default()
        });
    }
    None
}
