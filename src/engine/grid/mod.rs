//! Grids of every kind and size: singles and locked candidates to a fixed point, then guesses.
//!
//! ```text
//! clues -> infer to a fixed point -> solved? done
//!          search(values):   choose a cell and one of its values
//!                            a copy of the values, the value assigned in it, infer, search(copy)
//!                            strike the value from the cell, infer, choose again
//! ```
//! Two ways at a time, and not a value after the other: what follows from a refuted value is known before the next
//! choice, which may be in another cell.
//!
//! ```text
//! levels   | level 0: a word a cell | level 1 | ...        bit symbol - 1 of a word: the symbol is possible
//! ```
//! - `plan`: the geometry of any rules, in flat lists;
//! - `infer`: naked and hidden singles, locked candidates;
//! - `choose`: where to guess.

mod choose;
mod infer;
mod plan;

use std::ops::ControlFlow::{self, Break, Continue};

use super::links::Contradiction;
use super::{Each, Engine, Entry, Isa, Search, Unsupported};
use crate::puzzle::{Answer, Limits};
use crate::rules::Rules;
use choose::Weights;
use infer::Inference;
use plan::Plan;

pub(super) const ENTRY: Entry = Entry {
    name: "grid",
    about: "grids of every kind and size: singles and locked candidates, then guesses by fewest candidates",
    max_guesses: 10_000_000,
    make,
    ..Entry::PLAIN
};

/// A word a cell.
type Values = u32;

fn make(rules: &Rules, _isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    let plan = Plan::new(rules.grid())
        .ok_or(Unsupported { accepts: "grids of at most 32 symbols and 128 units", rules: rules.name() })?;
    let levels = vec![0; plan.cells];
    let (inference, weights) = (Inference::new(&plan), Weights::new(&plan));
    Ok(Box::new(Each(Solver { plan, inference, weights, levels })))
}

struct Solver {
    plan: Plan,
    inference: Inference,
    weights: Weights,
    levels: Vec<Values>,
}

/// What a search was asked for, and what it has found.
struct Quest<'a> {
    limits: Limits,
    solution: &'a mut [u8],
    answer: Answer,
}

impl Search for Solver {
    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer {
        let mut quest = Quest { limits, solution, answer: Answer::default() };
        let is_puzzle = puzzle.len() == self.plan.cells && quest.solution.len() == self.plan.cells;
        if is_puzzle && self.start(puzzle).is_ok() {
            self.weights.reset();
            let _ = self.descend(0, &mut quest);
        }
        quest.answer
    }
}

impl Solver {
    /// Level 0: the clues, and what follows.
    fn start(&mut self, puzzle: &[u8]) -> Result<(), Contradiction> {
        let values = &mut self.levels[..self.plan.cells];
        values.fill(self.plan.all);
        self.inference.clear();
        for (cell, &symbol) in puzzle.iter().enumerate().filter(|&(_, &symbol)| symbol != 0) {
            let value = 1_u32.checked_shl(u32::from(symbol) - 1).unwrap_or(0) & self.plan.all;
            if value == 0 {
                return Err(Contradiction);
            }
            self.inference.assign(&self.plan, values, cell, value);
        }
        self.inference.soil_all(&self.plan);
        self.inference.propagate(&self.plan, values).map_err(|_| Contradiction)
    }

    /// Searches from the values of `level`; breaks off at a limit.
    fn descend(&mut self, level: usize, quest: &mut Quest<'_>) -> ControlFlow<()> {
        let Solver { plan, .. } = self;
        let cells = plan.cells;
        if self.levels.len() < (level + 2) * cells {
            self.levels.resize((level + 2) * cells, 0);
        }
        loop {
            let values = &self.levels[level * cells..][..cells];
            let Some((cell, value)) = self.weights.choose(&self.plan, values) else {
                return quest.record(values);
            };
            quest.count()?;
            let (values, copy) = self.levels[level * cells..][..2 * cells].split_at_mut(cells);
            copy.copy_from_slice(values);
            self.inference.clear();
            self.inference.assign(&self.plan, copy, cell, value);
            match self.inference.propagate(&self.plan, copy) {
                Ok(()) => self.descend(level + 1, quest)?,
                Err(conflict) => self.weights.blame(&self.plan, conflict),
            }
            let values = &mut self.levels[level * cells..][..cells];
            self.inference.clear();
            self.inference.strike(&self.plan, values, cell, value);
            if let Err(conflict) = self.inference.propagate(&self.plan, values) {
                self.weights.blame(&self.plan, conflict);
                return Continue(());
            }
        }
    }
}

impl Quest<'_> {
    /// A value is to be tried while another one is open.
    fn count(&mut self) -> ControlFlow<()> {
        if self.answer.effort.guesses >= self.limits.guesses {
            self.answer.gave_up = true;
            return Break(());
        }
        self.answer.effort.guesses += 1;
        Continue(())
    }

    fn record(&mut self, values: &[Values]) -> ControlFlow<()> {
        if self.answer.solutions == 0 {
            for (cell, values) in self.solution.iter_mut().zip(values) {
                *cell = values.trailing_zeros() as u8 + 1;
            }
        }
        self.answer.solutions += 1;
        if self.answer.solutions >= self.limits.solutions { Break(()) } else { Continue(()) }
    }
}
