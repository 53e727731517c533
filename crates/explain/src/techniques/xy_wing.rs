//! XY-wing: a cell with the candidates x and y sees a cell with x and z and one with y and z. Whatever it holds, one of
//! the two holds z. So cells that see both lose z.

use crate::deduction::{Deduction, Node, Truth};
use crate::geometry::{Candidate, bit};
use crate::technique::{Example, Finder, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "XY-wing",
    about: "a cell xy sees a cell xz and a cell yz: one of them holds z, so cells that see both lose z",
    description: "A cell with the candidates X and Y, the pivot, sees a cell with X and Z and a cell with Y and Z. \
        If the pivot holds X, the first of them holds Z; if it holds Y, the second does. One of the two \
        holds Z in any case, so cells that see both lose Z.",
    example: Example::sudoku(
        "6.4...1.7..3...86.....8..458..34.....69..8.......92...9...37.543..92..8..5.......",
    ),
    group: "wings",
    score: 42,
    is_rated: true,
    needs_uniqueness: false,
    reason: "because whatever the pivot holds, one of the wings holds {eliminated}: {wing}",
    find,
};

fn find(finder: &mut Finder<'_>) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    let node = |cell, symbol, is_true| Node::of(Candidate { cell, symbol }, is_true);
    let pairs = finder.cells_with(2..=2);
    for &pivot in &pairs {
        let of_pivot = board.marks(pivot);
        let shares_one = |cell: &&u16| (board.marks(**cell) & of_pivot).is_power_of_two();
        let wings: Vec<u16> = pairs
            .iter()
            .filter(|&&cell| geometry.peers(pivot).has(cell))
            .filter(shares_one)
            .copied()
            .collect();
        for (at, &one) in wings.iter().enumerate() {
            for &other in &wings[at + 1..] {
                let [x, y] = [one, other].map(|wing| board.marks(wing) & of_pivot);
                let z = board.marks(one) & !of_pivot;
                if x == y || z != board.marks(other) & !of_pivot {
                    continue;
                }
                let [x, y, symbol] = [x, y, z].map(|one| one.trailing_zeros() as u8 + 1);
                let seen = geometry.peers(one) & geometry.peers(other);
                let eliminates = finder.candidates(seen, bit(symbol));
                if finder.is_new(&eliminates) {
                    let cells = [pivot, one, other];
                    return Some(Deduction {
                        eliminates,
                        because: finder.candidates_of(&cells, !0),
                        chains: vec![vec![
                            node(one, symbol, false),
                            node(one, x, true),
                            node(pivot, x, false),
                            node(pivot, y, true),
                            node(other, y, false),
                            node(other, symbol, true),
                        ]],
                        truths: cells.map(Truth::Cell).to_vec(),
                        ..Deduction::default()
                    });
                }
            }
        }
    }
    None
}
