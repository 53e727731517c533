//! One call, one puzzle: the functions at the root of the library.

use std::cell::RefCell;

use super::{Solution, SolveError, Solver};

/// Solves a sudoku, given as text: one character per cell, row by row.
///
/// The length of the text gives the size of the sudoku: 16 characters for 4x4, then 36, 81, 144, 256, and 625 for
/// 25x25. The symbols are `1` to `9` and then letters. A blank is one of `.` `0` `*` `_` `x` `?`. White space is
/// skipped. A [`Solver`] solves other kinds of puzzles, and many puzzles at once.
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
/// let reason = "1 occurs twice in row 1: in row 1, column 1 and in row 1, column 4";
/// assert_eq!(error.to_string(), format!("no solution: {reason}"));
/// # Ok::<(), galop::SolveError>(())
/// ```
pub fn solve(puzzle: &str) -> Result<Solution, SolveError> {
    with_solver(|solver| solver.solve(puzzle))
}

/// Counts the solutions of a sudoku, up to `limit`; with a limit of 0 the count is 0. The text is as for [`solve`].
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
