//! Why a puzzle has no solution, found without a guess.
//!
//! Three reasons: two clues that are not in one solution, a symbol without a place in a unit, a blank without
//! candidates. The check looks for them twice. First it looks in the puzzle as it is, so that the reason is the simplest
//! one. Then it looks again after hidden singles, hidden pairs and pointing pairs and triples were each applied once to
//! the whole grid.
//!
//! After `check_possible` and `flush` of Lior Sinai's solver (github.com/LiorSinai/SudokuSolver-Python). It finds the
//! impossible puzzle that took Norvig's program 1,439 seconds (norvig.com/sudoku.html). A puzzle that passes may still
//! have no solution.

use super::inference::{Counts, Crossing, Places, all_symbols, bit, symbols, taken};
use super::{Fault, Grid, Rules};

/// Finds puzzles that have no solution for a reason that is found without a guess. Keeps its memory between puzzles.
///
/// ```
/// use galop::Rules;
/// use galop::grid::Checker;
///
/// let norvigs = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";
/// let puzzle: Vec<u8> = norvigs.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
/// let reason = Checker::new(&Rules::default()).check(&puzzle).unwrap_err();
/// assert_eq!(
///     reason.to_string(),
///     "no cell of column 5 is left for 1, once singles, pairs and pointing pairs are found"
/// );
/// ```
pub struct Checker {
    grid: Grid,
    crossings: Vec<Vec<Crossing>>,
    /// The candidates of each blank; no bit for a clue.
    candidates: Vec<u64>,
    places: Places,
}

impl std::fmt::Debug for Checker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checker").field("grid", &self.grid).finish_non_exhaustive()
    }
}

impl Checker {
    /// A checker for puzzles of `rules`.
    pub fn new(rules: &Rules) -> Checker {
        let (grid, crossings) = (rules.grid().clone(), Crossing::all(rules.grid()));
        Checker { grid, crossings, candidates: Vec::new(), places: Places::default() }
    }

    /// Checks `puzzle` (flat cells: 0 blank, 1..=n).
    ///
    /// # Errors
    /// The first reason found. A puzzle that passes may still have no solution.
    pub fn check(&mut self, puzzle: &[u8]) -> Result<(), Fault> {
        let grid = &self.grid;
        if puzzle.len() != grid.cells() {
            return Err(Fault::Length { found: puzzle.len(), expected: grid.cells() });
        }
        if let Some(cell) = puzzle.iter().position(|&symbol| symbol > grid.symbols()) {
            return Err(Fault::Symbol { found: puzzle[cell], cell: grid.cell_name(cell) });
        }
        let all = all_symbols(grid);
        let candidates = |(cell, &clue)| if clue == 0 { all & !taken(grid, puzzle, cell) } else { 0 };
        self.candidates.clear();
        self.candidates.extend(puzzle.iter().enumerate().map(candidates));

        grid.check_clues(puzzle)?;
        check_candidates(grid, puzzle, &self.candidates, false)?;
        self.eliminate();
        check_candidates(&self.grid, puzzle, &self.candidates, true)
    }

    /// Applies hidden singles and pairs once to every unit, then pointing pairs and triples once to every unit.
    fn eliminate(&mut self) {
        let Checker { grid, crossings, candidates, places } = self;
        for unit in grid.units() {
            let counts = Counts::new(candidates, unit);
            places.find(candidates, unit, counts.once | counts.twice);
            counts.hidden(places, false, |at, kept| {
                let kept = kept.iter().fold(0, |kept, &symbol| kept | bit(symbol));
                symbols(at).for_each(|place| candidates[unit[usize::from(place) - 1]] &= kept);
            });
        }
        for (unit, crossings) in grid.units().iter().zip(crossings) {
            if crossings.is_empty() {
                continue;
            }
            let Counts { twice, thrice, .. } = Counts::new(candidates, unit);
            places.find(candidates, unit, twice | thrice);
            for symbol in symbols(twice | thrice) {
                for crossing in &*crossings {
                    let cells = crossing.pointed_at(places.of(symbol));
                    cells.iter().for_each(|&cell| candidates[cell] &= !bit(symbol));
                }
            }
        }
    }
}

/// Fails if a symbol has no place in a unit, or a blank no candidates.
fn check_candidates(grid: &Grid, puzzle: &[u8], candidates: &[u64], is_inferred: bool) -> Result<(), Fault> {
    let all = all_symbols(grid);
    for (number, unit) in grid.units().iter().enumerate() {
        let placed = unit.iter().fold(0, |placed, &cell| placed | bit(puzzle[cell]) | candidates[cell]);
        if let Some(symbol) = symbols(all & !placed).next() {
            return Err(Fault::NoPlace { symbol, unit: grid.unit_name(number), is_inferred });
        }
    }
    match (0..puzzle.len()).find(|&cell| puzzle[cell] == 0 && candidates[cell] == 0) {
        Some(cell) => Err(Fault::NoCandidate { cell: grid.cell_name(cell), is_inferred }),
        None => Ok(()),
    }
}

impl Grid {
    /// Checks that no two clues of a unit are equal, nor two that must differ, and that none exclude each other.
    ///
    /// # Errors
    /// The first such pair.
    ///
    /// # Panics
    /// If there are fewer cells than the grid has.
    pub fn check_clues(&self, puzzle: &[u8]) -> Result<(), Fault> {
        for (number, unit) in self.units().iter().enumerate() {
            let clues = unit.iter().filter(|&&cell| puzzle[cell] != 0);
            let symbols = clues.clone().fold(0, |symbols, &cell| symbols | bit(puzzle[cell]));
            if clues.clone().count() == symbols.count_ones() as usize {
                continue;
            }
            let equal = |(at, &one): (usize, &usize)| {
                let mut later = unit[at + 1..].iter();
                later
                    .find(|&&other| puzzle[one] != 0 && puzzle[other] == puzzle[one])
                    .map(|&other| [one, other])
            };
            if let Some(cells) = unit.iter().enumerate().find_map(equal) {
                let (symbol, unit) = (puzzle[cells[0]], self.unit_name(number));
                return Err(Fault::Twice { symbol, unit, cells: cells.map(|cell| self.cell_name(cell)) });
            }
        }
        let is_clue = |&&[one, other]: &&[usize; 2]| puzzle[one] != 0 && puzzle[one] == puzzle[other];
        if let Some(&cells) = self.different().iter().find(is_clue) {
            let symbol = puzzle[cells[0]];
            return Err(Fault::Different { symbol, cells: cells.map(|cell| self.cell_name(cell)) });
        }
        let of = |candidates: &[usize; 2]| candidates.map(|candidate| self.cell_and_symbol(candidate));
        let are_clues = |pair: &[(usize, u8); 2]| pair.iter().all(|&(cell, symbol)| puzzle[cell] == symbol);
        if let Some(pair) = self.exclusive().iter().map(of).find(are_clues) {
            let cells = pair.map(|(cell, _)| self.cell_name(cell));
            return Err(Fault::Exclusive { symbols: pair.map(|(_, symbol)| symbol), cells });
        }
        Ok(())
    }
}
