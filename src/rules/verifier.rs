//! The small independent check that every solution passes before it leaves the program.
//!
//! It knows the units and nothing else: no candidates, no search, no line of any engine. Small enough to be
//! read and believed.

use super::Rules;
use crate::error::Violation;

/// Checks solutions against the rules.
#[derive(Clone, Debug)]
pub struct Verifier {
    cells: usize,
    /// Bit `s` for every symbol `s`.
    all: u64,
    symbols: usize,
    /// The cells of the units, one unit after the other: `symbols` cells each.
    units: Vec<u16>,
}

impl Verifier {
    /// A verifier for `rules`.
    pub fn new(rules: &Rules) -> Verifier {
        let grid = rules.grid();
        let all = (1..=grid.symbols()).fold(0, |all, symbol| all | 1 << symbol);
        let units = grid.units().iter().flatten().map(|&cell| cell as u16).collect();
        Verifier { cells: grid.cells(), all, symbols: usize::from(grid.symbols()).max(1), units }
    }

    /// Checks that `solution` keeps the clues of `puzzle` and holds every symbol once in every unit.
    ///
    /// Both are flat cells: 0 blank, 1..=n.
    ///
    /// # Errors
    /// The first [`Violation`] found.
    pub fn check(&self, puzzle: &[u8], solution: &[u8]) -> Result<(), Violation> {
        for len in [puzzle.len(), solution.len()] {
            if len != self.cells {
                return Err(Violation::Length { found: len, expected: self.cells });
            }
        }
        let is_lost = |(&clue, &symbol): (&u8, &u8)| (clue != 0) & (clue != symbol);
        // Without a branch a cell, which no processor could foretell: clues and blanks have no pattern.
        if puzzle.iter().zip(solution).fold(false, |lost, pair| lost | is_lost(pair)) {
            let cell = puzzle.iter().zip(solution).position(is_lost).unwrap_or(0);
            return Err(Violation::Clue { cell });
        }
        // The same code twice: where the compiler knows the number of symbols, it needs no loops.
        let unfilled = if self.symbols == 9 && self.cells <= 128 {
            let bits = bits::<128>(solution);
            self.units.as_chunks::<9>().0.iter().position(|unit| seen(unit, &bits) != self.all)
        } else {
            self.unfilled_unit(solution)
        };
        unfilled.map_or(Ok(()), |unit| Err(Violation::Unit { unit }))
    }

    /// The first unit that does not hold every symbol. As it has as many cells as there are symbols, one that
    /// does holds each of them once.
    #[inline(never)]
    fn unfilled_unit(&self, solution: &[u8]) -> Option<usize> {
        // No grid of up to 63 symbols has more cells.
        let bits = bits::<4096>(solution);
        self.units.chunks_exact(self.symbols).position(|unit| seen(unit, &bits) != self.all)
    }
}

/// Bit `s` for every symbol `s`; none for what can be no symbol.
const BITS: [u64; 256] = {
    let mut bits = [0; 256];
    let mut symbol = 1;
    while symbol < 64 {
        bits[symbol] = 1 << symbol;
        symbol += 1;
    }
    bits
};

/// The bit of every cell's symbol. A power of two of places: an index is cut to it and needs no check.
#[inline(always)]
fn bits<const PLACES: usize>(solution: &[u8]) -> [u64; PLACES] {
    let mut bits = [0; PLACES];
    for (bit, &symbol) in bits.iter_mut().zip(solution) {
        *bit = BITS[usize::from(symbol)];
    }
    bits
}

/// The symbols that stand in the cells of `unit`.
#[inline(always)]
fn seen<const PLACES: usize>(unit: &[u16], bits: &[u64; PLACES]) -> u64 {
    unit.iter().fold(0, |seen, &cell| seen | bits[usize::from(cell) % PLACES])
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLVED: &str = "417369825632158947958724316825437169791586432346912758289643571573291684164875293";

    fn cells(text: &str) -> Vec<u8> {
        text.bytes().map(|byte| byte - b'0').collect()
    }

    #[test]
    fn accepts_a_solution_and_names_what_is_wrong_with_others() {
        let verifier = Verifier::new(&Rules::sudoku());
        let (solution, blank) = (cells(SOLVED), vec![0; 81]);
        assert_eq!(verifier.check(&blank, &solution), Ok(()));
        assert_eq!(verifier.check(&solution, &solution), Ok(()));

        let mut swapped = solution.clone();
        swapped.swap(0, 1);
        assert_eq!(verifier.check(&solution, &swapped), Err(Violation::Clue { cell: 0 }));
        assert_eq!(verifier.check(&blank, &swapped), Err(Violation::Unit { unit: 9 }));
        let swapped_rows: Vec<u8> = (0..81).map(|cell| solution[(cell + 27) % 81]).collect();
        assert_eq!(verifier.check(&blank, &swapped_rows), Ok(()), "bands may be turned");

        for (cell, value) in [(40, 0), (40, 10), (80, 255)] {
            let mut wrong = solution.clone();
            wrong[cell] = value;
            assert!(matches!(verifier.check(&blank, &wrong), Err(Violation::Unit { .. })), "{value}");
        }
        assert_eq!(
            verifier.check(&blank, &solution[1..]),
            Err(Violation::Length { found: 80, expected: 81 })
        );
    }

    /// Every single change of a cell is seen.
    #[test]
    fn no_wrong_symbol_passes() {
        let verifier = Verifier::new(&Rules::sudoku());
        let mut solution = cells(SOLVED);
        for cell in 0..81 {
            let right = solution[cell];
            for wrong in (0..=9).filter(|&symbol| symbol != right) {
                solution[cell] = wrong;
                assert!(verifier.check(&[0; 81], &solution).is_err());
            }
            solution[cell] = right;
        }
    }
}
