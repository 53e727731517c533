//! The search: a copy of the grid for every guess.
//!
//! ```text
//! clues -> infer to a fixed point -> solved? done
//!          choose a cell and one of its values
//!          a copy of the grid, the value alone in the cell, infer, go on with the copy
//!          contradiction: eliminate the value from the cell, infer, choose again
//! ```
//! Inference by sweeps does not look for equal settled cells in a unit, because that costs more than it saves: most
//! such grids contradict themselves soon. Some do not, and then millions of guesses are in vain. So the search looks
//! for equal clues while it places them, and for equal settled cells every [`GUESSES_PER_CHECK`] guesses. While it
//! finds such cells it goes back, level by level.
//!
//! A search that finds no solution for long begins again, with what it has learnt: see [`restart`](super::restart).
//!
//! A guess has two branches, the value and its elimination, instead of one for each value of the cell. What follows
//! from the elimination is known before the next choice, which may be in another cell.
//!
//! ```text
//! levels   | level 0: word per slot | level 1 | ...       bit symbol - 1 of a word: the symbol is a candidate
//! guesses  | made at level 0        | at level 1 | ...
//! ```

use super::choose::{Chooser, Guess};
use super::hand_over::{self, HandOver};
use super::infer::{Contradiction, Infer};
use super::plan::Plan;
use super::restart::{Runs, first_run};
use super::word::Word;
use crate::engine::Search;
use crate::engine::account::Account;
use crate::puzzle::{Answer, Limits};

/// Guesses between two looks for equal settled cells in a unit.
const GUESSES_PER_CHECK: u32 = 64;

pub(super) struct Solver<W> {
    plan: Plan,
    infer: Box<dyn Infer<W>>,
    chooser: Chooser<W>,
    levels: Vec<W>,
    guesses: Vec<Guess>,
    /// The grid without clues.
    blank: Vec<W>,
    /// The units that have each symbol, while equal cells are looked for.
    units_with: Vec<u128>,
    /// Guesses left until the next look for equal settled cells.
    until_check: u32,
    runs: Runs,
    hand_over: HandOver,
    /// Guesses without a solution after which the puzzle is handed over.
    patience: u64,
}

/// What ended a search by guesses.
#[derive(PartialEq, Eq)]
pub(super) enum Outcome {
    /// At a limit, or with all solutions.
    Done,
    /// Too many guesses have led to no solution.
    Hard,
}

/// The next step for the grid of a level.
enum Next {
    Guess(Guess),
    Solved,
    Contradiction,
}

impl<W: Word> Solver<W> {
    pub(super) fn new(plan: Plan, infer: Box<dyn Infer<W>>, hand_over: HandOver) -> Self {
        let (chooser, levels) = (Chooser::new(&plan), vec![W::default(); plan.slots()]);
        let mut blank = levels.clone();
        plan.cells().iter().for_each(|&slot| blank[usize::from(slot)] = W::of(plan.all()));
        let units_with = vec![0; plan.all().count_ones() as usize];
        let runs = Runs::new(first_run(plan.cells().len()));
        Solver {
            plan,
            infer,
            chooser,
            levels,
            guesses: Vec::new(),
            blank,
            units_with,
            until_check: GUESSES_PER_CHECK,
            runs,
            hand_over,
            patience: hand_over::GUESSES,
        }
    }

    /// Ends the first run after that many guesses.
    #[cfg(test)]
    pub(super) fn with_first_run(self, guesses: u64) -> Self {
        Solver { runs: Runs::new(guesses), ..self }
    }

    /// Hands puzzles over after that many guesses without a solution.
    #[cfg(test)]
    pub(super) fn with_patience(self, patience: u64) -> Self {
        Solver { patience, ..self }
    }

    /// Searches until a limit is reached, the search is complete, or the puzzle is found to be hard.
    pub(super) fn run(&mut self, puzzle: &[u8], account: &mut Account<'_>) -> Outcome {
        if !self.start(puzzle) {
            return Outcome::Done;
        }
        let (mut level, mut hard_at) = (0, self.patience);
        loop {
            match self.next(level) {
                Next::Guess(_) if account.guesses() >= hard_at && account.guesses_left() > 0 => {
                    return Outcome::Hard;
                }
                Next::Guess(_) if self.runs.is_over(account.guesses()) => {
                    self.chooser.begin_run(self.runs.next(account.guesses()));
                    level = 0;
                    continue;
                }
                Next::Guess(guess) => {
                    if account.guess().is_break() {
                        return Outcome::Done;
                    }
                    if self.guess(level, guess) {
                        level += 1;
                        continue;
                    }
                }
                Next::Solved => {
                    if account.solution(|cells| self.write(level, cells)).is_break() || level == 0 {
                        return Outcome::Done;
                    }
                    self.runs.stay();
                    hard_at = account.guesses().saturating_add(self.patience);
                    level -= 1;
                }
                Next::Contradiction if level == 0 => return Outcome::Done,
                Next::Contradiction => level -= 1,
            }
            while !self.eliminate_guess(level) {
                if level == 0 {
                    return Outcome::Done;
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
        self.runs.reset();
        self.guesses.clear();
        self.until_check = GUESSES_PER_CHECK;
        let words = &mut self.levels[..self.plan.slots()];
        words.copy_from_slice(&self.blank);
        self.units_with.fill(0);
        for (&slot, &symbol) in self.plan.cells().iter().zip(puzzle).filter(|&(_, &symbol)| symbol != 0) {
            let (slot, index) = (usize::from(slot), usize::from(symbol) - 1);
            let Some(units) = self.units_with.get_mut(index) else { return false };
            if settle(units, self.plan.unit_bits(slot)).is_err() {
                return false;
            }
            words[slot] = W::of(1 << index);
        }
        self.infer.start(words);
        self.infer.propagate(words).is_ok()
    }

    /// Looks for equal settled cells if it is time; then eliminates by naked pairs, which are found on the way to a
    /// choice, until nothing follows; then chooses.
    fn next(&mut self, level: usize) -> Next {
        if self.until_check == 0 {
            if let Err(contradiction) = self.check_settled(level) {
                self.chooser.blame(&self.plan, contradiction);
                return Next::Contradiction;
            }
            self.until_check = GUESSES_PER_CHECK;
        }
        let slots = self.plan.slots();
        let (before, words) = self.levels.split_at_mut(level * slots);
        let before = &before[before.len().saturating_sub(slots)..];
        let words = &mut words[..slots];
        loop {
            if self.infer.pairs(words, self.chooser.pairs()) {
                return Next::Solved;
            }
            self.infer.clear();
            match self.chooser.choose(&self.plan, words, before, &mut *self.infer) {
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

    /// Finds a unit with two equal settled cells.
    #[cold]
    fn check_settled(&mut self, level: usize) -> Result<(), Contradiction> {
        let words = &self.levels[level * self.plan.slots()..][..self.plan.slots()];
        self.units_with.fill(0);
        for slot in self.plan.cells().iter().map(|&slot| usize::from(slot)) {
            let candidates: u32 = words[slot].into();
            if candidates.is_power_of_two() {
                settle(
                    &mut self.units_with[candidates.trailing_zeros() as usize],
                    self.plan.unit_bits(slot),
                )?;
            }
        }
        Ok(())
    }

    /// Tries the value in a copy of the level. `false` if a contradiction follows at once.
    fn guess(&mut self, level: usize, guess: Guess) -> bool {
        let slots = self.plan.slots();
        if self.levels.len() < (level + 2) * slots {
            self.levels.resize((level + 2) * slots, W::default());
        }
        self.until_check = self.until_check.saturating_sub(1);
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

/// Adds the units of a cell to those that have its symbol. A unit that has it already is the contradiction.
#[inline(always)]
fn settle(units_with: &mut u128, units: u128) -> Result<(), Contradiction> {
    let common = *units_with & units;
    *units_with |= units;
    if common == 0 { Ok(()) } else { Err(Contradiction::Unit(common.trailing_zeros() as usize)) }
}

impl<W: Word> Search for Solver<W> {
    fn cells(&self) -> usize {
        self.plan.cells().len()
    }

    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer {
        self.search_until(puzzle, limits, solution, &|| false)
    }

    fn search_until(
        &mut self,
        puzzle: &[u8],
        limits: Limits,
        solution: &mut [u8],
        is_stopped: &dyn Fn() -> bool,
    ) -> Answer {
        let mut account = Account::new(limits, solution);
        if self.run(puzzle, &mut account) == Outcome::Done {
            return account.close();
        }
        if account.solutions() > 0 {
            // Level 0 has lost the values whose solutions were counted.
            self.start(puzzle);
        }
        let words = self.plan.cells().iter().map(|&slot| self.levels[usize::from(slot)].into());
        self.hand_over.search(words, account, is_stopped)
    }
}
