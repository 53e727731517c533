//! The geometry of a grid: its cells, its units, the peers of each cell, and what else its cells must satisfy.
//!
//! The words come from Norvig, "Solving Every Sudoku Puzzle" (norvig.com/sudoku.html). A unit is a set of cells that
//! holds every symbol exactly once. The peers of a cell are the cells that differ from it: the other cells of its
//! units, and those that are paired with it. A *candidate* is a symbol in a cell; two candidates may exclude each other.

use super::Constraints;
use super::names::{Cell, UnitName};

/// Cells, symbols and units of a kind of puzzle, pairs of cells that differ, and pairs of candidates that exclude each
/// other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    cells: usize,
    symbols: u8,
    units: Vec<Vec<usize>>,
    units_of: Vec<Vec<usize>>,
    peers: Vec<Vec<usize>>,
    /// The number of blocks or regions. They are the first units after rows and columns.
    parts: usize,
    different: Vec<[usize; 2]>,
    exclusive: Vec<[usize; 2]>,
    /// By candidate: the candidates that it excludes besides those of its cell and peers. Empty if no pair does.
    excluded: Vec<Vec<usize>>,
}

impl Grid {
    /// A grid of `cells` cells (numbered from 0, row-major) that hold `1..=symbols`. The units are the rows, the
    /// columns, then blocks or regions, then other ones.
    pub(super) fn new(cells: usize, symbols: u8, constraints: Constraints) -> Grid {
        let Constraints { units, mut different, mut exclusive } = constraints;
        let mut units_of = vec![Vec::new(); cells];
        for (unit, members) in units.iter().enumerate() {
            for &cell in members {
                units_of[cell].push(unit);
            }
        }
        let mut peers: Vec<Vec<usize>> = (0..cells)
            .map(|cell| {
                let mut peers: Vec<usize> =
                    units_of[cell].iter().flat_map(|&unit| &units[unit]).copied().collect();
                sort(&mut peers);
                peers.retain(|&peer| peer != cell);
                peers
            })
            .collect();
        sort(&mut different);
        different.retain(|[one, other]| peers[*one].binary_search(other).is_err());
        for &[one, other] in &different {
            peers[one].push(other);
            peers[other].push(one);
        }
        peers.iter_mut().for_each(|peers| peers.sort_unstable());
        sort(&mut exclusive);
        let mut excluded = Vec::new();
        if !exclusive.is_empty() {
            excluded.resize(cells * usize::from(symbols), Vec::new());
        }
        for &[one, other] in &exclusive {
            excluded[one].push(other);
            excluded[other].push(one);
        }
        let mut grid =
            Grid { cells, symbols, units, units_of, peers, parts: 0, different, exclusive, excluded };
        grid.parts = grid.count_parts();
        grid
    }

    /// The number of blocks or regions: a row's, if so many units after rows and columns hold each cell once.
    fn count_parts(&self) -> usize {
        let side = self.side();
        let mut seen = vec![false; self.cells];
        let parts = self.units.get(2 * side..3 * side).unwrap_or_default();
        let is_apart = parts.iter().flatten().all(|&cell| !std::mem::replace(&mut seen[cell], true));
        if is_apart && seen.into_iter().all(|seen| seen) { parts.len() } else { 0 }
    }

    /// The grid of the 9x9 sudoku.
    pub(super) fn nine() -> Grid {
        Grid::new(81, 9, Constraints { units: super::sudoku::units(9), ..Constraints::default() })
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

    /// The number of blocks or regions; 0 if the rules have only rows and columns.
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// The block or region of `cell`, from 0. It is 0 if the rules have only rows and columns, or if the cell is not in
    /// the grid.
    pub fn part(&self, cell: usize) -> usize {
        let parts = 2 * self.side()..2 * self.side() + self.parts;
        let unit = self.units_of(cell).iter().find(|unit| parts.contains(unit));
        unit.map_or(0, |unit| unit - parts.start)
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

    /// The other cells that share a unit with `cell` or differ from it for another reason, ascending. Empty if the cell
    /// is not in the grid.
    pub fn peers(&self, cell: usize) -> &[usize] {
        self.peers.get(cell).map_or(&[], Vec::as_slice)
    }

    /// The pairs of cells that differ although no unit holds both, each ascending, in ascending order: those a knight's
    /// move apart, say.
    pub fn different(&self) -> &[[usize; 2]] {
        &self.different
    }

    /// The pairs of candidates that are not in one solution, besides those that follow from units and from cells that
    /// differ, in ascending order. The candidate `symbol` in `cell` has the number `cell * symbols + symbol - 1`.
    pub fn exclusive(&self) -> &[[usize; 2]] {
        &self.exclusive
    }

    /// The candidates of the pairs of [`exclusive`](Self::exclusive) that `candidate` is in.
    pub fn excluded_by(&self, candidate: usize) -> &[usize] {
        self.excluded.get(candidate).map_or(&[], Vec::as_slice)
    }

    /// Whether the units are all that the cells must satisfy.
    pub fn has_only_units(&self) -> bool {
        self.different.is_empty() && self.exclusive.is_empty()
    }

    /// The number of the candidate `symbol` in `cell`.
    pub fn candidate(&self, cell: usize, symbol: u8) -> usize {
        cell * usize::from(self.symbols) + usize::from(symbol) - 1
    }

    /// The cell and the symbol of a candidate.
    pub fn cell_and_symbol(&self, candidate: usize) -> (usize, u8) {
        let symbols = usize::from(self.symbols).max(1);
        (candidate / symbols, (candidate % symbols) as u8 + 1)
    }

    /// The row and column of `cell`.
    pub fn cell_name(&self, cell: usize) -> Cell {
        let side = self.side().max(1);
        Cell { row: cell / side + 1, column: cell % side + 1 }
    }

    /// The name of the unit `number`: rows come first, then columns, blocks or regions, and extra units.
    pub fn unit_name(&self, number: usize) -> UnitName {
        let side = self.side();
        match number.checked_sub(2 * side) {
            None if number < side => UnitName::Row(number + 1),
            None => UnitName::Column(number - side + 1),
            Some(part) if part < self.parts => UnitName::Block(part + 1),
            Some(part) => UnitName::Extra(part - self.parts + 1),
        }
    }
}

/// Sorts, and keeps one of equal ones.
fn sort<T: Ord>(list: &mut Vec<T>) {
    list.sort_unstable();
    list.dedup();
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
