//! Classic problems as exact covers, one file each: examples of modelling, and problems for measurements.
//!
//! Each file starts with the idea: what the items are, what an option is, and why a solution of the cover solves the
//! problem. Primary items *must* happen, secondary items may happen *once*. Colours let options agree, bounds let items
//! be covered more than once, costs rank solutions.
//!
//! ```
//! use galop_cover::{OptionId, models};
//!
//! let problem = models::queens(8)?;
//! assert_eq!(models::make("queens 8")?, problem);
//! assert_eq!(problem.option_text(OptionId(0)).to_string(), "r3 c3 a6 b7");
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
use arguments::{Arguments, check};

pub use dominoes::dominoes;
pub use error::ModelError;
pub use langford::langford;
pub use latin::latin;
pub use macmahon::macmahon;
pub use matching::matching;
pub use mixed::mixed;
pub use pentominoes::pentominoes;
pub use queen_costs::queen_costs;
pub use queen_domination::queen_domination;
pub use queens::queens;
pub use soma::soma;
pub use sudoku::sudoku;

/// A classic problem, by name.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Model {
    /// The name, in tools and reports.
    pub name: &'static str,
    /// The arguments of [`make`](Self::make), for a help text; empty if the model takes no argument.
    pub usage: &'static str,
    /// One line for a list of models.
    pub about: &'static str,
    make: fn(&mut Arguments<'_>) -> Result<ExactCover, ModelError>,
}

impl Model {
    /// Makes the problem from its arguments, which are separate words as on a command line (`["6x10"]`, `["8", "5"]`).
    /// The allowed ranges keep all problems below a few million terms.
    ///
    /// # Errors
    /// [`ModelError::Argument`] says which argument is wrong, and what would be right.
    pub fn make(&self, words: &[&str]) -> Result<ExactCover, ModelError> {
        (self.make)(&mut Arguments::of(words))
    }
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
pub fn by_name(name: &str) -> Option<&'static Model> {
    MODELS.iter().find(|model| model.name == name)
}

/// The problem that `galop make` makes of these words: the name of a model and its arguments, as in `pentominoes 6x10`.
///
/// # Errors
/// [`ModelError`] if there is no such model, or if an argument is wrong.
pub fn make(words: &str) -> Result<ExactCover, ModelError> {
    let words: Vec<&str> = words.split(' ').collect();
    by_name(words[0]).ok_or_else(|| ModelError::Unknown(words[0].to_owned()))?.make(&words[1..])
}
