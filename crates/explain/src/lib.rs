//! Explains sudokus and other grid puzzles step by step, with the techniques of people.
//!
//! A step is the easiest technique of the table [`TECHNIQUES`] that finds something: what it places or eliminates, and
//! which cells prove it. Programs name all this as `galop::explain`.
//!
//! ```
//! use galop::Rules;
//! use galop::explain::{End, Options, explain};
//!
//! let puzzle: Vec<u8> = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
//!     .bytes().map(|byte| byte.saturating_sub(b'0') % 10).collect();
//! let rules = Rules::default();
//! let explanation = explain(&rules, &puzzle, &Options::default())?;
//! assert_eq!(explanation.end, End::Solved);
//! assert_eq!(explanation.steps[0].text(&rules), "hidden single: r1c6=8, the only cell for 8 in block 2");
//! # Ok::<(), galop::explain::Error>(())
//! ```

mod board;
mod cells;
mod deduction;
mod explainer;
mod geometry;
mod shortest;
mod step;
mod technique;
mod technique_set;
mod techniques;
mod words;

pub use deduction::{Node, Truth};
pub use explainer::{Difficulty, End, Error, Explainer, Explanation, Options, Steps, explain};
pub use geometry::Candidate;
pub use step::{Position, Step};
pub use technique::{Example, Level, Technique};
pub use techniques::{TECHNIQUES, groups, named};

/// The example of the README is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
