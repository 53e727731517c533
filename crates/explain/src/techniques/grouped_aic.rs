//! Grouped AIC: an alternating inference chain whose nodes may be groups. (See
//! [`grouped_chain`](super::grouped_chain).)

use super::grouped_chain;
use super::nodes::Scope;
use crate::technique::{Example, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "grouped AIC",
    about: "an alternating inference chain whose nodes may be two or three cells of a block in a line",
    description: "This is an alternating inference chain in which a node may be a group: the two or three cells of a \
        row or column in one block that may hold a symbol. A group is true if one of its cells holds the \
        symbol. It is false if a cell that sees all of them holds it. As in every such chain, strong and \
        weak links alternate, so the first or the last node is true, and what both of them exclude is \
        eliminated.",
    example: Example::sudoku(
        "6.97.24..15..8.......19.....25...1..93....82.8.......3..4....1....8...7....5.62..",
    ),
    group: "groups",
    // Three tenths above the chain of single candidates: every group is one more thing to see.
    score: 70,
    is_rated: false,
    needs_uniqueness: false,
    reason: "because one end of the chain is true: {chains}",
    find: |finder| grouped_chain::find(finder, Scope::Groups, usize::MAX),
};
