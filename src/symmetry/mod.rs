//! The symmetries of a puzzle: transformations that change its looks and keep its solutions.
//!
//! ```text
//! digits 9!   bands 3!   rows within a band 3!^3   stacks 3!   columns within a stack 3!^3   transposition 2
//! ```
//! These are all the symmetries of the 9x9 sudoku (Russell and Jarvis, "Mathematics of Sudoku II", 2006):
//! 3,359,232 of the grid times 362,880 relabellings. Puzzles of other rules are only relabelled: a rule made of units
//! does not depend on the names of symbols, but which cells may change places depends on the units.

mod random;

use crate::grid::Grid;

/// The symmetries of the puzzles of one grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    cells: u16,
    symbols: u8,
    /// Whether cells may change places: the grid is that of the 9x9 sudoku.
    moves_cells: bool,
}

/// One symmetry: the new place of each cell, and the new name of each symbol.
///
/// ```text
/// 9 x 9        the cell in row r, column c goes to down[r] + across[c]; if transposed, down counts columns
/// other grids  cell c stays: down[c] = c, and across has the one element 0
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Symmetry {
    down: Vec<u16>,
    across: Vec<u16>,
    symbols: [u8; 256],
}

impl Group {
    /// The symmetries of puzzles on `grid`.
    pub(crate) fn of(grid: &Grid) -> Group {
        Group { cells: grid.cells() as u16, symbols: grid.symbols(), moves_cells: grid.is_nine() }
    }

    /// The symmetry that changes nothing.
    pub(crate) fn identity(&self) -> Symmetry {
        let down = (0..self.cells).collect();
        Symmetry { down, across: vec![0], symbols: std::array::from_fn(|symbol| symbol as u8) }
    }
}

impl Symmetry {
    /// Writes the image of `puzzle` to `out`, of the same length.
    pub(crate) fn apply(&self, puzzle: &[u8], out: &mut [u8]) {
        for (row, &down) in puzzle.chunks_exact(self.across.len()).zip(&self.down) {
            for (&symbol, &across) in row.iter().zip(&self.across) {
                out[usize::from(down + across)] = self.symbols[usize::from(symbol)];
            }
        }
    }

    /// The cells whose image is `cells`: the inverse of [`apply`](Self::apply).
    pub(crate) fn undo(&self, cells: &[u8]) -> Vec<u8> {
        let before = |symbol: u8| self.symbols.iter().position(|&now| now == symbol).unwrap_or(0) as u8;
        let places = self.down.iter().flat_map(|down| self.across.iter().map(move |across| down + across));
        places.map(|cell| before(cells[usize::from(cell)])).collect()
    }
}
