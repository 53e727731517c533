//! AIC, alternating inference chain: a chain of candidates in which each is false if the one before is true, or true if
//! the one before is false. (See [`links`](super::links).)

use super::links::{self, Links};
use crate::technique::{Example, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "AIC",
    about: "alternating inference chain, of any cells and symbols: its first or its last candidate is true",
    description: "An alternating inference chain joins candidates of any cells and symbols. A strong link says that \
        if the first candidate is false, the second is true: a cell with two candidates, or a unit with \
        two places for a symbol. A weak link says that if the first is true, the second is false. Strong \
        and weak links alternate, so the first or the last candidate of the chain is true, and what both \
        of them exclude is eliminated.",
    example: Example::sudoku(
        "..732.9.5.....5...9..14..3..6...285.7.......6....9..7.2.9..4..3....1.....1.2.97.8",
    ),
    group: "chains",
    score: 67,
    is_rated: true,
    needs_uniqueness: false,
    reason: "because one end of the chain is true: {chains}",
    find: |finder| links::find(finder, Links::All),
};
