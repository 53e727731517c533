//! Engines for sudokus and other grid puzzles, in memory: kinds of grids, engines, symmetries.
//!
//! This is the inner half of the package [`galop`](https://docs.rs/galop), which adds files, reports and the tool and
//! names everything here that a program needs: depend on `galop` without features rather than on this package.
//!
//! Puzzles and answers are flat bytes of fixed stride: 0 is a blank, 1 to n are the symbols. The [`Rules`] say which
//! cells must differ, an [`Engine`] answers a batch, and the [`grid::Verifier`], which shares no code with the engines,
//! checks what they found.

pub mod chance;
mod control;
pub mod engine;
pub mod grid;
pub mod puzzle;

pub use control::Control;
pub use engine::{ENGINES, Engine};
pub use grid::Rules;
