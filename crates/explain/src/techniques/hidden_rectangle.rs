//! Hidden rectangle: a cell of the rectangle holds only the two symbols, and one of these has only places of the
//! rectangle in the row and in the column of the cell across. If that cell held the other symbol, the rectangle would
//! hold only the two.
//!
//! ```text
//! ab   ab+    the row and the column of the last cell have a only here;
//! ab+  ab+    if it held b, its neighbours would hold a and the first cell b; so it loses b
//! ```

use super::rectangles::{Rectangle, find};
use crate::deduction::Deduction;
use crate::geometry::{bit, each};
use crate::technique::{Example, Finder, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "hidden rectangle",
    about: "a cell of a rectangle has two symbols, and strong links of one meet in the cell across, which loses the other",
    description: "One cell of a unique rectangle has only its two symbols A and B. In the row and in the column of \
        the cell across, A has no other places than the cells of the rectangle. If the cell across held B, \
        both of its neighbours in the rectangle would hold A, and the first cell would hold B. Then the \
        rectangle would hold only its two symbols, so the cell across loses B.",
    example: Example::sudoku(
        "....571.99.........7...4....4.5....8.5..69...1...48..77...3..4...8...6.2.1..7..9.",
    ),
    group: "uniqueness",
    // Above the other unique rectangles: three cells may have more candidates, which hide the rectangle.
    score: 48,
    is_rated: false,
    needs_uniqueness: true,
    reason: "because {cells} could exchange two symbols otherwise, as {units} have the other one only there, and the puzzle has one solution",
    find: |finder| find(finder, of_rectangle),
};

fn of_rectangle(finder: &Finder<'_>, rectangle: Rectangle) -> Option<Deduction> {
    let (geometry, board, cells) = (finder.geometry, finder.board, rectangle.cells);
    let (extras, side) = (rectangle.extras(finder), geometry.side);
    for plain in (0..4).filter(|&at| extras[at] == 0) {
        let across = usize::from(cells[3 - plain]);
        let lines = [across / side, side + across % side];
        for symbol in each(rectangle.symbols) {
            if !lines.iter().all(|&line| board.places(line, symbol).count_ones() == 2) {
                continue;
            }
            let eliminates = finder.candidates_of(&[across as u16], rectangle.symbols & !bit(symbol));
            if finder.is_new(&eliminates) {
                return Some(Deduction {
                    eliminates,
                    because: finder.candidates_of(&cells, rectangle.symbols),
                    units: lines.map(|line| line as u16).to_vec(),
                    ..Deduction::default()
                });
            }
        }
    }
    None
}
