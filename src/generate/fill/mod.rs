//! Random full grids: search from the empty grid, every choice by chance.
//!
//! - `nine`: the 9x9 sudoku by a plain rule;
//! - `items`: all other rules, by a finer one.

mod items;
mod nine;

use super::dice::Dice;
use crate::grid::Grid;
use items::Items;

/// What draws full grids of some rules.
pub(super) enum Filler {
    Nine,
    Items(Box<Items>),
}

impl Filler {
    pub(super) fn new(grid: &Grid) -> Filler {
        if grid.is_nine() { Filler::Nine } else { Filler::Items(Box::new(Items::new(grid))) }
    }

    /// Fills `grid`, of which nothing is read, with `dice`; false if that did not succeed within a bound, as the
    /// rules may allow no grid at all.
    pub(super) fn fill(&mut self, grid: &mut [u8], dice: &mut Dice) -> bool {
        match self {
            Filler::Nine => {
                grid.copy_from_slice(&nine::full_grid(dice));
                true
            }
            Filler::Items(items) => items.fill(grid, dice),
        }
    }
}
