//! The sets: the live options of every item, how often it must and may still be covered, and the steps that change them.
//!
//! The arrays are those of [`sparse`](crate::engine::sparse) sets, with two numbers more for every item:
//! ```text
//! base of item 0    base of item 1               base of item 2
//! |                 |                            |
//! | 3  0 | 5        | 1  4  2  0 |               | 4 | 2  5          members: live options, then the others
//!   size 2            size 4                       size 1
//!   low 1             low 2                        low 0             how often it must still be covered
//!   high 1            high 3                       high 1            how often it may still be covered
//!   slack 1           slack 2                      slack 1           size - low: options that it can lose
//!
//! terms    | option 0: x x x  spacer | option 1: x x  spacer | ..      item and place; a spacer leads back to the
//!                      ^---------'                                     first term of its option
//! ```
//! A chosen option leaves the sets of its items, or an item that can be covered only once more is full: its other options
//! are eliminated, and [`CLOSED`] is added to its size. An item without options that need not be covered is closed too.

use crate::engine::{Contradiction, Unsuitable};
use crate::{Bounds, Colour, ExactCover, ItemId, OptionId};

/// Added to the size of an item that is full or has no options left. Sizes are signed because every 64-bit machine has an
/// instruction for the minimum of eight signed 16-bit numbers.
const CLOSED: i16 = 0x4000;
/// Slacks compared at a time. The primary items are padded to a multiple of it.
const LANES: usize = 16;

/// An item of an option, or the spacer after the last one.
#[derive(Clone, Copy, Debug)]
struct Term {
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
    /// The state before anything is chosen.
    root: State,
    /// Primary items that need all their options.
    needy: Vec<u32>,
    /// Whether some primary item has too few options.
    is_contradictory: bool,
}

/// The numbers of all items that a choice changes: primary items, padding, secondary items.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    sizes: Vec<i16>,
    lows: Vec<i16>,
    highs: Vec<i16>,
    /// Primary items that are not closed.
    pub(super) open: usize,
}

impl State {
    /// Makes this state equal to `other` without allocating.
    #[inline]
    pub(super) fn copy_from(&mut self, other: &State) {
        self.sizes.clone_from(&other.sizes);
        self.lows.clone_from(&other.lows);
        self.highs.clone_from(&other.highs);
        self.open = other.open;
    }
}

impl Table {
    /// Bytes of the table and of the sets, and of a state.
    pub(super) fn bytes(problem: &ExactCover) -> ([usize; 2], usize) {
        let (terms, options) = (problem.term_count(), problem.option_count());
        let (nodes, items) = (terms + options, problem.item_count() + LANES);
        let colours = if problem.has_colours() { size_of::<Colour>() * nodes } else { 0 };
        let state = size_of::<State>() + 3 * size_of::<i16>() * items;
        let table = colours + size_of::<u32>() * (nodes + options + 2 * items) + state;
        let sets = size_of::<u32>() * (terms + items) + size_of::<Term>() * nodes + state;
        ([table, sets], state)
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
        Unsuitable::check_size("options of an item", most_options, CLOSED as usize - 2)?;
        Unsuitable::check_size("terms and options", count, (1 << 31) - 1)?;
        let primary_count = problem.primary_count();
        let lanes = primary_count.next_multiple_of(LANES);
        let padding = lanes - primary_count;
        let items = problem.item_count() + padding;
        let has_colours = problem.has_colours();
        let root = State { sizes: vec![CLOSED; items], lows: vec![0; items], highs: vec![1; items], open: 0 };
        let mut table = Table {
            colours: Vec::with_capacity(if has_colours { count } else { 0 }),
            option_of: Vec::with_capacity(count),
            starts: Vec::with_capacity(problem.option_count()),
            bases: vec![0; items],
            primary_count,
            lanes,
            root,
            needy: Vec::new(),
            is_contradictory: false,
        };
        let number = |item: usize| if item < primary_count { item } else { item + padding };
        let mut base = 0;
        for (item, &degree) in degrees.iter().enumerate() {
            table.bases[number(item)] = base;
            table.root.sizes[number(item)] = degree as i16;
            base += degree as u32;
        }
        for (item, &degree) in degrees[..primary_count].iter().enumerate() {
            let Bounds { low, high } = problem.bounds(item as ItemId);
            table.is_contradictory |= low as usize > degree;
            table.root.lows[item] = (low as usize).min(degree) as i16;
            table.root.highs[item] = (high as usize).min(degree).max(1) as i16;
            match degree {
                0 => table.root.sizes[item] = CLOSED,
                _ => table.root.open += 1,
            }
            if degree > 0 && degree == low as usize {
                table.needy.push(item as u32);
            }
        }
        let mut sets = Sets {
            members: vec![0; problem.term_count()],
            terms: Vec::with_capacity(count),
            state: table.root.clone(),
            forced: vec![0; primary_count],
            pending: 0,
        };
        let mut ends = table.bases.clone();
        for (option, terms) in (0..).zip(problem.options()) {
            let start = sets.terms.len() as u32;
            table.starts.push(start);
            for term in terms {
                let item = number(term.item as usize);
                let place = ends[item];
                ends[item] += 1;
                sets.members[place as usize] = sets.terms.len() as u32;
                sets.terms.push(Term { item: item as u32, place });
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

    /// The option that a term belongs to.
    pub(super) fn option_of(&self, term: u32) -> OptionId {
        self.option_of[term as usize]
    }

    /// The first term of an option; `None` if there is no such option.
    pub(super) fn start(&self, option: OptionId) -> Option<u32> {
        self.starts.get(option as usize).copied()
    }
}

/// The sets of a search.
#[derive(Clone, Debug)]
pub(super) struct Sets {
    members: Vec<u32>,
    terms: Vec<Term>,
    pub(super) state: State,
    /// Items that need all their options and wait for that: the first `pending` are in use.
    forced: Vec<u32>,
    pub(super) pending: usize,
}

impl Sets {
    /// Resets everything.
    pub(super) fn reset(&mut self, table: &Table) -> Result<(), Contradiction> {
        self.state.copy_from(&table.root);
        self.pending = table.needy.len();
        self.forced[..self.pending].copy_from_slice(&table.needy);
        if table.is_contradictory { Err(Contradiction) } else { Ok(()) }
    }

    /// The sets as slices, which a loop keeps in registers.
    #[inline(always)]
    pub(super) fn view<'a>(&'a mut self, table: &'a Table) -> View<'a> {
        View {
            table,
            members: &mut self.members,
            terms: &mut self.terms,
            sizes: &mut self.state.sizes,
            lows: &mut self.state.lows,
            highs: &mut self.state.highs,
            open: &mut self.state.open,
            forced: &mut self.forced,
            pending: &mut self.pending,
            updates: 0,
        }
    }
}

/// The sets during a step of the search.
pub(super) struct View<'a> {
    table: &'a Table,
    members: &'a mut [u32],
    terms: &'a mut [Term],
    pub(super) sizes: &'a mut [i16],
    lows: &'a mut [i16],
    highs: &'a mut [i16],
    pub(super) open: &'a mut usize,
    forced: &'a mut [u32],
    pending: &'a mut usize,
    /// Number of options eliminated.
    pub(super) updates: u64,
}

impl View<'_> {
    /// Takes a term out of the set of its item, which is not closed; returns the size left.
    #[inline(always)]
    fn take_out(&mut self, term: u32, Term { item, place }: Term) -> i16 {
        let left = self.sizes[item as usize] - 1;
        self.sizes[item as usize] = left;
        let last = self.table.bases[item as usize] + left as u32;
        let moved = std::mem::replace(&mut self.members[last as usize], term);
        self.members[place as usize] = moved;
        self.terms[moved as usize].place = place;
        self.terms[term as usize].place = last;
        left
    }

    /// Closes a primary item.
    #[inline(always)]
    fn close(&mut self, item: u32) {
        self.sizes[item as usize] += CLOSED;
        *self.open -= 1;
    }

    fn is_primary(&self, item: u32) -> bool {
        (item as usize) < self.table.primary_count
    }

    /// Takes the terms from `term` up to `end`, going round over the spacer, out of the sets that are not closed.
    #[inline(always)]
    fn eliminate_to(&mut self, mut term: u32, end: u32) -> Result<(), Contradiction> {
        while term != end {
            let at = self.terms[term as usize];
            let Some(&size) = self.sizes.get(at.item as usize) else {
                term = !at.item;
                continue;
            };
            if size < CLOSED {
                let left = self.take_out(term, at);
                let low = self.lows[at.item as usize];
                if left <= low && self.is_primary(at.item) {
                    if left < low {
                        return Err(Contradiction);
                    }
                    if left == 0 {
                        self.close(at.item);
                    } else {
                        self.forced[*self.pending] = at.item;
                        *self.pending += 1;
                    }
                }
            }
            term += 1;
        }
        Ok(())
    }

    /// Eliminates an option, given by one of its terms.
    pub(super) fn eliminate(&mut self, term: u32) -> Result<(), Contradiction> {
        self.updates += 1;
        let start = self.table.starts[self.table.option_of(term) as usize];
        let end = (start..).find(|&term| self.terms[term as usize].item >= 1 << 31);
        end.map_or(Ok(()), |end| self.eliminate_to(start, end))
    }

    /// Chooses the option of a term, and eliminates every option that it excludes.
    #[inline(always)]
    pub(super) fn choose<const COLOURS: bool>(&mut self, chosen: u32) -> Result<(), Contradiction> {
        let mut term = chosen;
        loop {
            let at = self.terms[term as usize];
            let item = at.item as usize;
            let Some(&size) = self.sizes.get(item) else {
                term = !at.item;
                if term == chosen {
                    return Ok(());
                }
                continue;
            };
            if size < CLOSED {
                if self.highs[item] > 1 {
                    self.highs[item] -= 1;
                    self.lows[item] = (self.lows[item] - 1).max(0);
                    if self.take_out(term, at) == 0 {
                        self.close(at.item);
                    }
                } else {
                    self.fill::<COLOURS>(term, item, size)?;
                }
            }
            term += 1;
            if term == chosen {
                return Ok(());
            }
        }
    }

    /// Closes an item that `term` covers for the last time, and eliminates its other options.
    #[inline(always)]
    fn fill<const COLOURS: bool>(&mut self, term: u32, item: usize, size: i16) -> Result<(), Contradiction> {
        self.sizes[item] = size + CLOSED;
        *self.open -= usize::from(item < self.table.primary_count);
        let colour = if COLOURS { self.table.colours[term as usize] } else { 0 };
        let base = self.table.bases[item];
        // The set of a closed item does not change during the loop.
        for place in base..base + size as u32 {
            let member = self.members[place as usize];
            let is_kept =
                member == term || COLOURS && colour != 0 && self.table.colours[member as usize] == colour;
            if !is_kept {
                self.updates += 1;
                self.eliminate_to(member + 1, member)?;
            }
        }
        Ok(())
    }

    /// Chooses all forced options, to a fixed point.
    #[inline(always)]
    pub(super) fn propagate<const COLOURS: bool>(
        &mut self,
        trail: &mut Vec<u32>,
    ) -> Result<(), Contradiction> {
        while *self.pending > 0 {
            let item = self.forced[*self.pending - 1];
            if self.sizes[item as usize] >= CLOSED {
                *self.pending -= 1;
                continue;
            }
            let term = self.members[self.table.bases[item as usize] as usize];
            trail.push(term);
            self.choose::<COLOURS>(term)?;
        }
        Ok(())
    }

    /// The open primary item with the least slack, the first of several.
    #[inline(always)]
    pub(super) fn choose_item(&self) -> u32 {
        let lanes = self.table.lanes;
        let (sizes, _) = self.sizes[..lanes].as_chunks::<LANES>();
        let (lows, _) = self.lows[..lanes].as_chunks::<LANES>();
        let slack =
            |at: usize| -> [i16; LANES] { std::array::from_fn(|lane| sizes[at][lane] - lows[at][lane]) };
        let mut best = [i16::MAX; LANES];
        for at in 0..sizes.len() {
            for (best, slack) in best.iter_mut().zip(slack(at)) {
                *best = (*best).min(slack);
            }
        }
        let least = best.into_iter().fold(i16::MAX, i16::min);
        let found = (0..sizes.len()).find_map(|at| {
            let lane = slack(at).iter().position(|&slack| slack == least)?;
            Some(at * LANES + lane)
        });
        found.unwrap_or(0) as u32
    }

    /// The options that an open item can lose.
    pub(super) fn slack(&self, item: u32) -> i16 {
        self.sizes[item as usize] - self.lows[item as usize]
    }

    /// The live options of an item, as terms in any order.
    pub(super) fn options(&self, item: u32) -> &[u32] {
        let base = self.table.bases[item as usize] as usize;
        &self.members[base..base + self.sizes[item as usize] as usize]
    }

    /// Whether an option, given by its first term, is neither eliminated nor chosen: whether the set of its first primary
    /// item contains it.
    pub(super) fn is_live(&self, start: u32) -> bool {
        let mut terms = self.terms[start as usize..].iter();
        terms.find(|term| self.is_primary(term.item)).is_some_and(|term| {
            let size = self.sizes[term.item as usize];
            size < CLOSED && term.place < self.table.bases[term.item as usize] + size as u32
        })
    }
}
