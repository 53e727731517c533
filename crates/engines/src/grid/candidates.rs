//! Pencil marks: the candidates that singles leave in each cell.
//!
//! Two rules, in the words of Norvig, "Solving Every Sudoku Puzzle" (norvig.com/sudoku.html), applied to a fixed point:
//!
//! 1. If a square has only one possible value, then eliminate that value from the square's peers (naked single). The
//!    same goes for the values of other squares that it excludes.
//! 2. If a unit has only one possible place for a value, then put the value there (hidden single).
//!
//! The order of the steps does not change the result. Candidates are only ever eliminated, and a rule that applies
//! still applies when more candidates are gone, or has become a contradiction. So every order ends with the same
//! candidates, or every order ends in a contradiction.

use super::inference::{all_symbols, bit};
use super::{Grid, Rules};

/// The candidates that singles leave in each cell of `puzzle` (flat cells: 0 blank, 1..=n): a word per cell, bit
/// `symbol - 1`. A cell with one bit is settled.
///
/// `None` on a contradiction, and if `puzzle` has another length than the rules or a symbol that they do not have.
///
/// ```
/// use galop::{Rules, grid};
///
/// let mut puzzle = [0; 81];
/// puzzle[..8].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
/// let marks = grid::candidates(&Rules::default(), &puzzle).expect("no contradiction");
/// assert_eq!(marks[8], 1 << (9 - 1));
/// assert_eq!(marks[9], 0b1_1111_1000, "4 to 9: its block has 1, 2 and 3");
/// ```
pub fn candidates(rules: &Rules, puzzle: &[u8]) -> Option<Vec<u64>> {
    let grid = rules.grid();
    if puzzle.len() != grid.cells() || puzzle.iter().any(|&symbol| symbol > grid.symbols()) {
        return None;
    }
    let all = all_symbols(grid);
    let mut marks: Vec<u64> =
        puzzle.iter().map(|&symbol| if symbol == 0 { all } else { bit(symbol) }).collect();
    loop {
        let before = marks.clone();
        eliminate_naked_singles(grid, &mut marks)?;
        place_hidden_singles(grid, all, &mut marks)?;
        if marks == before {
            return Some(marks);
        }
    }
}

/// Rule 1 for each cell; `None` on a contradiction.
fn eliminate_naked_singles(grid: &Grid, marks: &mut [u64]) -> Option<()> {
    for cell in 0..marks.len() {
        let symbol = marks[cell];
        if !symbol.is_power_of_two() {
            continue;
        }
        for &peer in grid.peers(cell) {
            marks[peer] &= !symbol;
            if marks[peer] == 0 {
                return None;
            }
        }
        let candidate = grid.candidate(cell, symbol.trailing_zeros() as u8 + 1);
        for &excluded in grid.excluded_by(candidate) {
            let (other, symbol) = grid.cell_and_symbol(excluded);
            marks[other] &= !bit(symbol);
            if marks[other] == 0 {
                return None;
            }
        }
    }
    Some(())
}

/// Rule 2 for each unit; `None` on a contradiction.
fn place_hidden_singles(grid: &Grid, all: u64, marks: &mut [u64]) -> Option<()> {
    for unit in grid.units() {
        let (mut once, mut twice) = (0, 0);
        for &cell in unit {
            twice |= once & marks[cell];
            once |= marks[cell];
        }
        if once != all {
            return None;
        }
        for &cell in unit {
            let single = marks[cell] & once & !twice;
            if single != 0 {
                if !single.is_power_of_two() {
                    return None;
                }
                marks[cell] = single;
            }
        }
    }
    Some(())
}
