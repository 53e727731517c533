//! The front door: puzzles as text in, solutions as text out.
//!
//! ```text
//! texts --> rules and alphabet --> cells --> engine --> verifier --> solutions
//!           by their length                 one batch
//! ```
//! [`SolverBuilder`] has the settings. [`Solver`] has a [`SizeSolver`] for each size, and gives each text to the one
//! for its length. Its [`Workers`](workers::Workers) solve slices of cells on all cores.

mod builder;
mod error;
mod results;
mod size;
mod solution;
mod solve;
#[cfg(test)]
mod tests;
mod workers;

use std::fmt;

pub use builder::SolverBuilder;
pub use error::SolveError;
pub use results::Results;
pub use solution::Solution;
pub use solve::{count, is_unique, solve};

use galop_engines::Control;
use galop_engines::engine::Unsupported;
use galop_engines::grid::{Alphabet, Rules, SUDOKU};
use galop_engines::puzzle::{Limits, Puzzles};
use size::SizeSolver;
use workers::Given;

/// Solves puzzles of any rules with any engine, one or many at a time. Keeps its threads and memory between calls.
///
/// A [`SolverBuilder`] has the settings. Without rules, the solver solves sudokus of all sizes, as [`solve`] does. With
/// the rules of a problem ([`Rules::problem`]) a puzzle is a list of choices, and so is its solution. Each
/// solution is checked by an independent [`Verifier`](crate::grid::Verifier) before it is returned.
///
/// ```
/// use galop::{Rules, Solver, grid};
///
/// let mut solver = Solver::new();
/// let solution = solver.solve("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")?;
/// assert!(solution.as_str().starts_with("417369825"));
///
/// let diagonal = Rules::new(grid::DIAGONAL, 4, None)?;
/// let mut solver = Solver::builder().rules(diagonal).unique(true).build()?;
/// assert_eq!(solver.solve("1.2. 3... .... ....")?.to_string(), "1423324141322314");
/// assert_eq!(solver.solve("1... .... .... ....").unwrap_err().to_string(), "more than one solution");
///
/// let queens = Rules::problem(galop_cover::models::queens(8)?);
/// let mut solver = Solver::builder().rules(queens).unique(true).build()?;
/// assert_eq!(solver.solve("r4 c6 | r5 c4")?.as_str().split(" | ").count(), 8);
/// assert_eq!(solver.solve("r1 c1 | r9 c2").unwrap_err().to_string().split(" (").next(), Some("column 9: unknown item `r9`"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    settings: SolverBuilder,
    sizes: Vec<SizeSolver>,
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// A solver of sudokus of all sizes, with the fastest engine for each size and without a limit on guesses.
    pub fn new() -> Solver {
        Solver { settings: Solver::builder(), sizes: Vec::new() }
    }

    /// The settings of [`new`](Self::new), to be changed.
    pub fn builder() -> SolverBuilder {
        SolverBuilder::default()
    }

    /// Solves one puzzle.
    ///
    /// # Errors
    /// What is wrong with the text and where, or why there is no solution.
    pub fn solve(&mut self, puzzle: &str) -> Result<Solution, SolveError> {
        self.solve_many(&[puzzle]).pop().unwrap_or(Err(SolveError::Unanswered))
    }

    /// Solves many puzzles in batches, on all cores ([`SolverBuilder::threads`]) if there are hundreds of them or, for
    /// engines that solve many at once, thousands. Result `i` belongs to puzzle `i`.
    ///
    /// Puzzles of the same size are written in the same alphabet.
    ///
    /// ```
    /// let puzzles = ["12.. 34.. ..1. ...2", "1", "11.. .... .... ...."];
    /// let results = galop::Solver::new().solve_many(&puzzles);
    /// let texts: Vec<String> = results
    ///     .into_iter()
    ///     .map(|result| result.map_or_else(|error| error.to_string(), |solution| solution.to_string()))
    ///     .collect();
    /// assert_eq!(texts[0], "1243342123144132");
    /// assert_eq!(texts[1], "1 cell (a puzzle has 16, 36, 64, 81, 100, 144, 225, 256 or 625, one character per cell)");
    /// assert!(texts[2].starts_with("no solution: 1 occurs twice in row 1"));
    /// ```
    pub fn solve_many<T: AsRef<str>>(&mut self, puzzles: &[T]) -> Vec<Result<Solution, SolveError>> {
        let found = self.search(puzzles, self.settings.limits());
        found
            .into_iter()
            .map(|place| place.and_then(|(size, place)| self.sizes[size].solution(place)))
            .collect()
    }

    /// Counts the solutions of a puzzle, up to `limit`. With a limit of 0 the count is 0.
    ///
    /// # Errors
    /// What is wrong with the text and where, or that the engine gave up before it found `limit` solutions.
    pub fn count(&mut self, puzzle: &str, limit: u64) -> Result<u64, SolveError> {
        let found = self.search(&[puzzle], self.settings.with_guess_limit(Limits::count(limit))).pop();
        let (size, place) = found.unwrap_or(Err(SolveError::Unanswered))?;
        Ok(self.sizes[size].count(place)?.min(limit))
    }

    /// Whether a puzzle has exactly one solution.
    ///
    /// # Errors
    /// The errors of [`count`](Self::count).
    pub fn is_unique(&mut self, puzzle: &str) -> Result<bool, SolveError> {
        Ok(self.count(puzzle, 2)? == 1)
    }

    /// Solves slices of cells on all cores: 0 is a blank, and 1 to n are the symbols. Place `i` of `results` belongs to
    /// puzzle `i`. `limits` are the limits of this call instead of the solver's own. `control` stops the call from
    /// another thread, and shows how many puzzles are solved. Cells that are no puzzle (a number above n, choices that
    /// exclude each other) have the status [`Malformed`](galop_engines::puzzle::Status::Malformed).
    ///
    /// ```
    /// use galop::{Control, Limits, Puzzles, Results, Solver, Status};
    ///
    /// let puzzles = [[1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2], [1; 16]].concat();
    /// let (mut solutions, mut statuses) = ([0; 32], [Status::Unanswered; 2]);
    /// let (mut counts, mut guesses) = ([0; 2], [0; 2]);
    /// let results = Results::new(&mut solutions, &mut statuses, &mut counts, &mut guesses);
    /// Solver::new().solve_cells(Puzzles::new(&puzzles, 16)?, Limits::UNIQUE, results, &Control::default())?;
    ///
    /// assert_eq!(solutions[..16], [1, 2, 4, 3, 3, 4, 2, 1, 2, 3, 1, 4, 4, 1, 3, 2]);
    /// assert_eq!((statuses, counts), ([Status::Solved, Status::None], [1, 0]));
    /// # Ok::<(), galop::SolveError>(())
    /// ```
    ///
    /// # Errors
    /// [`SolveError::Length`] if the puzzles do not have the cells of the rules; [`SolveError::Places`] if the results
    /// are for another number of puzzles; [`SolveError::Unsupported`]; [`SolveError::Threads`];
    /// [`SolveError::Stopped`] if `control` ended the call; [`SolveError::WrongSolution`]. The results are then
    /// incomplete.
    pub fn solve_cells(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        results: Results<'_>,
        control: &Control,
    ) -> Result<(), SolveError> {
        results.check(puzzles.len(), puzzles.stride())?;
        self.solve_slices(Given::Beside(puzzles), puzzles.stride(), limits, results, control)
    }

    /// As [`solve_cells`](Self::solve_cells), of puzzles of `cells` cells that are in the places of their solutions.
    /// Each solution overwrites its puzzle. So a call that has made the puzzles needs memory for them once.
    ///
    /// ```
    /// use galop::{Control, Limits, Results, Solver, Status};
    ///
    /// let mut cells = [1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2];
    /// let (mut statuses, mut counts, mut guesses) = ([Status::Unanswered], [0], [0]);
    /// let results = Results::new(&mut cells, &mut statuses, &mut counts, &mut guesses);
    /// Solver::new().solve_in_place(16, Limits::ANY, results, &Control::default())?;
    /// assert_eq!(cells, [1, 2, 4, 3, 3, 4, 2, 1, 2, 3, 1, 4, 4, 1, 3, 2]);
    /// # Ok::<(), galop::SolveError>(())
    /// ```
    ///
    /// # Errors
    /// The same as of [`solve_cells`](Self::solve_cells).
    pub fn solve_in_place(
        &mut self,
        cells: usize,
        limits: Limits,
        results: Results<'_>,
        control: &Control,
    ) -> Result<(), SolveError> {
        let count = Puzzles::new(results.solutions, cells)?.len();
        results.check(count, cells)?;
        self.solve_slices(Given::InPlace, cells, limits, results, control)
    }

    fn solve_slices(
        &mut self,
        given: Given<'_>,
        cells: usize,
        limits: Limits,
        results: Results<'_>,
        control: &Control,
    ) -> Result<(), SolveError> {
        if results.statuses.is_empty() {
            return Ok(());
        }
        let size = self.size_with(cells)?;
        self.sizes[size].solve(given, limits, results, control)
    }

    /// Reads and solves all texts. Returns the index in `sizes` and the place of each answer.
    fn search<T: AsRef<str>>(
        &mut self,
        texts: &[T],
        limits: Limits,
    ) -> Vec<Result<(usize, usize), SolveError>> {
        self.sizes.iter_mut().for_each(SizeSolver::clear);
        let sizes: Vec<Result<usize, SolveError>> =
            texts.iter().map(|text| self.size_of_text(text.as_ref())).collect();
        let mut places: Vec<Result<(usize, usize), SolveError>> = Vec::with_capacity(texts.len());
        for (text, size) in texts.iter().zip(sizes) {
            let place = |size: usize| Ok((size, self.sizes[size].read(text.as_ref())?));
            places.push(size.and_then(place));
        }
        let solved: Vec<Result<(), SolveError>> =
            self.sizes.iter_mut().map(|size| size.solve_batch(limits)).collect();
        for place in &mut places {
            if let Ok((size, _)) = *place
                && let Err(error) = &solved[size]
            {
                *place = Err(error.clone());
            }
        }
        places
    }

    /// The solver for a text, which takes in its characters.
    fn size_of_text(&mut self, text: &str) -> Result<usize, SolveError> {
        if let Some(rules) = self.settings.rules.as_ref().filter(|rules| rules.choices().is_some()) {
            return self.size_with(rules.stride());
        }
        let cells = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).count();
        let size = self.size_with(cells).map_err(|error| {
            let alphabet = self.settings.rules.as_ref().map(|rules| rules.alphabet().clone());
            let alphabet = alphabet.unwrap_or_else(|| Alphabet::of_symbols(25));
            SolveError::unexpected(text, &alphabet).unwrap_or(error)
        })?;
        self.sizes[size].see(text);
        Ok(size)
    }

    /// The solver for puzzles of `cells` cells; makes it on the first call.
    fn size_with(&mut self, cells: usize) -> Result<usize, SolveError> {
        if let Some(size) = self.sizes.iter().position(|size| size.rules.stride() == cells) {
            return Ok(size);
        }
        let rules = match &self.settings.rules {
            Some(rules) if rules.stride() == cells => rules.clone(),
            Some(rules) => {
                return Err(SolveError::Length { found: cells, expected: vec![rules.stride()] });
            }
            None => Rules::sudoku(cells.isqrt())
                .ok()
                .filter(|rules| rules.stride() == cells)
                .ok_or_else(|| SolveError::Length { found: cells, expected: sudoku_lengths() })?,
        };
        self.add_size(rules)?;
        Ok(self.sizes.len() - 1)
    }

    fn add_size(&mut self, rules: Rules) -> Result<(), Unsupported> {
        let SolverBuilder { rules: chosen, engine, threads, .. } = &self.settings;
        self.sizes.push(SizeSolver::new(rules, *engine, *threads, chosen.is_none())?);
        Ok(())
    }
}

/// The numbers of cells of sudokus.
fn sudoku_lengths() -> Vec<usize> {
    SUDOKU.sides().into_iter().map(|side| side * side).collect()
}
