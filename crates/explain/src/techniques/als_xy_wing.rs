//! ALS-XY-wing: a chain of three almost locked sets. (See [`grouped_chain`](super::grouped_chain).)

use super::grouped_chain;
use super::nodes::Scope;
use crate::technique::{Example, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "ALS-XY-wing",
    about: "an almost locked set shares x with a second one and y with a third: one of these two holds z",
    description: "This is an XY-wing in which almost locked sets take the place of cells. The pivot shares the \
        symbol X with one set and Y with another, and in each case only one of the two can hold it. The \
        pivot lacks at most one symbol, so it holds X or Y. Then one of the other two sets lacks its \
        shared symbol and holds Z. Cells that see all cells with Z of both lose Z.",
    example: Example::sudoku(
        ".39.7861........8..1.3..94.5......7.3...2..9.....613..72..9...4.4...7...9......6.",
    ),
    group: "groups",
    // As ALS-XZ, with a third set.
    score: 72,
    is_rated: false,
    needs_uniqueness: false,
    reason: "because the first or the last of the almost locked sets {sets} holds {eliminated}: {chains}",
    find: |finder| grouped_chain::find(finder, Scope::Sets, 3),
};
