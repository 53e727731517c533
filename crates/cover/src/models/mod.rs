//! Classic problems as exact covers, one file each: examples of modelling, and problems for measurements.
//!
//! Each file starts with the idea: what the items are, what an option is, and why a solution of the cover solves the
//! problem. Primary items *must* happen, secondary items may happen *once*. Colours let options agree, bounds let items
//! be covered more than once, costs rank solutions.
//!
//! ```
//! use galop_cover::models::model;
//!
//! let queens = model("queens").expect("it is a row of MODELS");
//! let problem = (queens.make)(&["8"])?;
//! assert_eq!(problem.option_text(0).to_string(), "r3 c3 a6 b7");
//! assert_eq!(problem.count()?, 92);
//! # Ok::<(), galop_cover::CoverError>(())
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
    /// The name, in tools and reports.
    pub name: &'static str,
    /// The arguments of [`make`](Self::make), for a help text; empty if the model takes no argument.
    pub usage: &'static str,
    /// One line for a list of models.
    pub about: &'static str,
    /// Makes the problem from its arguments, which are separate words as on a command line (`["6x10"]`, `["8", "5"]`).
    /// The allowed ranges keep all problems below a few million terms.
    pub make: fn(&[&str]) -> Result<ExactCover, ModelError>,
}

/// Every classic problem: one row adds one.
pub static MODELS: &[Model] = &[
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

/// The model of that name; `None` if no row has it.
pub fn model(name: &str) -> Option<&'static Model> {
    MODELS.iter().find(|model| model.name == name)
}
