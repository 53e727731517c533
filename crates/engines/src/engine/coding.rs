//! How the bytes of a puzzle are options of the rules' cover.
//!
//! ```text
//! grid       puzzle[cell] = symbol        option cell * symbols + symbol - 1 is chosen
//! problem    puzzle[option] = 1 or 2      the option is chosen or forbidden
//! ```

use galop_cover::{Assumptions, OptionId};

use crate::grid::Rules;

/// The byte of an option that a puzzle chooses, or that is in a solution.
pub(crate) const CHOSEN: u8 = 1;
/// The byte of an option that a puzzle forbids.
pub(crate) const FORBIDDEN: u8 = 2;

/// Reads the options that a puzzle of a problem chooses and forbids, a byte each. They replace `assumptions`. Returns
/// false if a byte has no meaning.
pub fn read_options(puzzle: &[u8], assumptions: &mut Assumptions) -> bool {
    assumptions.chosen.clear();
    assumptions.forbidden.clear();
    for (start, bytes) in (0..).step_by(8).zip(puzzle.chunks(8)) {
        // Nearly all options of a large problem are open.
        if bytes == [0; 8] {
            continue;
        }
        for (option, &byte) in (start..).zip(bytes).filter(|&(_, &byte)| byte != 0) {
            match byte {
                CHOSEN => assumptions.chosen.push(OptionId(option)),
                FORBIDDEN => assumptions.forbidden.push(OptionId(option)),
                _ => return false,
            }
        }
    }
    true
}

/// Marks the options that are chosen and forbidden in `puzzle`, of which the others are open. Options that it has no
/// byte for are left out.
pub fn write_options(assumptions: &Assumptions, puzzle: &mut [u8]) {
    puzzle.fill(0);
    for (options, mark) in [(&assumptions.chosen, CHOSEN), (&assumptions.forbidden, FORBIDDEN)] {
        for option in options {
            if let Some(byte) = puzzle.get_mut(option.index()) {
                *byte = mark;
            }
        }
    }
}

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
