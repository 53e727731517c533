//! Cell by cell: the obvious solver, kept as the oracle of the others.
//!
//! Walk the blank cells in reading order. Put into each, in turn, every symbol that no unit of it holds yet, and go on
//! with the next cell; when nothing fits, go back. There is no propagation and no choice of cell, so there is little to
//! get wrong. (Many authors have written it in sixteen lines of Python; it is slow on puzzles whose first rows are
//! empty.)
//!
//! The search has two names. `backtrack` is its way back when nothing fits. `satisfy` is its way forward. The recursion
//! of that name (Vinay's sixteen lines) puts a value that the rules permit into the next blank cell, asks whether the
//! rest can be satisfied, and tries the next value if not.
//!
//! It counts the calls of `satisfy`: one for each cell that it comes to, clues included, the first cell at depth 0. The
//! program as it was printed differs in two places, which are slips. It starts at the first cell of the second row, so
//! that blanks of the first row stay blank. And the next cell of the last one is the first one: if the last cell is
//! blank, a finished grid is walked once more, with 81 calls that find nothing to do. These calls are not counted.
//!
//! ```text
//! used[unit]   bit symbol - 1 is set while a cell of the unit holds the symbol
//! ```

use std::ops::ControlFlow;

use super::account::Account;
use super::{Each, Engine, Entry, Isa, Search, Unsupported};
use crate::grid::inference::taken;
use crate::grid::{Grid, Rules};
use crate::puzzle::{Answer, Limits};

pub(super) const ENTRY: Entry = Entry {
    alias: Some("satisfy"),
    about: "cell by cell in reading order, permitted values only, no inference: the obvious oracle, slow",
    // To the proof: 160 puzzles of 17 clues took 7 * 10^6 on average, 8.4 * 10^7 at most; the one made against
    // this order (Wikipedia, "Sudoku solving algorithms") 2.1 * 10^7. By the spread of these, one in 49,151 needs
    // about 10^9. The limit takes minutes to reach: this engine is an oracle, not meant for batches.
    max_guesses: 10_000_000_000,
    counts_calls: true,
    lists: true,
    accepts: accept,
    ..Entry::new("backtrack", make)
};

/// Accepts the rules if a word has a bit for each symbol.
fn accept(rules: &Rules) -> Result<(), Unsupported> {
    match rules.grid().symbols() {
        1..=64 => Ok(()),
        _ => {
            Err(Unsupported::Rules { accepts: "grids of at most 64 symbols", rules: rules.name().to_owned() })
        }
    }
}

fn make(rules: &Rules, _isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    accept(rules)?;
    let grid = rules.grid().clone();
    let (cells, used) = (vec![0; grid.cells()], vec![0; grid.units().len()]);
    Ok(Box::new(Each(Backtrack { grid, cells, used })))
}

struct Backtrack {
    grid: Grid,
    /// The cells as filled so far.
    cells: Vec<u8>,
    used: Vec<u64>,
}

impl Search for Backtrack {
    fn cells(&self) -> usize {
        self.cells.len()
    }

    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer {
        self.run(puzzle, Account::new(limits, solution))
    }

    fn list(
        &mut self,
        puzzle: &[u8],
        limits: Limits,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> bool {
        let _ = self.run(puzzle, Account::listing(limits, &mut vec![0; self.cells.len()], visit));
        true
    }
}

impl Backtrack {
    fn run(&mut self, puzzle: &[u8], mut account: Account<'_>) -> Answer {
        if self.put_clues(puzzle) {
            // A break needs nothing more: the account knows the limit that was reached.
            let _ = self.fill(0, &mut account);
        }
        account.close()
    }

    /// Starts with the clues; `false` if they contradict each other or are not symbols of the rules.
    fn put_clues(&mut self, puzzle: &[u8]) -> bool {
        self.cells.fill(0);
        self.used.fill(0);
        puzzle.iter().enumerate().filter(|&(_, &symbol)| symbol != 0).all(|(cell, &symbol)| {
            let fits = symbol <= self.grid.symbols() && self.fitting(cell) & bit(symbol) != 0;
            if fits {
                self.put(cell, symbol);
            }
            fits
        })
    }

    fn fill(&mut self, from: usize, account: &mut Account<'_>) -> ControlFlow<()> {
        let blank = (from..self.cells.len()).find(|&cell| self.cells[cell] == 0);
        account.calls(from..blank.map_or(self.cells.len(), |cell| cell + 1));
        let Some(cell) = blank else {
            return account.listed(|cells| cells.copy_from_slice(&self.cells));
        };
        let mut fitting = self.fitting(cell);
        while fitting != 0 {
            let symbol = fitting.trailing_zeros() as u8 + 1;
            fitting &= !bit(symbol);
            if fitting != 0 {
                account.guess()?;
            }
            self.put(cell, symbol);
            self.fill(cell + 1, account)?;
            self.remove(cell);
        }
        ControlFlow::Continue(())
    }

    /// The symbols that no unit of `cell` holds yet and no other cell excludes, as bits.
    fn fitting(&self, cell: usize) -> u64 {
        let mut used = self.grid.units_of(cell).iter().fold(0, |used, &unit| used | self.used[unit]);
        if !self.grid.has_only_units() {
            used |= taken(&self.grid, &self.cells, cell);
        }
        !used & (u64::MAX >> (u64::BITS - u32::from(self.grid.symbols())))
    }

    fn put(&mut self, cell: usize, symbol: u8) {
        self.cells[cell] = symbol;
        self.grid.units_of(cell).iter().for_each(|&unit| self.used[unit] |= bit(symbol));
    }

    fn remove(&mut self, cell: usize) {
        let symbol = std::mem::take(&mut self.cells[cell]);
        self.grid.units_of(cell).iter().for_each(|&unit| self.used[unit] &= !bit(symbol));
    }
}

fn bit(symbol: u8) -> u64 {
    1 << (symbol - 1)
}
