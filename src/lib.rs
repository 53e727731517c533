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
//! | solve slices of cells on all cores | [`Solver::solve_cells`] |
//! | solve a file of puzzles on all cores | [`solve_file`], [`SolveFile`] |
//! | explain a puzzle step by step, as people solve it | [`explain`] |
//! | find clues that clash, or pencil marks | [`Grid::check_clues`](grid::Grid::check_clues), [`grid::candidates`] |
//! | solve records of your own sources, with shards, resumed | the package `galop-batch` |
//! | write an engine | the package `galop-engines` |
//! | make new puzzles, find canonical forms and duplicates | the package `galop-corpora` |
//! | solve an exact cover problem | the package [`galop_cover`] |
//! | solve files on the command line | the package `galop-cli`, whose program is called `galop` |
//!
//! # Many puzzles
//! [`Solver::solve_many`] solves texts in batches, on all cores ([`SolverBuilder::threads`]) if there are thousands. The
//! default engine for 9x9 sudokus, `lanes`, solves up to 256 puzzles at once, one bit of a vector for each:
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
//! names the choices. So every kind of puzzle is data, not a type parameter. Puzzles and solutions are flat bytes of
//! fixed stride ([`Puzzles`], [`Results`]): the parser writes them, an engine reads them, the output prints them.
//!
//! # Features
//! Without features, the package solves puzzles in memory. `files` adds files and the pipeline that solves them on all
//! cores, and `compressed`, which contains it, compressed files.

#[cfg(feature = "files")]
mod solve_file;
mod solver;

pub use galop_engines::engine::Entry;
pub use galop_engines::puzzle::{Limits, Puzzles, Status};
pub use galop_engines::{Control, ENGINES, Rules};
pub use galop_explain as explain;

pub use solver::{Results, Solution, SolveError, Solver, SolverBuilder, count, is_unique, solve};

#[cfg(feature = "files")]
pub use galop_batch::pipeline::SolveOutcome;
#[cfg(feature = "files")]
pub use galop_batch::{Error, ErrorKind};
#[cfg(feature = "files")]
pub use solve_file::{SolveFile, solve_file};

/// The engines by name, and which of them suits given rules. [`ENGINES`] is the table of all.
pub mod engine {
    pub use galop_engines::engine::{
        BITBOARD, DLX, GRID, HYBRID, HYBRID_LINKS, LANES, Unanswered, Unsupported, WrongLength, default_for,
        named,
    };
}

/// Kinds of puzzles and their parts; checks of puzzles and solutions.
pub mod grid {
    pub use galop_engines::grid::{
        ANTI_KING, ANTI_KNIGHT, Alphabet, Cell, DIAGONAL, ExtraRegions, Fault, Grid, GridError, JIGSAW,
        KINDS, Kind, LATIN, NON_CONSECUTIVE, Regions, RegionsError, SUDOKU, UnclearAlphabet, UnitName,
        Variant, Verifier, WINDOKU, WrongSolution, candidates, kind,
    };
}

/// What is wrong with records and files. Your own sources of records need the package `galop-batch`.
#[cfg(feature = "files")]
pub mod input {
    pub use galop_batch::input::{InputError, LineError, LineErrorKind, MalformedRecord};
}

/// The formats of the output.
#[cfg(feature = "files")]
pub mod output {
    pub use galop_batch::output::{CSV, FORMATS, FormatEntry, JSON, PAIR, SOLUTION, format, format_of};
}

/// What a run measured.
#[cfg(feature = "files")]
pub mod figures {
    pub use galop_batch::figures::{Histogram, Point, Slow, Tally};
}

/// The examples of the README are compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples of the page for users of the library.
#[cfg(all(doctest, feature = "files"))]
#[doc = include_str!("../docs/library.md")]
struct LibraryPage;
