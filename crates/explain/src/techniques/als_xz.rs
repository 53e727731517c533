//! ALS-XZ: two almost locked sets with a symbol in common that only one of them can hold. (See
//! [`grouped_chain`](super::grouped_chain).)

use super::grouped_chain;
use super::known;
use super::nodes::Scope;
use crate::deduction::Deduction;
use crate::technique::{Example, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "ALS-XZ",
    about: "two almost locked sets share x, which only one can hold, so one holds z, and cells that see all its z lose it",
    description: "An almost locked set is a number of cells of a row, column or block with one candidate more than \
        there are cells. If it loses one of its symbols, it must hold all the others. Two such sets both \
        have the symbols X and Z, and all their cells with X see each other, so only one of the sets can \
        hold X. The other set lacks X and therefore holds Z. A cell that sees all cells with Z of both \
        sets loses Z.",
    example: Example::sudoku(
        ".....6.4..63.4.5..2....39.15.6.38.1..789.1..............5.1...9.3.7....6.1.....5.",
    ),
    group: "groups",
    // Above the alternating inference chain: the sets have to be found first. Two links, so there is no long chain.
    score: 69,
    is_rated: false,
    needs_uniqueness: false,
    reason: "because one of the almost locked sets {sets} holds {eliminated}: {chains}",
    find: |finder| {
        let found = grouped_chain::find(finder, Scope::Sets, 2)?;
        Some(Deduction { known_as: known::of_sets(&found), ..found })
    },
};
