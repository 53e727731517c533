//! Random full grids, by a search from the empty grid with random choices.
//!
//! - `nine`: the 9x9 sudoku, by a simple rule;
//! - `items`: all other rules, by a finer one.

mod items;
mod nine;

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
