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
//! are live. A covered item has [`COVERED`] added to its size; its set stays as it was.

use crate::engine::Unsuitable;
use crate::order::sort_by_number;
use crate::{Assumptions, Colour, ExactCover, OptionId};

/// Added to the size of a covered item. Sizes are signed because every 64-bit machine has an instruction for the minimum
/// of eight signed 16-bit numbers.
const COVERED: i16 = 0x4000;
/// Sizes compared at a time. The primary items are padded to a multiple of it.
const LANES: usize = 16;
/// Options of a word of wide option masks. Items are ordered by their number of such words; see [`number_items`].
const WORD: usize = 63;

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
pub(super) struct Table {
    /// Colours of the terms; empty if no option has a colour.
    colours: Vec<Colour>,
    /// The option of every term.
    option_of: Vec<OptionId>,
    /// The first term of every option.
    starts: Vec<u32>,
    /// The first index of each item's set in `members`.
    bases: Vec<u32>,
    pub(super) primary_count: usize,
    /// The number of primary items, with padding.
    lanes: usize,
    /// The sizes before anything is chosen.
    sizes: Vec<i16>,
    /// Primary items with a single option.
    single: Vec<u32>,
    /// Whether some primary item has no option.
    is_contradictory: bool,
}

impl Table {
    /// The largest number of options of a primary item.
    pub(super) fn most_options(&self) -> usize {
        self.sizes[..self.primary_count].iter().copied().max().map_or(0, |size| size as usize)
    }

    /// Bytes of the table, and of the sets.
    pub(super) fn bytes(problem: &ExactCover) -> [usize; 2] {
        let (terms, options) = (problem.term_count(), problem.option_count());
        let (nodes, items) = (terms + options, problem.item_count() + LANES);
        let colours = if problem.has_colours() { size_of::<Colour>() * nodes } else { 0 };
        let item_bytes = 2 * size_of::<u32>() + size_of::<i16>();
        let table = colours + size_of::<u32>() * (nodes + options) + item_bytes * items;
        [table, size_of::<u32>() * terms + size_of::<Term>() * nodes + item_bytes * items]
    }

    /// The table, and the sets.
    ///
    /// # Errors
    /// [`Unsuitable::TooLarge`] if an item has more options than a size can hold, or there are too many terms.
    pub(super) fn new(problem: &ExactCover) -> Result<(Table, Sets), Unsuitable> {
        let mut degrees = vec![0_usize; problem.item_count()];
        problem.options().flatten().for_each(|term| degrees[term.item as usize] += 1);
        let count = problem.term_count() + problem.option_count();
        let most_options = degrees.iter().copied().max().unwrap_or(0);
        Unsuitable::check_size("options of an item", most_options, COVERED as usize - 1)?;
        Unsuitable::check_size("terms and options", count, (1 << 31) - 1)?;
        let primary_count = problem.primary_count();
        let lanes = primary_count.next_multiple_of(LANES);
        let numbers = number_items(&degrees, primary_count, lanes);
        let has_colours = problem.has_colours();
        let mut table = Table {
            colours: Vec::with_capacity(if has_colours { count } else { 0 }),
            option_of: Vec::with_capacity(count),
            starts: Vec::with_capacity(problem.option_count()),
            bases: vec![0; lanes + problem.item_count() - primary_count],
            primary_count,
            lanes,
            sizes: vec![COVERED; lanes + problem.item_count() - primary_count],
            single: Vec::new(),
            is_contradictory: false,
        };
        let mut base = 0;
        for (&number, &degree) in numbers.iter().zip(&degrees) {
            table.bases[number as usize] = base;
            table.sizes[number as usize] = degree as i16;
            base += degree as u32;
        }
        for (number, &size) in (0..).zip(&table.sizes[..primary_count]) {
            table.is_contradictory |= size == 0;
            if size == 1 {
                table.single.push(number);
            }
        }
        let mut sets = Sets {
            members: vec![0; problem.term_count()],
            terms: Vec::with_capacity(count),
            sizes: table.sizes.clone(),
            forced: vec![0; primary_count],
            pending: 0,
            open: 0,
        };
        let mut ends = table.bases.clone();
        for (option, terms) in (0..).zip(problem.options()) {
            let start = sets.terms.len() as u32;
            table.starts.push(start);
            for term in terms {
                let item = numbers[term.item as usize];
                let place = ends[item as usize];
                ends[item as usize] += 1;
                sets.members[place as usize] = sets.terms.len() as u32;
                sets.terms.push(Term { item, place });
            }
            sets.terms.push(Term { item: !start, place: 0 });
            table.option_of.resize(sets.terms.len(), option);
            if has_colours {
                table.colours.extend(terms.iter().map(|term| term.colour).chain([0]));
            }
        }
        Ok((table, sets))
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
        self.option_of[term as usize]
    }

    /// The first term of an option; `None` if there is no such option.
    pub(super) fn start(&self, option: OptionId) -> Option<u32> {
        self.starts.get(option as usize).copied()
    }
}

/// The number of every item: primary items first, padded to `lanes`, then secondary items.
///
/// A search branches on the first of several smallest items. Items are ordered by the number of words of 63 options that
/// they need, fewest first: wide option masks have the same order, so that both engines search the same tree.
fn number_items(degrees: &[usize], primary_count: usize, lanes: usize) -> Vec<u32> {
    let mut order: Vec<usize> = (0..primary_count).collect();
    sort_by_number(&mut order, &|item| degrees[item].div_ceil(WORD).max(1) as u64);
    let mut numbers: Vec<u32> =
        (0..degrees.len()).map(|item| (item + lanes - primary_count) as u32).collect();
    (0..).zip(order).for_each(|(number, item)| numbers[item] = number);
    numbers
}

/// The sets of a search.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    members: Vec<u32>,
    terms: Vec<Term>,
    sizes: Vec<i16>,
    /// Items with a single option left that wait to be covered by it: the first `pending` are in use.
    forced: Vec<u32>,
    pub(super) pending: usize,
    /// The number of primary items that are not covered.
    pub(super) open: usize,
}

impl Sets {
    /// Resets everything; `false` if some item has no option.
    fn reset(&mut self, table: &Table) -> bool {
        self.sizes.copy_from_slice(&table.sizes);
        self.open = table.primary_count;
        self.pending = table.single.len();
        self.forced[..self.pending].copy_from_slice(&table.single);
        !table.is_contradictory
    }

    /// Resets everything and applies the assumptions, whose chosen options go to `trail`; `false` if they contradict each
    /// other.
    pub(super) fn assume<const COLOURS: bool>(
        &mut self,
        table: &Table,
        assumptions: &Assumptions,
        trail: &mut Vec<u32>,
    ) -> bool {
        if !self.reset(table) {
            return false;
        }
        let mut view = self.view(table);
        for &option in &assumptions.forbidden {
            let Some(start) = table.start(option) else { continue };
            if view.is_live(start) && !view.remove(start) {
                return false;
            }
        }
        for &option in &assumptions.chosen {
            let Some(start) = table.start(option) else { return false };
            if view.is_live(start) {
                trail.push(start);
                if !view.choose::<COLOURS>(start) {
                    return false;
                }
            } else if !trail.contains(&start) {
                return false;
            }
        }
        (self.open, self.pending) = (view.open, view.pending);
        true
    }

    /// Bytes that are allocated.
    #[cfg(test)]
    pub(super) fn allocated(&self) -> usize {
        4 * (self.members.capacity() + self.forced.capacity())
            + size_of::<Term>() * self.terms.capacity()
            + 2 * self.sizes.capacity()
    }

    /// The sets as slices, which a loop keeps in registers.
    #[inline(always)]
    pub(super) fn view<'a>(&'a mut self, table: &'a Table) -> View<'a> {
        View {
            table,
            members: &mut self.members,
            terms: &mut self.terms,
            sizes: &mut self.sizes,
            forced: &mut self.forced,
            pending: self.pending,
            open: self.open,
            updates: 0,
            emptied: 0,
        }
    }
}

/// The sets during a search step.
pub(super) struct View<'a> {
    table: &'a Table,
    members: &'a mut [u32],
    terms: &'a mut [Term],
    pub(super) sizes: &'a mut [i16],
    forced: &'a mut [u32],
    pub(super) pending: usize,
    pub(super) open: usize,
    /// Number of options removed.
    pub(super) updates: u64,
    /// The primary item that lost its last option.
    pub(super) emptied: u32,
}

impl View<'_> {
    /// Removes the terms from `term` up to `end`, going round over the spacer, from the sets of their items unless these
    /// are covered. `false` if some item has no option left.
    #[inline(always)]
    fn remove_to(&mut self, mut term: u32, end: u32) -> bool {
        while term != end {
            let Term { item, place } = self.terms[term as usize];
            let Some(size) = self.sizes.get_mut(item as usize) else {
                term = !item;
                continue;
            };
            if *size < COVERED {
                *size -= 1;
                let left = *size;
                let last = self.table.bases[item as usize] + left as u32;
                // Always swap: whether the term is the last one itself is unpredictable, and a mispredicted branch costs
                // more than two stores.
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
        self.updates += 1;
        let end = (start..).find(|&term| self.terms[term as usize].item >= 1 << 31);
        end.is_some_and(|end| self.remove_to(start, end))
    }

    /// Chooses the option of a term: covers its items and removes every option that clashes with it. `false` if some item
    /// has no option left.
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
            if size < COVERED {
                self.sizes[item as usize] = size + COVERED;
                self.open -= usize::from((item as usize) < self.table.primary_count);
                let colour = if COLOURS { self.table.colours[term as usize] } else { 0 };
                let base = self.table.bases[item as usize];
                // The set of a covered item does not change during the loop.
                for place in base..base + size as u32 {
                    let member = self.members[place as usize];
                    let is_kept = member == term
                        || COLOURS && colour != 0 && self.table.colours[member as usize] == colour;
                    if !is_kept {
                        self.updates += 1;
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
            if self.sizes[item] >= COVERED {
                continue;
            }
            let term = self.members[self.table.bases[item] as usize];
            trail.push(term);
            if !self.choose::<COLOURS>(term) {
                return false;
            }
        }
        true
    }

    /// The uncovered primary item with the fewest options, the first of several. (At least one is uncovered.)
    #[inline(always)]
    pub(super) fn fewest(&self) -> u32 {
        let (chunks, _) = self.sizes[..self.table.lanes].as_chunks::<LANES>();
        let mut best = [i16::MAX; LANES];
        for chunk in chunks {
            for (best, &size) in best.iter_mut().zip(chunk) {
                *best = (*best).min(size);
            }
        }
        let fewest = best.into_iter().fold(i16::MAX, i16::min);
        let is_in = |chunk: &&[i16; LANES]| chunk.iter().fold(false, |found, &size| found | (size == fewest));
        let before = chunks.iter().take_while(|chunk| !is_in(chunk)).count();
        let chunk = chunks.get(before).map_or(&[][..], |chunk| chunk);
        let lane = chunk.iter().position(|&size| size == fewest).unwrap_or(0);
        (before * LANES + lane) as u32
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
                    if sizes[lane] < COVERED { f32::from(sizes[lane]) * factors[lane] } else { f32::MAX };
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
        let base = self.table.bases[item as usize] as usize;
        &self.members[base..base + self.sizes[item as usize] as usize]
    }

    /// The sum of the squares of the sizes of the uncovered items of a term's option.
    #[inline(always)]
    pub(super) fn sum_of_squares(&self, term: u32) -> u64 {
        let (mut sum, mut at) = (0, term);
        loop {
            let item = self.terms[at as usize].item;
            match self.sizes.get(item as usize) {
                Some(&size) if size < COVERED => sum += size as u64 * size as u64,
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

    /// Whether an option, given by its first term, is neither removed nor chosen: whether the set of its first primary item
    /// contains it.
    pub(super) fn is_live(&self, start: u32) -> bool {
        let mut terms = self.terms[start as usize..].iter();
        terms.find(|term| (term.item as usize) < self.table.primary_count).is_some_and(|term| {
            let size = self.sizes[term.item as usize];
            size < COVERED && term.place < self.table.bases[term.item as usize] + size as u32
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
