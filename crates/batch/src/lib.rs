//! Puzzles by the million: files of many formats, on every core.
//!
//! This is the middle of the package [`galop`](https://docs.rs/galop), which adds reports, comparisons and the tool, and
//! names everything here that a program needs: depend on `galop` rather than on this package.
mod checksum;
mod compressed;
pub mod error;
pub mod figures;
pub mod input;
mod options;
pub mod output;
mod parts;
pub mod pipeline;
mod printable;
mod solve_file;

pub use galop_engines::{Control, chance, engine, grid, puzzle};
pub use galop_explain as explain;

pub use engine::{ENGINES, Engine, Entry, Isa};
pub use error::{Error, ErrorKind};
pub use grid::Rules;
pub use printable::printable;
pub use puzzle::{Answer, Answers, Effort, Limits, Puzzles, Status};
pub use solve_file::{SolveFile, solve_file};
