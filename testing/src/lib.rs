//! What the tests of several packages share: data files, puzzles as cells, engines on
//! them, exact cover problems, random numbers, archives.

#![allow(clippy::unwrap_used, missing_docs)]

#[cfg(feature = "puzzles")]
pub mod altered;
pub mod available;
pub mod chance;
#[cfg(feature = "puzzles")]
pub mod data;
#[cfg(feature = "puzzles")]
pub mod engines;
pub mod exact_cover;
pub mod literature;
#[cfg(feature = "puzzles")]
pub mod npy;
#[cfg(feature = "puzzles")]
pub mod puzzles;
pub mod python;
#[cfg(feature = "puzzles")]
pub mod rules;
pub mod wait;
pub mod zip;

/// The folder of the repository.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
