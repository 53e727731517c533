//! Puzzles by the million: files of many formats, on every core.
//!
//! This is the middle of the package [`galop`](https://docs.rs/galop), which adds reports, comparisons and the tool, and
//! names everything here that a program needs: depend on `galop` rather than on this package.

#[cfg(feature = "report")]
#[doc(hidden)] // For reports, which are in `galop`.
pub mod checksum;
#[cfg(feature = "files")]
mod compressed;
pub mod error;
#[cfg(feature = "files")]
pub mod figures;
#[cfg(feature = "files")]
pub mod input;
#[cfg(feature = "files")]
pub mod output;
#[cfg(feature = "files")]
pub mod pipeline;
mod printable;
#[cfg(feature = "files")]
mod solve_file;

pub use galop_engines::{Control, chance, engine, grid, puzzle};
pub use galop_explain as explain;

pub use engine::{ENGINES, Engine, Entry, Isa};
pub use error::{Error, ErrorKind};
pub use grid::Rules;
pub use printable::printable;
pub use puzzle::{Answer, Answers, Effort, Limits, Puzzles, Status};
#[cfg(feature = "files")]
pub use solve_file::{SolveFile, solve_file};
