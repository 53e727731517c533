//! The state of a search, and the steps that change it.
//!
//! ```text
//! slacks    | 8  3  0  5 ..         of each primary item: the options that it can lose
//! live      | 1 1 0 1 1 0 0 1 ..    of each option: whether it is neither chosen nor eliminated
//! quotas    | 2 3 | 0 1 | ..        of each item with bounds: how often it must and may still be covered
//! ```

use super::slacks::Slacks;
use super::table::{ONCE, Part, Table};
use crate::engine::Contradiction;
use crate::{Colour, OptionId};

/// All that a choice changes.
#[derive(Clone)]
pub(super) struct State<S> {
    slacks: S,
    live: Vec<u64>,
    quotas: Vec<[u32; 2]>,
}

impl<S: Slacks> State<S> {
    /// Every option is live.
    pub(super) fn new(slacks: S, quotas: Vec<[u32; 2]>, option_count: usize) -> State<S> {
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
    pub(super) fn copy_from(&mut self, other: &State<S>) {
        self.slacks.copy_from(&other.slacks);
        self.live.clone_from(&other.live);
        self.quotas.clone_from(&other.quotas);
    }

    pub(super) fn is_live(&self, option: OptionId) -> bool {
        self.live.get(option as usize / 64).is_some_and(|word| word >> (option % 64) & 1 == 1)
    }
}

/// The state during a step of the search.
pub(super) struct Position<'a, S: Slacks> {
    pub(super) table: &'a Table<S>,
    pub(super) state: &'a mut State<S>,
    /// The chosen options.
    pub(super) chosen: &'a mut Vec<OptionId>,
    /// Options that are no longer live, but not yet taken off the slacks.
    pub(super) eliminated: &'a mut Vec<OptionId>,
    /// Number of options eliminated.
    pub(super) updates: u64,
}

impl<S: Slacks> Position<'_, S> {
    /// Takes the eliminated options off the slacks.
    fn settle(&mut self) {
        self.updates += self.eliminated.len() as u64;
        self.state.slacks.subtract(&self.table.options, self.eliminated);
        self.eliminated.clear();
    }

    /// Eliminates a live option.
    pub(super) fn eliminate(&mut self, option: OptionId) {
        self.state.live[option as usize / 64] &= !(1 << (option % 64));
        self.eliminated.push(option);
        self.settle();
    }

    /// Chooses a live option, and eliminates every option that it excludes.
    pub(super) fn choose(&mut self, option: OptionId) {
        let table = self.table;
        self.chosen.push(option);
        self.state.live[option as usize / 64] &= !(1 << (option % 64));
        for term in table.problem.option(option) {
            let item = term.item as usize;
            if let Some(&quota) = table.quota_of.get(item) {
                if quota != ONCE {
                    let [low, high] = &mut self.state.quotas[quota as usize];
                    *high -= 1;
                    match low {
                        0 => self.state.slacks.decrease(item),
                        _ => *low -= 1,
                    }
                    if *high > 0 {
                        continue;
                    }
                }
                self.state.slacks.close(item);
            }
            self.eliminate_row(item, term.colour);
        }
        self.settle();
    }

    /// Eliminates all options of an item but those that give it the same colour.
    #[inline(always)]
    fn eliminate_row(&mut self, item: usize, colour: Colour) {
        let table = self.table;
        for &Part { word, options } in table.row(item) {
            let live = &mut self.state.live[word as usize];
            let mut found = *live & options;
            if found == 0 {
                continue;
            }
            if colour != 0 {
                found = clashing(table, item, colour, word, found);
            }
            *live &= !found;
            while found != 0 {
                self.eliminated.push(64 * word + found.trailing_zeros());
                found &= found - 1;
            }
        }
    }

    /// Chooses all options that some item needs, to a fixed point. Returns the open item with the least slack, the first of
    /// several, and its slack; `None` if no item is open.
    #[inline(always)]
    pub(super) fn propagate(&mut self) -> Result<Option<(usize, u32)>, Contradiction> {
        loop {
            match self.state.slacks.least()? {
                Some((item, 0)) => match self.first_of(item) {
                    Some(option) => self.choose(option),
                    // It is covered as often as it must be.
                    None => self.state.slacks.close(item),
                },
                found => return Ok(found),
            }
        }
    }

    /// The first live option of an item.
    pub(super) fn first_of(&self, item: usize) -> Option<OptionId> {
        self.table.row(item).iter().find_map(|part| {
            let found = self.state.live[part.word as usize] & part.options;
            (found != 0).then(|| 64 * part.word + found.trailing_zeros())
        })
    }
}

/// Those of some options of an item, in one word, that do not give it a colour.
#[inline(never)]
fn clashing<S: Slacks>(table: &Table<S>, item: usize, colour: Colour, word: u32, options: u64) -> u64 {
    let mut clashing = options;
    let mut left = options;
    while left != 0 {
        let bit = left.trailing_zeros();
        left &= left - 1;
        let terms = table.problem.option(64 * word + bit);
        if terms.iter().any(|term| term.item as usize == item && term.colour == colour) {
            clashing &= !(1 << bit);
        }
    }
    clashing
}
