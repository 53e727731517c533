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
//! [`Solver::solve_many`] solves texts in batches. The default engine for 9x9 sudokus, `lanes`, solves up to 256 puzzles
//! at once, one bit of a vector for each, so it needs thousands of puzzles to be fast:
//! ```
//! let puzzles = ["4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"; 1_000];
//! for solution in galop::Solver::new().solve_many(&puzzles) {
//!     assert_eq!(solution?.cells()[..9], [4, 1, 7, 3, 6, 9, 8, 2, 5]);
//! }
//! # Ok::<(), galop::SolveError>(())
//! ```
//!
//! # One idea
//! A puzzle is an exact cover problem in which some options are already chosen. The [`Rules`] are fixed; a puzzle only
//! names the choices. So every kind of puzzle is data, not a type parameter. Puzzles and answers are flat bytes of fixed
//! stride ([`Puzzles`], [`Answers`]): the parser writes them, an [`Engine`] reads them, the output prints them.
//!
//! # Features
//! Without features, the package solves puzzles in memory. `files` adds files and the pipeline that solves them on all
//! cores, `compressed` compressed files, `report` reports and comparisons of engines, `resume` runs that are ended and go on, `serve` a page for the
//! browser, and `cli` (the default) the tool. `parquet`, which no other feature contains, reads tables in that format.
//!
//! # Layout
//! Imports point down.
//! ```text
//! main.rs cli/            the tool: what was typed (args/), what it means (plan/), a file for each command
//! serve/                  a page to use in the browser                                         feature `serve`
//! report/                 figures written as text, JSON, Markdown, CSV and HTML               } feature `report`
//! compare/                engines side by side on the same puzzles                            }
//! crates/batch            galop-batch: puzzles by the million
//!   solve_file.rs           a file in, a file out                                             }
//!   pipeline/               source -> chunks -> workers -> in order; solve, convert, verify   } feature `files`
//!   input/ output/ figures/ sources and formats; formats and files; counts and histograms     }
//!   compressed/             compressed data, recognised, unpacked and written in threads      }
//!   solver/                 puzzles as text
//!   checksum.rs             the SHA-256 of what is read and written
//!   error.rs                the error of a run: a place, and a fact
//! crates/corpora          galop-corpora: data sets: new puzzles, canonical forms, duplicates, splits, images, ratings
//! crates/explain          galop-explain: puzzles explained step by step; a file for each technique
//! crates/engines          galop-engines: grid puzzles in memory
//!   engine/                 the trait `Engine`, the table of engines, and the engines
//!     lanes/ bitboard/ grid/  9x9 in vectors across puzzles; 9x9 one by one; grids of every kind and size
//!     cover.rs published/     any engine of galop-cover; rebuilt solvers of others
//!   chance.rs               random numbers that are the same on every machine
//!   puzzle.rs grid/         flat slices, limits, answers; kinds of grids, alphabets, verifier, pencil marks
//! crates/cover            galop-cover: exact cover, complete in itself
//! crates/simd             galop-simd: vectors, and the instruction sets of this machine
//! ```
//! Each folder defines its own errors, and `error.rs` unites them. The package `galop` itself is compiled for size and build time, the
//! others for speed.
//!
//! # Adding things touches one place
//! Tables are statics. A constant would be compiled again, with the functions in its rows, by each package that reads it.
//!
//! | wish | place |
//! |---|---|
//! | an engine | `crates/engines/src/engine/<name>.rs`, or a folder, and its row in [`ENGINES`] |
//! | a kind of puzzle | `crates/engines/src/grid/<name>.rs`, which lists its units, and its row in [`grid::KINDS`] |
//! | a technique of people | `crates/explain/src/techniques/<name>.rs` and its row in [`explain::TECHNIQUES`] |
//! | an input format | `crates/batch/src/input/format/<name>.rs` and its row in `FORMATS` of that folder |
//! | a compressed format | `crates/batch/src/compressed/<name>.rs` and its row in `CODECS` |
//! | an output format | `crates/batch/src/output/<name>.rs` and its row in [`output::FORMATS`] |
//! | a report | `src/report/<name>.rs` and its row in [`report::FORMATS`] |
//! | an engine of exact cover | `crates/cover/src/engine/<name>` and its row in [`galop_cover::engine::ENGINES`] |
//! | a classic problem | `crates/cover/src/models/<name>.rs` and its row in [`galop_cover::models::MODELS`] |
//! | a command | `src/cli/<name>.rs`, and its arguments in `src/cli/args/<name>.rs` |

#[cfg(feature = "report")]
pub mod compare;
#[cfg(feature = "report")]
pub mod report;
#[cfg(feature = "serve")]
pub mod serve;

#[cfg(feature = "report")]
use galop_batch::{chance, error, puzzle};
pub use galop_batch::{engine, explain, grid};
#[cfg(feature = "files")]
pub use galop_batch::{figures, input, output, pipeline};

pub use engine::{ENGINES, Engine, Entry, Isa};
pub use galop_batch::{
    Answer, Answers, BatchSolver, Control, Effort, Error, ErrorKind, Limits, Puzzles, Results, Solution,
    SolveError, Solver, Status, count, is_unique, printable, solve,
};
#[cfg(feature = "files")]
pub use galop_batch::{SolveFile, solve_file};
pub use grid::Rules;

/// The examples of the README are compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
