//! Random full grids.
//!
//! - `nine`: the 9x9 sudoku, each grid as likely as any other; `ways` has its tables, `plain` is its obvious version;
//! - `items`: all other rules made of units, by a search from the empty grid with random choices;
//! - `seeded`: rules with pairs, by an engine from some random symbols.

mod items;
mod nine;
#[cfg(test)]
mod plain;
mod seeded;
mod ways;

use crate::chance::Chance;
use crate::engine::Unsupported;
use crate::grid::Rules;
use items::Items;
use seeded::Seeded;

/// Makes random full grids of some rules.
pub(super) enum Filler {
    Nine,
    Items(Box<Items>),
    Seeded(Box<Seeded>),
}

impl Filler {
    pub(super) fn new(rules: &Rules) -> Result<Filler, Unsupported> {
        let grid = rules.grid();
        Ok(match grid.has_only_units() {
            true if grid.is_nine() => Filler::Nine,
            true => Filler::Items(Box::new(Items::new(grid))),
            false => Filler::Seeded(Box::new(Seeded::new(rules)?)),
        })
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
            Filler::Seeded(seeded) => seeded.fill(grid, chance),
        }
    }
}
