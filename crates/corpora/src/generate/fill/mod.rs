//! Random full grids.
//!
//! - `nine`: the 9x9 sudoku, each grid as likely as any other; `ways` has its tables, `plain` is its obvious version;
//! - `items`: all other rules made of units, by a search from the empty grid with random choices;
//! - `seeded`: rules with pairs, by an engine from some random symbols;
//! - `drawn`: problems, each solution as likely as any other if their diagram is small.

mod drawn;
mod items;
mod nine;
#[cfg(test)]
mod plain;
mod seeded;
mod ways;

use super::Recipe;
use crate::chance::Chance;
use crate::engine::Unsupported;
use crate::grid::Rules;
use drawn::Drawn;
use items::Items;
use seeded::Seeded;

/// Makes random full grids of some rules.
pub(super) enum Filler {
    Nine,
    Items(Box<Items>),
    Seeded(Box<Seeded>),
    Drawn(Box<Drawn>),
}

impl Filler {
    pub(super) fn new(recipe: &Recipe) -> Result<Filler, Unsupported> {
        match &recipe.drawer {
            Some(drawer) => Ok(Filler::Drawn(Box::new(Drawn::new(drawer.clone())))),
            None => Filler::of_grids(&recipe.rules),
        }
    }

    pub(super) fn of_grids(rules: &Rules) -> Result<Filler, Unsupported> {
        if rules.choices().is_some() {
            let (accepts, rules) = ("problems whose solutions can be drawn", rules.name().to_owned());
            return Err(Unsupported::Rules { accepts, rules });
        }
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
            Filler::Drawn(drawn) => drawn.fill(grid, chance),
        }
    }
}
