//! How the bytes of a puzzle are options of the rules' cover.
//!
//! ```text
//! grid       puzzle[cell] = symbol        option cell * symbols + symbol - 1 is chosen
//! problem    puzzle[option] = 1 or 2      the option is chosen or forbidden
//! ```

use galop_cover::{Assumptions, OptionId};

use crate::grid::Rules;
use crate::puzzle::{CHOSEN, read_options};

/// Translates puzzles and solutions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Coding {
    /// Of a grid with this many symbols.
    Symbols(usize),
    /// Of a problem.
    Options,
}

impl Coding {
    pub(crate) fn of(rules: &Rules) -> Coding {
        match rules.choices() {
            Some(_) => Coding::Options,
            None => Coding::Symbols(usize::from(rules.grid().symbols())),
        }
    }

    /// Assumes what `puzzle` says; false if a byte has no meaning.
    pub(crate) fn assume(self, puzzle: &[u8], assumptions: &mut Assumptions) -> bool {
        assumptions.chosen.clear();
        assumptions.forbidden.clear();
        match self {
            Coding::Symbols(symbols) => {
                for (cell, &symbol) in puzzle.iter().enumerate().filter(|&(_, &symbol)| symbol != 0) {
                    if usize::from(symbol) > symbols {
                        return false;
                    }
                    assumptions.chosen.push(OptionId((cell * symbols + usize::from(symbol) - 1) as u32));
                }
            }
            Coding::Options => return read_options(puzzle, assumptions),
        }
        true
    }

    /// Writes the options of a solution.
    pub(crate) fn write(self, solution: &[OptionId], bytes: &mut [u8]) {
        match self {
            // Every cell has an option.
            Coding::Symbols(symbols) => {
                for &option in solution {
                    bytes[option.index() / symbols] = (option.index() % symbols + 1) as u8;
                }
            }
            Coding::Options => {
                bytes.fill(0);
                solution.iter().for_each(|option| bytes[option.index()] = CHOSEN);
            }
        }
    }
}
