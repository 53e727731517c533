//! AIC, alternating inference chain: a chain of candidates in which each is false if the one before is true, or true if
//! the one before is false. (See [`links`](super::links).)

use super::links::{self, Links};
use crate::technique::{Level, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "AIC",
    about: "alternating inference chain, of any cells and symbols: its first or its last candidate is true",
    group: "chains",
    level: Level::VeryHard,
    score: 67,
    needs_uniqueness: false,
    reason: "because one end of the chain is true: {chains}",
    find: |finder| links::find(finder, Links::All),
};
