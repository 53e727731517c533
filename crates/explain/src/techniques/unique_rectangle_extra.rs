//! Unique rectangle type 5: all cells of the rectangle with more than the two symbols have the same third one. One of
//! them holds it, so cells that see all of them lose it. (If they are two beside each other, it is type 2.)
//!
//! ```text
//! ab   abc    one of the two or three holds c
//! abc  ab
//! ```

use super::rectangles::{Rectangle, find};
use crate::deduction::Deduction;
use crate::technique::{Example, Finder, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "unique rectangle type 5",
    about: "two or three cells of a rectangle have the same third symbol: one holds it, so cells that see all lose it",
    description: "In a unique rectangle, two cells on a diagonal, or three of the four cells, have the same third \
        symbol besides the two of the rectangle. The rectangle may not hold only its two symbols, so one \
        of these cells holds the third. A cell that sees all of them loses it.",
    example: Example::sudoku(
        ".......75.26....8..95..846....1.59....3......4.2.8..5...95....8.....76.4..489..2.",
    ),
    group: "uniqueness",
    // A tenth above the types in which the additional symbols are side by side.
    score: 46,
    is_rated: false,
    needs_uniqueness: true,
    reason: "because one of {cells} holds {eliminated}, as the puzzle is known to have one solution",
    find: |finder| find(finder, of_rectangle),
};

fn of_rectangle(finder: &Finder<'_>, rectangle: Rectangle) -> Option<Deduction> {
    let extras = rectangle.extras(finder);
    let all = extras.iter().fold(0, |all, extra| all | extra);
    if !all.is_power_of_two() {
        return None;
    }
    let with = rectangle.cells.into_iter().zip(extras).filter(|(_, extra)| *extra != 0).map(|(cell, _)| cell);
    let eliminates = finder.candidates(finder.geometry.see_all(with), all);
    let because = finder.candidates_of(&rectangle.cells, !0);
    finder.is_new(&eliminates).then(|| Deduction { eliminates, because, ..Deduction::default() })
}
