//! The items of each option as a row of bits: two options clash if their rows have a bit in common.
//!
//! That takes a step for 64 items, where a walk through the items of an option takes one for each. It suits long
//! options, such as squares on a board of 33 by 32 cells. Problems with colours or bounds have no rows.

use crate::ExactCover;

/// Items of an option for each word of a row, from which on rows are faster.
const ITEMS_PER_WORD: usize = 2;

pub(super) struct ItemRows {
    words: usize,
    bits: Vec<u64>,
}

impl ItemRows {
    /// The rows of `problem`, if they are shorter than its options.
    pub(super) fn if_short(problem: &ExactCover) -> Option<ItemRows> {
        let words = problem.item_count().div_ceil(64);
        let is_short = problem.option_count().saturating_mul(words) < problem.term_count() / ITEMS_PER_WORD;
        is_short.then(|| ItemRows::of(problem)).flatten()
    }

    /// The rows of `problem`; `None` if it has colours or bounds.
    pub(super) fn of(problem: &ExactCover) -> Option<ItemRows> {
        if problem.has_colours() || !problem.is_simple() {
            return None;
        }
        let words = problem.item_count().div_ceil(64);
        let mut bits = vec![0; words * problem.option_count()];
        for (row, terms) in bits.chunks_exact_mut(words.max(1)).zip(problem.options()) {
            terms.iter().for_each(|term| row[term.item.index() / 64] |= 1 << (term.item.0 % 64));
        }
        Some(ItemRows { words, bits })
    }

    /// Words of a row.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    fn row(&self, option: u32) -> &[u64] {
        &self.bits[option as usize * self.words..][..self.words]
    }

    /// Whether two options clash.
    #[inline]
    pub(super) fn clash(&self, one: u32, other: u32) -> bool {
        self.row(one).iter().zip(self.row(other)).any(|(one, other)| one & other != 0)
    }
}
