//! The table: a root state, and for every option the row that masks the state when it is chosen.
//!
//! The row of option `r` has a 0 for
//! - every place of every option that clashes with `r`, `r` itself among them, and
//! - the top bits of the items of `r`: its lanes are 0 altogether.
//!
//! Two options clash because of an item, so a row is the AND of one mask for each item of the option. All options that
//! name the item in the same way have the same mask:
//! ```text
//! mask of item i              0 at the places of all options with i, and at the top bit of i if it is primary
//! mask of item i, colour c    the same, but 1 again at the places of the options with i in colour c
//! ```
//! There are two ways to make the table:
//! - Item by item with one mask: clear the places, AND it into the rows of the item's options, colour after colour.
//!   That is one AND of a row for each term of the problem, however many options clash.
//! - Option by option: clear the places of all options that clash, one after the other. If items have few options,
//!   that is less work, and a row stays in the cache while it is made: sudokus of 16x16, whose clues leave 800
//!   options, are ready in a third of the time.
//!
//! A third way took 8 ms for the 2,056 options of the 6x10 pentominoes; masks take 2.5. It made the clashing options
//! of each option a set of bits, and packed them lane by lane (PEXT).

use galop_simd::Vector;

use super::layout::Layout;
use crate::problem::Use;
use crate::{ExactCover, OptionId};

/// Words combined by AND in the time of clearing one place.
const CLEAR: usize = 4;

/// What all searches of one problem share.
#[derive(Debug)]
pub(super) struct Table<V> {
    /// A row for each option, and one more of ones, which changes nothing.
    rows: Vec<V>,
    /// Every item uncovered, every option live.
    pub(super) root: Vec<V>,
    /// The option of each place.
    pub(super) option_of: Vec<u32>,
    /// The places of each option, one after the other, and where the places of each option start.
    places: Vec<u32>,
    starts: Vec<u32>,
}

/// The rows of a table, and the option of each place: slices, which a loop keeps in registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows<'t, V> {
    rows: &'t [V],
    vectors: usize,
    pub(super) option_of: &'t [u32],
}

impl<'t, V: Vector> Rows<'t, V> {
    /// The row of `option`: what choosing it leaves.
    #[inline(always)]
    pub(super) fn row(self, option: u32) -> &'t [V] {
        &self.rows[option as usize * self.vectors..][..self.vectors]
    }

    /// The same if rows have `N` vectors.
    #[inline(always)]
    pub(super) fn row_of<const N: usize>(self, option: u32) -> Option<&'t [V; N]> {
        self.rows.as_chunks::<N>().0.get(option as usize)
    }
}

impl<V: Vector> Table<V> {
    /// The table of a problem whose items are all covered once, in a layout that has room for it, with rows of
    /// `vectors`, which may be more than the layout needs.
    pub(super) fn build(problem: &ExactCover, layout: &Layout, vectors: usize) -> Table<V> {
        let mut table = Table {
            rows: vec![V::ONES; vectors * (problem.option_count() + 1)],
            root: vec![V::ZERO; vectors],
            option_of: vec![u32::MAX; vectors * V::WORDS * 64],
            places: Vec::new(),
            starts: vec![0],
        };
        table.place_options(problem, layout);
        table.fill_rows(problem, layout);
        table
    }

    /// The places of `option`; empty if there is no such option.
    pub(super) fn places(&self, option: u32) -> &[u32] {
        match self.starts.get(option as usize..option as usize + 2) {
            Some(&[start, end]) => &self.places[start as usize..end as usize],
            _ => &[],
        }
    }

    /// The place of the row that changes nothing.
    pub(super) fn nothing_place(&self) -> u32 {
        self.option_of.len() as u32 - 1
    }

    /// The parts that the search reads.
    #[inline(always)]
    pub(super) fn rows(&self) -> Rows<'_, V> {
        Rows { rows: &self.rows, vectors: self.root.len(), option_of: &self.option_of }
    }

    fn place_options(&mut self, problem: &ExactCover, layout: &Layout) {
        let mut degrees = vec![0; problem.primary_count()];
        for (number, option) in problem.options().enumerate() {
            for term in option {
                let item = term.item.index();
                if let Some(degree) = degrees.get_mut(item) {
                    let place = layout.place(item, *degree);
                    *degree += 1;
                    self.places.push(place);
                    self.option_of[place as usize] = number as u32;
                    set(&mut self.root, place);
                }
            }
            self.starts.push(self.places.len() as u32);
        }
        // The top bit of the last lane: no option's place.
        let nothing = self.nothing_place();
        self.option_of[nothing as usize] = problem.option_count() as u32;
        for item in 0..problem.primary_count() {
            set(&mut self.root, layout.flag(item));
        }
    }

    fn fill_rows(&mut self, problem: &ExactCover, layout: &Layout) {
        let members = Members::of(problem);
        let clears: usize = (0..problem.option_count() as u32)
            .map(|option| {
                let clashes = problem
                    .option(OptionId(option))
                    .iter()
                    .map(|term| members.of_item(term.item.index()).len());
                clashes.sum::<usize>() * self.places(option).len()
            })
            .sum();
        let words = problem.term_count() * self.root.len() * V::WORDS;
        if clears * CLEAR <= words {
            self.fill_by_options(problem, layout, &members);
        } else {
            self.fill_by_items(problem, layout, &members);
        }
    }

    /// Row by row: clears the places of all options that clash.
    fn fill_by_options(&mut self, problem: &ExactCover, layout: &Layout, members: &Members) {
        let (places, starts) = (&self.places, &self.starts);
        for (row, terms) in self.rows.chunks_exact_mut(self.root.len()).zip(problem.options()) {
            for term in terms {
                let item = term.item.index();
                if item < problem.primary_count() {
                    clear(row, layout.flag(item));
                }
                for &Use { option, colour } in members.of_item(item) {
                    if colour == 0 || colour != term.colour {
                        let (start, end) = (starts[option as usize], starts[option as usize + 1]);
                        places[start as usize..end as usize].iter().for_each(|&place| clear(row, place));
                    }
                }
            }
        }
    }

    /// Item by item: makes one mask for all rows with the item.
    fn fill_by_items(&mut self, problem: &ExactCover, layout: &Layout, members: &Members) {
        let vectors = self.root.len();
        let mut mask = vec![V::ONES; vectors];
        for item in 0..problem.item_count() {
            let options = members.of_item(item);
            mask.fill(V::ONES);
            for &Use { option, .. } in options {
                self.places(option).iter().for_each(|&place| clear(&mut mask, place));
            }
            if item < problem.primary_count() {
                clear(&mut mask, layout.flag(item));
            }
            for alike in options.chunk_by(|one, other| one.colour == other.colour) {
                let has_colour = alike.first().is_some_and(|member| member.colour != 0);
                if has_colour {
                    for &Use { option, .. } in alike {
                        self.places(option).iter().for_each(|&place| set(&mut mask, place));
                    }
                }
                for &Use { option, .. } in alike {
                    let start = option as usize * vectors;
                    and(&mut self.rows[start..start + vectors], &mask);
                }
                if has_colour {
                    for &Use { option, .. } in alike {
                        self.places(option).iter().for_each(|&place| clear(&mut mask, place));
                    }
                }
            }
        }
    }
}

/// The options of each item and the colours they give it, sorted by colour.
struct Members {
    members: Vec<Use>,
    /// Where the options of each item begin.
    starts: Vec<u32>,
}

impl Members {
    fn of(problem: &ExactCover) -> Members {
        let (mut members, starts) = problem.uses();
        if problem.has_colours() {
            for item in problem.primary_count()..problem.item_count() {
                members[starts[item] as usize..starts[item + 1] as usize].sort_by_key(|member| member.colour);
            }
        }
        Members { members, starts }
    }

    fn of_item(&self, item: usize) -> &[Use] {
        &self.members[self.starts[item] as usize..self.starts[item + 1] as usize]
    }
}

/// Keeps of `row` what `mask` has. Word by word: this is not compiled for an instruction set.
fn and<V: Vector>(row: &mut [V], mask: &[V]) {
    for (row, mask) in row.iter_mut().zip(mask) {
        for (row, mask) in row.words_mut().iter_mut().zip(mask.words()) {
            *row &= mask;
        }
    }
}

/// Sets the bit at `place`.
pub(super) fn set<V: Vector>(state: &mut [V], place: u32) {
    *word_mut(state, place) |= 1 << (place % 64);
}

/// Clears the bit at `place`.
pub(super) fn clear<V: Vector>(state: &mut [V], place: u32) {
    *word_mut(state, place) &= !(1 << (place % 64));
}

/// Whether the bit at `place` is set.
pub(super) fn is_set<V: Vector>(state: &[V], place: u32) -> bool {
    word(state, place) >> (place % 64) & 1 == 1
}

/// The word with `place` in it.
#[inline(always)]
pub(super) fn word<V: Vector>(state: &[V], place: u32) -> u64 {
    let word = place as usize / 64;
    state[word / V::WORDS].words()[word % V::WORDS]
}

/// The word with `place` in it, to be changed.
#[inline(always)]
pub(super) fn word_mut<V: Vector>(state: &mut [V], place: u32) -> &mut u64 {
    let word = place as usize / 64;
    &mut state[word / V::WORDS].words_mut()[word % V::WORDS]
}
