//! Claiming: within a line, a symbol has cells only in one block. So it is in that block's part of the line, and not in
//! the rest of the block.

use super::pointing::find_locked;
use crate::deduction::Deduction;
use crate::technique::{Example, Finder, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "claiming",
    about: "locked candidates: the cells of a symbol in a line are in one block, so the rest of the block loses it",
    description: "All cells of a row or column that may hold a symbol lie in the same block. The row or column needs \
        the symbol, so one of these cells holds it. The other cells of the block lose it.",
    example: Example::sudoku(
        ".5.72.18.2..........9.1..267.5..1......9857...9.......63..9...8.....3.4....8.4..3",
    ),
    group: "locked",
    score: 28,
    is_rated: true,
    needs_uniqueness: false,
    reason: "because all places of {symbols} in {units} are in {covers}",
    find,
};

fn find(finder: &mut Finder<'_>) -> Option<Deduction> {
    find_locked(finder, 0..2 * finder.geometry.side)
}
