//! The sets: the live options of every item, and the steps that shrink the sets.
//!
//! ```text
//! base of item 0    base of item 1               base of item 2
//! |                 |                            |
//! | 3  0 | 5        | 1  4  2  0 |               | 4 | 2  5          members: live options, then the others
//!   size 2            size 4                       size 1            sizes: one number an item
//!                          ^
//!      a term stores its place in the set of its item, and a member is a term
//!
//! terms    | option 0: x x x  spacer | option 1: x x  spacer | ..      item and place; a spacer leads back to the
//!                      ^---------'                                     first term of its option
//! ```
//! To remove an option from the set of an item, swap it with the last live member and decrease the size by one. To undo
//! any number of removals, write the old sizes back: the order of the members has changed then, but the same members
//! are live. A covered item has [`COVERED`](Size::COVERED) added to its size; its set stays as it was.
//! [`sizes`](super::sizes) has the two kinds of sizes.

use super::sizes::{LANES, Past, Size, Sizes};
use crate::order::sort_by_number;
use crate::{Assumptions, ExactCover, OptionId};

/// Bytes of small sizes that a search may save. Above it, sizes are large.
const MAX_SAVED_BYTES: usize = 1 << 26;
/// Options of a word of wide option masks. Items are ordered by their number of such words; see [`number_items`].
const WORD: u32 = 63;

/// The number of options of an item that is only padding: no size holds it, so that the item counts as covered.
const PADDING: u32 = u32::MAX;

/// An item of an option, or the spacer after the last one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    /// The item. In a spacer, the complement of the first term of its option, which is larger than any item.
    item: u32,
    /// Its index in `members`.
    place: u32,
}

/// The read-only part, shared by all searches.
#[derive(Debug)]
pub(super) struct SparseTable {
    /// Colours of the terms; empty if no option has a colour.
    colours: Vec<u32>,
    /// The option of every term.
    option_of: Vec<u32>,
    /// The first term of every option.
    starts: Vec<u32>,
    /// The first index of each item's set in `members`.
    bases: Vec<u32>,
    pub(super) primary_count: usize,
    /// The number of primary items, with padding.
    lanes: usize,
    /// The number of options of every item; [`PADDING`] for no item.
    degrees: Vec<u32>,
    /// Primary items with a single option.
    single: Vec<u32>,
    /// Whether some primary item has no option.
    is_contradictory: bool,
    /// Ticks of an option that is removed, and of a level that is saved, left and read for the item with the fewest
    /// options.
    removal_ticks: u64,
    node_ticks: u64,
}

impl SparseTable {
    /// The table, and the sets, for a search with at most so many levels.
    pub(super) fn new(problem: &ExactCover, degrees: &[u32], levels: usize) -> (SparseTable, Sets) {
        let count = problem.term_count() + problem.option_count();
        let primary_count = problem.primary_count();
        let lanes = primary_count.next_multiple_of(LANES);
        let numbers = number_items(degrees, primary_count, lanes);
        let has_colours = problem.has_colours();
        let mut table = SparseTable {
            colours: Vec::with_capacity(if has_colours { count } else { 0 }),
            option_of: Vec::with_capacity(count),
            starts: Vec::with_capacity(problem.option_count()),
            bases: vec![0; lanes + problem.item_count() - primary_count],
            primary_count,
            lanes,
            degrees: vec![PADDING; lanes + problem.item_count() - primary_count],
            single: Vec::new(),
            is_contradictory: false,
            removal_ticks: 1 + 3 * problem.terms_per_option(),
            node_ticks: 8 + (problem.item_count() as u64 / 10).min(256),
        };
        let mut base = 0;
        for (&number, &degree) in numbers.iter().zip(degrees) {
            table.bases[number as usize] = base;
            table.degrees[number as usize] = degree;
            base += degree;
        }
        for (number, &size) in (0..).zip(&table.degrees[..primary_count]) {
            table.is_contradictory |= size == 0;
            if size == 1 {
                table.single.push(number);
            }
        }
        let mut lists = Lists {
            members: vec![0; problem.term_count()],
            terms: Vec::with_capacity(count),
            forced: vec![0; primary_count],
            pending: 0,
            open: 0,
        };
        let mut ends = table.bases.clone();
        for (option, terms) in (0..).zip(problem.options()) {
            let start = lists.terms.len() as u32;
            table.starts.push(start);
            for term in terms {
                let item = numbers[term.item.index()];
                let place = ends[item as usize];
                ends[item as usize] += 1;
                lists.members[place as usize] = lists.terms.len() as u32;
                lists.terms.push(Term { item, place });
            }
            lists.terms.push(Term { item: !start, place: 0 });
            table.option_of.resize(lists.terms.len(), option);
            if has_colours {
                table.colours.extend(terms.iter().map(|term| term.colour).chain([0]));
            }
        }
        let (sizes, lanes) = (table.degrees.len(), table.lanes);
        let sizes = match is_small(degrees, problem.item_count() + LANES, levels) {
            true => Kind::Small(Sizes::new(sizes, lanes)),
            false => Kind::Large(Sizes::new(sizes, lanes)),
        };
        (table, Sets { lists, sizes })
    }

    /// The number of primary items with padding: the first sizes.
    pub(super) fn lanes(&self) -> usize {
        self.lanes
    }

    pub(super) fn has_colours(&self) -> bool {
        !self.colours.is_empty()
    }

    /// The option that a term belongs to.
    pub(super) fn option_of(&self, term: u32) -> OptionId {
        OptionId(self.option_of[term as usize])
    }

    /// The first term of an option; `None` if there is no such option.
    pub(super) fn start(&self, option: u32) -> Option<u32> {
        self.starts.get(option as usize).copied()
    }
}

/// Whether the sizes are small: no item has too many options, and they are saved in few bytes.
fn is_small(degrees: &[u32], items: usize, levels: usize) -> bool {
    let sizes = size_of::<i16>() * items;
    // A list that grows may take twice what it holds.
    let saved = levels.saturating_mul(sizes).saturating_add(levels * size_of::<(usize, usize)>());
    degrees.iter().all(|&degree| degree < i16::COVERED as u32)
        && saved.saturating_mul(2).saturating_add(sizes + items / 128) <= MAX_SAVED_BYTES
}

/// The number of every item: primary items first, padded to `lanes`, then secondary items.
///
/// A search branches on the first of several smallest items. Items are ordered by the number of words of 63 options
/// that they need, fewest first: wide option masks have the same order, so that both engines search the same tree.
fn number_items(degrees: &[u32], primary_count: usize, lanes: usize) -> Vec<u32> {
    let mut order: Vec<usize> = (0..primary_count).collect();
    sort_by_number(&mut order, &|item| u64::from(degrees[item].div_ceil(WORD).max(1)));
    let mut numbers: Vec<u32> =
        (0..degrees.len()).map(|item| (item + lanes - primary_count) as u32).collect();
    (0..).zip(order).for_each(|(number, item)| numbers[item] = number);
    numbers
}

/// The sets of a search.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    lists: Lists,
    sizes: Kind,
}

/// The sets without their sizes.
#[derive(Clone, Debug)]
struct Lists {
    members: Vec<u32>,
    terms: Vec<Term>,
    /// Items with a single option left that wait to be covered by it: the first `pending` are in use.
    forced: Vec<u32>,
    pending: usize,
    /// The number of primary items that are not covered.
    open: usize,
}

/// The sizes of the sets, of either kind.
#[derive(Clone, Debug)]
enum Kind {
    Small(Sizes<i16>),
    Large(Sizes<i32>),
}

/// What is done with the sets: compiled for each kind of sizes, with and without colours.
pub(super) trait Work {
    type Output;

    fn run<N: Size, const COLOURS: bool>(self, view: &mut View<'_, N>) -> Self::Output;
}

impl Lists {
    #[inline(always)]
    fn work<W: Work, N: Size, const COLOURS: bool>(
        &mut self,
        sizes: &mut Sizes<N>,
        table: &SparseTable,
        work: W,
    ) -> W::Output {
        // Slices, which a loop keeps in registers.
        let mut view = View {
            table,
            // As long as the sizes: then an index is checked once.
            bases: &table.bases[..sizes.now.len()],
            members: &mut self.members,
            terms: &mut self.terms,
            sizes: &mut sizes.now,
            past: &mut sizes.past,
            forced: &mut self.forced,
            pending: self.pending,
            open: self.open,
            ticks: 0,
            emptied: 0,
        };
        let output = work.run::<N, COLOURS>(&mut view);
        (self.pending, self.open) = (view.pending, view.open);
        output
    }
}

impl Sets {
    /// Does some work with the sets.
    #[inline(always)]
    pub(super) fn work<W: Work>(&mut self, table: &SparseTable, work: W) -> W::Output {
        let Sets { lists, sizes } = self;
        match (sizes, table.has_colours()) {
            (Kind::Small(sizes), false) => lists.work::<W, _, false>(sizes, table, work),
            (Kind::Small(sizes), true) => lists.work::<W, _, true>(sizes, table, work),
            (Kind::Large(sizes), false) => lists.work::<W, _, false>(sizes, table, work),
            (Kind::Large(sizes), true) => lists.work::<W, _, true>(sizes, table, work),
        }
    }

    /// Resets everything and applies the assumptions, whose chosen options go to `trail`; `false` if they contradict
    /// each other.
    pub(super) fn assume(
        &mut self,
        table: &SparseTable,
        assumptions: &Assumptions,
        trail: &mut Vec<u32>,
    ) -> bool {
        match &mut self.sizes {
            Kind::Small(sizes) => sizes.reset(&table.degrees),
            Kind::Large(sizes) => sizes.reset(&table.degrees),
        }
        let Lists { forced, pending, open, .. } = &mut self.lists;
        (*pending, *open) = (table.single.len(), table.primary_count);
        forced[..*pending].copy_from_slice(&table.single);
        !table.is_contradictory && self.work(table, Assume(assumptions, trail))
    }

    /// Makes the sizes large.
    #[cfg(test)]
    pub(super) fn enlarge(&mut self, table: &SparseTable) {
        self.sizes = Kind::Large(Sizes::new(table.degrees.len(), table.lanes));
    }

    /// Bytes that are allocated.
    #[cfg(test)]
    pub(super) fn allocated(&self) -> usize {
        let sizes = match &self.sizes {
            Kind::Small(sizes) => sizes.allocated(),
            Kind::Large(sizes) => sizes.allocated(),
        };
        let Lists { members, terms, forced, .. } = &self.lists;
        4 * (members.capacity() + forced.capacity()) + size_of::<Term>() * terms.capacity() + sizes
    }
}

/// See [`Sets::assume`].
struct Assume<'a>(&'a Assumptions, &'a mut Vec<u32>);

impl Work for Assume<'_> {
    type Output = bool;

    fn run<N: Size, const COLOURS: bool>(self, view: &mut View<'_, N>) -> bool {
        let Assume(assumptions, trail) = self;
        for &option in &assumptions.forbidden {
            let Some(start) = view.table.start(option.0) else { continue };
            if view.is_live(start) && !view.remove(start) {
                return false;
            }
        }
        for &option in &assumptions.chosen {
            let Some(start) = view.table.start(option.0) else { return false };
            if view.is_live(start) {
                trail.push(start);
                if !view.choose::<COLOURS>(start) {
                    return false;
                }
            } else if !trail.contains(&start) {
                return false;
            }
        }
        true
    }
}

/// The sets during a search step.
pub(super) struct View<'a, N> {
    table: &'a SparseTable,
    bases: &'a [u32],
    members: &'a mut [u32],
    terms: &'a mut [Term],
    sizes: &'a mut [N],
    past: &'a mut Past<N>,
    forced: &'a mut [u32],
    pub(super) pending: usize,
    pub(super) open: usize,
    pub(super) ticks: u64,
    /// The primary item that lost its last option.
    pub(super) emptied: u32,
}

impl<N: Size> View<'_, N> {
    /// Removes the terms from `term` up to `end`, going round over the spacer, from the sets of their items unless
    /// these are covered. `false` if some item has no option left.
    #[inline(always)]
    fn remove_to(&mut self, mut term: u32, end: u32) -> bool {
        while term != end {
            let Term { item, place } = self.terms[term as usize];
            let Some(size) = self.sizes.get_mut(item as usize) else {
                term = !item;
                continue;
            };
            if *size < N::COVERED {
                *size -= N::ONE;
                let left = size.number();
                self.past.note_removal(item);
                let last = self.bases[item as usize] + left;
                // Always swap: whether the term is the last one itself is unpredictable, and a mispredicted branch
                // costs more than two stores.
                let moved = std::mem::replace(&mut self.members[last as usize], term);
                self.members[place as usize] = moved;
                self.terms[moved as usize].place = place;
                self.terms[term as usize].place = last;
                if left <= 1 && (item as usize) < self.table.primary_count {
                    if left == 0 {
                        self.emptied = item;
                        return false;
                    }
                    self.forced[self.pending] = item;
                    self.pending += 1;
                }
            }
            term += 1;
        }
        true
    }

    /// Removes an option, given by its first term, from the sets of its items unless these are covered.
    pub(super) fn remove(&mut self, start: u32) -> bool {
        self.ticks += self.table.removal_ticks;
        let end = (start..).find(|&term| self.terms[term as usize].item >= 1 << 31);
        end.is_some_and(|end| self.remove_to(start, end))
    }

    /// Chooses the option of a term: covers its items and removes every option that clashes with it. `false` if some
    /// item has no option left.
    #[inline(always)]
    pub(super) fn choose<const COLOURS: bool>(&mut self, chosen: u32) -> bool {
        let mut term = chosen;
        loop {
            let item = self.terms[term as usize].item;
            let Some(&size) = self.sizes.get(item as usize) else {
                term = !item;
                if term == chosen {
                    return true;
                }
                continue;
            };
            if size < N::COVERED {
                self.sizes[item as usize] = size + N::COVERED;
                self.past.note_cover(item);
                self.open -= usize::from((item as usize) < self.table.primary_count);
                let colour = if COLOURS { self.table.colours[term as usize] } else { 0 };
                let base = self.bases[item as usize];
                // The set of a covered item does not change during the loop.
                for place in base..base + size.number() {
                    let member = self.members[place as usize];
                    let is_kept = member == term
                        || COLOURS && colour != 0 && self.table.colours[member as usize] == colour;
                    if !is_kept {
                        self.ticks += self.table.removal_ticks;
                        if !self.remove_to(member + 1, member) {
                            return false;
                        }
                    }
                }
            }
            term += 1;
            if term == chosen {
                return true;
            }
        }
    }

    /// Chooses all forced options, to a fixed point. `false` if some item has no option left.
    #[inline(always)]
    pub(super) fn propagate<const COLOURS: bool>(&mut self, trail: &mut Vec<u32>) -> bool {
        while self.pending > 0 {
            self.pending -= 1;
            let item = self.forced[self.pending] as usize;
            if self.sizes[item] >= N::COVERED {
                continue;
            }
            let term = self.members[self.bases[item] as usize];
            trail.push(term);
            if !self.choose::<COLOURS>(term) {
                return false;
            }
        }
        true
    }

    /// The uncovered primary item with the fewest options, the first of several. (At least one is uncovered.)
    #[inline(always)]
    pub(super) fn fewest(&mut self) -> u32 {
        self.past.fewest(&self.sizes[..self.table.lanes])
    }

    /// Begins level `depth`.
    #[inline(always)]
    pub(super) fn save(&mut self, depth: usize) {
        self.ticks += self.table.node_ticks;
        self.past.save(depth, self.open, self.sizes);
    }

    /// Makes the sets what they were when level `depth` began.
    #[inline(always)]
    pub(super) fn restore(&mut self, depth: usize) {
        self.open = self.past.restore(depth, self.sizes);
    }

    /// The uncovered primary item whose size times its factor is the least, the first of several. (At least one is
    /// uncovered.)
    #[inline(always)]
    pub(super) fn lightest(&self, factors: &[f32]) -> u32 {
        let (sizes, _) = self.sizes[..self.table.lanes].as_chunks::<LANES>();
        let (factors, _) = factors.as_chunks::<LANES>();
        let (mut least, mut chunk_of) = ([f32::MAX; LANES], [0_u32; LANES]);
        for (chunk, (sizes, factors)) in (0..).zip(sizes.iter().zip(factors)) {
            for lane in 0..LANES {
                let score =
                    if sizes[lane] < N::COVERED { sizes[lane].score() * factors[lane] } else { f32::MAX };
                let is_less = score < least[lane];
                least[lane] = if is_less { score } else { least[lane] };
                chunk_of[lane] = if is_less { chunk } else { chunk_of[lane] };
            }
        }
        let lanes = (1..LANES).fold(0, |best, lane| if least[lane] < least[best] { lane } else { best });
        chunk_of[lanes] * LANES as u32 + lanes as u32
    }

    /// The live options of an item, as terms, in no particular order.
    #[inline(always)]
    pub(super) fn members_of(&self, item: u32) -> &[u32] {
        let base = self.bases[item as usize] as usize;
        &self.members[base..base + self.sizes[item as usize].number() as usize]
    }

    /// Ticks of reading the sizes of all items and the options of one.
    #[inline(always)]
    pub(super) fn ticks_to_read(&self, item: u32) -> u64 {
        self.table.node_ticks + self.table.removal_ticks * u64::from(self.sizes[item as usize].number())
    }

    /// The first term of the option of `member`.
    #[inline(always)]
    pub(super) fn first_term(&self, member: u32) -> u32 {
        self.table.start(self.table.option_of(member).0).unwrap_or(member)
    }

    /// The sum of the squares of the sizes of the uncovered items of a term's option.
    #[inline(always)]
    pub(super) fn sum_of_squares(&self, term: u32) -> u64 {
        let (mut sum, mut at) = (0, term);
        loop {
            let item = self.terms[at as usize].item;
            match self.sizes.get(item as usize) {
                Some(&size) if size < N::COVERED => {
                    sum += u64::from(size.number()) * u64::from(size.number());
                }
                Some(_) => {}
                None => at = (!item).wrapping_sub(1),
            }
            at = at.wrapping_add(1);
            if at == term {
                return sum;
            }
        }
    }

    /// Appends the live options of an item to `branches`, as terms, ascending.
    #[inline(always)]
    pub(super) fn list(&self, item: u32, branches: &mut Vec<u32>) {
        let from = branches.len();
        branches.extend_from_slice(self.members_of(item));
        sort(&mut branches[from..]);
    }

    /// Whether an option, given by its first term, is neither removed nor chosen: whether the set of its first primary
    /// item contains it.
    pub(super) fn is_live(&self, start: u32) -> bool {
        let mut terms = self.terms[start as usize..].iter();
        terms.find(|term| (term.item as usize) < self.table.primary_count).is_some_and(|term| {
            let size = self.sizes[term.item as usize];
            size < N::COVERED && term.place < self.bases[term.item as usize] + size.number()
        })
    }
}

/// Sorts; fast for short and nearly sorted slices.
#[inline(always)]
fn sort(terms: &mut [u32]) {
    if terms.len() > 32 {
        terms.sort_unstable();
        return;
    }
    for end in 1..terms.len() {
        let mut at = end;
        while at > 0 && terms[at - 1] > terms[at] {
            terms.swap(at - 1, at);
            at -= 1;
        }
    }
}
