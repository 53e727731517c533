//! Puzzles by the million: files of many formats, on every core.
//!
//! The package [`galop`](https://docs.rs/galop) solves a file in one call. This one is for programs that need more:
//! their own sources, sinks, shards or rewriting. Rules, engines and limits come from the package `galop-engines`.
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

use galop_engines::{engine, grid, puzzle};

pub use error::{Error, ErrorKind};
pub use printable::printable;

/// The example of the README is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
