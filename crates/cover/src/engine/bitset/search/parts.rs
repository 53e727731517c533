//! States that fall apart: their parts are counted one after the other, and the counts are multiplied.
//!
//! Two rows belong to the same part if they have a bit in common, or through other rows. A search of the whole goes
//! through all solutions of the second part for every solution of the first one, unless it happens to finish one part
//! before it begins the next. So a state whose rows fall apart becomes a level with a branch for each part:
//! ```text
//!  level of an item           level of parts
//!    /    |    \                /    |    \          filter by all bits that the part lacks:
//!  choose each option         part  part  part       what is left is a state as any other
//!  counts are added           counts are multiplied, the smallest part first; after a 0 no other is counted
//! ```
//! 1. The state of a part has a key like any state, so its count is remembered and found again, also beside other
//!    parts.
//! 2. A row is compared with the parts found before it, which is about as much work as a filter. After a state that
//!    does not fall apart, twice as many states are skipped as the last time, up to [`MOST_SKIPPED`].
//! 3. Solutions of parts are not shown: they solve only a part of the problem. Their numbers are added once all parts
//!    of the state are counted.
//! 4. Branches in a part cannot be given away. If one is asked for, the outermost state that was split is searched in
//!    the usual way.
//!
//! Figures (milliseconds without parts, and with them): four Langford-8, joined by one item, 2.8e10 solutions, never
//! (nothing comes again in time) and 1.7; three Langford-7 .40 and .24. Boards joined by bridges are swept in less
//! time; Latin squares of 5 and 6 and random problems of 150 items, whose states do not fall apart, take as long as
//! without.
//!
//! Only a counter splits, and only states with two parts of an eighth of the items of the problem. While parts are
//! counted, remembering is taken to pay.

use super::super::kernel::{Rows, common, row};
use super::super::table::PAD;
use super::{Level, Search, Step};
use crate::Natural;
use crate::order::sort_by_number;

/// Items of the second largest part of a state that is split: at least this many, and this share of all items. (With 4
/// in every problem, reduced Latin squares of 7 took 1.06 times as long.)
const LEAST_ITEMS: usize = 4;
const LEAST_SHARE: usize = 8;
/// States between two that are looked at, where none falls apart.
const MOST_SKIPPED: u32 = 64;

/// Nodes that a state is said to save at most.
const MOST_SAVED: f64 = 1e30;

/// A level of parts.
#[derive(Clone, Debug)]
struct Split<const W: usize> {
    /// Its number, and the bits of its parts, the smallest part last.
    level: usize,
    parts: Vec<[u64; W]>,
    /// The product of the parts that are counted.
    product: Natural,
    /// Nodes below the state in a search that does not split, and in one that does.
    tree: f64,
    searched: f64,
    solutions: f64,
}

/// The levels of parts under way, and which states are looked at.
#[derive(Clone, Debug)]
pub(in crate::engine::bitset) struct Splits<const W: usize> {
    stack: Vec<Split<W>>,
    least_items: u32,
    skipped: u32,
    to_skip: u32,
}

impl<const W: usize> Splits<W> {
    /// For a problem with `count` primary items.
    pub(super) fn new(count: usize) -> Splits<W> {
        let least_items = (count / LEAST_SHARE).max(LEAST_ITEMS) as u32;
        Splits { stack: Vec::new(), least_items, skipped: 0, to_skip: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.stack.clear();
        (self.skipped, self.to_skip) = (0, 0);
    }

    /// Splits states with two parts of this many items.
    #[cfg(test)]
    pub(in crate::engine::bitset) fn set_least_items(&mut self, least_items: u32) {
        self.least_items = least_items;
    }

    /// Whether the search is in a part.
    #[inline(always)]
    pub(super) fn is_inside(&self) -> bool {
        !self.stack.is_empty()
    }

    /// Whether the next state is looked at.
    #[inline(always)]
    fn is_due(&mut self) -> bool {
        self.to_skip = self.to_skip.saturating_sub(1);
        self.to_skip == 0
    }
}

impl<const W: usize> Search<W> {
    /// Begins a level of parts for the state of `rows`, if it falls apart. `false` if not, or if it is not looked at.
    #[inline(always)]
    pub(super) fn split_state(&mut self) -> bool {
        self.counting.splits() && self.splits.is_due() && self.find_parts()
    }

    #[inline(never)]
    fn find_parts(&mut self) -> bool {
        let items = |part: &[u64; W]| -> u32 {
            part.iter().zip(&self.uncovered).map(|(part, open)| (part & open).count_ones()).sum()
        };
        let parts = self.parts_of(self.rows);
        let is_large = |part: &&[u64; W]| items(part) >= self.splits.least_items;
        if parts.iter().filter(is_large).take(2).count() < 2 {
            self.splits.skipped = (2 * self.splits.skipped + 1).min(MOST_SKIPPED);
            self.splits.to_skip = self.splits.skipped;
            return false;
        }
        let mut order: Vec<usize> = (0..parts.len()).collect();
        sort_by_number(&mut order, &|part| u64::from(!items(&parts[part])));
        let parts: Vec<[u64; W]> = order.iter().map(|&part| parts[part]).collect();
        (self.splits.skipped, self.splits.to_skip) = (0, 0);
        let degree = parts.len() as u32;
        self.splits.stack.push(Split {
            level: self.levels.len(),
            parts,
            product: Natural::from(1),
            tree: 1.0,
            searched: 1.0,
            solutions: 1.0,
        });
        self.counting.set_inside(true);
        self.levels.push(Level { degree, is_split: true, ..self.level() });
        true
    }

    /// The bits of each part of these rows.
    fn parts_of(&self, rows: Rows) -> Vec<[u64; W]> {
        let mut parts: Vec<[u64; W]> = Vec::new();
        for at in rows.start..rows.end() {
            let mut part = self.table.items_of(&row(&self.planes, at));
            let mut other = 0;
            while other < parts.len() {
                if common(&parts[other], &part) == 0 {
                    other += 1;
                } else {
                    let merged = parts.swap_remove(other);
                    (0..W).for_each(|word| part[word] |= merged[word]);
                }
            }
            parts.push(part);
        }
        parts
    }

    /// Goes on with the next part of the last level, or leaves the level.
    #[inline(never)]
    pub(super) fn next_part(&mut self) {
        let (Some(level), Some(split)) = (self.levels.last_mut(), self.splits.stack.last_mut()) else {
            return;
        };
        self.trail.truncate(level.trail);
        if level.tried > 0 {
            let (number, tree) = self.counting.take_part();
            split.tree += split.solutions * tree;
            split.searched += tree;
            // To a factor of 2.
            split.solutions = (split.solutions * (number.bit_length() as f64).exp2()).min(MOST_SAVED);
            split.product = &split.product * &number;
        }
        if let Some(part) = split.parts.pop().filter(|_| split.product != 0) {
            level.tried += 1;
            self.rows = level.rows;
            for word in 0..W {
                self.forbidden[word] = !part[word];
                self.uncovered[word] = level.uncovered[word] & part[word];
            }
            self.forbidden[W - 1] = self.forbidden[W - 1] & !self.table.number_mask | PAD;
            self.step = Step::Enter;
            return;
        }
        self.levels.pop();
        if let Some(Split { product, tree, searched, .. }) = self.splits.stack.pop() {
            self.counting.set_inside(self.splits.is_inside());
            self.counting.put_product(product, tree, searched);
        }
        let base = self.base();
        self.counting.leave(&self.trail[base..]);
    }

    /// Searches the outermost state that was split in the usual way.
    #[inline(never)]
    pub(in crate::engine::bitset) fn undo_splits(&mut self) {
        let Some(at) = self.splits.stack.first().map(|split| split.level) else { return };
        self.splits.stack.clear();
        self.counting.set_inside(false);
        self.counting.restart(at);
        self.levels.truncate(at + 1);
        let Some(Level { rows, uncovered, trail, .. }) = self.levels.pop() else { return };
        self.trail.truncate(trail);
        (self.rows, self.uncovered, self.step) = (rows, uncovered, Step::Leave);
        let (word, bit, degree) = self.choose_among_large();
        self.levels.push(Level { word, bit, degree, ..self.level() });
    }
}
