//! galop answers puzzles by the million: files of puzzle lines in, solutions in the same order out, on every
//! core, with a histogram of how long each puzzle took and how often the solver had to guess.
//!
//! # The one idea
//! A puzzle is an exact cover problem with some options already chosen. The rules are fixed for a run
//! ([`Rules`]); a line of input only names the choices. Puzzles and answers are flat bytes of fixed stride
//! ([`Puzzles`], [`Answers`]): the parser writes them, the engines read them, the output prints them.
//!
//! Engines take batches of them. Most solve the puzzles of a batch one by one. `lanes`, with which `galop solve`
//! solves unless told otherwise, has up to 256 under way at once, one bit of a vector each, and wants batches of
//! thousands.
//!
//! # Solve a few puzzles
//! ```
//! use galop::{Answer, Answers, Engine, Isa, Limits, Puzzles, Rules, Status, engine};
//!
//! let line = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
//! let puzzle: Vec<u8> = line.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
//!
//! let hybrid = engine("hybrid").expect("it is a row of ENGINES");
//! let mut engine = (hybrid.make)(&Rules::sudoku(), Isa::best())?;
//! let (mut solution, mut answers) = ([0; 81], [Answer::default()]);
//! engine.solve(
//!     Puzzles::new(&puzzle, 81),
//!     Limits::UNIQUE,
//!     &mut Answers::new(&mut solution, &mut answers, 81),
//! )?;
//! assert_eq!(answers[0].status(Limits::UNIQUE), Status::Solved);
//! assert_eq!(solution[..9], [4, 1, 7, 3, 6, 9, 8, 2, 5]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Solve a file
//! ```
//! use galop::pipeline::solve::{SolveOptions, SolveRun};
//! use galop::input::source::Source;
//! use galop::{Rules, engine};
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("puzzles.txt");
//! # std::fs::write(&path, "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n")?;
//! let bitboard = engine("bitboard").expect("it is a row of ENGINES");
//! let mut run = SolveRun::open(&Rules::sudoku(), bitboard, SolveOptions::default(), Vec::new())?;
//! run.solve(&mut Source::open(&path)?, &mut ())?;
//! let (bytes, outcome) = run.finish()?;
//! assert!(bytes.ends_with(b",417369825632158947958724316825437169791586432346912758289643571573291684164875293\n"));
//! assert_eq!(outcome.tally.puzzles(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The floors
//! Imports go down only; `tests/layout.rs` reads them.
//! ```text
//! 5  main.rs cli/                    what was typed, what it means, what the user sees
//! 4  batch verify check generate     the roads: source -> chunks -> all cores -> in order
//!    ordered                         what they share
//!    compare/                        engines side by side on the same puzzles
//!    report/                         a tally written out: text, json, markdown, html
//! 3  input/  output/  tally/         sources, chunks, line shapes; formats, files; histograms
//!    crosscheck                      a second engine's opinion
//! 2  engine/                         Engine, Search, the table ENGINES, one file an engine
//!    engine/lanes/                   many puzzles at once; its mod.rs tells how
//! 1  puzzle  rules/                  flat slices, limits, answers; grids, the verifier
//!    cover/                          exact cover problems, and the engines that solve them
//! 0  error                           what went wrong, where, and what would help
//!    isa                             which vectors this machine has
//! ```
//!
//! # Adding things touches one place
//! | wish | place |
//! |---|---|
//! | an engine | `engine/<name>.rs`, or a folder, and its row in [`ENGINES`] |
//! | a shape of puzzle file | `input/format/<name>.rs` and its row in [`input::format::FORMATS`] |
//! | an engine of exact cover | `cover/<name>.rs`, or a folder, and its row in [`galop_cover::engine::ENGINES`] |
//! | a classic problem | `cover/models/<name>.rs` and its row in [`galop_cover::models::MODELS`] |
//! | an output format | `output/<name>.rs` and its row in [`output::FORMATS`] |
//! | a report | `report/<name>.rs` and its row in [`report::FORMATS`] |
//! | a kind of puzzle | `rules/<name>.rs`, which lists the units, and its row in [`grid::KINDS`] |

mod chance;
#[cfg(feature = "report")]
pub mod compare;
mod engine;
mod error;
#[cfg(feature = "files")]
pub mod figures;
pub mod generate;
pub mod grid;
#[cfg(feature = "files")]
pub mod input;
#[cfg(feature = "files")]
pub mod output;
#[cfg(feature = "files")]
pub mod pipeline;
mod puzzle;
#[cfg(feature = "report")]
pub mod report;
#[cfg(test)]
#[path = "../crates/cover/tests/cover/shared.rs"]
mod shared;
#[cfg(feature = "files")]
mod solve_file;
mod solver;
#[cfg(feature = "report")]
mod symmetry;

pub use engine::{
    ENGINES, Each, Engine, Entry, Isa, Search, Timed, Unsupported, Work, WrongStride, compared_for,
    default_for, engine, prover_for, second_for,
};
pub use error::{Error, ErrorKind};
pub use grid::{AlphabetName, Cell, Impossible, RegionsFault, Rules, UnitName};
#[cfg(feature = "files")]
pub use input::{LineError, LineErrorKind};
#[cfg(feature = "files")]
pub use pipeline::{Disagreement, Opinion};
pub use puzzle::{Answer, Answers, Effort, Limits, Puzzles, Status};
#[cfg(feature = "files")]
pub use solve_file::{SolveFile, solve_file};
pub use solver::{Solution, SolveError, Solver, count, is_unique, solve};

/// The example of the README is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
