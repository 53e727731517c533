//! XY-chain: a chain of cells with two candidates. (See [`links`](super::links).)

use super::links::{self, Links};
use crate::technique::{Level, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "XY-chain",
    about: "a chain of cells with two candidates each: its first or its last candidate is true",
    group: "chains",
    level: Level::VeryHard,
    score: 66,
    needs_uniqueness: false,
    reason: "because one end of the chain is true: {chains}",
    find: |finder| links::find(finder, Links::Cells),
};
