//! Grouped X-chain: a chain of one symbol whose nodes may be groups. (See
//! [`grouped_chain`](super::grouped_chain).)

use super::grouped_chain;
use super::known;
use super::nodes::Scope;
use crate::deduction::Deduction;
use crate::technique::{Example, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "grouped X-chain",
    about: "an X-chain whose nodes may be two or three cells of a block in a line, such as an empty rectangle",
    description: "This is an X-chain, but a node of the chain may be a group: the two or three cells of a row or \
        column in one block that may hold the symbol. A group is true if one of its cells holds the \
        symbol. A row, column or block whose places for the symbol are a cell and a group, or two groups, \
        joins them: if one does not hold the symbol, the other does. One end of the chain is true, so \
        cells that see all cells of both ends lose the symbol. An empty rectangle is the shortest such \
        chain.",
    example: Example::sudoku(
        ".39...64...8....534...1.........7....2.....878.5.2.4.......82.....24.56..9..56...",
    ),
    group: "groups",
    // A tenth or two above the chain of single cells: a group is harder to see.
    score: 67,
    is_rated: false,
    needs_uniqueness: false,
    reason: "because one end of the chain is true: {chains}",
    find: |finder| {
        let found = grouped_chain::find(finder, Scope::Symbol, usize::MAX)?;
        Some(Deduction { known_as: known::of_symbol_chain(finder.geometry, &found), ..found })
    },
};
