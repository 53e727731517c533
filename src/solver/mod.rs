//! The front door: puzzles as text in, solutions as text out.
//!
//! ```text
//! texts --> rules and alphabet --> cells --> engine --> verifier --> solutions
//!           by their length                 one batch
//! ```
//! [`Solver`] has a [`SizeSolver`] for each size, and gives each text to the one for its length. [`BatchSolver`] has no
//! texts: it solves slices of cells on all cores.

mod batch;
mod error;
mod size;
mod solution;
mod solve;
#[cfg(test)]
mod tests;

use std::fmt;
use std::num::NonZero;

pub use batch::{BatchSolver, Results};
pub use error::SolveError;
pub use solution::Solution;
pub use solve::{count, is_unique, solve};

use galop_engines::engine::Entry;
use galop_engines::grid::{Alphabet, Rules, SUDOKU};
use galop_engines::puzzle::{Answers, Limits, Puzzles};
use size::SizeSolver;

/// Solves puzzles of any rules with any engine, one or many at a time. Keeps its memory between calls.
///
/// Without [`rules`](Self::rules), it solves sudokus of all sizes, as [`solve`] does. Each solution is checked by an
/// independent [`Verifier`](crate::grid::Verifier) before it is returned.
///
/// ```
/// use galop::{Rules, Solver, grid};
///
/// let mut solver = Solver::new();
/// let solution = solver.solve("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")?;
/// assert!(solution.as_str().starts_with("417369825"));
///
/// let diagonal = Rules::new(grid::DIAGONAL, 4, None)?;
/// let mut solver = Solver::new().rules(diagonal).unique(true);
/// assert_eq!(solver.solve("1.2. 3... .... ....")?.to_string(), "1423324141322314");
/// assert_eq!(solver.solve("1... .... .... ....").unwrap_err().to_string(), "more than one solution");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub struct Solver {
    rules: Option<Rules>,
    engine: Option<&'static Entry>,
    limits: Limits,
    threads: Option<NonZero<usize>>,
    sizes: Vec<SizeSolver>,
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engine = self.engine.map(|engine| engine.name);
        f.debug_struct("Solver")
            .field("engine", &engine)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
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
        Solver { rules: None, engine: None, limits: Limits::ANY, threads: None, sizes: Vec::new() }
    }

    /// Solves puzzles of these rules only, written in their alphabet.
    pub fn rules(self, rules: Rules) -> Solver {
        Solver { rules: Some(rules), sizes: Vec::new(), ..self }
    }

    /// Solves with this engine.
    ///
    /// ```
    /// let mut solver = galop::Solver::new().engine(galop::engine::DLX);
    /// assert_eq!(solver.solve("12.. 34.. ..1. ...2")?.to_string(), "1243342123144132");
    /// # Ok::<(), galop::SolveError>(())
    /// ```
    pub fn engine(self, engine: &'static Entry) -> Solver {
        Solver { engine: Some(engine), sizes: Vec::new(), ..self }
    }

    /// Whether a solution must be the only one: a puzzle with several gets [`SolveError::Multiple`].
    pub fn unique(self, is_unique: bool) -> Solver {
        let limits = if is_unique { Limits::UNIQUE } else { Limits::ANY };
        Solver { limits: self.with_guess_limit(limits), ..self }
    }

    /// Gives a puzzle up after this number of guesses, with [`SolveError::Limit`].
    pub fn max_guesses(self, guesses: u64) -> Solver {
        Solver { limits: self.limits.with_guesses(guesses), ..self }
    }

    /// The number of threads of [`solve_many`](Self::solve_many): 0, the default, for one for each core, 1 for none but
    /// the caller's. The results do not depend on it.
    pub fn threads(self, threads: usize) -> Solver {
        Solver { threads: NonZero::new(threads), sizes: Vec::new(), ..self }
    }

    /// Solves one puzzle.
    ///
    /// # Errors
    /// What is wrong with the text and where, or why there is no solution.
    pub fn solve(&mut self, puzzle: &str) -> Result<Solution, SolveError> {
        self.solve_many(&[puzzle]).pop().unwrap_or(Err(SolveError::Unanswered))
    }

    /// Solves many puzzles in batches, on all cores ([`threads`](Self::threads)) if there are hundreds of them or, for
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
    /// assert_eq!(texts[1], "1 cells (a puzzle has 16, 36, 81, 144, 256 or 625, one character per cell)");
    /// assert!(texts[2].starts_with("no solution: 1 stands twice in row 1"));
    /// ```
    pub fn solve_many<T: AsRef<str>>(&mut self, puzzles: &[T]) -> Vec<Result<Solution, SolveError>> {
        let limits = self.limits;
        let found = self.search(puzzles, limits);
        found
            .into_iter()
            .map(|place| place.and_then(|(size, place)| self.sizes[size].solution(place, limits)))
            .collect()
    }

    /// Counts the solutions of a puzzle, up to `limit`. With a limit of 0 the count is 0.
    ///
    /// # Errors
    /// What is wrong with the text and where, or that the engine gave up before it found `limit` solutions.
    pub fn count(&mut self, puzzle: &str, limit: u64) -> Result<u64, SolveError> {
        let limits = self.with_guess_limit(Limits::count(limit));
        let found = self.search(&[puzzle], limits).pop();
        let (size, place) = found.unwrap_or(Err(SolveError::Unanswered))?;
        Ok(self.sizes[size].count(place, limits)?.min(limit))
    }

    /// Whether a puzzle has exactly one solution.
    ///
    /// # Errors
    /// Those of [`count`](Self::count).
    pub fn is_unique(&mut self, puzzle: &str) -> Result<bool, SolveError> {
        Ok(self.count(puzzle, 2)? == 1)
    }

    /// Solves a batch of bytes: flat cells, 0 for a blank and 1..=n for a symbol. The answer at place `i` belongs to
    /// puzzle `i`; its solution bytes hold the first solution.
    ///
    /// ```
    /// use galop::{Answer, Answers, Limits, Puzzles, Solver, Status};
    ///
    /// let puzzles = [1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2];
    /// let (mut solutions, mut answers) = ([0; 16], [Answer::default()]);
    /// Solver::new().solve_batch(
    ///     Puzzles::new(&puzzles, 16)?,
    ///     Limits::UNIQUE,
    ///     &mut Answers::new(&mut solutions, &mut answers, 16)?,
    /// )?;
    /// assert_eq!(answers[0].status(Limits::UNIQUE), Status::Solved);
    /// assert_eq!(solutions, [1, 2, 4, 3, 3, 4, 2, 1, 2, 3, 1, 4, 4, 1, 3, 2]);
    /// # Ok::<(), galop::SolveError>(())
    /// ```
    ///
    /// # Errors
    /// [`SolveError::Length`], [`SolveError::WrongLength`], [`SolveError::Unsupported`] and
    /// [`SolveError::WrongSolution`].
    pub fn solve_batch(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
    ) -> Result<(), SolveError> {
        let size = self.size_with(puzzles.stride())?;
        self.sizes[size].solve(puzzles, limits, answers)
    }

    /// `limits` with the solver's limit on guesses.
    fn with_guess_limit(&self, limits: Limits) -> Limits {
        match self.limits.guesses() {
            Some(guesses) => limits.with_guesses(guesses),
            None => limits,
        }
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
            self.sizes.iter_mut().map(|size| size.solve_all(limits)).collect();
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
        let cells = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).count();
        let size = self
            .size_with(cells)
            .map_err(|error| SolveError::unexpected(text, &Alphabet::of_symbols(25)).unwrap_or(error))?;
        self.sizes[size].see(text);
        Ok(size)
    }

    /// The solver for puzzles of `cells` cells; makes it on the first call.
    fn size_with(&mut self, cells: usize) -> Result<usize, SolveError> {
        if let Some(size) = self.sizes.iter().position(|size| size.rules.grid().cells() == cells) {
            return Ok(size);
        }
        let rules = match &self.rules {
            Some(rules) if rules.grid().cells() == cells => rules.clone(),
            Some(rules) => {
                return Err(SolveError::Length { found: cells, expected: vec![rules.grid().cells()] });
            }
            None => Rules::sudoku(cells.isqrt())
                .ok()
                .filter(|rules| rules.grid().cells() == cells)
                .ok_or_else(|| SolveError::Length { found: cells, expected: sudoku_lengths() })?,
        };
        self.sizes.push(SizeSolver::new(rules, self.engine, self.threads, self.rules.is_none())?);
        Ok(self.sizes.len() - 1)
    }
}

/// The numbers of cells of sudokus.
fn sudoku_lengths() -> Vec<usize> {
    SUDOKU.sizes.iter().map(|size| size.side * size.side).collect()
}
