//! The state of a search, and the steps that change it.
//!
//! ```text
//! slacks    | 8  3  0  5 ..         of each primary item: the options that it can lose
//! live      | 1 1 0 1 1 0 0 1 ..    of each option: whether it is neither chosen nor eliminated
//! quotas    | 2 3 | 0 1 | ..        of each item with bounds: how often it must and may still be covered
//! ```

use super::excluded::Excluded;
use super::slacks::Slacks;
use super::table::{ONCE, Part, Table};
use crate::engine::Contradiction;
use crate::{Assumptions, ExactCover, OptionId};
use std::ops::Range;

/// All that a choice changes.
#[derive(Clone)]
pub(super) struct State {
    slacks: Slacks,
    live: Vec<u64>,
    quotas: Vec<[u32; 2]>,
}

impl State {
    /// Every option is live.
    pub(super) fn new(slacks: Slacks, quotas: Vec<[u32; 2]>, option_count: usize) -> State {
        let mut live = vec![!0; option_count.div_ceil(64)];
        if let Some(last) = live.last_mut()
            && !option_count.is_multiple_of(64)
        {
            *last = (1 << (option_count % 64)) - 1;
        }
        State { slacks, live, quotas }
    }

    /// Makes this state equal to `other` without allocating.
    #[inline]
    pub(super) fn copy_from(&mut self, other: &State) {
        self.slacks.copy_from(&other.slacks);
        self.live.clone_from(&other.live);
        self.quotas.clone_from(&other.quotas);
    }

    pub(super) fn is_live(&self, option: u32) -> bool {
        self.live.get(option as usize / 64).is_some_and(|word| word >> (option % 64) & 1 == 1)
    }
}

/// What is found but not done yet.
#[derive(Debug)]
pub(super) struct Pending {
    /// Options that are to be eliminated if they are live.
    bits: Vec<u64>,
    /// The words of them in use; the others are 0.
    words: Range<usize>,
    /// Items with slack 0.
    items: Vec<u32>,
    /// Items with a quota that are full, but whose other options are not yet eliminated.
    full: Vec<u32>,
    excluded: Excluded,
}

impl Pending {
    /// The most bytes beside the levels of a search: what is pending and remembered, and the current state of `state` bytes.
    pub(super) fn bytes(problem: &ExactCover, state: usize) -> usize {
        let (options, items) = (problem.option_count(), problem.item_count());
        state + Excluded::most_bytes(problem) + 32 * options + 16 * items
    }

    /// Nothing.
    pub(super) fn new(option_count: usize) -> Pending {
        Pending {
            bits: vec![0; option_count.div_ceil(64)],
            words: 0..0,
            items: Vec::new(),
            full: Vec::new(),
            excluded: Excluded::new(option_count),
        }
    }

    /// Adds options to eliminate, whose words ascend. They need not be live.
    #[inline(always)]
    fn add_all(&mut self, parts: &[Part]) {
        add_all(&mut self.bits, &mut self.words, parts);
    }

    /// Adds the options that an option excludes, but for items with quotas.
    #[inline(always)]
    fn exclude(&mut self, table: &Table, place: u32) {
        add_all(&mut self.bits, &mut self.words, self.excluded.of(table, place));
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

/// The state during a step of the search.
pub(super) struct Position<'a> {
    pub(super) table: &'a Table,
    pub(super) state: &'a mut State,
    /// The chosen options. In this file an option is given by its place in the order of the search.
    pub(super) chosen: &'a mut Vec<u32>,
    pub(super) pending: &'a mut Pending,
    /// Number of options eliminated.
    pub(super) updates: u64,
}

impl Position<'_> {
    /// Takes the eliminated options off the slacks.
    fn settle(&mut self) {
        let Pending { bits, words, .. } = &mut *self.pending;
        let words = std::mem::take(words);
        if words.is_empty() {
            return;
        }
        let (live, bits) = (&mut self.state.live[words.clone()], &mut bits[words.clone()]);
        for (live, bits) in live.iter_mut().zip(&mut *bits) {
            *bits &= *live;
            *live &= !*bits;
            self.updates += u64::from(bits.count_ones());
        }
        self.state.slacks.subtract(&self.table.options, bits, words.start);
        bits.fill(0);
    }

    /// Eliminates a live option.
    pub(super) fn eliminate(&mut self, place: u32) {
        self.pending.add_all(&[Part { word: place / 64, options: 1 << (place % 64) }]);
        self.settle();
    }

    /// Chooses a live option, and eliminates every option that it excludes.
    pub(super) fn choose(&mut self, place: u32) {
        self.mark(place);
        self.settle_marked();
    }

    /// Eliminates the marked options, and then those of full items, unless there is a contradiction already: mostly there is,
    /// near the option chosen, and a full item may have a thousand options.
    fn settle_marked(&mut self) {
        self.settle();
        if self.pending.full.is_empty() {
            return;
        }
        if !self.state.slacks.is_short() {
            for at in 0..self.pending.full.len() {
                self.pending.add_all(self.table.row(self.pending.full[at] as usize));
            }
            self.settle();
        }
        self.pending.full.clear();
    }

    /// Chooses a live option, and marks every option that it excludes but those of full items with a quota.
    fn mark(&mut self, place: u32) {
        let table = self.table;
        self.chosen.push(place);
        self.state.live[place as usize / 64] &= !(1 << (place % 64));
        self.pending.exclude(table, place);
        for term in table.option(place) {
            let item = term.item as usize;
            let Some(&quota) = table.quota_of.get(item) else { continue };
            let Some([low, high]) = self.state.quotas.get_mut(quota as usize) else {
                self.state.slacks.close(item);
                continue;
            };
            *high -= 1;
            match low {
                0 => self.state.slacks.decrease(item),
                _ => *low -= 1,
            }
            if *high == 0 {
                self.state.slacks.close(item);
                self.pending.full.push(term.item);
            }
        }
    }

    /// Chooses all options that some item needs, to a fixed point. Returns the open item with the least slack, the first of
    /// several, and its slack; `None` if no item is open.
    #[inline(always)]
    pub(super) fn propagate(&mut self) -> Result<Option<(usize, u32)>, Contradiction> {
        loop {
            match self.state.slacks.least(&mut self.pending.items)? {
                Some((_, 0)) => self.settle_items()?,
                found => return Ok(found),
            }
        }
    }

    /// Chooses the options of the settled items, or one option of each, and closes those that are covered as often as they
    /// must be. The options that are excluded are eliminated all at once. Items that are left out are found again.
    fn settle_items(&mut self) -> Result<(), Contradiction> {
        let mut result = Ok(());
        for at in 0..self.pending.items.len() {
            let item = self.pending.items[at] as usize;
            // An option chosen just now may have closed it.
            if !self.state.slacks.is_open(item) {
                continue;
            }
            match self.first_of(item) {
                Some(option) => {
                    self.mark(option);
                    // Options of a full item are live still, and must not be chosen.
                    if !self.pending.full.is_empty() {
                        break;
                    }
                }
                None if self.must_cover(item) => {
                    result = Err(Contradiction);
                    break;
                }
                None => self.state.slacks.close(item),
            }
        }
        self.pending.items.clear();
        self.settle_marked();
        result
    }

    /// Whether an open item must still be covered.
    fn must_cover(&self, item: usize) -> bool {
        match self.table.quota_of[item] {
            ONCE => true,
            quota => self.state.quotas.get(quota as usize).is_some_and(|&[low, _]| low > 0),
        }
    }

    /// The live option of an item that comes first in the problem.
    pub(super) fn first_of(&self, item: usize) -> Option<u32> {
        if self.table.is_in_order {
            return self.table.row(item).iter().find_map(|part| {
                let word = part.word as usize;
                let found = self.state.live[word] & part.options & !self.pending.bits[word];
                (found != 0).then(|| 64 * part.word + found.trailing_zeros())
            });
        }
        let mut first = None;
        self.for_each_option(item, |place| {
            let option = self.table.order[place as usize];
            if first.is_none_or(|(least, _)| option < least) {
                first = Some((option, place));
            }
        });
        first.map(|(_, place)| place)
    }

    /// Visits the live options of an item that are not to be eliminated.
    #[inline(always)]
    pub(super) fn for_each_option(&self, item: usize, mut visit: impl FnMut(u32)) {
        for part in self.table.row(item) {
            let word = part.word as usize;
            let mut found = self.state.live[word] & part.options & !self.pending.bits[word];
            while found != 0 {
                visit(64 * part.word + found.trailing_zeros());
                found &= found - 1;
            }
        }
    }

    /// How often an option is drawn, compared to others: more often if it covers more items, and if its items with bounds
    /// must be covered more often.
    pub(super) fn weigh(&self, place: u32) -> u64 {
        let lows = self.table.quotas(place).iter().map(|&quota| self.state.quotas[quota as usize][0]);
        let needs = lows.map(|low| f64::from(low.max(1)));
        (16.0 * needs.fold(self.table.sizes[place as usize], |weight, need| weight * need * need)) as u64
    }

    /// Resets everything and applies the assumptions, forbidden options first.
    pub(super) fn assume(&mut self, assumptions: &Assumptions) -> Result<(), Contradiction> {
        let table = self.table;
        if table.is_contradictory {
            return Err(Contradiction);
        }
        self.state.copy_from(&table.root);
        for &option in &assumptions.forbidden {
            if let Some(&place) = table.places.get(option as usize)
                && self.state.is_live(place)
            {
                self.eliminate(place);
            }
        }
        for &option in &assumptions.chosen {
            let &place = table.places.get(option as usize).ok_or(Contradiction)?;
            if self.state.is_live(place) {
                self.choose(place);
                if self.state.slacks.is_short() {
                    return Err(Contradiction);
                }
            } else if !self.chosen.contains(&place) {
                return Err(Contradiction);
            }
        }
        Ok(())
    }

    /// Writes the chosen options.
    pub(super) fn write_solution(&self, solution: &mut Vec<OptionId>) {
        solution.clear();
        solution.extend(self.chosen.iter().map(|&place| self.table.order[place as usize]));
    }
}
