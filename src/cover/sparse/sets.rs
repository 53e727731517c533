//! The sets: which options every item has left, and the steps that make them smaller.
//!
//! ```text
//! base of item 0    base of item 1               base of item 2
//! |                 |                            |
//! | 3  0 | 5        | 1  4  2  0 |               | 4 | 2  5          members: the options left, then the others
//!   size 2            size 4                       size 1            sizes: a number an item, side by side
//!                          ^
//!      an option knows its places in the sets of its items, and a member the option it belongs to
//! ```
//! To remove an option from the set of an item, swap it with the last member left and make the set smaller by one.
//! To undo any number of removals, write the old sizes back: the members stand in another order then, but the same
//! ones are left. An item that is covered has [`COVERED`] added to its size; its set stays as it was.

use std::ops::Range;

use super::super::{Colour, ExactCover, OptionId};

/// Added to the size of an item that is covered. A number with a sign: the least of eight is an instruction on
/// every machine of 64 bits.
const COVERED: i16 = 0x4000;
/// Sizes are compared so many at a time; the primary items are filled up to a multiple of it.
const LANES: usize = 16;
/// Words of so many options decide between items with equally many left; see [`Table::new`].
const WORD: usize = 63;

/// An option in the set of an item.
/// ```text
/// bits 63 .. 32    31 .. 16    15 .. 0
///     | start    | len       | at     |      its first term, how many it has, which of them has the item
/// ```
/// (In one number: written in parts and read as a whole it would have to wait for memory.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Member(u64);

impl Member {
    fn new(start: u32, len: u16, at: u16) -> Member {
        Member(u64::from(start) << 32 | u64::from(len) << 16 | u64::from(at))
    }

    /// The first term of the option.
    #[inline(always)]
    pub(super) fn start(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The terms of the option.
    #[inline(always)]
    fn range(self) -> Range<usize> {
        let start = self.start() as usize;
        start..start + (self.0 >> 16) as u16 as usize
    }

    /// The one with the item.
    #[inline(always)]
    fn term(self) -> usize {
        self.start() as usize + self.0 as u16 as usize
    }

    /// The same option in the set of another of its items.
    #[inline(always)]
    fn at(self, at: usize) -> Member {
        Member(self.0 & !0xFFFF | at as u64)
    }
}

/// An item of an option.
#[derive(Clone, Copy, Debug)]
struct Term {
    item: u32,
    /// Where its set begins.
    base: u32,
}

/// What does not change, shared by searches.
#[derive(Debug)]
pub(super) struct Table {
    terms: Vec<Term>,
    /// Of the terms; empty where no option has one.
    colours: Vec<Colour>,
    /// The option of every term.
    option_of: Vec<OptionId>,
    /// The first term of every option, and where the last one ends.
    starts: Vec<u32>,
    /// Where the sets of the primary items begin.
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
    /// The table, and the members of its sets; `None` if an item has more options than a size can say, or an option
    /// more items than a member can.
    pub(super) fn new(problem: &ExactCover) -> Option<(Table, Vec<Member>)> {
        let mut degrees = vec![0_usize; problem.item_count()];
        problem.options().flatten().for_each(|term| degrees[term.item as usize] += 1);
        if degrees.iter().any(|&degree| degree >= COVERED as usize) {
            return None;
        }
        let primary_count = problem.primary_count();
        let lanes = primary_count.next_multiple_of(LANES);
        // The first of several items is branched on. Those of few options come before those of many, in words of 63:
        // in this order wide option masks have them, so that all three engines search the same tree.
        let mut order: Vec<u32> = (0..primary_count as u32).collect();
        order.sort_by_key(|&item| degrees[item as usize].div_ceil(WORD).max(1));
        let mut numbers: Vec<u32> = (0..problem.item_count()).map(|item| (item + lanes) as u32).collect();
        numbers.iter_mut().for_each(|number| *number -= primary_count as u32);
        order.iter().zip(0..).for_each(|(&item, number)| numbers[item as usize] = number);

        let mut table = Table {
            terms: Vec::with_capacity(problem.term_count()),
            colours: Vec::new(),
            option_of: Vec::with_capacity(problem.term_count()),
            starts: Vec::with_capacity(problem.option_count() + 1),
            bases: Vec::with_capacity(primary_count),
            primary_count,
            lanes,
            sizes: vec![COVERED; lanes + problem.item_count() - primary_count],
            single: Vec::new(),
            is_dead: false,
        };
        let mut bases = vec![0; problem.item_count()];
        let mut base = 0;
        for (item, &degree) in degrees.iter().enumerate() {
            (bases[item], base) = (base, base + degree as u32);
            table.sizes[numbers[item] as usize] = degree as i16;
        }
        for (number, &item) in order.iter().enumerate() {
            table.bases.push(bases[item as usize]);
            match degrees[item as usize] {
                0 => table.is_dead = true,
                1 => table.single.push(number as u32),
                _ => {}
            }
        }
        let has_colours = problem.has_colours();
        let mut members = vec![Member(0); problem.term_count()];
        let mut filled = bases.clone();
        for (option, terms) in problem.options().enumerate() {
            let (start, len) = (table.terms.len() as u32, u16::try_from(terms.len()).ok()?);
            table.starts.push(start);
            for (at, term) in terms.iter().enumerate() {
                let item = term.item as usize;
                table.terms.push(Term { item: numbers[item], base: bases[item] });
                table.option_of.push(option as OptionId);
                if has_colours {
                    table.colours.push(term.colour);
                }
                members[filled[item] as usize] = Member::new(start, len, at as u16);
                filled[item] += 1;
            }
        }
        table.starts.push(table.terms.len() as u32);
        Some((table, members))
    }

    pub(super) fn has_colours(&self) -> bool {
        !self.colours.is_empty()
    }

    /// How many sizes there are.
    pub(super) fn size_count(&self) -> usize {
        self.sizes.len()
    }

    /// The option that has a term there.
    pub(super) fn option_at(&self, start: u32) -> OptionId {
        self.option_of[start as usize]
    }

    /// The option as if it stood in the set of its first item; `None` if it is not there.
    pub(super) fn member(&self, option: OptionId) -> Option<Member> {
        let &[start, end] = self.starts.get(option as usize..option as usize + 2)? else { return None };
        Some(Member::new(start, (end - start) as u16, 0))
    }
}

/// The sets of a search.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    members: Vec<Member>,
    /// Where every term stands among the members.
    places: Vec<u32>,
    sizes: Vec<i16>,
    /// Items that came down to one option and wait to be covered by it: the first `pending`.
    forced: Vec<u32>,
    pub(super) pending: usize,
    /// Primary items that are not covered.
    pub(super) open: usize,
}

impl Sets {
    pub(super) fn new(table: &Table, members: Vec<Member>) -> Sets {
        let mut places = vec![0; members.len()];
        members.iter().zip(0..).for_each(|(member, place)| places[member.term()] = place);
        Sets {
            members,
            places,
            sizes: table.sizes.clone(),
            forced: vec![0; table.primary_count],
            pending: 0,
            open: 0,
        }
    }

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
            places: &mut self.places,
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
    members: &'a mut [Member],
    places: &'a mut [u32],
    pub(super) sizes: &'a mut [i16],
    forced: &'a mut [u32],
    pub(super) pending: usize,
    pub(super) open: usize,
    /// Options removed.
    pub(super) updates: u64,
}

impl View<'_> {
    /// Removes an option from the sets of its items that are not covered; `false` if one of these has no option left.
    #[inline(always)]
    pub(super) fn remove(&mut self, option: Member) -> bool {
        self.updates += 1;
        let range = option.range();
        let (start, terms) = (range.start, &self.table.terms[range]);
        for (at, &Term { item, base }) in terms.iter().enumerate() {
            let size = &mut self.sizes[item as usize];
            if *size >= COVERED {
                continue;
            }
            *size -= 1;
            let left = *size;
            let last = base + left as u32;
            let place = std::mem::replace(&mut self.places[start + at], last);
            let moved = std::mem::replace(&mut self.members[last as usize], option.at(at));
            if place != last {
                self.members[place as usize] = moved;
                self.places[moved.term()] = place;
            }
            if left <= 1 && (item as usize) < self.table.primary_count {
                if left == 0 {
                    return false;
                }
                self.forced[self.pending] = item;
                self.pending += 1;
            }
        }
        true
    }

    /// Chooses an option: covers its items, and removes whatever clashes with it; `false` if an item has no option
    /// left then.
    #[inline(always)]
    pub(super) fn choose<const COLOURS: bool>(&mut self, option: Member) -> bool {
        for term in option.range() {
            let Term { item, base } = self.table.terms[term];
            let size = self.sizes[item as usize];
            if size >= COVERED {
                continue;
            }
            self.sizes[item as usize] = size + COVERED;
            self.open -= usize::from((item as usize) < self.table.primary_count);
            let colour = if COLOURS { self.table.colours[term] } else { 0 };
            // The set of a covered item stays as it is: nobody is removed from it below.
            for place in base as usize..base as usize + size as usize {
                let member = self.members[place];
                let is_kept = member.start() == option.start()
                    || COLOURS && colour != 0 && self.table.colours[member.term()] == colour;
                if !is_kept && !self.remove(member) {
                    return false;
                }
            }
        }
        true
    }

    /// Chooses what is forced, and what is forced by that; `false` if an item has no option left then.
    #[inline(always)]
    pub(super) fn propagate<const COLOURS: bool>(&mut self, trail: &mut Vec<u32>) -> bool {
        while self.pending > 0 {
            self.pending -= 1;
            let item = self.forced[self.pending];
            if self.sizes[item as usize] >= COVERED {
                continue;
            }
            let option = self.members[self.base(item) as usize];
            trail.push(option.start());
            if !self.choose::<COLOURS>(option) {
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
        let is_in = |chunk: &&[i16; LANES]| {
            chunk.iter().fold(false, |found, &size| found | (size == fewest))
        };
        let before = chunks.iter().take_while(|chunk| !is_in(chunk)).count();
        let chunk = chunks.get(before).map_or(&[][..], |chunk| chunk);
        let lane = chunk.iter().position(|&size| size == fewest).unwrap_or(0);
        (before * LANES + lane) as u32
    }

    /// Writes the options that an item has left to the end of `branches`, ascending.
    #[inline(always)]
    pub(super) fn list(&self, item: u32, branches: &mut Vec<Member>) {
        let (base, size) = (self.base(item) as usize, self.sizes[item as usize] as usize);
        let from = branches.len();
        branches.extend_from_slice(&self.members[base..base + size]);
        sort(&mut branches[from..]);
    }

    /// Whether an option is neither removed nor chosen: it is a member of the set of its first primary item.
    pub(super) fn is_left(&self, option: Member) -> bool {
        let mut terms = option.range().map(|term| (self.table.terms[term], self.places[term]));
        let primary = terms.find(|(term, _)| (term.item as usize) < self.table.primary_count);
        primary.is_some_and(|(Term { item, base }, place)| {
            let size = self.sizes[item as usize];
            size < COVERED && place < base + size as u32
        })
    }

    /// Where the set of a primary item begins.
    #[inline(always)]
    fn base(&self, item: u32) -> u32 {
        self.table.bases[item as usize]
    }
}

/// Sorts what is short and nearly sorted.
#[inline(always)]
fn sort(members: &mut [Member]) {
    if members.len() > 32 {
        members.sort_unstable();
        return;
    }
    for end in 1..members.len() {
        let mut at = end;
        while at > 0 && members[at - 1] > members[at] {
            members.swap(at - 1, at);
            at -= 1;
        }
    }
}
