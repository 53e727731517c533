//! Singles only, and never a guess: what a person can fill in without pencil marks.
//!
//! Two rules (Frederick's explicit and implicit singles), in turns until neither finds a cell:
//!
//! ```text
//! explicit   a cell that only one value fits                       naked single
//! implicit   a value that fits one cell only of a row, column or block    hidden single
//! ```
//! A value fits a cell while no unit of the cell holds it. This solves most newspaper puzzles; all others are left
//! stuck, with the cells that were found. A cell that no value fits, or a missing value that fits no cell of a unit, is
//! a contradiction: the puzzle has no solution. A finished grid is the only solution, since every value in it was
//! forced.
//!
//! The result does not depend on the order, since a forced value stays forced when others are filled in. So
//! [`candidates`](galop_engines::grid::candidates) settles the same cells.
//!
//! ```text
//! cells         as filled so far, 0 open        used[unit]   bit symbol - 1: the unit holds the symbol
//! ```

use super::fewest::{self, all_symbols, bit, is_settled};
use galop_engines::engine::{Contradiction, Each, Engine, Entry, Isa, Search, Unsupported};
use galop_engines::grid::{Grid, Rules};
use galop_engines::puzzle::{Answer, Limits};

pub(crate) const ENTRY: Entry = Entry {
    about: "explicit and implicit singles only, no guess: may be stuck",
    // It never guesses, so it never reaches a limit.
    max_guesses: 0,
    may_be_stuck: true,
    accepts: fewest::accept,
    ..Entry::new("logic", make)
};

fn make(rules: &Rules, _isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    let (grid, all) = (rules.grid().clone(), all_symbols(rules)?);
    let (cells, used) = (vec![0; grid.cells()], vec![0; grid.units().len()]);
    Ok(Box::new(Each(Logic { grid, all, cells, used, open: 0 })))
}

struct Logic {
    grid: Grid,
    all: u64,
    cells: Vec<u8>,
    used: Vec<u64>,
    /// Cells that are not filled.
    open: usize,
}

impl Search for Logic {
    fn cells(&self) -> usize {
        self.cells.len()
    }

    fn search(&mut self, puzzle: &[u8], _limits: Limits, solution: &mut [u8]) -> Answer {
        if self.put_clues(puzzle).and_then(|()| self.fill()).is_err() {
            return Answer::complete(0);
        }
        solution.copy_from_slice(&self.cells);
        if self.open > 0 { Answer::stuck() } else { Answer::complete(1) }
    }
}

impl Logic {
    /// Starts anew with the clues.
    fn put_clues(&mut self, puzzle: &[u8]) -> Result<(), Contradiction> {
        self.cells.fill(0);
        self.used.fill(0);
        self.open = self.cells.len();
        for (cell, &symbol) in puzzle.iter().enumerate().filter(|&(_, &symbol)| symbol != 0) {
            if self.fitting(cell) & bit(symbol) == 0 {
                return Err(Contradiction);
            }
            self.put(cell, bit(symbol));
        }
        Ok(())
    }

    /// Both rules until they find no cell.
    fn fill(&mut self) -> Result<(), Contradiction> {
        let mut before = usize::MAX;
        while self.open < before {
            before = self.open;
            self.explicit()?;
            self.implicit()?;
        }
        Ok(())
    }

    /// Fills the cells that only one value fits.
    fn explicit(&mut self) -> Result<(), Contradiction> {
        for cell in 0..self.cells.len() {
            if self.cells[cell] == 0 {
                let fitting = self.fitting(cell);
                if fitting == 0 {
                    return Err(Contradiction);
                }
                if is_settled(fitting) {
                    self.put(cell, fitting);
                }
            }
        }
        Ok(())
    }

    /// Places the values that fit only one cell of a unit.
    fn implicit(&mut self) -> Result<(), Contradiction> {
        for unit in 0..self.grid.units().len() {
            let (mut once, mut twice) = (0, 0);
            for fitting in self.open_cells(unit).map(|cell| self.fitting(cell)) {
                twice |= once & fitting;
                once |= fitting;
            }
            if once | self.used[unit] != self.all {
                return Err(Contradiction);
            }
            let mut single = once & !twice;
            while single != 0 {
                let value = single & single.wrapping_neg();
                single ^= value;
                // It may have no place any more: another value may just have taken the cell.
                let cell = self.open_cells(unit).find(|&cell| self.fitting(cell) & value != 0);
                self.put(cell.ok_or(Contradiction)?, value);
            }
        }
        Ok(())
    }

    fn open_cells(&self, unit: usize) -> impl Iterator<Item = usize> {
        self.grid.units()[unit].iter().copied().filter(|&cell| self.cells[cell] == 0)
    }

    /// The values that no unit of `cell` holds yet.
    fn fitting(&self, cell: usize) -> u64 {
        self.all & !self.grid.units_of(cell).iter().fold(0, |used, &unit| used | self.used[unit])
    }

    fn put(&mut self, cell: usize, value: u64) {
        self.cells[cell] = value.trailing_zeros() as u8 + 1;
        self.open -= 1;
        for &unit in self.grid.units_of(cell) {
            self.used[unit] |= value;
        }
    }
}
