//! What the tests share: puzzles as cells, engines on them, random numbers, data files, and the program in a folder.

#![allow(dead_code, reason = "each test program uses a part")]

pub(crate) mod chance;
pub(crate) mod data;
pub(crate) mod engines;
pub(crate) mod program;
pub(crate) mod puzzles;
pub(crate) mod python;
pub(crate) mod rules;
#[path = "../../crates/cover/tests/cover/shared.rs"]
pub(crate) mod shared;
pub(crate) mod zip;
