//! Cell by cell: the obvious solver, kept as the oracle of the others.
//!
//! Walk the blank cells in reading order. Into each put, in turn, every symbol that none of its peers holds,
//! and go on with the next cell; when nothing fits, go back. No propagation, no choice of cell, nothing to
//! get wrong. (Sixteen lines of Python by many hands; slow on puzzles whose first rows are empty.)

use super::{Each, Engine, Entry, Search, Unsupported};
use crate::puzzle::{Answer, Effort, Limits};
use crate::rules::{Grid, Rules};

pub(super) const ENTRY: Entry = Entry {
    name: "backtrack",
    about: "cell by cell in reading order, no inference: the obvious oracle, slow",
    // Puzzles made against this order need some 10^8 (the worst known one-solution grid: 6.2 * 10^8 steps).
    max_guesses: 10_000_000_000,
    make,
};

fn make(rules: &Rules) -> Result<Box<dyn Engine>, Unsupported> {
    Ok(Box::new(Each(Backtrack { grid: rules.grid().clone() })))
}

struct Backtrack {
    grid: Grid,
}

impl Search for Backtrack {
    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer {
        let mut walk =
            Walk { grid: &self.grid, limits, cells: puzzle.to_vec(), answer: Answer::default(), solution };
        if walk.clues_agree() {
            walk.fill(0);
        }
        walk.answer
    }
}

/// One search: the cells as filled so far, and what was found.
struct Walk<'a> {
    grid: &'a Grid,
    limits: Limits,
    cells: Vec<u8>,
    answer: Answer,
    solution: &'a mut [u8],
}

/// Keep looking, or stop: a limit was reached.
#[derive(PartialEq)]
enum Go {
    On,
    Stop,
}

impl Walk<'_> {
    fn clues_agree(&self) -> bool {
        self.cells.len() == self.grid.cells()
            && (0..self.cells.len()).all(|cell| {
                let symbol = self.cells[cell];
                symbol == 0 || symbol <= self.grid.symbols() && !self.clashes(cell, symbol)
            })
    }

    fn clashes(&self, cell: usize, symbol: u8) -> bool {
        self.grid.peers(cell).iter().any(|&peer| self.cells[peer] == symbol)
    }

    fn fill(&mut self, from: usize) -> Go {
        let Some(cell) = (from..self.cells.len()).find(|&cell| self.cells[cell] == 0) else {
            return self.record();
        };
        let mut fitting = (1..=self.grid.symbols())
            .filter(|&symbol| !self.clashes(cell, symbol))
            .collect::<Vec<_>>()
            .into_iter()
            .peekable();
        while let Some(symbol) = fitting.next() {
            let is_guess = fitting.peek().is_some();
            if is_guess && !self.guess() {
                return Go::Stop;
            }
            self.cells[cell] = symbol;
            if self.fill(cell + 1) == Go::Stop {
                return Go::Stop;
            }
            self.cells[cell] = 0;
        }
        Go::On
    }

    /// Counts a guess; false when there are no more to spend.
    fn guess(&mut self) -> bool {
        let Effort { guesses, .. } = &mut self.answer.effort;
        self.answer.gave_up = *guesses == self.limits.guesses;
        *guesses += u64::from(!self.answer.gave_up);
        !self.answer.gave_up
    }

    fn record(&mut self) -> Go {
        if self.answer.solutions == 0 {
            self.solution.copy_from_slice(&self.cells);
        }
        self.answer.solutions += 1;
        if self.answer.solutions == self.limits.solutions { Go::Stop } else { Go::On }
    }
}
