//! The geometry of a grid: its cells, its units, and the peers of each cell.
//!
//! The words come from Norvig, "Solving Every Sudoku Puzzle" (norvig.com/sudoku.html). A unit is a set of cells that
//! holds every symbol exactly once; the peers of a cell are the other cells of its units.

/// Cells, symbols and units of a kind of puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    cells: usize,
    symbols: u8,
    units: Vec<Vec<usize>>,
    units_of: Vec<Vec<usize>>,
    peers: Vec<Vec<usize>>,
}

impl Grid {
    /// A grid of `cells` cells (numbered from 0, row-major) that hold `1..=symbols`. Each unit lists its cells.
    pub(super) fn new(cells: usize, symbols: u8, units: Vec<Vec<usize>>) -> Grid {
        let mut units_of = vec![Vec::new(); cells];
        for (unit, members) in units.iter().enumerate() {
            for &cell in members {
                units_of[cell].push(unit);
            }
        }
        let peers = (0..cells)
            .map(|cell| {
                let mut peers: Vec<usize> =
                    units_of[cell].iter().flat_map(|&unit| &units[unit]).copied().collect();
                peers.sort_unstable();
                peers.dedup();
                peers.retain(|&peer| peer != cell);
                peers
            })
            .collect();
        Grid { cells, symbols, units, units_of, peers }
    }

    /// The grid of the 9x9 sudoku.
    pub(super) fn nine() -> Grid {
        Grid::new(81, 9, super::sudoku::units(9))
    }

    /// Whether this is the grid of the 9x9 sudoku. Some engines solve no other.
    pub fn is_nine(&self) -> bool {
        (self.cells, self.symbols) == (81, 9) && *self == Grid::nine()
    }

    /// The number of cells, which is also the stride of a puzzle in bytes.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Cells of a row, which is also the number of cells of a column.
    pub fn side(&self) -> usize {
        self.cells.isqrt()
    }

    /// The block or region of `cell`, from 0. It is 0 if the rules have only rows and columns, or if the cell is not in
    /// the grid.
    pub fn part(&self, cell: usize) -> usize {
        // The units are rows, columns, then blocks or regions, then extra units.
        let lines = 2 * self.side();
        let unit = self.units_of(cell).iter().find(|&&unit| unit >= lines);
        unit.filter(|_| self.units.len() >= lines + self.side()).map_or(0, |unit| unit - lines)
    }

    /// Rows and columns of a block, if the blocks are rectangles side by side; of the whole grid if the rules have only
    /// rows and columns.
    pub fn block(&self) -> Option<(usize, usize)> {
        let side = self.side();
        let height = (0..side).take_while(|row| self.part(row * side) == self.part(0)).count().max(1);
        let width = (0..side).take_while(|&column| self.part(column) == self.part(0)).count().max(1);
        let across = side.div_ceil(width);
        let is_block = |cell: usize| self.part(cell) == cell / side / height * across + cell % side / width;
        (0..self.cells).all(is_block).then_some((height, width))
    }

    /// The number of symbols: cells hold `1..=symbols`.
    pub fn symbols(&self) -> u8 {
        self.symbols
    }

    /// The cells of every unit.
    pub fn units(&self) -> &[Vec<usize>] {
        &self.units
    }

    /// The units of `cell`, as indices into [`units`](Self::units). Empty if the cell is not in the grid.
    pub fn units_of(&self, cell: usize) -> &[usize] {
        self.units_of.get(cell).map_or(&[], Vec::as_slice)
    }

    /// The other cells that share a unit with `cell`, ascending. Empty if the cell is not in the grid.
    pub fn peers(&self, cell: usize) -> &[usize] {
        self.peers.get(cell).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use crate::grid::{Regions, Rules};

    #[test]
    fn blocks_are_known_by_their_parts() {
        let block = |kind: &str, side: usize| {
            let map = match side {
                4 => "aabb aabc ddbc ddcc".to_owned(),
                _ => "aaabbb".repeat(2) + &"cccddd".repeat(2) + &"eeefff".repeat(2),
            };
            let regions = Regions::read(map.as_bytes()).unwrap();
            Rules::new(crate::grid::kind(kind).unwrap(), side, Some(&regions)).unwrap().grid().block()
        };
        assert_eq!(
            [4, 6, 9, 12].map(|side| block("sudoku", side)),
            [(2, 2), (2, 3), (3, 3), (3, 4)].map(Some)
        );
        assert_eq!((block("diagonal", 6), block("windoku", 9)), (Some((2, 3)), Some((3, 3))));
        assert_eq!(
            (block("latin", 7), block("jigsaw", 4), block("jigsaw", 6)),
            (Some((7, 7)), None, Some((2, 3)))
        );
    }

    /// The facts at the top of Norvig's program.
    #[test]
    fn norvigs_facts() {
        let rules = Rules::default();
        let grid = rules.grid();
        assert_eq!(grid.cells(), 81);
        assert_eq!(grid.units().len(), 27);
        assert!((0..81).all(|cell| grid.units_of(cell).len() == 3));
        assert!((0..81).all(|cell| grid.peers(cell).len() == 20));
        // 'C2': its column, its row, its block; its peers.
        let c2 = 2 * 9 + 1;
        let units: Vec<&Vec<usize>> = grid.units_of(c2).iter().map(|&unit| &grid.units()[unit]).collect();
        assert_eq!(units[0], &(18..27).collect::<Vec<_>>());
        assert_eq!(units[1], &(0..9).map(|row| 9 * row + 1).collect::<Vec<_>>());
        assert_eq!(units[2], &[0, 1, 2, 9, 10, 11, 18, 19, 20]);
        assert_eq!(
            grid.peers(c2),
            [0, 1, 2, 9, 10, 11, 18, 20, 21, 22, 23, 24, 25, 26, 28, 37, 46, 55, 64, 73]
        );
        assert!(grid.peers(81).is_empty() && grid.units_of(81).is_empty());
    }
}
