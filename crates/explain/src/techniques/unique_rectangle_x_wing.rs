//! Unique rectangle type 6: two cells on a diagonal hold only the two symbols, and one of these forms an X-wing in the
//! rectangle.
//!
//! ```text
//! ab   ab+    if both rows (or both columns) have a only here, a is on a diagonal; on the one of the cells with
//! ab+  ab     more, the others would hold b, so these cells lose a
//! ```

use super::rectangles::{Rectangle, find};
use crate::deduction::Deduction;
use crate::geometry::{bit, each};
use crate::technique::{Example, Finder, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "unique rectangle type 6",
    about: "two cells on a diagonal have only two symbols, one of which is an X-wing: the other diagonal loses it",
    description: "Two cells on a diagonal of a unique rectangle have only its two symbols, and one of the symbols \
        has no other places in both rows or in both columns: it forms an X-wing. So this symbol fills one \
        of the diagonals. On the diagonal of the cells with more candidates, it would leave the second \
        symbol for the other diagonal, and the rectangle would hold only its two symbols. So it is \
        eliminated from these cells.",
    example: Example::sudoku(
        "...7...93.....35......812....1.3.4...724..8..6......5..4..28....1..4...5...517.8.",
    ),
    group: "uniqueness",
    // A tenth above the types in which the additional symbols are side by side.
    score: 46,
    is_rated: false,
    needs_uniqueness: true,
    reason: "because {eliminated} in {units} is only in {cells}, and there the symbols could be exchanged, but the puzzle has one solution",
    find: |finder| find(finder, of_rectangle),
};

fn of_rectangle(finder: &Finder<'_>, rectangle: Rectangle) -> Option<Deduction> {
    let (geometry, board, cells) = (finder.geometry, finder.board, rectangle.cells);
    let (extras, side) = (rectangle.extras(finder), geometry.side);
    for (plain, others) in [([0, 3], [1, 2]), ([1, 2], [0, 3])] {
        if plain.iter().any(|&at| extras[at] != 0) || others.iter().all(|&at| extras[at] == 0) {
            continue;
        }
        for symbol in each(rectangle.symbols) {
            let [first, last] = [usize::from(cells[0]), usize::from(cells[3])];
            for lines in [[first / side, last / side], [side + first % side, side + last % side]] {
                if !lines.iter().all(|&line| board.places(line, symbol).count_ones() == 2) {
                    continue;
                }
                let eliminates = finder.candidates_of(&others.map(|at| cells[at]), bit(symbol));
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
    }
    None
}
