//! Wide masks: as many words an item as its options need, four or eight items to a group.
//!
//! See [`layout`](super::layout) for the picture. A node is worked on in two phases:
//! 1. *Mask*: AND the row into the state, and OR the words of each group. An item of which only the top bit is left
//!    is a contradiction. The group with the last contradiction is tried first, before anything is written: 25 to 45
//!    % of all children of pentominoes end there. Groups of few words come first.
//! 2. *Count* the bits of every item, if there is no contradiction. No bits: the item is covered. Two: the top bit
//!    and one option, which is forced. The item with the fewest bits is where to branch; the key of an item has its
//!    group in the low bits, so that the lowest group wins on ties, and in it the lowest lane.
//!
//! Forced options are taken as in [`narrow`](super::narrow): all that one phase found, after reading each item again;
//! the last row waits for the next phase.

use std::marker::PhantomData;

use galop_simd::Lanes;

use super::layout::Run;
use super::search::{Branches, Node, Outcome, Trail};
use super::table::{Rows, word};
use crate::OptionId;

/// Forced items that one phase remembers. The next phase finds the others.
const FORCED: usize = 64;

/// A group: its first vector, and the number of its vectors.
#[derive(Clone, Copy, Debug)]
struct Group {
    start: u32,
    width: u32,
}

/// The wide search.
#[derive(Clone, Debug)]
pub(super) struct Wide<V> {
    runs: Vec<Run>,
    groups: Vec<Group>,
    vectors: usize,
    /// The group with the last contradiction.
    suspect: Group,
    /// The forced items that the last count found.
    forced: SingleItems,
    vector: PhantomData<V>,
}

/// Items with one option, by group and lane.
#[derive(Clone, Debug)]
struct SingleItems {
    items: [(u32, u32); FORCED],
    len: usize,
}

/// The options that an item has left.
enum Rest {
    Covered,
    Nothing,
    First(OptionId),
}

impl<V: Lanes> Node for Wide<V> {
    type V = V;

    #[inline(always)]
    fn vectors(&self) -> usize {
        self.vectors
    }

    #[inline(always)]
    fn descend(
        &mut self,
        rows: Rows<'_, V>,
        parent: &[V],
        option: OptionId,
        child: &mut [V],
        trail: &mut Trail<'_>,
    ) -> Outcome {
        let row = rows.row(option.0);
        if self.is_suspect_contradictory(parent, row) || !self.mask_parent(parent, row, child) {
            return Outcome::Contradiction;
        }
        loop {
            let (key, lane) = self.count(child);
            if key >> 16 == u32::MAX >> 16 {
                return Outcome::Solved;
            }
            if self.forced.len == 0 {
                return self.branches(child, key, lane);
            }
            let Some(row) = self.force(rows, child, trail) else { return Outcome::Contradiction };
            if self.is_suspect_contradictory(child, row) || !self.mask_in_place(row, child) {
                return Outcome::Contradiction;
            }
        }
    }
}

impl<V: Lanes> Wide<V> {
    /// The kernel for the groups of a layout.
    pub(super) fn new(runs: Vec<Run>) -> Self {
        let (mut groups, mut start) = (Vec::new(), 0);
        for run in &runs {
            for _ in 0..run.groups {
                groups.push(Group { start, width: run.width as u32 });
                start += run.width as u32;
            }
        }
        let suspect = groups.first().copied().unwrap_or(Group { start: 0, width: 0 });
        let forced = SingleItems { items: [(0, 0); FORCED], len: 0 };
        Wide { runs, groups, vectors: start as usize, suspect, forced, vector: PhantomData }
    }

    /// Whether the group with the last contradiction has one again.
    #[inline(always)]
    fn is_suspect_contradictory(&self, parent: &[V], row: &[V]) -> bool {
        let Group { start, width } = self.suspect;
        let range = start as usize..(start + width) as usize;
        let mut any = V::ZERO;
        for (before, row) in parent[range.clone()].iter().zip(&row[range]) {
            any |= *before & *row;
        }
        V::is_any(any.tops::<64>())
    }

    /// Phase 1: applies `row` to `parent`. False, and a new suspect, if an item has no option left.
    #[inline(always)]
    fn mask_parent(&mut self, parent: &[V], row: &[V], child: &mut [V]) -> bool {
        self.mask::<true>(parent, row, child)
    }

    /// As [`mask_parent`](Self::mask_parent), but applies `row` to `child` itself.
    #[inline(always)]
    fn mask_in_place(&mut self, row: &[V], child: &mut [V]) -> bool {
        self.mask::<false>(&[], row, child)
    }

    /// [`mask_parent`](Self::mask_parent) if `FRESH`, else [`mask_in_place`](Self::mask_in_place).
    #[inline(always)]
    fn mask<const FRESH: bool>(&mut self, parent: &[V], row: &[V], child: &mut [V]) -> bool {
        let parent = if FRESH { parent } else { row };
        let mut start = 0;
        for run in &self.runs {
            let end = start + run.width * run.groups;
            let (parent, row, child) = (&parent[start..end], &row[start..end], &mut child[start..end]);
            // The loops over groups of these widths have no inner loop.
            let contradiction = match run.width {
                1 => mask_run::<V, FRESH>(parent, row, child, 1),
                2 => mask_run::<V, FRESH>(parent, row, child, 2),
                3 => mask_run::<V, FRESH>(parent, row, child, 3),
                4 => mask_run::<V, FRESH>(parent, row, child, 4),
                width => mask_run::<V, FRESH>(parent, row, child, width),
            };
            if let Some(group) = contradiction {
                self.suspect = Group { start: (start + group * run.width) as u32, width: run.width as u32 };
                return false;
            }
            start = end;
        }
        true
    }

    /// Phase 2: the smallest key and its lane, and the items with one option.
    #[inline(always)]
    fn count(&mut self, state: &[V]) -> (u32, u32) {
        let forced = &mut self.forced;
        forced.len = 0;
        let (mut start, mut group) = (0, 0);
        let mut best = V::ONES;
        for run in &self.runs {
            let end = start + run.width * run.groups;
            let state = &state[start..end];
            best = match run.width {
                1 => count_run::<V>(state, 1, group, best, forced),
                2 => count_run::<V>(state, 2, group, best, forced),
                3 => count_run::<V>(state, 3, group, best, forced),
                4 => count_run::<V>(state, 4, group, best, forced),
                width => count_run::<V>(state, width, group, best, forced),
            };
            start = end;
            group += run.groups as u32;
        }
        let (mut key, mut lane) = (u32::MAX, 0);
        for (at, &word) in best.words().iter().enumerate() {
            if (word as u32) < key {
                (key, lane) = (word as u32, at as u32);
            }
        }
        (key, lane)
    }

    /// Takes the options of the forced items. Returns the row of the last of them, which the caller must apply;
    /// `None` if there is a contradiction.
    #[inline(always)]
    fn force<'a>(&self, rows: Rows<'a, V>, child: &mut [V], trail: &mut Trail<'_>) -> Option<&'a [V]> {
        let mut last: Option<&[V]> = None;
        for &(group, lane) in &self.forced.items[..self.forced.len] {
            match self.left(rows, child, last, group, lane) {
                Rest::Covered => {}
                Rest::Nothing => return None,
                Rest::First(option) => {
                    if let Some(last) = last {
                        for (block, last) in child.iter_mut().zip(last) {
                            *block &= *last;
                        }
                    }
                    trail.push(option);
                    last = Some(rows.row(option.0));
                }
            }
        }
        last
    }

    /// The options that an item has left in `state & row`.
    #[inline(always)]
    fn left(&self, rows: Rows<'_, V>, state: &[V], row: Option<&[V]>, group: u32, lane: u32) -> Rest {
        let Group { start, width } = self.groups[group as usize];
        let mut place = 64 * (start * V::WORDS as u32 + lane);
        let left = |place| word(state, place) & row.map_or(!0, |row| word(row, place));
        let mut options = left(place);
        if options >> 63 == 0 {
            return Rest::Covered;
        }
        options &= !(1 << 63);
        for _ in 1..width {
            if options != 0 {
                break;
            }
            place += 64 * V::WORDS as u32;
            options = left(place);
        }
        if options == 0 {
            return Rest::Nothing;
        }
        Rest::First(OptionId(rows.option_of[(place + options.trailing_zeros()) as usize]))
    }

    #[inline(always)]
    fn branches(&self, state: &[V], key: u32, lane: u32) -> Outcome {
        let Group { start, width } = self.groups[(key & 0xFFFF) as usize];
        let place = 64 * (start * V::WORDS as u32 + lane);
        let untried = word(state, place) & !(1 << 63);
        Outcome::Open(Branches { untried, place, words_after: width - 1, degree: key >> 16 })
    }
}

/// Masks groups of `width` vectors. Returns the number of the first one with a contradiction.
#[inline(always)]
fn mask_run<V: Lanes, const FRESH: bool>(
    parent: &[V],
    row: &[V],
    child: &mut [V],
    width: usize,
) -> Option<usize> {
    let groups = parent.chunks_exact(width).zip(row.chunks_exact(width));
    for (group, ((parent, row), child)) in groups.zip(child.chunks_exact_mut(width)).enumerate() {
        let mut any = V::ZERO;
        for ((parent, row), child) in parent.iter().zip(row).zip(child) {
            let before = if FRESH { *parent } else { *child };
            let words = before & *row;
            *child = words;
            any |= words;
        }
        if V::is_any(any.tops::<64>()) {
            return Some(group);
        }
    }
    None
}

/// Counts groups of `width` vectors, the first one numbered `group`. Returns the smallest keys.
#[inline(always)]
fn count_run<V: Lanes>(
    state: &[V],
    width: usize,
    mut group: u32,
    mut best: V,
    forced: &mut SingleItems,
) -> V {
    for words in state.chunks_exact(width) {
        let mut count = V::ZERO;
        for words in words.chunks(V::PARTS) {
            let mut parts = V::ZERO;
            for word in words {
                parts = parts.add_parts(word.count_parts());
            }
            count = count.add(V::sum(parts));
        }
        best = best.min_low_halves(weigh(count, group, forced));
        group += 1;
    }
    best
}

/// The keys of a group, `(count - 1) << 16 | group`; items with two bits are noted.
#[inline(always)]
fn weigh<V: Lanes>(counts: V, group: u32, forced: &mut SingleItems) -> V {
    let mut bits = V::bits::<64>(counts.equal(V::splat::<64>(2)));
    while bits != 0 {
        if let Some(item) = forced.items.get_mut(forced.len) {
            *item = (group, V::lane_of::<64>(bits.trailing_zeros()) as u32);
            forced.len += 1;
        }
        bits &= bits - 1;
    }
    counts.subtract(V::splat::<64>(1)).shift_left(16) | V::splat::<64>(u64::from(group))
}
