//! AIC with ALS: an alternating inference chain through groups and almost locked sets. (See
//! [`grouped_chain`](super::grouped_chain).)

use super::grouped_chain;
use super::nodes::Scope;
use crate::technique::{Example, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "AIC with ALS",
    about: "an alternating inference chain whose links may be almost locked sets: without one symbol, a set holds the others",
    description: "This is an alternating inference chain with one more kind of strong link. An almost locked set is \
        a number of cells of a row, column or block with one candidate more than there are cells. If none \
        of its cells holds a certain symbol, it holds each of its other symbols. So its places of the one \
        symbol and its places of the other are two nodes with a strong link. The first or the last node of \
        the chain is true, and what both of them exclude is eliminated.",
    example: Example::sudoku(
        "1..23...7.8...5.....2.....9.6...7..3...3........864.7......2.8.47.65..1...8...96.",
    ),
    group: "groups",
    // Above all other chains, and below forcing chains, in which several branches are followed.
    score: 74,
    is_rated: false,
    needs_uniqueness: false,
    reason: "because one end of the chain is true, by the almost locked sets {sets}: {chains}",
    find: |finder| grouped_chain::find(finder, Scope::All, usize::MAX),
};
