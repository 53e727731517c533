//! Tables of a problem: built once, then read-only and shared by all threads.
//!
//! ```text
//! items[option]       the primary items of an option, W words; after the last option an empty set
//! options of item     its options, one bit each          | row | row | ..   a row has one bit
//! excluded by option  the options that it excludes       | row | row | ..   for every option
//! ```
//! Two options exclude each other if they share an item that is covered at most once, or clash over a secondary item.
//! So secondary items and their colours appear in these rows only.

use std::collections::HashMap;

use super::numbers::{Numbers, Set, members};
use super::stack::State;
use crate::engine::Unsuitable;
use crate::{Bounds, ExactCover, ItemId, OptionId};

/// Bytes of the largest table: one bit for each pair of options.
const MAX_TABLE_BYTES: usize = 32 << 20;

/// The size of a problem, or of the tables of one compiled engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    /// Words of a set of primary items.
    pub(super) words: usize,
    /// Planes of the slack.
    pub(super) slack: usize,
    /// Planes of the bounds.
    pub(super) bound: usize,
}

impl Size {
    /// The size of `problem`.
    ///
    /// # Errors
    /// [`Unsuitable::TooLarge`] if the tables would be too large.
    pub(super) fn of(problem: &ExactCover) -> Result<Size, Unsuitable> {
        let row = problem.option_count().div_ceil(64).max(1) * 8;
        let bytes = row * problem.option_count().max(problem.item_count());
        Unsuitable::check_size("bytes of table", bytes, MAX_TABLE_BYTES)?;
        let bounds = reachable_bounds(problem);
        let (mut slack, mut bound) = (0, 0);
        for &(degree, Bounds { low, high }) in &bounds {
            slack = slack.max(degree.saturating_sub(low));
            bound = bound.max(low.min(degree)).max(high);
        }
        let planes = |number: u32| (u32::BITS - number.leading_zeros()).max(1) as usize;
        Ok(Size { words: bounds.len().div_ceil(64).max(1), slack: planes(slack), bound: planes(bound) })
    }

    /// Whether a problem of this size fits tables of the size `other`.
    pub(super) fn fits(self, other: Size) -> bool {
        self.words <= other.words && self.slack <= other.slack && self.bound <= other.bound
    }
}

/// For each primary item its number of options, and its bounds with the high one lowered to that number.
fn reachable_bounds(problem: &ExactCover) -> Vec<(u32, Bounds)> {
    let bounds = |(item, &degree): (usize, &u32)| {
        let Bounds { low, high } = problem.bounds(ItemId(item as u32));
        (degree, Bounds { low, high: high.min(degree) })
    };
    problem.degrees()[..problem.primary_count()].iter().enumerate().map(bounds).collect()
}

/// The rows of the tables, drawn above, which are the same for every compiled size.
#[derive(Debug)]
struct Rows {
    /// Words of a row: a set of options.
    row: usize,
    options: Vec<u64>,
    excluded: Vec<u64>,
}

impl Rows {
    /// The rows of `problem`, whose primary items have these degrees and bounds.
    fn new(problem: &ExactCover, bounds: &[(u32, Bounds)]) -> Rows {
        let count = problem.option_count();
        let row = count.div_ceil(64).max(1);
        let mut options = vec![0; row * problem.item_count()];
        // The options of each pair of item and colour.
        let mut coloured: HashMap<(u32, u32), Vec<u64>> = HashMap::new();
        for (number, terms) in problem.options().enumerate() {
            for term in terms {
                let bit = 1 << (number % 64);
                options[row * term.item.index() + number / 64] |= bit;
                if term.colour != 0 {
                    coloured.entry((term.item.0, term.colour)).or_insert_with(|| vec![0; row])
                        [number / 64] |= bit;
                }
            }
        }
        let mut excluded = vec![0; row * count];
        for (terms, excluded) in problem.options().zip(excluded.chunks_exact_mut(row)) {
            for term in terms {
                let item = term.item.index();
                if bounds.get(item).is_some_and(|(_, bounds)| bounds.high > 1) {
                    continue;
                }
                let same = coloured.get(&(term.item.0, term.colour));
                for (word, excluded) in excluded.iter_mut().enumerate() {
                    let agrees = same.map_or(0, |same| same[word]);
                    *excluded |= options[row * item + word] & !agrees;
                }
            }
        }
        options.truncate(row * problem.primary_count());
        Rows { row, options, excluded }
    }
}

/// The tables of a problem, drawn above.
#[derive(Debug)]
pub(super) struct Tables<const W: usize, const K: usize, const B: usize> {
    pub(super) items: Vec<Set<W>>,
    rows: Rows,
    /// Items that may be covered more than once. When such an item is full, its options are eliminated.
    pub(super) shared: Set<W>,
    /// Items that are in all options. When such an item is full, no other option can be chosen.
    pub(super) universal: Set<W>,
    /// The first state of a search, and whether an item has too few options.
    pub(super) root: State<W, K, B>,
    pub(super) is_contradictory: bool,
}

impl<const W: usize, const K: usize, const B: usize> Tables<W, K, B> {
    /// The tables of `problem`, which fits this size.
    pub(super) fn new(problem: &ExactCover) -> Self {
        let bounds = reachable_bounds(problem);
        let rows = Rows::new(problem, &bounds);
        let mut items = vec![[0; W]; problem.option_count() + 1];
        let mut shared = [0; W];
        let mut universal = [0; W];
        let left = |word: usize| problem.option_count().saturating_sub(64 * word);
        let live =
            (0..rows.row).map(|word| if left(word) >= 64 { !0 } else { (1 << left(word)) - 1 }).collect();
        let mut root = State { slack: Numbers::ZERO, low: Numbers::ZERO, high: Numbers::ZERO, live };
        let mut is_contradictory = false;
        for (item, &(degree, Bounds { low, high })) in bounds.iter().enumerate() {
            let (word, bit) = (item / 64, 1 << (item % 64));
            is_contradictory |= low > degree;
            root.slack.set(item, degree.saturating_sub(low));
            root.low.set(item, low.min(degree));
            root.high.set(item, high);
            if high > 1 {
                shared[word] |= bit;
            }
            if degree > 0 && degree as usize == problem.option_count() {
                universal[word] |= bit;
            }
            for option in members(&rows.options[rows.row * item..][..rows.row]) {
                items[option][word] |= bit;
            }
        }
        Tables { items, rows, shared, universal, root, is_contradictory }
    }

    /// The number of options.
    pub(super) fn option_count(&self) -> usize {
        self.items.len() - 1
    }

    /// The options of a primary item.
    #[inline]
    pub(super) fn options_of(&self, item: usize) -> &[u64] {
        &self.rows.options[item * self.rows.row..][..self.rows.row]
    }

    /// The options that `option` excludes, and perhaps itself.
    #[inline]
    pub(super) fn excluded_by(&self, option: OptionId) -> &[u64] {
        &self.rows.excluded[option.index() * self.rows.row..][..self.rows.row]
    }
}
