//! Dancing links: the engine that galop is named for, and the oracle of the others.
//!
//! Knuth, "The Art of Computer Programming" 4B, section 7.2.2.1, in one line: take the item with the fewest options,
//! choose each of them in turn, hide all options that clash with it, and go on; when an item has no option left, go
//! back.
//!
//! The options of an item hang in a circular list. To hide an option is to unlink its nodes; each node keeps its own
//! links, so that the same steps backwards link it in again: nothing is copied.
//!
//! There are two paths, one file each:
//!
//! | file | problems | algorithm |
//! |---|---|---|
//! | [`short`] | every primary item covered once, no colours | X with secondary items, and the tricks that make it fast |
//! | [`full`] | all | M, which contains C and X, step by step as in the book |
//!
//! The tests hold the short path to the full one.

mod full;
mod short;
#[cfg(test)]
mod tests;

use full::Full;
pub(crate) use full::own_bytes as most_bytes;
use short::Short;

use crate::engine::CoverEntry;

/// Its row in the table of engines.
pub(crate) const ENTRY: CoverEntry = CoverEntry {
    name: "links",
    about: "dancing links, Knuth's Algorithms X, C and M: any problem; the oracle of the others",
    make: |problem, build| {
        if problem.is_simple() && !problem.has_colours() {
            Ok(Box::new(Short::new(problem, build)?))
        } else {
            Ok(Box::new(Full::new(problem, build)?))
        }
    },
};
