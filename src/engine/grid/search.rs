//! The search: a copy of the grid for every guess.
//!
//! ```text
//! clues -> infer to a fixed point -> solved? done
//!          choose a cell and one of its values
//!          a copy of the grid, the value alone in the cell, infer, go on with the copy
//!          contradiction: eliminate the value from the cell, infer, choose again
//! ```
//! A guess has two branches, the value and its elimination, instead of one for each value of the cell: what follows
//! from the elimination is known before the next choice, which may be in another cell.
//!
//! ```text
//! levels   | level 0: word per slot | level 1 | ...       bit symbol - 1 of a word: the symbol is a candidate
//! guesses  | made at level 0        | at level 1 | ...
//! ```

use std::marker::PhantomData;

use galop_simd::Simd;

use super::choose::Chooser;
use super::infer::Infer;
use super::plan::Plan;
use super::word::Word;
use crate::engine::Search;
use crate::engine::account::Account;
use crate::puzzle::{Answer, Limits};

pub(super) struct Solver<S, I: Infer> {
    plan: Plan,
    infer: I,
    chooser: Chooser<I::Word>,
    levels: Vec<I::Word>,
    guesses: Vec<Guess>,
    compiled_for: PhantomData<S>,
}

/// A value to try in a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guess {
    pub(super) slot: usize,
    pub(super) value: u32,
}

/// The next step for the grid of a level.
enum Next {
    Guess(Guess),
    Solved,
    Contradiction,
}

impl<S: Simd, I: Infer> Solver<S, I> {
    pub(super) fn new(plan: Plan, infer: I) -> Self {
        let (chooser, levels) = (Chooser::new(&plan), vec![I::Word::default(); plan.slots()]);
        Solver { plan, infer, chooser, levels, guesses: Vec::new(), compiled_for: PhantomData }
    }

    /// Searches until a limit is reached or the search is complete.
    pub(super) fn run(&mut self, puzzle: &[u8], account: &mut Account<'_>) {
        if !self.start(puzzle) {
            return;
        }
        let mut level = 0;
        loop {
            match self.next(level) {
                Next::Guess(guess) => {
                    if account.guess().is_break() {
                        return;
                    }
                    if self.guess(level, guess) {
                        level += 1;
                        continue;
                    }
                }
                Next::Solved if account.solution(|cells| self.write(level, cells)).is_break() => return,
                Next::Solved | Next::Contradiction if level == 0 => return,
                Next::Solved | Next::Contradiction => level -= 1,
            }
            while !self.eliminate_guess(level) {
                if level == 0 {
                    return;
                }
                level -= 1;
            }
        }
    }

    /// Writes the symbols of a solved level.
    fn write(&self, level: usize, cells: &mut [u8]) {
        let words = &self.levels[level * self.plan.slots()..];
        for (cell, &slot) in cells.iter_mut().zip(self.plan.cells()) {
            *cell = words[usize::from(slot)].into().trailing_zeros() as u8 + 1;
        }
    }

    /// Makes level 0: the clues, and what follows from them. `false` if they contradict each other.
    fn start(&mut self, puzzle: &[u8]) -> bool {
        self.chooser.reset();
        self.guesses.clear();
        let words = &mut self.levels[..self.plan.slots()];
        words.fill(I::Word::default());
        self.plan.cells().iter().for_each(|&slot| words[usize::from(slot)] = I::Word::of(self.plan.all()));
        self.infer.start();
        for (&slot, &symbol) in self.plan.cells().iter().zip(puzzle).filter(|&(_, &symbol)| symbol != 0) {
            let value = 1_u32.checked_shl(u32::from(symbol) - 1).unwrap_or(0) & self.plan.all();
            if value == 0 {
                return false;
            }
            self.infer.keep(words, usize::from(slot), value);
        }
        self.infer.propagate(words).is_ok()
    }

    /// Eliminates by naked pairs, which are found on the way to a choice, until nothing follows; then chooses.
    fn next(&mut self, level: usize) -> Next {
        let slots = self.plan.slots();
        let (before, words) = self.levels.split_at_mut(level * slots);
        let before = &before[before.len().saturating_sub(slots)..];
        let words = &mut words[..slots];
        loop {
            if self.infer.pairs(words, self.chooser.pairs()) {
                return Next::Solved;
            }
            self.infer.clear();
            match self.chooser.choose::<S, I>(&self.plan, words, before, &mut self.infer) {
                Some(guess) => return Next::Guess(guess),
                None => {
                    if let Err(contradiction) = self.infer.propagate(words) {
                        self.chooser.blame(&self.plan, contradiction);
                        return Next::Contradiction;
                    }
                }
            }
        }
    }

    /// Tries the value in a copy of the level. `false` if a contradiction follows at once.
    fn guess(&mut self, level: usize, guess: Guess) -> bool {
        let slots = self.plan.slots();
        if self.levels.len() < (level + 2) * slots {
            self.levels.resize((level + 2) * slots, I::Word::default());
        }
        self.guesses.truncate(level);
        self.guesses.push(guess);
        self.levels.copy_within(level * slots..(level + 1) * slots, (level + 1) * slots);
        self.keep(level + 1, guess.slot, guess.value)
    }

    /// Eliminates the value of the last guess from its cell. `false` if a contradiction follows at once.
    fn eliminate_guess(&mut self, level: usize) -> bool {
        let Guess { slot, value } = self.guesses[level];
        self.keep(level, slot, !value)
    }

    fn keep(&mut self, level: usize, slot: usize, candidates: u32) -> bool {
        let slots = self.plan.slots();
        let words = &mut self.levels[level * slots..][..slots];
        self.infer.clear();
        self.infer.keep(words, slot, candidates);
        match self.infer.propagate(words) {
            Ok(()) => true,
            Err(contradiction) => {
                self.chooser.blame(&self.plan, contradiction);
                false
            }
        }
    }
}

impl<S: Simd, I: Infer> Search for Solver<S, I> {
    fn cells(&self) -> usize {
        self.plan.cells().len()
    }

    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer {
        let mut account = Account::new(limits, solution);
        self.run(puzzle, &mut account);
        account.close()
    }
}
