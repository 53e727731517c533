//! Dancing links on the whole problem: its matrix is built once, and every puzzle only covers its clues.
//!
//! Plain Algorithm X (see [`links`](super::links)): no rule of sudoku is known here, so it answers any rules.
//! The clues are chosen before the search; after it the matrix goes back to what it was by a copy of its
//! links. No puzzle allocates anything.

use super::Contradiction;
use super::links::Links;
use super::{Each, Engine, Entry, Isa, Search, Unsupported};
use crate::grid::{OptionId, Rules};
use crate::puzzle::{Answer, Limits};

pub(super) const ENTRY: Entry = Entry {
    about: "dancing links on the exact cover matrix: any rules",
    // The most that any of 300,000 one-solution puzzles needed to the proof was 1,893 (17 clues); the hardest
    // for backtrackers on average 366. A million are about two seconds.
    max_guesses: 1_000_000,
    ..Entry::new("dlx", make)
};

fn make(rules: &Rules, _isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    let links = Links::new(rules.cover());
    let (cells, symbols) = (rules.grid().cells(), usize::from(rules.grid().symbols()));
    Ok(Box::new(Each(Dlx { fresh: links.clone(), links, cells, symbols })))
}

struct Dlx {
    links: Links,
    /// The same before anything was chosen.
    fresh: Links,
    cells: usize,
    symbols: usize,
}

impl Search for Dlx {
    fn cells(&self) -> usize {
        self.cells
    }

    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer {
        let answer = match self.give_clues(puzzle) {
            Ok(()) => self.links.search(limits),
            Err(Contradiction) => Answer::complete(0),
        };
        if answer.solutions > 0 {
            self.write(solution);
        }
        self.links.restore(&self.fresh);
        answer
    }
}

impl Dlx {
    fn give_clues(&mut self, puzzle: &[u8]) -> Result<(), Contradiction> {
        for (cell, &symbol) in puzzle.iter().enumerate().filter(|&(_, &symbol)| symbol != 0) {
            if usize::from(symbol) > self.symbols {
                return Err(Contradiction);
            }
            self.links.give((cell * self.symbols + usize::from(symbol) - 1) as OptionId)?;
        }
        Ok(())
    }

    /// Writes the options of the first solution as symbols: every cell has one.
    fn write(&self, solution: &mut [u8]) {
        for &option in self.links.solution() {
            let option = option as usize;
            solution[option / self.symbols] = (option % self.symbols + 1) as u8;
        }
    }
}
