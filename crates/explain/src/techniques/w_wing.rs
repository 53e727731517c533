//! W-wing: two cells have the same two candidates x and y, and a unit has x only in two cells, one that sees each of
//! them. If neither of the two held y, both would hold x, and the unit would have no cell for x. So cells that see both
//! lose y.

use crate::deduction::{Deduction, Node, Truth};
use crate::geometry::{Candidate, bit, each, places};
use crate::technique::{Example, Finder, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "W-wing",
    about: "two cells xy, and a unit whose two cells for x see one each: one cell holds y, so cells that see both lose y",
    description: "Two cells have the same two candidates X and Y but need not see each other. In some row, column or \
        block, X can go only in two cells, and each of these sees one of the two. The two cannot both hold \
        X, because the unit would have no place left for it. So at least one of them holds Y, and cells \
        that see both lose Y.",
    example: Example::sudoku(
        ".1.5..38..2.....4...641.2......4..5.......86..5..98..4...13.....42.6...9..1...63.",
    ),
    group: "wings",
    score: 44,
    is_rated: true,
    needs_uniqueness: false,
    reason: "because one of the wings holds {eliminated}: both see a cell of {units}, one of which holds their other symbol: {chains}",
    find,
};

fn find(finder: &mut Finder<'_>) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    let node = |cell, symbol, is_true| Node::of(Candidate { cell, symbol }, is_true);
    let pairs = finder.cells_with(2..=2);
    for (at, &one) in pairs.iter().enumerate() {
        let marks = board.marks(one);
        for &other in pairs[at + 1..].iter().filter(|&&other| board.marks(other) == marks) {
            for y in each(marks) {
                let seen = geometry.peers(one) & geometry.peers(other);
                let eliminates = finder.candidates(seen, bit(y));
                if !finder.is_new(&eliminates) {
                    continue;
                }
                let x = each(marks & !bit(y)).next()?;
                for (number, unit) in geometry.units.iter().enumerate() {
                    let ends = board.places(number, x);
                    if ends.count_ones() != 2 || unit.set.has(one) || unit.set.has(other) {
                        continue;
                    }
                    let ends: Vec<u16> = places(ends).map(|place| unit.cells[place]).collect();
                    let sees = |wing: u16, end: usize| geometry.peers(wing).has(ends[end]);
                    if !(sees(one, 0) && sees(other, 1) || sees(one, 1) && sees(other, 0)) {
                        continue;
                    }
                    // The end of each wing, in their order.
                    let [near, far] =
                        if sees(one, 0) && sees(other, 1) { [ends[0], ends[1]] } else { [ends[1], ends[0]] };
                    let mut because = finder.candidates_of(&[one, other], marks);
                    because.extend(finder.candidates_of(&ends, bit(x)));
                    return Some(Deduction {
                        eliminates,
                        because,
                        truths: vec![
                            Truth::Cell(one),
                            Truth::Cell(other),
                            Truth::Unit { unit: number as u16, symbol: x },
                        ],
                        units: vec![number as u16],
                        chains: vec![vec![
                            node(one, y, false),
                            node(one, x, true),
                            node(near, x, false),
                            node(far, x, true),
                            node(other, x, false),
                            node(other, y, true),
                        ]],
                        ..Deduction::default()
                    });
                }
            }
        }
    }
    None
}
