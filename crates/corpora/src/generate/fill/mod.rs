//! Random full grids.
//!
//! - `nine`: the 9x9 sudoku, each grid as likely as any other; `ways` has its tables, `plain` is its obvious version;
//! - `items`: all other rules, by a search from the empty grid with random choices.

mod items;
mod nine;
#[cfg(test)]
mod plain;
mod ways;

use crate::chance::Chance;
use crate::grid::Grid;
use items::Items;

/// Makes random full grids of some rules.
pub(super) enum Filler {
    Nine,
    Items(Box<Items>),
}

impl Filler {
    pub(super) fn new(grid: &Grid) -> Filler {
        if grid.is_nine() { Filler::Nine } else { Filler::Items(Box::new(Items::new(grid))) }
    }

    /// Overwrites `grid` with a random full grid. Returns false if none was found within a bound, because the rules
    /// may not allow any grid.
    pub(super) fn fill(&mut self, grid: &mut [u8], chance: &mut Chance) -> bool {
        match self {
            Filler::Nine => {
                grid.copy_from_slice(&nine::full_grid(chance));
                true
            }
            Filler::Items(items) => items.fill(grid, chance),
        }
    }
}
