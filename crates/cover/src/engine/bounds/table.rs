//! The read-only table of a problem: the order of its options, and a row of bits for every item.
//!
//! The search numbers the options anew, by the first item that they cover exactly once. So options whose numbers are
//! near cover items that are near, if the problem has such an order: places on a board, hours of a day.
//!
//! ```text
//! row of item 3      | word 0: options 5 7 8 60 |   | word 4: options 256 257 |       words without options are left out
//! ```

use std::ops::Range;

use super::numbers::members;
use super::slacks::Slacks;
use super::stack::Live;
use super::tables::live;
use super::windows::Windows;
use crate::engine::search::level_bytes;
use crate::engine::{Build, Room, Unsuitable};
use crate::{Bounds, ExactCover, ItemId, OptionId, Term};

/// Bytes of the largest table of windows.
const MAX_WINDOW_BYTES: usize = 64 << 20;

/// Parts of excluded options that a search remembers: 16 MB. When there are more, all are forgotten.
pub(super) const MOST_PARTS: usize = 1 << 20;

/// Options of an item among 64 neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) word: u32,
    pub(super) options: u64,
}

/// The number of an item that is covered exactly once, in place of its quota.
pub(super) const ONCE: u32 = u32::MAX;

/// The number of an item that is covered at most once. No quota has a greater number.
pub(super) const FREE: u32 = u32::MAX - 1;

/// All that a choice changes.
pub(super) struct AdderState {
    pub(super) slacks: Slacks,
    pub(super) live: Vec<u64>,
    pub(super) quotas: Vec<[u32; 2]>,
}

impl AdderState {
    /// Every option is live.
    pub(super) fn new(slacks: Slacks, quotas: Vec<[u32; 2]>, option_count: usize) -> AdderState {
        AdderState { slacks, live: live(option_count, option_count.div_ceil(64)), quotas }
    }
}

impl Clone for AdderState {
    fn clone(&self) -> AdderState {
        AdderState { slacks: self.slacks.clone(), live: self.live.clone(), quotas: self.quotas.clone() }
    }

    #[inline(always)]
    fn clone_from(&mut self, other: &AdderState) {
        self.slacks.clone_from(&other.slacks);
        self.live.clone_from(&other.live);
        self.quotas.clone_from(&other.quotas);
    }
}

impl Live for AdderState {
    fn live(&self) -> &[u64] {
        &self.live
    }
}

pub(super) struct AdderTable {
    /// The terms of the options.
    pub(super) problem: ExactCover,
    /// The options in the order of the search, and the place of each option in it.
    pub(super) order: Vec<u32>,
    pub(super) places: Vec<u32>,
    /// Whether it is the order of the problem.
    pub(super) is_in_order: bool,
    /// The items of every option.
    pub(super) options: Windows,
    parts: Vec<Part>,
    /// The first part of each row.
    starts: Vec<u32>,
    /// The place of each primary item in [`AdderState::quotas`], or [`ONCE`].
    pub(super) quota_of: Vec<u32>,
    /// For each option the number of its primary items to the power of 1.5.
    pub(super) sizes: Vec<f64>,
    /// The places of the quotas of each option's items, and where each option's start.
    quotas: Vec<u32>,
    quota_starts: Vec<u32>,
    /// The state before anything is chosen.
    pub(super) root: AdderState,
    /// Whether some primary item has too few options.
    pub(super) is_contradictory: bool,
}

impl AdderTable {
    /// The table of `problem`, and the room for it and for a search, in order or with restarts.
    ///
    /// # Errors
    /// [`Unsuitable::TooLarge`] if there are too many terms, or their windows are too large; [`Unsuitable::Memory`].
    pub(super) fn new(problem: &ExactCover, build: Build<'_>) -> Result<(AdderTable, Room), Unsuitable> {
        Unsuitable::check_size("terms", problem.term_count(), (1 << 31) - 1)?;
        let degrees = degrees(problem);
        let (mut quota_of, mut quotas, mut slacks) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_contradictory = false;
        for (item, &degree) in degrees[..problem.primary_count()].iter().enumerate() {
            let bounds @ Bounds { low, high } = problem.bounds(ItemId(item as u32));
            is_contradictory |= low > degree;
            slacks.push(degree.saturating_sub(low));
            quota_of.push(match bounds {
                Bounds::ONCE => ONCE,
                Bounds { high: 1, .. } => FREE,
                _ => quotas.len() as u32,
            });
            if high > 1 {
                quotas.push([low, high.min(degree)]);
            }
        }
        let order = order(problem);
        let mut places = vec![0; order.len()];
        (0..).zip(&order).for_each(|(place, &option)| places[option as usize] = place);
        let bytes = Windows::bytes(problem, &order);
        Unsuitable::check_size("bytes of windows", bytes, MAX_WINDOW_BYTES)?;
        let (count, terms, items) = (problem.option_count(), problem.term_count(), problem.item_count());
        let state = Slacks::bytes(&slacks) + size_of::<AdderState>() + count.div_ceil(8) + 8 * quotas.len();
        // The terms, the windows, the rows of the items, and numbers for each option.
        let shared = bytes + (size_of::<Term>() + size_of::<Part>() + 8) * terms + 40 * count + 16 * items;
        let search = level_bytes(problem, state).saturating_add(search_bytes(problem, state));
        let room = build.reserve(shared, search)?;
        let options = Windows::new(problem, &order);
        let slacks = Slacks::new(&slacks);
        let root = AdderState::new(slacks, quotas, problem.option_count());
        let (parts, starts) = gather(problem, &order, &degrees);
        let mut table = AdderTable {
            problem: problem.without_names(),
            is_in_order: order.is_sorted(),
            order,
            places,
            options,
            parts,
            starts,
            quota_of,
            sizes: Vec::new(),
            quotas: Vec::new(),
            quota_starts: vec![0],
            root,
            is_contradictory,
        };
        table.weigh();
        Ok((table, room))
    }

    /// Prepares the weights of the options.
    fn weigh(&mut self) {
        for &option in &self.order {
            let items = self
                .problem
                .option(OptionId(option))
                .iter()
                .filter_map(|term| self.quota_of.get(term.item.index()));
            let count = items.clone().count() as f64;
            self.sizes.push(count * count.sqrt());
            self.quotas.extend(items.filter(|&&quota| quota < FREE));
            self.quota_starts.push(self.quotas.len() as u32);
        }
    }

    /// The terms of an option, by its place in the order.
    #[inline(always)]
    pub(super) fn option(&self, place: u32) -> &[Term] {
        self.problem.option(OptionId(self.order[place as usize]))
    }

    /// The quotas of the items of an option.
    pub(super) fn quotas(&self, place: u32) -> &[u32] {
        &self.quotas
            [self.quota_starts[place as usize] as usize..self.quota_starts[place as usize + 1] as usize]
    }

    /// Visits the options of an item.
    pub(super) fn for_each_in(&self, item: usize, mut visit: impl FnMut(u32)) {
        for part in self.row(item) {
            members(&[part.options]).for_each(|bit| visit(64 * part.word + bit as u32));
        }
    }

    /// The options of an item, in the order of the search.
    #[inline(always)]
    pub(super) fn row(&self, item: usize) -> &[Part] {
        &self.parts[self.starts[item] as usize..self.starts[item + 1] as usize]
    }
}

/// Adds options, whose words ascend, to some bits, and their words to those in use.
#[inline(always)]
pub(super) fn add_all(bits: &mut [u64], words: &mut Range<usize>, parts: &[Part]) {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
    let added = first.word as usize..last.word as usize + 1;
    *words = if words.end == 0 { added } else { words.start.min(added.start)..words.end.max(added.end) };
    for part in parts {
        bits[part.word as usize] |= part.options;
    }
}

/// The most bytes of a search beside its levels. They are the current state of `state` bytes, what is pending, and the
/// parts of excluded options that are remembered, up to the limit and one option more.
fn search_bytes(problem: &ExactCover, state: usize) -> usize {
    let (options, items) = (problem.option_count(), problem.item_count());
    let parts = excluded(problem).min(MOST_PARTS + options.div_ceil(64));
    state + 2 * size_of::<Part>() * parts + 32 * options + 16 * items
}

/// How many options all options exclude in all, if an option is counted once for each item that both cover.
fn excluded(problem: &ExactCover) -> usize {
    let degrees = degrees(problem);
    let is_exclusive =
        |item: u32| item as usize >= problem.primary_count() || problem.bounds(ItemId(item)).high == 1;
    let terms = problem.options().flatten().filter(|term| is_exclusive(term.item.0));
    terms.map(|term| degrees[term.item.index()] as usize).sum()
}

/// The number of options of every item.
fn degrees(problem: &ExactCover) -> Vec<u32> {
    let mut degrees = vec![0; problem.item_count()];
    problem.options().flatten().for_each(|term| degrees[term.item.index()] += 1);
    degrees
}

/// The options by the first item that they cover exactly once; those without one by their first item.
fn order(problem: &ExactCover) -> Vec<u32> {
    let is_once =
        |item: u32| (item as usize) < problem.primary_count() && problem.bounds(ItemId(item)) == Bounds::ONCE;
    let first_item = |option: u32| {
        let items = problem.option(OptionId(option)).iter().map(|term| term.item);
        items.min_by_key(|&item| (!is_once(item.0), item)).unwrap_or(ItemId(u32::MAX))
    };
    let mut keys: Vec<(u32, u32)> =
        (0..problem.option_count() as u32).map(|option| (first_item(option).0, option)).collect();
    keys.sort_unstable();
    keys.into_iter().map(|(_, option)| option).collect()
}

/// Gathers the options of all items; returns the parts of their rows, and where each row starts.
fn gather(problem: &ExactCover, order: &[u32], degrees: &[u32]) -> (Vec<Part>, Vec<u32>) {
    let mut ends: Vec<u32> = Vec::with_capacity(degrees.len());
    let mut end = 0;
    for degree in degrees {
        ends.push(end);
        end += degree;
    }
    let mut options: Vec<u32> = vec![0; end as usize];
    for (place, &option) in (0..).zip(order) {
        for term in problem.option(OptionId(option)) {
            let end = &mut ends[term.item.index()];
            options[*end as usize] = place;
            *end += 1;
        }
    }
    let (mut parts, mut starts): (Vec<Part>, Vec<u32>) = (Vec::new(), vec![0]);
    for (end, degree) in ends.iter().zip(degrees) {
        let options = &options[(end - degree) as usize..*end as usize];
        for same in options.chunk_by(|one, other| one / 64 == other / 64) {
            let options = same.iter().fold(0, |options, option| options | 1 << (option % 64));
            parts.push(Part { word: same[0] / 64, options });
        }
        starts.push(parts.len() as u32);
    }
    (parts, starts)
}
