//! X-chain: a chain of one symbol. (See [`links`](super::links).)

use super::links::{self, Links};
use crate::technique::{Level, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "X-chain",
    about: "a chain of cells for one symbol: its first or its last cell holds it, so cells that see both lose it",
    group: "chains",
    level: Level::VeryHard,
    score: 65,
    needs_uniqueness: false,
    reason: "because one end of the chain is true: {chains}",
    find: |finder| links::find(finder, Links::Symbol),
};
