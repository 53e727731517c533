//! A state of the search and its moves: take an option, strike options out, and do all that follows.
//!
//! Of every primary item the state holds three numbers, bit-sliced, and of every option whether it is live:
//! ```text
//! low      how often it must still be covered              B planes of W words
//! high     how often it still may be                       B planes of W words
//! slack    its live options less `low`: how many           K planes of W words
//!          of them it can lose
//! live     an option a bit: neither taken nor struck out   a row of words
//! ```
//! There is no count of live options: the slack alone decides, and it is kept up to date, never reckoned anew.
//! - An option struck out: its items' slack falls by 1. From 0 it cannot fall: then an item has too few.
//! - An option taken: its items have a live option less, and those with `low` above 0 need one less, so that
//!   their slack stays; the slack of the others falls by 1 (it is their number of options, so it is not 0).
//! - An item of `high` 0 is full: its options are struck out.
//! - An item of slack 0 and `low` above 0 needs all its live options: they are taken.
//!
//! An item of slack 0 and `low` 0 has no live options: nothing is left to decide about it. If no option is live
//! and no item has too few, the options taken are a solution.

use super::numbers::{Numbers, both, is_empty, members, without};
use super::state::State;
use super::tables::Tables;
use crate::OptionId;
use crate::engine::Contradiction;

/// A state with its live options, and all that its moves need.
pub(super) struct Position<'a, const W: usize, const K: usize, const B: usize> {
    pub(super) tables: &'a Tables<W, K, B>,
    pub(super) state: &'a mut State<W, K, B>,
    pub(super) live: &'a mut [u64],
    /// The options taken, one after the other.
    pub(super) chosen: &'a mut Vec<OptionId>,
    /// How many options were struck out.
    pub(super) updates: &'a mut u64,
}

impl<const W: usize, const K: usize, const B: usize> Position<'_, W, K, B> {
    /// Whether `option` can still be taken.
    pub(super) fn is_live(&self, option: OptionId) -> bool {
        self.live.get(option as usize / 64).is_some_and(|word| word >> (option % 64) & 1 == 1)
    }

    /// Takes a live option, and strikes out what cannot go along with it.
    #[inline(always)]
    pub(super) fn take(&mut self, option: OptionId) -> Result<(), Contradiction> {
        let tables = self.tables;
        let items = &tables.items[option as usize];
        self.chosen.push(option);
        self.live[option as usize / 64] &= !(1 << (option % 64));
        let State { slack, low, high } = &mut *self.state;
        let needed = both(&low.nonzero(), items);
        low.decrease(&needed);
        slack.decrease(&without(items, &needed));
        high.decrease(items);
        let full = without(items, &high.nonzero());
        if !is_empty(&both(&full, &tables.universal)) {
            return self.finish();
        }
        self.strike(tables.excluded_by(option))?;
        for item in members(&both(&full, &tables.shared)) {
            self.strike(tables.options_of(item))?;
        }
        Ok(())
    }

    /// Strikes a live option out.
    #[inline(always)]
    pub(super) fn forbid(&mut self, option: OptionId) -> Result<(), Contradiction> {
        self.live[option as usize / 64] &= !(1 << (option % 64));
        *self.updates += 1;
        let short = self.state.slack.decrease(&self.tables.items[option as usize]);
        if is_empty(&short) { Ok(()) } else { Err(Contradiction) }
    }

    /// Strikes out the live options of `set`, three at a time.
    #[inline(always)]
    fn strike(&mut self, set: &[u64]) -> Result<(), Contradiction> {
        let tables = self.tables;
        let none = tables.option_count();
        let mut slack = self.state.slack;
        let mut short = [0; W];
        let mut updates: u64 = 0;
        for (index, (live, set)) in self.live.iter_mut().zip(set).enumerate() {
            let mut struck = *live & set;
            *live &= !set;
            while struck != 0 {
                let mut next = || {
                    let option =
                        if struck == 0 { none } else { 64 * index + struck.trailing_zeros() as usize };
                    updates += u64::from(struck != 0);
                    struck &= struck.wrapping_sub(1);
                    &tables.items[option]
                };
                let less = slack.decrease_by_three([next(), next(), next()]);
                short = std::array::from_fn(|word| short[word] | less[word]);
            }
        }
        self.state.slack = slack;
        *self.updates += updates;
        if is_empty(&short) { Ok(()) } else { Err(Contradiction) }
    }

    /// Strikes out all options that are left.
    fn finish(&mut self) -> Result<(), Contradiction> {
        self.live.fill(0);
        self.state.slack = Numbers::ZERO;
        if is_empty(&self.state.low.nonzero()) { Ok(()) } else { Err(Contradiction) }
    }

    /// Takes the options that are forced, until none is.
    #[inline(always)]
    pub(super) fn settle(&mut self) -> Result<(), Contradiction> {
        loop {
            let forced = without(&self.state.low.nonzero(), &self.state.slack.nonzero());
            if is_empty(&forced) && !self.leave_what_may_be_last()? {
                return Ok(());
            }
            for item in members(&forced) {
                while let Some(option) = self.first_of(item) {
                    self.take(option)?;
                }
            }
        }
    }

    /// If only one more option can be taken, because an item of all options is to be covered once more: keeps only
    /// those that cover whatever must be covered. Whether others were struck out.
    #[inline(always)]
    fn leave_what_may_be_last(&mut self) -> Result<bool, Contradiction> {
        let tables = self.tables;
        if is_empty(&tables.universal) || is_empty(&both(&self.state.high.ones(), &tables.universal)) {
            return Ok(false);
        }
        let needed = self.state.low.nonzero();
        let mut is_less = false;
        for item in members(&needed) {
            let mut any = 0;
            for (live, of_item) in self.live.iter_mut().zip(tables.options_of(item)) {
                is_less |= *live & !of_item != 0;
                *live &= of_item;
                any |= *live;
            }
            if any == 0 {
                return Err(Contradiction);
            }
        }
        if is_less {
            self.recount()?;
        }
        Ok(is_less)
    }

    /// Reckons the slacks anew.
    fn recount(&mut self) -> Result<(), Contradiction> {
        let mut slack = Numbers::ZERO;
        for option in members(self.live) {
            slack.increase(&self.tables.items[option]);
        }
        let short = slack.subtract(&self.state.low);
        self.state.slack = slack;
        if is_empty(&short) { Ok(()) } else { Err(Contradiction) }
    }

    /// The first live option of `item`.
    #[inline(always)]
    pub(super) fn first_of(&self, item: usize) -> Option<OptionId> {
        let words = self.live.iter().zip(self.tables.options_of(item)).enumerate();
        let mut left = words.map(|(index, (live, of_item))| (index, live & of_item));
        let (index, word) = left.find(|&(_, word)| word != 0)?;
        Some((64 * index) as OptionId + word.trailing_zeros())
    }

    /// The item with the fewest branches, one more than its slack; the first of several, `None` if nothing is left
    /// to decide.
    #[inline(always)]
    pub(super) fn choose_item(&self) -> Option<usize> {
        let open = self.state.slack.nonzero();
        members(&self.state.slack.smallest(open)).next()
    }
}
