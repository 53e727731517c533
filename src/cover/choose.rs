//! Which engine a problem gets where none is named.

use super::{ENGINES, Entry, ExactCover, engine};

/// An engine, and why it.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    /// The engine.
    pub entry: &'static Entry,
    /// One line for people.
    pub why: &'static str,
}

/// The engine for `problem`.
pub fn choose(_problem: &ExactCover) -> Chosen {
    let entry = engine("links").unwrap_or(&ENGINES[0]);
    Chosen { entry, why: "it solves any problem" }
}
