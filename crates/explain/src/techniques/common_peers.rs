//! Common peers: every place of a symbol in a unit, or every candidate of a cell, excludes the same other candidate.
//!
//! ```text
//! anti-knight                       non-consecutive
//! . . x . .                         a cell with 3 and 5: its neighbours lose 4
//! 5 . . . 5     the 5 of this row is in one of two cells, and each excludes x
//! ```
//! In grids of rows, columns and blocks pointing and claiming find the same, so it is for the others. (Solvers of
//! variants call it common peer elimination, CPE.)

use crate::deduction::{Deduction, Truth};
use crate::geometry::{Candidate, each, places};
use crate::technique::{Example, Finder, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "common peers",
    about: "every place of a symbol in a unit, or every candidate of a cell, excludes the same candidate",
    description: "One of some candidates is true: those of a cell, or the places of a symbol in a unit. If each of \
        them excludes the same other candidate, that one is false whichever is true. In a plain sudoku \
        this is only pointing and claiming; it matters where cells see each other by other rules, such as \
        a knight's move.",
    example: Example {
        kind: "anti-knight",
        puzzle: ".7834.2..14..5.673.5..7.84.......3.4..7...5.2..3.651..76..24..8...537..........5.",
    },
    group: "locked",
    score: 28,
    is_rated: true,
    needs_uniqueness: false,
    reason: "because every way to place {symbols} in {cells} excludes what is eliminated",
    find,
};

fn find(finder: &mut Finder<'_>) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    if geometry.grid.has_only_units() && geometry.units.len() <= 3 * geometry.side {
        return None;
    }
    let in_units = geometry.units.iter().enumerate().flat_map(|(number, unit)| {
        each(board.open(geometry, number)).map(move |symbol| {
            let cells = places(board.places(number, symbol)).map(|place| unit.cells[place]);
            let one_of: Vec<Candidate> = cells.map(|cell| Candidate { cell, symbol }).collect();
            (Truth::Unit { unit: number as u16, symbol }, one_of)
        })
    });
    let in_cells = finder.cells_with(2..=u32::MAX).into_iter().map(|cell| {
        (Truth::Cell(cell), each(board.marks(cell)).map(|symbol| Candidate { cell, symbol }).collect())
    });
    in_units.chain(in_cells).find_map(|(truth, one_of)| {
        let (first, others) = one_of.split_first().filter(|(_, others)| !others.is_empty())?;
        let is_excluded = |candidate: &Candidate| {
            board.has(*candidate) && others.iter().all(|other| geometry.excludes(*other, *candidate))
        };
        let eliminates: Vec<Candidate> = geometry.excluded_by(*first).filter(is_excluded).collect();
        finder.is_new(&eliminates).then(|| Deduction {
            eliminates,
            because: one_of.clone(),
            truths: vec![truth],
            ..Deduction::default()
        })
    })
}
