//! Puzzles that cannot have a solution, found without a guess: Sinai's `check_possible`.
//!
//! A symbol is twice in a unit, or a blank has no candidates, or a symbol has no place in a unit. The check runs twice:
//! on the puzzle as given, so that the reason is as plain as possible; then after one search of the whole grid for
//! singles, pairs and pointing pairs, his flush. It finds the impossible puzzle that took Norvig's program 1,439
//! seconds (norvig.com/sudoku.html). Puzzles that pass may still have no solution.

use super::candidates::{Board, MOST_SYMBOLS, Plan, bit, symbols};
use super::strategies;
use crate::grid::Rules;
use crate::grid::{Cell, Impossible, UnitName};

/// Looks for a reason, found without a guess, why `puzzle` (flat cells: 0 blank, 1..=n) has no solution. For many
/// puzzles, make a [`Checker`] once.
///
/// # Errors
/// The first reason found. A puzzle that passes may still have no solution.
///
/// ```
/// use galop::{Rules, check};
///
/// let norvigs = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";
/// let puzzle: Vec<u8> = norvigs.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
/// let reason = check(&Rules::sudoku(), &puzzle).unwrap_err();
/// assert_eq!(
///     reason.to_string(),
///     "no cell of column 5 is left for 1, once singles, pairs and pointing pairs are found"
/// );
/// ```
pub fn check(rules: &Rules, puzzle: &[u8]) -> Result<(), Impossible> {
    Checker::new(rules).check(puzzle)
}

/// Finds puzzles that cannot have a solution. Each thread has its own; it allocates for the first puzzle only.
pub struct Checker {
    plan: Plan,
    board: Board,
    changed: Vec<usize>,
}

impl std::fmt::Debug for Checker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checker").field("grid", &self.plan.grid).finish_non_exhaustive()
    }
}

impl Checker {
    /// A checker for `rules`. With more than 64 symbols it only checks lengths and symbols.
    pub fn new(rules: &Rules) -> Checker {
        Checker { plan: Plan::new(rules.grid()), board: Board::default(), changed: Vec::new() }
    }

    /// As the function [`check`](fn@check).
    ///
    /// # Errors
    /// The first reason found. A puzzle that passes may still have no solution.
    pub fn check(&mut self, puzzle: &[u8]) -> Result<(), Impossible> {
        let Checker { plan, board, changed } = self;
        let expected = plan.grid.cells();
        if puzzle.len() != expected {
            return Err(Impossible::Length { found: puzzle.len(), expected });
        }
        if let Some(cell) = puzzle.iter().position(|&symbol| symbol > plan.grid.symbols()) {
            return Err(Impossible::Symbol { symbol: puzzle[cell], cell: cell_name(plan, cell) });
        }
        if u32::from(plan.grid.symbols()) > MOST_SYMBOLS {
            return Ok(());
        }
        board.start(plan, puzzle);
        fault(plan, board)?;
        strategies::flush(board, plan, changed);
        fault(plan, board).map_err(Impossible::inferred)
    }
}

/// What cannot be about a position.
pub(super) fn fault(plan: &Plan, board: &Board) -> Result<(), Impossible> {
    let units = || plan.grid.units().iter().enumerate();
    let filled = |unit: &[usize]| unit.iter().fold(0, |filled, &cell| filled | bit(board.cells[cell]));
    for (number, unit) in units() {
        if unit.iter().filter(|&&cell| board.cells[cell] != 0).count() != filled(unit).count_ones() as usize {
            return Err(twice(plan, board, number));
        }
    }
    for (number, unit) in units() {
        let placeable = unit.iter().fold(filled(unit), |placeable, &cell| placeable | board.candidates[cell]);
        if let Some(symbol) = symbols(plan.all() & !placeable).next() {
            return Err(Impossible::NoPlace { symbol, unit: unit_name(plan, number), is_inferred: false });
        }
    }
    if let Some(cell) =
        (0..board.cells.len()).find(|&cell| board.cells[cell] == 0 && board.candidates[cell] == 0)
    {
        return Err(Impossible::NoCandidate { cell: cell_name(plan, cell), is_inferred: false });
    }
    Ok(())
}

/// The first two cells of a unit that hold the same.
#[cold]
fn twice(plan: &Plan, board: &Board, number: usize) -> Impossible {
    let unit = &plan.grid.units()[number];
    let filled = || unit.iter().copied().enumerate().filter(|&(_, cell)| board.cells[cell] != 0);
    let is_like = |one: usize| move |&other: &usize| board.cells[other] == board.cells[one];
    let pair = filled().find_map(|(at, one)| Some([one, unit[at + 1..].iter().copied().find(is_like(one))?]));
    let cells = pair.unwrap_or_default();
    Impossible::Twice {
        symbol: board.cells[cells[0]],
        unit: unit_name(plan, number),
        cells: cells.map(|cell| cell_name(plan, cell)),
    }
}

/// Cells a row: grids are square.
fn width(plan: &Plan) -> usize {
    plan.grid.cells().isqrt().max(1)
}

fn cell_name(plan: &Plan, cell: usize) -> Cell {
    Cell { row: cell / width(plan) + 1, column: cell % width(plan) + 1 }
}

/// A unit in one row or one column is called after that; others are blocks, and those beyond as many as there are rows
/// are diagonals and windows.
fn unit_name(plan: &Plan, number: usize) -> UnitName {
    let mut names = plan.grid.units()[..=number].iter().map(|unit| {
        let cells = unit.iter().map(|&cell| cell_name(plan, cell));
        let first = unit.first().map_or(Cell { row: 0, column: 0 }, |&cell| cell_name(plan, cell));
        if cells.clone().all(|cell| cell.row == first.row) {
            Some(UnitName::Row(first.row))
        } else if cells.clone().all(|cell| cell.column == first.column) {
            Some(UnitName::Column(first.column))
        } else {
            None
        }
    });
    let blocks = names.clone().filter(Option::is_none).count();
    names.next_back().flatten().unwrap_or(UnitName::block(blocks, width(plan)))
}
