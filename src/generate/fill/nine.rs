//! A random full grid of the 9x9 sudoku, by a search from the empty grid with random choices.
//!
//! Take a random one of the blank cells with the fewest candidates. Try its candidates in random order. Backtrack if a
//! cell has none. The candidates are the digits that row, column and block leave, nothing finer: the search rarely
//! backtracks for long, and with this simple rule the order of the random numbers is easy to describe.
//!
//! How even is it? All cells and all digits are treated alike. So two grids are equally likely if they differ only by
//! renaming digits, by exchanging rows, columns, bands or stacks, or by transposing. Between the 5,472,730,538 classes
//! under these symmetries (Russell and Jarvis, 2006, of the 6,670,903,752,021,072,936,960 grids of Felgenhauer and
//! Jarvis, 2005) the sample is not even: a grid is the likelier, the fewer other candidates were open on the way to
//! it. Do not use it for statistics on grids.

use crate::chance::Chance;

/// Cells of a grid.
const CELLS: usize = 81;

/// Digits as a set: bit `d` for the digit `d`.
type Digits = u16;

const ALL: Digits = 0b11_1111_1110;

/// A random full grid, digits 1..=9 row by row.
pub(super) fn full_grid(chance: &mut Chance) -> [u8; CELLS] {
    let mut grid = Filling { cells: [0; CELLS], rows: [0; 9], columns: [0; 9], blocks: [0; 9] };
    // The empty grid can always be filled.
    grid.fill(chance);
    grid.cells
}

/// A partly filled grid, and the digits that each unit holds.
struct Filling {
    cells: [u8; CELLS],
    rows: [Digits; 9],
    columns: [Digits; 9],
    blocks: [Digits; 9],
}

impl Filling {
    /// Fills the blank cells. If that is impossible, returns false and leaves the grid unchanged.
    fn fill(&mut self, chance: &mut Chance) -> bool {
        let Some(cell) = self.tightest(chance) else { return true };
        let (mut order, mut len) = ([0; 9], 0);
        for digit in (1..=9).filter(|digit| self.candidates(cell) >> digit & 1 == 1) {
            order[len] = digit;
            len += 1;
        }
        chance.shuffle(&mut order[..len]);
        order[..len].iter().any(|&digit| {
            self.put(cell, digit);
            let is_full = self.fill(chance);
            if !is_full {
                self.take(cell, digit);
            }
            is_full
        })
    }

    /// A random one of the blank cells with the fewest candidates; `None` if the grid is full.
    fn tightest(&self, chance: &mut Chance) -> Option<usize> {
        let (mut ties, mut len, mut fewest) = ([0; CELLS], 0, u32::MAX);
        for cell in (0..CELLS).filter(|&cell| self.cells[cell] == 0) {
            let count = self.candidates(cell).count_ones();
            if count < fewest {
                (fewest, len) = (count, 0);
            }
            if count == fewest {
                ties[len] = cell;
                len += 1;
            }
        }
        (len > 0).then(|| ties[chance.below(len as u32) as usize])
    }

    fn candidates(&self, cell: usize) -> Digits {
        let (row, column, block) = units(cell);
        ALL & !(self.rows[row] | self.columns[column] | self.blocks[block])
    }

    fn put(&mut self, cell: usize, digit: u8) {
        self.cells[cell] = digit;
        self.flip(cell, digit);
    }

    fn take(&mut self, cell: usize, digit: u8) {
        self.cells[cell] = 0;
        self.flip(cell, digit);
    }

    fn flip(&mut self, cell: usize, digit: u8) {
        let (row, column, block) = units(cell);
        self.rows[row] ^= 1 << digit;
        self.columns[column] ^= 1 << digit;
        self.blocks[block] ^= 1 << digit;
    }
}

fn units(cell: usize) -> (usize, usize, usize) {
    let (row, column) = (cell / 9, cell % 9);
    (row, column, row / 3 * 3 + column / 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Rules, Verifier};

    #[test]
    fn grids_are_full_and_right_and_differ() {
        let verifier = Verifier::new(&Rules::sudoku());
        let grids: std::collections::HashSet<[u8; CELLS]> =
            (0..2000).map(|place| full_grid(&mut Chance::new(5, place))).collect();
        assert_eq!(grids.len(), 2000);
        for grid in grids {
            assert_eq!(verifier.check(&[0; CELLS], &grid), Ok(()));
        }
    }

    /// Every digit is equally likely in every cell.
    #[test]
    fn digits_are_even_in_every_cell() {
        let mut counts = [[0u32; 10]; CELLS];
        for place in 0..9000 {
            for (cell, digit) in full_grid(&mut Chance::new(6, place)).into_iter().enumerate() {
                counts[cell][usize::from(digit)] += 1;
            }
        }
        // 1,000 expected, standard deviation 30.
        assert!(counts.iter().all(|cell| cell[1..].iter().all(|count| count.abs_diff(1000) < 180)));
    }
}
