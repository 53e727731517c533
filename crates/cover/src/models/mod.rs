//! Classic problems as exact covers: examples of how one is modelled, one file each, and problems to measure with.
//!
//! A file begins with the idea: what the items are, what an option is, and why a solution of the cover is one of
//! the problem. The primary items are what *must* happen, the secondary ones what may happen *once*; colours let
//! options agree, bounds let items be covered more than once, costs tell solutions apart.
//!
//! ```
//! use galop_cover::models::model;
//! use galop_cover::{Choice, CoverLimits, Solver};
//!
//! let queens = model("queens").expect("it is a row of MODELS");
//! let problem = (queens.make)(&["8"])?;
//! assert_eq!(problem.option_text(0).to_string(), "r3 c3 a6 b7");
//! assert_eq!(Solver::new(&problem, Choice::Auto)?.count(&CoverLimits::NONE)?.solutions, 92);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arguments;
mod cells;
mod dominoes;
mod error;
mod langford;
mod latin;
mod macmahon;
mod matching;
mod mixed;
mod packing;
mod pentominoes;
mod queen_costs;
mod queen_domination;
mod queens;
mod soma;
mod sudoku;

use crate::ExactCover;
use arguments::Arguments;

pub use error::ModelError;

/// A classic problem, by name.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// The name on the command line.
    pub name: &'static str,
    /// The arguments it takes, in words; empty if it takes none.
    pub usage: &'static str,
    /// One line for a list of models.
    pub about: &'static str,
    /// Makes the problem of these arguments. No arguments make one of more than a few million places in options.
    pub make: fn(&[&str]) -> Result<ExactCover, ModelError>,
}

/// Every classic problem: one row adds one.
pub const MODELS: &[Model] = &[
    queens::MODEL,
    queen_costs::MODEL,
    queen_domination::MODEL,
    langford::MODEL,
    dominoes::MODEL,
    mixed::MODEL,
    pentominoes::MODEL,
    soma::MODEL,
    macmahon::MODEL,
    latin::MODEL,
    sudoku::MODEL,
    matching::MODEL,
];

/// The model of that name, or `None`.
pub fn model(name: &str) -> Option<&'static Model> {
    MODELS.iter().find(|model| model.name == name)
}
