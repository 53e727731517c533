//! XYZ-wing: a cell with the candidates x, y and z sees a cell with x and z and one with y and z. One of the three
//! holds z. So cells that see all three lose z.

use crate::deduction::{Deduction, Truth};
use crate::geometry::{bit, each};
use crate::technique::{Example, Finder, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "XYZ-wing",
    about: "a cell xyz sees a cell xz and a cell yz: one of the three holds z, so cells that see all lose z",
    description: "A cell with the candidates X, Y and Z, the pivot, sees a cell with X and Z and a cell with Y and \
        Z. If the pivot holds X or Y, one of the other two holds Z; otherwise the pivot holds it. So a \
        cell that sees all three loses Z.",
    example: Example::sudoku(
        "...8.1.........461....46.891..72..9...6.34..5........853.....7...41....22.9.5....",
    ),
    group: "wings",
    score: 44,
    is_rated: true,
    needs_uniqueness: false,
    reason: "because the pivot or one of the wings holds {eliminated}: {wing}",
    find,
};

fn find(finder: &mut Finder<'_>) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    let pairs = finder.cells_with(2..=2);
    for pivot in finder.cells_with(3..=3) {
        let is_part = |cell: &&u16| board.marks(**cell) & !board.marks(pivot) == 0;
        let wings: Vec<u16> =
            pairs.iter().filter(|&&cell| geometry.peers(pivot).has(cell)).filter(is_part).copied().collect();
        for (at, &one) in wings.iter().enumerate() {
            for &other in &wings[at + 1..] {
                let z = board.marks(one) & board.marks(other);
                if !z.is_power_of_two() {
                    continue;
                }
                let symbol = each(z).next()?;
                let cells = [pivot, one, other];
                let eliminates = finder.candidates(geometry.see_all(cells), bit(symbol));
                if finder.is_new(&eliminates) {
                    return Some(Deduction {
                        eliminates,
                        because: finder.candidates_of(&cells, !0),
                        truths: cells.map(Truth::Cell).to_vec(),
                        ..Deduction::default()
                    });
                }
            }
        }
    }
    None
}
