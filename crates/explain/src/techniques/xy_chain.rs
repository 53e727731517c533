//! XY-chain: a chain of cells with two candidates. (See [`links`](super::links).)

use super::known;
use super::links::{self, Links};
use crate::deduction::Deduction;
use crate::technique::{Example, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "XY-chain",
    about: "a chain of cells with two candidates each: its first or its last candidate is true",
    description: "Every cell of the chain has two candidates, and each cell sees the next one and shares a symbol \
        with it. If the first cell does not hold a certain symbol, it holds its other one, the next cell \
        holds its other one, and so on to the end of the chain. If the last cell must hold the symbol \
        then, one of the two ends holds it in any case. Cells that see both ends lose it.",
    example: Example::sudoku(
        "2...576...5......1..8.1..2543..71.5.1.....2.9.......3..2..3..9...4..8.......497..",
    ),
    group: "chains",
    score: 66,
    is_rated: true,
    needs_uniqueness: false,
    reason: "because one end of the chain is true: {chains}",
    find: |finder| {
        let found = links::find(finder, Links::Cells)?;
        Some(Deduction { known_as: known::of_pair(finder, &found), ..found })
    },
};
