//! Exact cover: choose options so that every item is covered, and the engines that do it.
//!
//! Words after Knuth, "The Art of Computer Programming" 4B, section 7.2.2.1. A problem ([`ExactCover`]) has *items*
//! and *options*; an option is a set of items that are covered together. A solution is a set of options that
//! covers
//! - every primary item exactly once, or as often as its bounds say (multiplicities, Algorithm M);
//! - every secondary item at most once, or any number of times in one colour (Algorithm C).
//!
//! # The road
//! ```text
//! text::read, Builder  ->  ExactCover  ->  Solver  ->  an Engine on every thread  ->  Checker  ->  solutions
//!                                          limits,     the table ENGINES, one         none is handed out
//!                                          assumptions file an engine                 that was not checked
//! ```
//!
//! Where a [`Setup`] asks for it, the engines search what [preprocessing](ExactCover::reduce) leaves of the problem;
//! nobody but them sees the difference.
//!
//! # A problem of one's own
//! Four friends and two rooms for two; Ann and Bob do not share one. The friends and the rooms are primary items;
//! the quiet of a room is a secondary one, covered at most once, and both of them would take it:
//! ```
//! use galop_cover::{Choice, ExactCover, Limits, Solver};
//!
//! let mut builder = ExactCover::builder();
//! ["Ann", "Bob", "Cid", "Dee"].map(|friend| builder.primary(friend));
//! ["east", "west"].map(|room| builder.primary_with_bounds(room, 2, 2));
//! ["quiet-east", "quiet-west"].map(|quiet| builder.secondary(quiet));
//! for (room, quiet) in [("east", "quiet-east"), ("west", "quiet-west")] {
//!     builder.option(["Ann", room, quiet]).option(["Bob", room, quiet]);
//!     builder.option(["Cid", room]).option(["Dee", room]);
//! }
//! let problem = builder.finish()?;
//! let mut solver = Solver::new(&problem, Choice::Auto)?;
//! assert_eq!(solver.count(&Limits::NONE)?.solutions, 4);
//! let solution = solver.first(&Limits::NONE)?.unwrap_or_default();
//! assert_eq!(problem.words(solution[0]).to_string(), "Ann east quiet-east");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod engine;
mod error;
pub mod models;
mod natural;
mod problem;
#[cfg(test)]
mod random;
mod reduce;
mod solver;
#[cfg(test)]
mod tests;
pub mod threads;

pub use engine::{Assumptions, ENGINES, Engine, Entry, Event, Meter, Stop, engine};
pub use error::{BuildError, CoverViolation, Error, Fault, ModelError, TextError};
pub use galop_simd::Isa;
pub use natural::Natural;
pub use problem::{Bounds, Builder, Checker, Colour, ExactCover, ItemId, OptionId, Place, Term, Words, text};
pub use reduce::Reduction;
pub use solver::{Choice, Chosen, End, Limits, Outcome, Progress, Setup, Solutions, Solver, Watch, choose};
