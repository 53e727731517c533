//! X-chain: a chain of one symbol. (See [`links`](super::links).)

use super::known;
use super::links::{self, Links};
use crate::deduction::Deduction;
use crate::technique::{Example, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "X-chain",
    about: "a chain of cells for one symbol: its first or its last cell holds it, so cells that see both lose it",
    description: "The chain goes from cell to cell with one symbol. From the first cell on, every second link joins \
        the only two places of the symbol in a unit: if one does not hold it, the other does. The links \
        between them join two cells that see each other: if one holds it, the other does not. So if the \
        first cell of the chain does not hold the symbol, the last one does, and cells that see both lose \
        it.",
    example: Example::sudoku(
        "2.36.......5.3...6.6.14..2.....19.4..3......9..98......21...5...8...426........78",
    ),
    group: "chains",
    score: 65,
    is_rated: true,
    needs_uniqueness: false,
    reason: "because one end of the chain is true: {chains}",
    find: |finder| {
        let found = links::find(finder, Links::Symbol)?;
        let known_as =
            known::of_pair(finder, &found).or_else(|| known::of_symbol_chain(finder.geometry, &found));
        Some(Deduction { known_as, ..found })
    },
};
