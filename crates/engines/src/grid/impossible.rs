//! Two clues that are in no solution together.

use super::inference::bit;
use super::{Fault, Grid};

impl Grid {
    /// Checks that no two clues clash: that no two of a unit are equal, nor two that must differ, and that none exclude
    /// each other.
    ///
    /// # Errors
    /// The first such pair.
    ///
    /// # Panics
    /// If there are fewer cells than the grid has.
    pub fn check_clues(&self, puzzle: &[u8]) -> Result<(), Fault> {
        for (number, unit) in self.units().iter().enumerate() {
            let clues = unit.iter().filter(|&&cell| puzzle[cell] != 0);
            let symbols = clues.clone().fold(0, |symbols, &cell| symbols | bit(puzzle[cell]));
            if clues.clone().count() == symbols.count_ones() as usize {
                continue;
            }
            let equal = |(at, &one): (usize, &usize)| {
                let mut later = unit[at + 1..].iter();
                later
                    .find(|&&other| puzzle[one] != 0 && puzzle[other] == puzzle[one])
                    .map(|&other| [one, other])
            };
            if let Some(cells) = unit.iter().enumerate().find_map(equal) {
                let (symbol, unit) = (puzzle[cells[0]], self.unit_name(number));
                return Err(Fault::Twice { symbol, unit, cells: cells.map(|cell| self.cell_name(cell)) });
            }
        }
        let is_clue = |&&[one, other]: &&[usize; 2]| puzzle[one] != 0 && puzzle[one] == puzzle[other];
        if let Some(&cells) = self.different().iter().find(is_clue) {
            let symbol = puzzle[cells[0]];
            return Err(Fault::Different { symbol, cells: cells.map(|cell| self.cell_name(cell)) });
        }
        let of = |candidates: &[usize; 2]| candidates.map(|candidate| self.cell_and_symbol(candidate));
        let are_clues = |pair: &[(usize, u8); 2]| pair.iter().all(|&(cell, symbol)| puzzle[cell] == symbol);
        if let Some(pair) = self.exclusive().iter().map(of).find(are_clues) {
            let cells = pair.map(|(cell, _)| self.cell_name(cell));
            return Err(Fault::Exclusive { symbols: pair.map(|(_, symbol)| symbol), cells });
        }
        Ok(())
    }
}
