//! The sizes of the sets, and what brings them back. There are two kinds:
//!
//! | | small | large |
//! |---|---|---|
//! | bits of a size | 16 | 32 |
//! | a level | saves all sizes | notes where it begins in the journal |
//! | to go back | copies them | takes the journal's changes back, last one first |
//! | memory | quadratic in the items of a deep search | linear in the terms |
//! | the item with the fewest options | is sought among all | is sought in the block of the least minimum |
//!
//! The journal has an entry for every option that left a set and for every item that was covered:
//! ```text
//! journal  | 3 | 7 | 7 | cover 2 | 5 | cover 3 | 9 ..
//! levels     0: 0        1: 3          2: 5                the length when a level began
//! minima   | 2 of items 0.. | 4 of items 1024.. | ..       of blocks of primary items; recomputed where a size changed
//! ```
//! Small sizes are faster as long as there are few items: one copy takes less time than an entry for each change.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// Sizes compared at a time. The primary items are padded to a multiple of it.
pub(super) const LANES: usize = 16;
/// Items of a block of large sizes, which has a minimum.
const BLOCK: usize = 1024;
/// Added to an item in the journal when it was covered.
const COVER: u32 = 1 << 31;

/// A size. It is signed because every 64-bit machine has an instruction for the minimum of several signed numbers.
pub(super) trait Size:
    Copy
    + Ord
    + Debug
    + Send
    + Add<Output = Self>
    + Sub<Output = Self>
    + AddAssign
    + SubAssign
    + TryFrom<u32>
    + 'static
{
    /// Added to the size of a covered item; more options than an item may have.
    const COVERED: Self;
    const MAX: Self;
    const ONE: Self;
    /// Whether there is a journal instead of saved sizes.
    const HAS_JOURNAL: bool;

    fn number(self) -> u32;

    /// The number, to multiply it.
    fn score(self) -> f32;
}

impl Size for i16 {
    const COVERED: i16 = 0x4000;
    const MAX: i16 = i16::MAX;
    const ONE: i16 = 1;
    const HAS_JOURNAL: bool = false;

    #[inline(always)]
    fn number(self) -> u32 {
        self as u32
    }

    #[inline(always)]
    fn score(self) -> f32 {
        f32::from(self)
    }
}

impl Size for i32 {
    const COVERED: i32 = 1 << 30;
    const MAX: i32 = i32::MAX;
    const ONE: i32 = 1;
    const HAS_JOURNAL: bool = true;

    #[inline(always)]
    fn number(self) -> u32 {
        self as u32
    }

    #[inline(always)]
    fn score(self) -> f32 {
        self as f32
    }
}

/// The sizes of all sets: primary items, padding, secondary items.
#[derive(Clone, Debug)]
pub(super) struct Sizes<N> {
    pub(super) now: Vec<N>,
    pub(super) past: Past<N>,
}

/// What brings the sizes of a level back.
#[derive(Clone, Debug)]
pub(super) struct Past<N> {
    /// For each level the primary items that were not covered, and the length of the journal.
    levels: Vec<(usize, usize)>,
    /// All sizes at each level, if they are small.
    saved: Vec<N>,
    /// The changes so far, if they are large; and the least size of each block, and whether it may have changed.
    journal: Vec<u32>,
    minima: Vec<N>,
    is_stale: Vec<bool>,
}

impl<N: Size> Sizes<N> {
    /// Sizes of so many items; the first `lanes` are primary.
    pub(super) fn new(count: usize, lanes: usize) -> Sizes<N> {
        let blocks = if N::HAS_JOURNAL { lanes.div_ceil(BLOCK).next_multiple_of(LANES) } else { 0 };
        let past = Past {
            levels: Vec::new(),
            saved: Vec::new(),
            journal: Vec::new(),
            minima: vec![N::MAX; blocks],
            is_stale: vec![false; if N::HAS_JOURNAL { count.div_ceil(BLOCK) } else { 0 }],
        };
        Sizes { now: vec![N::COVERED; count], past }
    }

    /// Makes all sizes those before anything is chosen.
    pub(super) fn reset(&mut self, degrees: &[u32]) {
        for (size, &degree) in self.now.iter_mut().zip(degrees) {
            *size = N::try_from(degree).unwrap_or(N::COVERED);
        }
        self.past.journal.clear();
        self.past.is_stale.fill(true);
    }

    /// Bytes that are allocated.
    #[cfg(test)]
    pub(super) fn allocated(&self) -> usize {
        let Past { levels, saved, journal, minima, is_stale } = &self.past;
        size_of::<N>() * (self.now.capacity() + saved.capacity() + minima.capacity())
            + size_of::<(usize, usize)>() * levels.capacity()
            + size_of::<u32>() * journal.capacity()
            + is_stale.capacity()
    }
}

impl<N: Size> Past<N> {
    /// Notes that an option left the set of `item`.
    #[inline(always)]
    pub(super) fn note_removal(&mut self, item: u32) {
        if N::HAS_JOURNAL {
            self.note(item, item);
        }
    }

    /// Notes that `item` was covered.
    #[inline(always)]
    pub(super) fn note_cover(&mut self, item: u32) {
        if N::HAS_JOURNAL {
            self.note(item, item | COVER);
        }
    }

    #[inline(always)]
    fn note(&mut self, item: u32, entry: u32) {
        self.journal.push(entry);
        self.is_stale[item as usize / BLOCK] = true;
    }

    /// Begins level `depth`, with so many primary items not covered.
    #[inline(always)]
    pub(super) fn save(&mut self, depth: usize, open: usize, sizes: &[N]) {
        self.levels.truncate(depth);
        self.levels.push((open, self.journal.len()));
        if !N::HAS_JOURNAL {
            self.saved.truncate(depth * sizes.len());
            self.saved.extend_from_slice(sizes);
        }
    }

    /// Makes `sizes` what they were when level `depth` began. Returns the number of primary items that were not
    /// covered.
    #[inline(always)]
    pub(super) fn restore(&mut self, depth: usize, sizes: &mut [N]) -> usize {
        let (open, begin) = self.levels[depth];
        if N::HAS_JOURNAL {
            for entry in self.journal.drain(begin..) {
                let item = (entry & !COVER) as usize;
                if entry == item as u32 {
                    sizes[item] += N::ONE;
                } else {
                    sizes[item] -= N::COVERED;
                }
                self.is_stale[item / BLOCK] = true;
            }
        } else {
            sizes.copy_from_slice(&self.saved[depth * sizes.len()..][..sizes.len()]);
        }
        open
    }

    /// The first of the smallest of `sizes`, the sizes of primary items.
    #[inline(always)]
    pub(super) fn fewest(&mut self, sizes: &[N]) -> u32 {
        if !N::HAS_JOURNAL {
            return first_of_least(sizes) as u32;
        }
        let mut blocks = sizes.chunks(BLOCK);
        for ((least, is_stale), block) in self.minima.iter_mut().zip(&mut self.is_stale).zip(blocks.clone()) {
            if std::mem::take(is_stale) {
                *least = block.iter().fold(N::MAX, |least, &size| least.min(size));
            }
        }
        let block = first_of_least(&self.minima);
        let first = blocks.nth(block).map_or(0, first_of_least);
        (block * BLOCK + first) as u32
    }
}

/// The place of the first of the least of `sizes`, a multiple of [`LANES`] of them.
#[inline(always)]
fn first_of_least<N: Size>(sizes: &[N]) -> usize {
    let (chunks, _) = sizes.as_chunks::<LANES>();
    let mut best = [N::MAX; LANES];
    for chunk in chunks {
        for (best, &size) in best.iter_mut().zip(chunk) {
            *best = (*best).min(size);
        }
    }
    let fewest = best.into_iter().fold(N::MAX, N::min);
    let is_in = |chunk: &&[N; LANES]| chunk.iter().fold(false, |found, &size| found | (size == fewest));
    let before = chunks.iter().take_while(|chunk| !is_in(chunk)).count();
    let chunk = chunks.get(before).map_or(&[][..], |chunk| chunk);
    let lane = chunk.iter().position(|&size| size == fewest).unwrap_or(0);
    before * LANES + lane
}
