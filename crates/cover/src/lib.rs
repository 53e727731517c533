//! Exact cover: choose options so that every item is covered, and the engines that find all such choices.
//!
//! ```
//! use galop_cover::ExactCover;
//!
//! // The first line names the items, every further line is an option.
//! let problem: ExactCover = "a b c d\n\
//!                            a b\n\
//!                            c d\n\
//!                            a c\n\
//!                            b d\n".parse()?;
//! assert_eq!(problem.count()?, 2);
//! let solution = problem.solve()?.unwrap_or_default();
//! assert_eq!(problem.option_text(solution[0]).to_string(), "a b");
//! # Ok::<(), galop_cover::CoverError>(())
//! ```
//!
//! The words are Knuth's, "The Art of Computer Programming" 4B, section 7.2.2.1. A problem ([`ExactCover`]) has
//! *items* and *options*; an option is a set of items that are covered together. A solution is a set of options that
//! covers
//! - every primary item exactly once, or as often as its bounds allow (multiplicities, Algorithm M);
//! - every secondary item at most once, or any number of times in one colour (Algorithm C).
//!
//! # A problem in code
//! Four friends share two rooms for two; Ann and Bob do not share a room. The friends and the rooms are primary items.
//! The quiet of a room is a secondary item, covered at most once, and both Ann and Bob would cover it:
//! ```
//! use galop_cover::ExactCover;
//!
//! let mut builder = ExactCover::builder();
//! ["Ann", "Bob", "Cid", "Dee"].map(|friend| builder.primary(friend));
//! ["east", "west"].map(|room| builder.primary_with_bounds(room, 2, 2));
//! ["quiet-east", "quiet-west"].map(|quiet| builder.secondary(quiet));
//! for (room, quiet) in [("east", "quiet-east"), ("west", "quiet-west")] {
//!     ["Ann", "Bob"].map(|friend| builder.option([friend, room, quiet]));
//!     ["Cid", "Dee"].map(|friend| builder.option([friend, room]));
//! }
//! let problem = builder.finish()?;
//! assert_eq!(problem.count()?, 4);
//! let solution = problem.solve()?.unwrap_or_default();
//! assert_eq!(problem.option_text(solution[0]).to_string(), "Ann east quiet-east");
//! # Ok::<(), galop_cover::CoverError>(())
//! ```
//!
//! # Limits, threads and related problems
//! A [`Solver`] searches one problem any number of times:
//! ```
//! use std::num::NonZero;
//! use galop_cover::{CoverLimits, End, OptionId, models};
//!
//! let queens = models::queens(12)?;
//! let mut solver = queens.solver()?;
//! solver.set_threads(NonZero::new(2))?; // `None` is one thread a core
//! assert_eq!(solver.search(&CoverLimits::NONE).count()?.solutions, 14_200);
//! assert_eq!(solver.search(&CoverLimits::first(100)).count()?.end, End::Solutions);
//! solver.assume(&[OptionId(0)], &[])?; // only solutions with option 0
//! for solution in solver.search(&CoverLimits::first(3)) {
//!     assert!(solution?.contains(&OptionId(0)));
//! }
//! # Ok::<(), galop_cover::CoverError>(())
//! ```
//!
//! Millions of records of one problem, each a line of choices, are read by [`text::ChoiceText`] and completed by a
//! [`Stepper`](engine::Stepper).
//!
//! # Cheapest solutions
//! Options have costs. [`ExactCover::rank`] finds the solutions of least or of greatest total cost. If a limit ends the
//! search, the result says how far from the best the solutions can be:
//! ```
//! use galop_cover::{CoverLimits, ExactCover, Rank};
//!
//! // Two crews fly four legs: what each crew can fly, and what it costs.
//! let legs: ExactCover = "ab bc cd da\nab bc |5\ncd da |6\nab bc cd |7\nda |3\nbc cd |4\nab da |6\n".parse()?;
//! let best = legs.rank(Rank::Cheapest, 2).search(&CoverLimits::NONE)?.covers;
//! assert_eq!((best[0].cost, best[1].cost), (10, 10));
//! assert_eq!(best[0].options, [2, 3]);
//! assert_eq!(best[1].options, [4, 5]); // ties are in the order of options
//! let ranking = legs.rank(Rank::Dearest, 1).search(&CoverLimits::NONE)?;
//! assert_eq!((ranking.covers[0].cost, ranking.gap()), (11, Some(0)));
//! # Ok::<(), galop_cover::CoverError>(())
//! ```
//!
//! # The parts
//! ```text
//! problem        reduce           solver                engine                        problem
//! text, Builder  ->  ExactCover  ->  Solver  ->  a CoverEngine on each thread  ->  CoverChecker  ->  solutions
//!                (preprocessing,    limits,      one file an engine,               checks every
//!                 on request)       assumptions  the table ENGINES                 solution delivered
//! ```
//! The cheapest solutions have a search of their own, which a solver runs like an engine.
//! `models` makes classic problems, `threads` starts threads, `diagram` stores all solutions as one object.

mod best;
mod chance;
pub mod diagram;
pub mod engine;
mod error;
#[cfg(feature = "learn")]
mod learn;
mod lists;
mod memory;
pub mod models;
mod natural;
mod order;
mod parts;
pub mod problem;
pub mod reduce;
mod shards;
mod solver;
#[cfg(test)]
mod tests;
pub mod threads;

pub use best::{Rank, RankProgress, RankedCover, Ranker, Ranking};
pub use error::CoverError;
pub use galop_simd::Isa;
pub use natural::{Natural, NotDecimal};
pub use problem::{Assumptions, Bounds, Builder, Colour, ExactCover, ItemId, OptionId, Term, text};
pub use shards::{Shards, Sharing};
pub use solver::{
    Choice, CoverLimits, CoverOutcome, Drawer, Drawn, End, Observer, Progress, Search, Setup, SolutionStream,
    Solutions, Solver,
};

/// Compiles and runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
