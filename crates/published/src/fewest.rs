//! Depth first from a cell with the fewest values: the search that [`norvig`](super::norvig) and
//! [`reduce`](super::reduce) share. Each infers in its own way between two choices.
//!
//! ```text
//! search(values):   a cell with several values? the first of those with the fewest   (minimum remaining values)
//!                   for each of its values, ascending:
//!                       a copy of the values, the value assigned in it, search(copy)
//! ```
//! The first cell with two values ends the scan, since no open cell has fewer. Every level has its own copy of the
//! values. The copies are one behind the other in a vector, which grows to the deepest search and is kept:
//!
//! ```text
//! levels   | level 0: a word a cell | level 1 | ...        bit symbol - 1 of a word: the symbol is possible
//! ```
//!
//! # What is counted
//! The published programs recurse, and their authors report the calls of `search`: one for the puzzle, then one for
//! every value that is tried. A value that turns out impossible as soon as it is assigned counts, too (the program
//! calls `search(False)` for it). [`Effort::calls`](galop_engines::puzzle::Effort::calls) counts the same, and
//! [`Effort::depth`](galop_engines::puzzle::Effort::depth) is the depth of the deepest call; the puzzle's own call has
//! depth 0. Guesses follow the rule of all engines: the last value left of a cell does not count.

use std::ops::ControlFlow::{self, Continue};

use galop_engines::engine::Account;
use galop_engines::engine::Contradiction;
use galop_engines::engine::{Each, Engine, Search, Unsupported};
use galop_engines::grid::Rules;
use galop_engines::puzzle::{Answer, Limits};

/// What follows from a value put into a cell.
///
/// `values` has a word a cell: bit `symbol - 1` is set while the symbol is possible there. After a contradiction its
/// content is meaningless.
pub(super) trait Infer: Send {
    /// Assigns `clues` in `values`, where all is open, and infers what follows. A clue is a cell and its symbol's
    /// bit.
    fn start(
        &mut self,
        values: &mut [u64],
        clues: impl Iterator<Item = (usize, u64)>,
    ) -> Result<(), Contradiction>;

    /// Assigns `value`, one of several, to `cell`, and infers what follows.
    fn assign(&mut self, values: &mut [u64], cell: usize, value: u64) -> Result<(), Contradiction>;
}

/// Accepts the rules if they are units only, and if a word has a bit for each symbol.
pub(super) fn accept(rules: &Rules) -> Result<(), Unsupported> {
    all_symbols(rules).map(|_| ())
}

/// The bits of all symbols of the rules, unless there are too many of them or the rules are more than units.
pub(super) fn all_symbols(rules: &Rules) -> Result<u64, Unsupported> {
    match u64::BITS.checked_sub(u32::from(rules.grid().symbols())) {
        Some(spare @ ..64) if rules.grid().has_only_units() => Ok(u64::MAX.checked_shr(spare).unwrap_or(0)),
        _ => {
            let accepts = "grids whose rules are units, of at most 64 symbols";
            Err(Unsupported::Rules { accepts, rules: rules.name().to_owned() })
        }
    }
}

/// Starts `values` with the clues of `puzzle`; `None` if it is not a puzzle of these rules.
pub(super) fn start<I: Infer>(
    infer: &mut I,
    all: u64,
    puzzle: &[u8],
    values: &mut [u64],
) -> Option<Result<(), Contradiction>> {
    let is_symbol = |&symbol: &u8| symbol == 0 || bit(symbol) & all != 0;
    if puzzle.len() != values.len() || !puzzle.iter().all(is_symbol) {
        return None;
    }
    values.fill(all);
    let clues = puzzle.iter().enumerate().filter(|&(_, &symbol)| symbol != 0);
    Some(infer.start(values, clues.map(|(cell, &symbol)| (cell, bit(symbol)))))
}

/// The bit of a symbol; 0 for symbols outside 1..=64.
pub(super) fn bit(symbol: u8) -> u64 {
    1_u64.checked_shl(u32::from(symbol).wrapping_sub(1)).unwrap_or(0)
}

/// Whether a cell has at most one value left.
pub(super) fn is_settled(values: u64) -> bool {
    values & values.wrapping_sub(1) == 0
}

/// The engine that searches in this way and infers by `infer`.
pub(super) fn engine(rules: &Rules, infer: impl Infer + 'static) -> Result<Box<dyn Engine>, Unsupported> {
    let all = all_symbols(rules)?;
    let cells = rules.grid().cells();
    Ok(Box::new(Each(Fewest { infer, cells, all, levels: vec![0; cells] })))
}

struct Fewest<I> {
    infer: I,
    cells: usize,
    all: u64,
    levels: Vec<u64>,
}

impl<I: Infer> Search for Fewest<I> {
    fn cells(&self) -> usize {
        self.cells
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
        let _ = self.run(puzzle, Account::listing(limits, &mut vec![0; self.cells], visit));
        true
    }
}

impl<I: Infer> Fewest<I> {
    fn run(&mut self, puzzle: &[u8], mut account: Account<'_>) -> Answer {
        let values = &mut self.levels[..self.cells];
        if let Some(started) = start(&mut self.infer, self.all, puzzle, values) {
            account.call(0);
            if started.is_ok() {
                // A break needs nothing more: the account knows the limit that was reached.
                let _ = self.descend(0, &mut account);
            }
        }
        account.close()
    }

    /// One call of `search` with the values of `level`; breaks off at a limit.
    fn descend(&mut self, level: usize, account: &mut Account<'_>) -> ControlFlow<()> {
        let values = &self.levels[level * self.cells..][..self.cells];
        let Some(cell) = fewest(values) else { return account.listed(|cells| write(values, cells)) };
        let mut left = values[cell];
        if self.levels.len() < (level + 2) * self.cells {
            self.levels.resize((level + 2) * self.cells, 0);
        }
        while left != 0 {
            let value = left & left.wrapping_neg();
            left ^= value;
            if left != 0 {
                account.guess()?;
            }
            account.call(level + 1);
            let (values, copy) = self.levels[level * self.cells..][..2 * self.cells].split_at_mut(self.cells);
            copy.copy_from_slice(values);
            if self.infer.assign(copy, cell, value).is_ok() {
                self.descend(level + 1, account)?;
            }
        }
        Continue(())
    }
}

/// Writes the only value of every cell as its symbol.
fn write(values: &[u64], cells: &mut [u8]) {
    for (cell, values) in cells.iter_mut().zip(values) {
        *cell = values.trailing_zeros() as u8 + 1;
    }
}

/// The first of the cells with the fewest values, two or more; `None` if every cell has one.
fn fewest(values: &[u64]) -> Option<usize> {
    let mut best = (u32::MAX, None);
    for (cell, &values) in values.iter().enumerate() {
        let more = values & values.wrapping_sub(1);
        if more == 0 {
            continue;
        }
        if is_settled(more) {
            return Some(cell);
        }
        let count = values.count_ones();
        if count < best.0 {
            best = (count, Some(cell));
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_fewest_is_chosen() {
        assert_eq!(fewest(&[1, 0b100, 8]), None);
        assert_eq!(fewest(&[1, 0b1111, 0b111, 0b1110]), Some(2));
        assert_eq!(fewest(&[1, 0b111, 0b1010, 0b11]), Some(2));
        assert_eq!(fewest(&[u64::MAX, u64::MAX]), Some(0));
    }

    #[test]
    fn symbols_are_bits() {
        assert_eq!((bit(0), bit(1), bit(64), bit(65), bit(255)), (0, 1, 1 << 63, 0, 0));
        assert_eq!(all_symbols(&Rules::default()), Ok(0o777));
    }
}
