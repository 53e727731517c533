//! What the tests of several packages share: data files, puzzles as cells, engines on
//! them, exact cover problems, random numbers, archives.

#![allow(clippy::unwrap_used, missing_docs)]

pub mod altered;
pub mod available;
pub mod chance;
pub mod data;
pub mod engines;
pub mod exact_cover;
pub mod literature;
pub mod npy;
pub mod puzzles;
pub mod python;
pub mod rules;
pub mod wait;
pub mod zip;

/// The folder of the repository.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
