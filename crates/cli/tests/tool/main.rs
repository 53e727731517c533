//! The program as its users meet it: output, reports, exit codes, and files that are whole or missing.
//!
//! Exit code 3 (a solution failed the independent check, or two engines contradict each other) cannot be provoked
//! with the engines of the table: see tests/library/pipeline.rs and tests/library/crosscheck.rs.

#![allow(clippy::unwrap_used)]
// Some names are only for the tests with signals.
#![cfg_attr(not(unix), allow(unused_imports, dead_code))]

use galop_corpora::generate::{Recipe, Wish};
use galop_corpora::symmetry::Symmetries;
use galop_cover::models;
use galop_cover::text;
use galop_engines::Rules;
use galop_testing::puzzles::{cells, digits};

mod all;
mod argument;
mod arrays;
mod augment;
mod canon;
mod classes;
mod columns;
mod compare;
mod compressed;
mod convert;
mod cover;
mod cover_best;
mod cover_bounded;
mod cover_counting;
mod cover_diagram;
mod cover_restarts;
mod cover_shard;
mod cover_start;
mod documents;
mod drawn;
mod exit;
mod explain;
mod faults;
mod folder;
mod generate;
mod help;
mod hint;
mod kinds;
mod make;
mod npy;
mod outputs;
mod part;
mod problems;
mod process;
mod program;
mod public;
mod rate;
mod report;
mod resume;
mod sample;
mod selection;
mod serve;
mod show;
mod solve;
mod tables;
#[cfg(unix)]
mod terminal;
mod verify;

/// `count` generated puzzles of 26 to 30 clues, a line each.
fn puzzles(count: u64) -> String {
    galop_testing::puzzles::generated(&Recipe::new(7, Wish::Clues(26..=30)), count).0
}

/// An image of a 9x9 puzzle, with `.` for a blank.
fn image(text: &str, number: u64) -> String {
    let mut image = [0; 81];
    Symmetries::new(&Rules::default(), 5).unwrap().get(number, 0).apply(&cells(text), &mut image).unwrap();
    digits(&image).replace('0', ".")
}

/// The exact cover problem of the model that these words name, as text: `queens 8`.
fn made(words: &str) -> String {
    let words: Vec<&str> = words.split(' ').collect();
    text::to_text(&models::by_name(words[0]).unwrap().make(&words[1..]).unwrap())
}
