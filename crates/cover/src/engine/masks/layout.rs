//! The places of the options of each primary item in a state: which lane, how wide, how many vectors.
//!
//! ```text
//! narrow, one lane of L = 16 or 32 bits an item, in the order of the items:
//!
//!   | item 3         | item 2         | item 1         | item 0         |    a word of 64 bits, L = 16
//!    T..............  T..............  T..............  T..............     T: uncovered, rest: live options
//!
//! wide, w words of 64 bits an item, 63 options each, words of four (eight) items side by side in a vector:
//!
//!   | item d, 0..63  | item c, 0..63  | item b, 0..63  | item a, 0..63  |    group of w = 2: one vector
//!   | item d, 63..   | item c, 63..   | item b, 63..   | item a, 63..   |    and the next
//!    T......          T......          T......          T......             T of the first words only
//! ```
//! Items of the wide layout are grouped by their number of words, few words first; a group is as wide as its
//! widest item. An item without options has a lane like any other. Only its top bit is ever set, which is a
//! contradiction at once.
//!
//! A *place* is a bit of a state, numbered from the lowest bit of its first word.

use crate::order::sort_by_number;

/// Groups of the same width, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Vectors of each group.
    pub(super) width: usize,
    /// The number of groups.
    pub(super) groups: usize,
}

/// The place of each primary item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The lowest place of each item.
    bases: Vec<u32>,
    /// Options of a lane; the next bit is its top.
    options: u32,
    /// Places from a word of an item to its next word.
    stride: u32,
    /// Vectors of a state.
    pub(super) vectors: usize,
}

impl Layout {
    /// The layout of a lane of `bits` an item in vectors of `words`.
    pub(super) fn narrow(items: usize, bits: usize, words: usize) -> Layout {
        Layout {
            bases: (0..items).map(|item| (item * bits) as u32).collect(),
            options: bits as u32 - 1,
            stride: 0,
            vectors: vectors(items, bits, words),
        }
    }

    /// The layout of as many words as an item needs in vectors of `words`, and its groups.
    pub(super) fn wide(degrees: &[u32], words: usize) -> (Layout, Vec<Run>) {
        let width = |item: usize| (degrees[item] as usize).div_ceil(63).max(1);
        let mut order: Vec<usize> = (0..degrees.len()).collect();
        sort_by_number(&mut order, &|item| width(item) as u64);
        let (mut bases, mut runs, mut vectors) = (vec![0; degrees.len()], Vec::<Run>::new(), 0);
        for group in order.chunks(words) {
            for (lane, &item) in group.iter().enumerate() {
                bases[item] = (64 * (vectors * words + lane)) as u32;
            }
            let width = group.last().map_or(1, |&item| width(item));
            match runs.last_mut() {
                Some(run) if run.width == width => run.groups += 1,
                _ => runs.push(Run { width, groups: 1 }),
            }
            vectors += width;
        }
        if runs.is_empty() {
            // Every state has a vector, items or not.
            (runs, vectors) = (vec![Run { width: 1, groups: 1 }], 1);
        }
        (Layout { bases, options: 63, stride: 64 * words as u32, vectors }, runs)
    }

    /// The place of option `number` of the options of `item`.
    pub(super) fn place(&self, item: usize, number: u32) -> u32 {
        self.bases[item] + number / self.options * self.stride + number % self.options
    }

    /// The words of an item with this number of options, without padding.
    pub(super) fn words(&self, degree: u32) -> f64 {
        f64::from((self.options + 1) * degree.div_ceil(self.options).max(1)) / 64.0
    }

    /// The place that says whether `item` is uncovered.
    pub(super) fn flag(&self, item: usize) -> u32 {
        self.bases[item] + self.options
    }
}

/// The number of vectors of `words` for `items` lanes of `bits`; at least one.
pub(super) fn vectors(items: usize, bits: usize, words: usize) -> usize {
    (items * bits).div_ceil(64 * words).max(1)
}
