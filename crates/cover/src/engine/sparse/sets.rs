//! The sets: which options every item has left, and the steps that make them smaller.
//!
//! ```text
//! base of item 0    base of item 1               base of item 2
//! |                 |                            |
//! | 3  0 | 5        | 1  4  2  0 |               | 4 | 2  5          members: the options left, then the others
//!   size 2            size 4                       size 1            sizes: a number an item, side by side
//!                          ^
//!      a term knows its place in the set of its item, and a member is a term
//!
//! terms    | option 0: x x x  spacer | option 1: x x  spacer | ..      item and place; a spacer leads back to the
//!                      ^---------'                                     first term of its option
//! ```
//! To remove an option from the set of an item, swap it with the last member left and make the set smaller by one.
//! To undo any number of removals, write the old sizes back: the members stand in another order then, but the same
//! ones are left. An item that is covered has [`COVERED`] added to its size; its set stays as it was.

use crate::engine::Unsuitable;
use crate::{Colour, ExactCover, OptionId};

/// Added to the size of an item that is covered. A number with a sign: the least of eight is an instruction on
/// every machine of 64 bits.
const COVERED: i16 = 0x4000;
/// Sizes are compared so many at a time; the primary items are filled up to a multiple of it.
const LANES: usize = 16;
/// Words of so many options decide between items with equally many left; see [`Table::new`].
const WORD: usize = 63;

/// An item of an option, or, behind the last one, a spacer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    /// In a spacer the complement of the first term of its option: larger than any item.
    item: u32,
    /// Where it stands among the members.
    place: u32,
}

/// What does not change, shared by searches.
#[derive(Debug)]
pub(super) struct Table {
    /// Of the terms; empty where no option has one.
    colours: Vec<Colour>,
    /// The option of every term.
    option_of: Vec<OptionId>,
    /// The first term of every option.
    starts: Vec<u32>,
    /// Where the set of every item begins.
    bases: Vec<u32>,
    pub(super) primary_count: usize,
    /// Primary items and what fills them up.
    lanes: usize,
    /// Before anything is chosen.
    sizes: Vec<i16>,
    /// Primary items with one option, and whether there is one with none.
    single: Vec<u32>,
    is_dead: bool,
}

impl Table {
    /// The most options that a primary item has.
    pub(super) fn most_options(&self) -> usize {
        self.sizes[..self.primary_count].iter().copied().max().map_or(0, |size| size as usize)
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
            is_dead: false,
        };
        let mut base = 0;
        for (&number, &degree) in numbers.iter().zip(&degrees) {
            table.bases[number as usize] = base;
            table.sizes[number as usize] = degree as i16;
            base += degree as u32;
        }
        for (number, &size) in (0..).zip(&table.sizes[..primary_count]) {
            table.is_dead |= size == 0;
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

    pub(super) fn has_colours(&self) -> bool {
        !self.colours.is_empty()
    }

    /// The option with that term.
    pub(super) fn option_of(&self, term: u32) -> OptionId {
        self.option_of[term as usize]
    }

    /// The first term of an option; `None` if it is not there.
    pub(super) fn start(&self, option: OptionId) -> Option<u32> {
        self.starts.get(option as usize).copied()
    }
}

/// The number of every item: primary ones first, filled up to `lanes`, then secondary ones.
///
/// The first of several items is branched on. Those of few options come before those of many, in words of 63: in this
/// order wide option masks have them, so that the engines search the same tree.
fn number_items(degrees: &[usize], primary_count: usize, lanes: usize) -> Vec<u32> {
    let mut order: Vec<usize> = (0..primary_count).collect();
    order.sort_by_key(|&item| degrees[item].div_ceil(WORD).max(1));
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
    /// Items that came down to one option and wait to be covered by it: the first `pending`.
    forced: Vec<u32>,
    pub(super) pending: usize,
    /// Primary items that are not covered.
    pub(super) open: usize,
}

impl Sets {
    /// Everything as at first; `false` if an item has no options.
    pub(super) fn reset(&mut self, table: &Table) -> bool {
        self.sizes.copy_from_slice(&table.sizes);
        self.open = table.primary_count;
        self.pending = table.single.len();
        self.forced[..self.pending].copy_from_slice(&table.single);
        !table.is_dead
    }

    /// The same as slices, which a loop keeps in registers.
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
        }
    }
}

/// The sets while they are worked on.
pub(super) struct View<'a> {
    table: &'a Table,
    members: &'a mut [u32],
    terms: &'a mut [Term],
    pub(super) sizes: &'a mut [i16],
    forced: &'a mut [u32],
    pub(super) pending: usize,
    pub(super) open: usize,
    /// Options removed.
    pub(super) updates: u64,
}

impl View<'_> {
    /// Removes a term and those after it up to `end` from the sets of their items, where these are not covered; the
    /// spacer leads on to the first. `false` if an item has no option left.
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
                // Whether it is the last one itself is a coin's toss: what a wrong guess costs is more than two stores.
                let moved = std::mem::replace(&mut self.members[last as usize], term);
                self.members[place as usize] = moved;
                self.terms[moved as usize].place = place;
                self.terms[term as usize].place = last;
                if left <= 1 && (item as usize) < self.table.primary_count {
                    if left == 0 {
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

    /// Removes an option, given by its first term, from the sets of its items that are not covered.
    pub(super) fn remove(&mut self, start: u32) -> bool {
        self.updates += 1;
        let end = (start..).find(|&term| self.terms[term as usize].item >= 1 << 31);
        end.is_some_and(|end| self.remove_to(start, end))
    }

    /// Chooses the option of a term: covers its items, and removes whatever clashes with it; `false` if an item has no
    /// option left then.
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
                // The set of a covered item stays as it is: nothing is removed from it below.
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

    /// Chooses what is forced, and what is forced by that; `false` if an item has no option left then.
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

    /// The uncovered primary item with the fewest options, the first of several. (There is one.)
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

    /// Writes the options that an item has left to the end of `branches`, by their terms, ascending.
    #[inline(always)]
    pub(super) fn list(&self, item: u32, branches: &mut Vec<u32>) {
        let (base, size) = (self.table.bases[item as usize] as usize, self.sizes[item as usize] as usize);
        let from = branches.len();
        branches.extend_from_slice(&self.members[base..base + size]);
        sort(&mut branches[from..]);
    }

    /// Whether an option, given by its first term, is neither removed nor chosen: it is a member of the set of its first
    /// primary item.
    pub(super) fn is_left(&self, start: u32) -> bool {
        let mut terms = self.terms[start as usize..].iter();
        terms.find(|term| (term.item as usize) < self.table.primary_count).is_some_and(|term| {
            let size = self.sizes[term.item as usize];
            size < COVERED && term.place < self.table.bases[term.item as usize] + size as u32
        })
    }
}

/// Sorts what is short and nearly sorted.
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
