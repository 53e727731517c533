//! Hidden single: a symbol has one cell in a unit.

use crate::deduction::{Deduction, Truth};
use crate::geometry::{Candidate, each};
use crate::technique::{Example, Finder, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "hidden single",
    about: "a symbol has one cell in a unit",
    description: "Choose a symbol and a row, column or block that lacks it. If the symbol is excluded from every \
        blank cell but one, because the others see the same symbol elsewhere, the remaining cell must hold \
        it. The cell may have many candidates, which hide the single.",
    example: Example::sudoku(
        "8..5.61.....7..4.....34..5.3..6.2..5.74.8.....2...7..65..9.4.6.....61..9.........",
    ),
    group: "singles",
    score: 15,
    is_rated: true,
    needs_uniqueness: false,
    reason: "the only cell for {placed} in {units}",
    find,
};

fn find(finder: &mut Finder<'_>) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    // Blocks first: people see them first.
    let lines = 2 * geometry.side;
    for number in (lines..geometry.units.len()).chain(0..lines) {
        let unit = &geometry.units[number];
        let single = |symbol: u8| {
            let places = board.places(number, symbol);
            let cell = places.is_power_of_two().then(|| unit.cells[places.trailing_zeros() as usize])?;
            finder.is_new(&[Candidate { cell, symbol }]).then_some((cell, symbol))
        };
        let Some((cell, symbol)) = each(board.open(geometry, number)).find_map(single) else { continue };
        // A filled cell for each blank cell that has lost the symbol to it.
        let mut because: Vec<Candidate> = Vec::new();
        for &other in &unit.cells {
            let lost = Candidate { cell: other, symbol };
            if other == cell || board.values[usize::from(other)] != 0 {
                continue;
            }
            if because.iter().any(|&seen| geometry.excludes(seen, lost)) {
                continue;
            }
            because.extend(board.excluder(geometry, lost));
        }
        because.sort_unstable();
        return Some(Deduction {
            places: vec![Candidate { cell, symbol }],
            because,
            truths: vec![Truth::Unit { unit: number as u16, symbol }],
            units: vec![number as u16],
            ..Deduction::default()
        });
    }
    None
}
