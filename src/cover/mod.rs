//! Exact cover: choose options so that every item is covered, and the engines that do it.
//!
//! Words after Knuth, "The Art of Computer Programming" 4B, section 7.2.2.1. A problem ([`ExactCover`]) has *items*
//! and *options*; an option is a set of items that are covered together. A solution is a set of options that
//! covers
//! - every primary item exactly once, or as often as its bounds say (multiplicities, Algorithm M);
//! - every secondary item at most once, or any number of times in one colour (Algorithm C).

mod masks;
mod problem;
mod search;

pub use problem::{Bounds, Colour, ExactCover, ItemId, OptionId, Term};
pub use search::{Assumptions, Engine, Entry, Event, Meter, Stop};

/// The engines, by name.
pub const ENGINES: &[Entry] = &[masks::NARROW, masks::WIDE];
