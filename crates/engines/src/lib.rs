//! Engines for sudokus and other grid puzzles, in memory: kinds of grids, and engines.
//!
//! The package [`galop`](https://docs.rs/galop) solves puzzles given as text or cells. This one is for programs that
//! write an engine of their own, or call one batch by batch.
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

/// The example of the README is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
