//! The front door: puzzles as text in, solutions as text out.
//!
//! ```text
//! texts --> rules and alphabet --> cells --> engine --> verifier --> solutions
//!           by their length                 one batch
//! ```

use std::cell::RefCell;
use std::fmt;
use std::ops::Range;

use crate::engine::{Engine, Entry, Isa, Unsupported, WrongStride, default_for};
use crate::grid::{
    Alphabet, AlphabetName, Characters, Checker, KINDS, Rules, UnclearAlphabet, Verifier, Violation,
};
use crate::puzzle::{Answer, Answers, Limits, Puzzles, Status};

/// Solves a sudoku, given as text: one character per cell, row by row.
///
/// The length of the text gives the size of the sudoku: 16 characters for 4x4, then 36, 81, 144, 256, and 625 for 25x25.
/// The symbols are `1` to `9` and then letters. A blank is one of `.` `0` `*` `_` `x` `?`. White space is skipped. A
/// [`Solver`] solves other kinds of puzzles, and many puzzles at once.
///
/// If there are several solutions, any one of them is returned: see [`is_unique`]. Each thread keeps its solver for the
/// next call.
///
/// # Errors
/// What is wrong with the text and where; or that there is no solution, and if the reason is simple, why.
///
/// ```
/// let solution = galop::solve("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")?;
/// assert_eq!(
///     solution.to_string(),
///     "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
/// );
///
/// let error = galop::solve("1..1 .... .... ....").unwrap_err();
/// let reason = "1 stands twice in row 1: in row 1, column 1 and in row 1, column 4";
/// assert_eq!(error.to_string(), format!("no solution: {reason}"));
/// # Ok::<(), galop::SolveError>(())
/// ```
pub fn solve(puzzle: &str) -> Result<Solution, SolveError> {
    with_solver(|solver| solver.solve(puzzle))
}

/// Counts the solutions of a sudoku, up to `limit`. The text is as for [`solve`].
///
/// # Errors
/// What is wrong with the text and where.
///
/// ```
/// let puzzle = "12.. 34.. ..1. ...2";
/// assert_eq!(galop::count(puzzle, 10)?, 1);
/// assert_eq!(galop::count("................", 1_000)?, 288);
/// assert_eq!(galop::count("................", 10)?, 10);
/// # Ok::<(), galop::SolveError>(())
/// ```
pub fn count(puzzle: &str, limit: u64) -> Result<u64, SolveError> {
    with_solver(|solver| solver.count(puzzle, limit))
}

/// Whether a sudoku has exactly one solution. The text is as for [`solve`].
///
/// # Errors
/// What is wrong with the text and where.
///
/// ```
/// assert!(galop::is_unique("12.. 34.. ..1. ...2")?);
/// assert!(!galop::is_unique("1... .... .... ....")?, "several solutions");
/// assert!(!galop::is_unique("11.. .... .... ....")?, "no solution");
/// # Ok::<(), galop::SolveError>(())
/// ```
pub fn is_unique(puzzle: &str) -> Result<bool, SolveError> {
    with_solver(|solver| solver.is_unique(puzzle))
}

/// Calls `call` with the thread's solver.
fn with_solver<T>(mut call: impl FnMut(&mut Solver) -> T) -> T {
    thread_local!(static SOLVER: RefCell<Solver> = RefCell::new(Solver::new()));
    let called = SOLVER.try_with(|solver| solver.try_borrow_mut().ok().map(|mut solver| call(&mut solver)));
    // The thread is ending, and its solver is gone.
    called.ok().flatten().unwrap_or_else(|| call(&mut Solver::new()))
}

/// The solution of a puzzle. Prints as text: one character per cell, in the symbols of the puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    text: String,
    cells: Vec<u8>,
    guesses: u64,
}

impl Solution {
    /// The solution as text: one character per cell, row by row.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The cells, row by row: `1..=n` for the symbols.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The number of guesses that the engine made.
    pub fn guesses(&self) -> u64 {
        self.guesses
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// Why a text has no solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// A character is neither a symbol nor a blank.
    #[error("{}unexpected `{}` (cells are {alphabet}, a blank is one of {})", place(*line, *column), character.escape_debug(), alphabet.blanks())]
    Character {
        /// The line of the text, from 1.
        line: usize,
        /// The column in the line, from 1, in characters.
        column: usize,
        /// The character.
        character: char,
        /// The symbols of the puzzle.
        alphabet: AlphabetName,
    },
    /// Too few or too many cells.
    #[error("{found} cells (a puzzle has {expected}, one character per cell)")]
    Length {
        /// Cells of the text or of the batch.
        found: usize,
        /// The possible numbers of cells, as text: `16, 36, 81`.
        expected: String,
    },
    /// The symbols fit several alphabets, or none. [`Rules::written_in`] chooses one.
    #[error(transparent)]
    Alphabet(#[from] UnclearAlphabet),
    /// The engine does not accept the rules.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// Puzzles and answers of a batch have different strides.
    #[error(transparent)]
    WrongStride(#[from] WrongStride),
    /// The puzzle has no solution.
    #[error("no solution{}", reason.as_ref().map_or(String::new(), |reason| format!(": {reason}")))]
    NoSolution {
        /// Why, in words, if [`Checker`](crate::grid::Checker) finds the reason without a guess.
        reason: Option<String>,
    },
    /// The puzzle has several solutions, and [`Solver::unique`] asks for one only.
    #[error("more than one solution")]
    Multiple,
    /// The engine gave up at the limit on guesses.
    #[error("gave up after {guesses} guesses")]
    Limit {
        /// The guesses it made.
        guesses: u64,
    },
    /// The engine never guesses and could infer nothing more.
    #[error("the engine `{engine}` never guesses and cannot finish this puzzle")]
    Stuck {
        /// The engine.
        engine: &'static str,
    },
    /// The engine returned no answer, which is a bug in galop.
    #[error("the engine left the puzzle unanswered; please report this bug in galop")]
    Unanswered,
    /// The engine returned a wrong solution, which is a bug in galop.
    #[error("the engine `{engine}` returned a wrong solution: {violation}; please report this bug in galop")]
    WrongSolution {
        /// The engine.
        engine: &'static str,
        /// What is wrong with the solution.
        violation: Violation,
    },
}

/// The place of a character, for the beginning of a message.
fn place(line: usize, column: usize) -> String {
    if line == 1 { format!("column {column}: ") } else { format!("line {line}, column {column}: ") }
}

/// Solves puzzles of any rules with any engine, one or many at a time. Keeps its memory between calls.
///
/// Without [`rules`](Self::rules), it solves sudokus of all sizes, as [`solve`] does. Each solution is checked by an
/// independent [`Verifier`] before it is returned.
///
/// ```
/// use galop::{Rules, Solver, grid};
///
/// let mut solver = Solver::new();
/// let solution = solver.solve("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")?;
/// assert!(solution.as_str().starts_with("417369825"));
///
/// let diagonal = Rules::new(grid::kind("diagonal").expect("a row of KINDS"), 4, None)?;
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
        Solver { rules: None, engine: None, limits: Limits::ANY, sizes: Vec::new() }
    }

    /// Solves puzzles of these rules only, written in their alphabet.
    pub fn rules(self, rules: Rules) -> Solver {
        Solver { rules: Some(rules), sizes: Vec::new(), ..self }
    }

    /// Solves with this engine.
    ///
    /// ```
    /// let dlx = galop::engine::named("dlx").expect("a row of ENGINES");
    /// let mut solver = galop::Solver::new().engine(dlx);
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

    /// Solves one puzzle.
    ///
    /// # Errors
    /// What is wrong with the text and where, or why there is no solution.
    pub fn solve(&mut self, puzzle: &str) -> Result<Solution, SolveError> {
        self.solve_many(&[puzzle]).pop().unwrap_or(Err(SolveError::Unanswered))
    }

    /// Solves many puzzles in batches, which is much faster than one by one. Result `i` belongs to puzzle `i`.
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

    /// Counts the solutions of a puzzle, up to `limit`.
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
    ///     Puzzles::new(&puzzles, 16),
    ///     Limits::UNIQUE,
    ///     &mut Answers::new(&mut solutions, &mut answers, 16),
    /// )?;
    /// assert_eq!(answers[0].status(Limits::UNIQUE), Status::Solved);
    /// assert_eq!(solutions, [1, 2, 4, 3, 3, 4, 2, 1, 2, 3, 1, 4, 4, 1, 3, 2]);
    /// # Ok::<(), galop::SolveError>(())
    /// ```
    ///
    /// # Errors
    /// [`SolveError::Length`], [`SolveError::WrongStride`], [`SolveError::Unsupported`] and
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
            .map_err(|error| unexpected(text, &Alphabet::of_symbols(25)).unwrap_or(error))?;
        self.sizes[size].see(text);
        Ok(size)
    }

    /// The solver for puzzles of `cells` cells; makes it if there is none.
    fn size_with(&mut self, cells: usize) -> Result<usize, SolveError> {
        if let Some(size) = self.sizes.iter().position(|size| size.rules.grid().cells() == cells) {
            return Ok(size);
        }
        let rules = match &self.rules {
            Some(rules) if rules.grid().cells() == cells => rules.clone(),
            Some(rules) => {
                return Err(SolveError::Length { found: cells, expected: rules.grid().cells().to_string() });
            }
            None => Rules::new(&KINDS[0], cells.isqrt(), None)
                .ok()
                .filter(|rules| rules.grid().cells() == cells)
                .ok_or_else(|| SolveError::Length { found: cells, expected: sudoku_lengths() })?,
        };
        self.sizes.push(SizeSolver::new(rules, self.engine, self.rules.is_none())?);
        Ok(self.sizes.len() - 1)
    }
}

/// The numbers of cells of sudokus, as text.
fn sudoku_lengths() -> String {
    let lengths: Vec<String> =
        KINDS[0].sizes.iter().map(|size| (size.side * size.side).to_string()).collect();
    match &lengths[..] {
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => lengths.concat(),
    }
}

/// The error for the first character of `text` that is not a cell in `alphabet`.
fn unexpected(text: &str, alphabet: &Alphabet) -> Option<SolveError> {
    let is_cell = |character: char| {
        character.is_ascii_whitespace()
            || u8::try_from(character).is_ok_and(|byte| alphabet.cell(byte).is_some())
    };
    text.lines().zip(1..).find_map(|(content, line)| {
        let (character, column) = content.chars().zip(1..).find(|&(character, _)| !is_cell(character))?;
        Some(SolveError::Character { line, column, character, alphabet: alphabet.name() })
    })
}

/// Puzzles of a batch. A longer batch leaves the second-level cache: see the table in `engine/lanes/mod.rs`.
const BATCH: usize = 8_192;

/// What serves the puzzles of one size: their rules, an engine, and one batch.
struct SizeSolver {
    rules: Rules,
    entry: &'static Entry,
    engine: Box<dyn Engine>,
    verifier: Verifier,
    /// Made for the first puzzle without a solution.
    checker: Option<Checker>,
    /// What the texts of a call are written in, if their alphabet must be found out.
    characters: Option<Characters>,
    alphabet: Result<Alphabet, UnclearAlphabet>,
    puzzles: Vec<u8>,
    solutions: Vec<u8>,
    answers: Vec<Answer>,
}

impl SizeSolver {
    fn new(
        rules: Rules,
        engine: Option<&'static Entry>,
        finds_alphabet: bool,
    ) -> Result<SizeSolver, Unsupported> {
        let entry = engine.unwrap_or_else(|| default_for(&rules));
        let engine = (entry.make)(&rules, Isa::best())?;
        let side = rules.grid().side();
        let characters = (finds_alphabet && side > 9).then(|| Characters::new(side));
        let (verifier, alphabet) = (Verifier::new(&rules), Ok(rules.alphabet().clone()));
        let (puzzles, solutions, answers) = (Vec::new(), Vec::new(), Vec::new());
        Ok(SizeSolver {
            rules,
            entry,
            engine,
            verifier,
            checker: None,
            characters,
            alphabet,
            puzzles,
            solutions,
            answers,
        })
    }

    /// Starts a new batch.
    fn clear(&mut self) {
        self.puzzles.clear();
        if let Some(characters) = &mut self.characters {
            *characters = Characters::new(self.rules.grid().side());
            self.alphabet = Ok(self.rules.alphabet().clone());
        }
    }

    /// Takes in the characters of a text.
    fn see(&mut self, text: &str) {
        if let Some(characters) = &mut self.characters {
            let bytes: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
            if characters.add(&bytes) {
                self.alphabet = characters.alphabet();
            }
        }
    }

    /// Appends the puzzle `text` to the batch. Returns its place.
    fn read(&mut self, text: &str) -> Result<usize, SolveError> {
        let alphabet = self.alphabet.as_ref().map_err(Clone::clone)?;
        let (start, cells) = (self.puzzles.len(), self.rules.grid().cells());
        self.puzzles.resize(start + cells, 0);
        let puzzle = &mut self.puzzles[start..];
        let is_read = if text.len() == cells {
            alphabet.read(text.as_bytes(), puzzle)
        } else {
            let bytes: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
            alphabet.read(&bytes, puzzle)
        };
        if is_read {
            return Ok(start / cells);
        }
        self.puzzles.truncate(start);
        Err(unexpected(text, alphabet).unwrap_or(SolveError::Unanswered))
    }

    /// Solves the batch.
    fn solve_all(&mut self, limits: Limits) -> Result<(), SolveError> {
        let cells = self.rules.grid().cells();
        let puzzles = std::mem::take(&mut self.puzzles);
        let (mut solutions, mut answers) =
            (std::mem::take(&mut self.solutions), std::mem::take(&mut self.answers));
        solutions.resize(puzzles.len(), 0);
        answers.clear();
        answers.resize(puzzles.len() / cells, Answer::default());
        let mut places = Answers::new(&mut solutions, &mut answers, cells);
        let puzzles_at = |at: Range<usize>| Puzzles::new(&puzzles, cells).slice(at);
        let solved = (0..places.len()).step_by(BATCH).try_for_each(|start| {
            let at = start..start + BATCH;
            self.solve(puzzles_at(at.clone()), limits, &mut places.slice(at))
        });
        (self.puzzles, self.solutions, self.answers) = (puzzles, solutions, answers);
        solved
    }

    /// Solves `puzzles` and checks the solutions.
    fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
    ) -> Result<(), SolveError> {
        self.engine.solve(puzzles, limits, answers)?;
        for (puzzle, (solution, answer)) in puzzles.iter().zip(answers.iter_mut()) {
            if answer.solutions > 0
                && let Err(violation) = self.verifier.check(puzzle, solution)
            {
                return Err(SolveError::WrongSolution { engine: self.entry.name, violation });
            }
        }
        Ok(())
    }

    /// The solutions found for the puzzle at `place`; an error if there may be more of them, up to the limit.
    fn count(&self, place: usize, limits: Limits) -> Result<u64, SolveError> {
        let answer = self.answers[place];
        match answer.status(limits) {
            Status::Limit => Err(SolveError::Limit { guesses: answer.effort.guesses }),
            Status::Stuck => Err(SolveError::Stuck { engine: self.entry.name }),
            Status::Unanswered => Err(SolveError::Unanswered),
            _ => Ok(answer.solutions),
        }
    }

    /// The solution of the puzzle at `place`.
    fn solution(&mut self, place: usize, limits: Limits) -> Result<Solution, SolveError> {
        let cells = self.rules.grid().cells();
        let at = place * cells..(place + 1) * cells;
        let alphabet = self.alphabet.as_ref().map_err(Clone::clone)?;
        let written = |symbol| char::from(alphabet.character(symbol));
        match self.count(place, limits)? {
            0 => {
                let checker = self.checker.get_or_insert_with(|| Checker::new(&self.rules));
                let reason = checker.check(&self.puzzles[at]).err();
                let in_words = |symbol| written(symbol).to_string();
                Err(SolveError::NoSolution { reason: reason.map(|reason| reason.in_words(in_words)) })
            }
            _ if self.answers[place].status(limits) == Status::Multiple => Err(SolveError::Multiple),
            _ => {
                let cells = self.solutions[at].to_vec();
                let text = cells.iter().map(|&symbol| written(symbol)).collect();
                Ok(Solution { text, cells, guesses: self.answers[place].effort.guesses })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{ENGINES, Each, Search, named};
    use crate::grid::kind;

    const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
    const SOLVED: &str = "417369825632158947958724316825437169791586432346912758289643571573291684164875293";

    fn message(puzzle: &str) -> String {
        solve(puzzle).unwrap_err().to_string()
    }

    #[test]
    fn errors_say_what_is_wrong_and_where() {
        let cells = "(cells are 1-9, a blank is one of . 0 * _ ?)";
        assert_eq!(message(&PUZZLE.replace("8.4", "8!4")), format!("column 42: unexpected `!` {cells}"));
        assert_eq!(message(&PUZZLE.replace("8.4", "8A4")), format!("column 42: unexpected `A` {cells}"));
        let drawn = "4.....8.5\n.3.......\n...7é.....";
        assert!(message(drawn).starts_with("line 3, column 5: unexpected `é`"), "{}", message(drawn));
        assert!(message(&format!("{PUZZLE},{SOLVED}")).starts_with("column 82: unexpected `,`"));
        let lengths = "16, 36, 81, 144, 256 or 625";
        for (text, found) in [("", 0), ("12", 2), (&PUZZLE[1..], 80)] {
            let expected = format!("{found} cells (a puzzle has {lengths}, one character per cell)");
            assert_eq!(message(text), expected);
        }
        let twice = PUZZLE.replacen("4..", "4.4", 1);
        assert_eq!(
            message(&twice),
            "no solution: 4 stands twice in row 1: in row 1, column 1 and in row 1, column 3"
        );
        // A contradiction that only a search finds.
        let hard = "49....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
        assert_eq!(message(hard), "no solution");
    }

    #[test]
    fn white_space_is_skipped() {
        let rows: Vec<&str> =
            PUZZLE.as_bytes().chunks(9).map(|row| std::str::from_utf8(row).unwrap()).collect();
        for text in [rows.join("\n"), rows.join("\r\n") + "\r\n", format!("  {PUZZLE}\t"), rows.join(" ")] {
            assert_eq!(solve(&text).unwrap().as_str(), SOLVED);
        }
        assert_eq!(format!("{:>83}", solve(PUZZLE).unwrap()), format!("  {SOLVED}"));
    }

    /// A solution written as in the puzzle: digits, letters, small letters; it is a solution of itself.
    #[test]
    fn sudokus_of_all_sizes_are_solved_in_their_symbols() {
        for size in KINDS[0].sizes {
            for alphabet in Alphabet::all(size.side as u8).iter().flat_map(|all| [all.clone(), all.small()]) {
                let rules = Rules::new(&KINDS[0], size.side, None).unwrap();
                let blank = ".".repeat(size.side * size.side);
                let mut named = Solver::new().rules(rules.written_in(alphabet.clone()).unwrap());
                let solution = named.solve(&blank).unwrap();
                let again = solve(solution.as_str()).unwrap();
                assert_eq!(again, Solution { guesses: 0, ..solution }, "{} {alphabet:?}", size.name);
            }
        }
        let unclear = format!("1A{}", ".".repeat(254));
        assert_eq!(message(&unclear), "the symbols of the puzzles fit several alphabets (1-9A-G or 0-9A-F)");
        assert!(
            solve(&unclear.replace("1A", "9G")).unwrap().as_str().starts_with("9G"),
            "the next call is new"
        );
    }

    #[test]
    fn results_are_in_the_order_of_the_puzzles() {
        let four = "12.. 34.. ..1. ...2";
        let texts: Vec<String> = (0..40_000)
            .map(|number| match number % 4 {
                0 => PUZZLE.to_owned(),
                1 => four.to_owned(),
                2 => "?".to_owned(),
                _ => ".".repeat(80) + "!",
            })
            .collect();
        let mut solver = Solver::new();
        for _ in 0..2 {
            let results = solver.solve_many(&texts);
            assert_eq!(results.len(), texts.len());
            for (number, result) in results.into_iter().enumerate() {
                match number % 4 {
                    0 => assert_eq!(result.unwrap().as_str(), SOLVED),
                    1 => assert_eq!(result.unwrap().as_str(), "1243342123144132"),
                    2 => assert!(matches!(result, Err(SolveError::Length { found: 1, .. }))),
                    _ => assert!(matches!(result, Err(SolveError::Character { column: 81, .. }))),
                }
            }
        }
        assert!(solver.solve_many::<&str>(&[]).is_empty());
    }

    #[test]
    fn limits_are_errors_and_never_answers() {
        let empty = ".".repeat(81);
        for entry in ENGINES.iter().filter(|entry| !entry.may_be_stuck) {
            let mut solver = Solver::new().engine(entry).unique(true);
            assert_eq!(solver.solve(PUZZLE).map(|solution| solution.to_string()), Ok(SOLVED.to_owned()));
            assert_eq!(solver.solve(&empty), Err(SolveError::Multiple), "{}", entry.name);
            assert_eq!((solver.count(&empty, 0), solver.count(&empty, 7)), (Ok(0), Ok(7)));
        }
        let mut solver = Solver::new().max_guesses(0).unique(true);
        assert_eq!(solver.solve(&empty), Err(SolveError::Limit { guesses: 0 }));
        assert_eq!(solver.is_unique(&empty), Err(SolveError::Limit { guesses: 0 }));
        assert_eq!(solver.unique(false).max_guesses(1_000).solve(&empty).map(|_| ()), Ok(()));
        let logic = named("logic").unwrap();
        assert_eq!(Solver::new().engine(logic).solve(&empty), Err(SolveError::Stuck { engine: "logic" }));
        let mut lanes = Solver::new().engine(&ENGINES[0]);
        assert!(matches!(lanes.solve("................"), Err(SolveError::Unsupported(_))));
        let latin = Rules::new(kind("latin").unwrap(), 9, None).unwrap();
        let mut latin = Solver::new().rules(latin);
        assert!(latin.solve(PUZZLE).is_ok());
        let length = SolveError::Length { found: 16, expected: "81".to_owned() };
        assert_eq!(latin.solve("................"), Err(length));
    }

    #[test]
    fn a_batch_of_bytes_has_the_stride_of_a_size() {
        let mut solver = Solver::new();
        let (mut solutions, mut answers) = ([0; 32], [Answer::default(); 2]);
        let mut solve = |cells: usize, stride: usize| {
            let mut places = Answers::new(&mut solutions, &mut answers, 16);
            solver.solve_batch(Puzzles::new(&[0; 32][..cells], stride), Limits::ANY, &mut places)
        };
        assert_eq!(solve(32, 16), Ok(()));
        assert!(matches!(solve(32, 5), Err(SolveError::Length { found: 5, .. })));
        assert!(matches!(solve(0, 81), Err(SolveError::WrongStride(_))));
        assert!(answers.iter().all(|answer| answer.solutions == 1));
    }

    /// Answers every puzzle with its own cells.
    struct Liar;

    impl Search for Liar {
        fn cells(&self) -> usize {
            81
        }

        fn search(&mut self, puzzle: &[u8], _limits: Limits, solution: &mut [u8]) -> Answer {
            solution.copy_from_slice(puzzle);
            Answer::complete(1)
        }
    }

    static LIAR: Entry = Entry::new("liar", |_, _| Ok(Box::new(Each(Liar))));

    #[test]
    fn a_wrong_solution_is_an_error() {
        let mut solver = Solver::new().engine(&LIAR);
        assert_eq!(solver.solve(SOLVED).unwrap().as_str(), SOLVED);
        let wrong = |result| matches!(result, Err(SolveError::WrongSolution { engine: "liar", .. }));
        assert!(wrong(solver.solve(PUZZLE)));
        assert!(matches!(solver.is_unique(PUZZLE), Err(SolveError::WrongSolution { .. })));
    }
}
