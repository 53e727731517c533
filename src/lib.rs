//! Solves sudokus and other grid puzzles: one, or millions per second.
//!
//! ```
//! let solution = galop::solve("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")?;
//! assert_eq!(
//!     solution.to_string(),
//!     "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
//! );
//! # Ok::<(), galop::SolveError>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | solve a puzzle, count its solutions, prove that it has only one | [`solve`], [`count`], [`is_unique`] |
//! | solve many puzzles, other rules, with another engine | [`Solver`] |
//! | solve slices of cells on all cores | [`BatchSolver`] |
//! | solve a file of puzzles on all cores | [`solve_file`], [`SolveFile`] |
//! | explain a puzzle step by step, as people solve it | [`explain`] |
//! | find out why a puzzle has no solution, or its pencil marks | [`grid::Checker`], [`grid::candidates`] |
//! | make new puzzles, find canonical forms and duplicates | the package `galop-corpora` |
//! | solve an exact cover problem | the package [`galop_cover`] |
//!
//! # Many puzzles
//! [`Solver::solve_many`] solves texts in batches, on all cores if there are thousands. The default engine for 9x9
//! sudokus, `lanes`, solves up to 256 puzzles at once, one bit of a vector for each:
//! ```
//! let puzzles = ["4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"; 1_000];
//! for solution in galop::Solver::new().solve_many(&puzzles) {
//!     assert_eq!(solution?.cells()[..9], [4, 1, 7, 3, 6, 9, 8, 2, 5]);
//! }
//! # Ok::<(), galop::SolveError>(())
//! ```
//!
//! The page `docs/library.md` of the repository shows each of these with limits, rules, engines and errors.
//!
//! # One idea
//! A puzzle is an exact cover problem in which some options are already chosen. The [`Rules`] are fixed; a puzzle only
//! names the choices. So every kind of puzzle is data, not a type parameter. Puzzles and answers are flat bytes of
//! fixed stride ([`Puzzles`], [`Answers`]): the parser writes them, an [`Engine`] reads them, the output prints them.
//!
//! # Features
//! Without features, the package solves puzzles in memory. `files` adds files and the pipeline that solves them on all
//! cores, `compressed` compressed files, and `parquet` tables in that format; each feature contains those before it.

mod solver;

#[cfg(feature = "files")]
pub use galop_batch::{Error, ErrorKind, SolveFile, printable, solve_file};
#[cfg(feature = "files")]
pub use galop_batch::{figures, input, output, pipeline};
use galop_engines::puzzle;
pub use galop_engines::{Control, engine, grid};
pub use galop_explain as explain;

pub use engine::{ENGINES, Engine, Entry, Isa};
pub use grid::Rules;
pub use puzzle::{Answer, Answers, Effort, Limits, Puzzles, Status};
pub use solver::{BatchSolver, Results, Solution, SolveError, Solver, count, is_unique, solve};

/// The examples of the README are compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples of the page for users of the library.
#[cfg(all(doctest, feature = "files"))]
#[doc = include_str!("../docs/library.md")]
struct LibraryPage;
