//! Naked single: a cell has one candidate.

use crate::deduction::{Deduction, Truth};
use crate::geometry::{Candidate, bit, each};
use crate::technique::{Example, Finder, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "naked single",
    about: "a cell has one candidate",
    description: "Every symbol but one is excluded from the cell, because it stands in the same row, column or \
        block. The cell holds the symbol that remains.",
    example: Example::sudoku(
        "2..3..1.7.......2.1.5...4.6...5....1..19..8.3.....67.....7.35....6.......84..9...",
    ),
    group: "singles",
    score: 23,
    is_rated: true,
    needs_uniqueness: false,
    reason: "no other symbol is left for the cell",
    find,
};

fn find(finder: &mut Finder<'_>) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    let single = |cell: u16| {
        let symbol = each(board.marks(cell)).next().filter(|_| board.marks(cell).is_power_of_two())?;
        finder.is_new(&[Candidate { cell, symbol }]).then_some((cell, symbol))
    };
    let (cell, symbol) = (0..board.marks.len() as u16).find_map(single)?;
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
