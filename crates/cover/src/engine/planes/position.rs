//! The moves between states: choose an option, eliminate options, and propagate the consequences.
//!
//! Beside the numbers of a [`State`] a position has a row of bits: `live`, one bit an option, set if the option is
//! neither chosen nor eliminated. Live options are not counted: the slack alone decides, and it is kept up to date, never
//! computed again.
//! - An option is eliminated: the slack of its items decreases by 1. A slack of 0 cannot decrease: then an item has too
//!   few options.
//! - An option is chosen: its items have one live option less. Those with `low` above 0 need one less too, so that their
//!   slack stays. The slack of the others decreases by 1 (it is their number of options, so it is not 0).
//! - An item with `high` 0 is full: its options are eliminated.
//! - An item with slack 0 and `low` above 0 needs all its live options: they are chosen.
//!
//! An item with slack 0 and `low` 0 has no live options: it is decided. If no option is live and no item has too few,
//! the chosen options are a solution.

use super::numbers::{Numbers, both, is_empty, members, without};
use super::state::State;
use super::tables::Tables;
use crate::OptionId;
use crate::engine::Contradiction;

/// A state with its live options, and what its moves need.
pub(super) struct Position<'a, const W: usize, const K: usize, const B: usize> {
    pub(super) tables: &'a Tables<W, K, B>,
    pub(super) state: &'a mut State<W, K, B>,
    pub(super) live: &'a mut [u64],
    /// The chosen options, in order.
    pub(super) chosen: &'a mut Vec<OptionId>,
    /// The number of options eliminated.
    pub(super) updates: &'a mut u64,
}

impl<const W: usize, const K: usize, const B: usize> Position<'_, W, K, B> {
    /// Whether `option` can still be chosen.
    pub(super) fn is_live(&self, option: OptionId) -> bool {
        self.live.get(option as usize / 64).is_some_and(|word| word >> (option % 64) & 1 == 1)
    }

    /// Chooses a live option and eliminates all options that it excludes. It is called from three places, and each size
    /// would have a copy there. (With one inlined, where a node begins, queen domination takes 1 % less and the partridge
    /// puzzle of order 5 10 % more.)
    #[inline(never)]
    pub(super) fn choose(&mut self, option: OptionId) -> Result<(), Contradiction> {
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
            return self.eliminate_all();
        }
        self.eliminate(tables.excluded_by(option))?;
        for item in members(&both(&full, &tables.shared)) {
            self.eliminate(tables.options_of(item))?;
        }
        Ok(())
    }

    /// Eliminates a live option.
    #[inline(always)]
    pub(super) fn forbid(&mut self, option: OptionId) -> Result<(), Contradiction> {
        self.live[option as usize / 64] &= !(1 << (option % 64));
        *self.updates += 1;
        let short = self.state.slack.decrease(&self.tables.items[option as usize]);
        if is_empty(&short) { Ok(()) } else { Err(Contradiction) }
    }

    /// Eliminates the live options of `set`, three at a time.
    #[inline(always)]
    fn eliminate(&mut self, set: &[u64]) -> Result<(), Contradiction> {
        let tables = self.tables;
        let none = tables.option_count();
        let mut slack = self.state.slack;
        let mut short = [0; W];
        let mut updates: u64 = 0;
        for (index, (live, set)) in self.live.iter_mut().zip(set).enumerate() {
            let mut eliminated = *live & set;
            *live &= !set;
            while eliminated != 0 {
                let mut next = || {
                    let option = if eliminated == 0 {
                        none
                    } else {
                        64 * index + eliminated.trailing_zeros() as usize
                    };
                    updates += u64::from(eliminated != 0);
                    eliminated &= eliminated.wrapping_sub(1);
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

    /// Eliminates all live options.
    fn eliminate_all(&mut self) -> Result<(), Contradiction> {
        self.live.fill(0);
        self.state.slack = Numbers::ZERO;
        if is_empty(&self.state.low.nonzero()) { Ok(()) } else { Err(Contradiction) }
    }

    /// Chooses forced options, to a fixed point.
    #[inline(always)]
    pub(super) fn propagate(&mut self) -> Result<(), Contradiction> {
        loop {
            let forced = without(&self.state.low.nonzero(), &self.state.slack.nonzero());
            if is_empty(&forced) && !self.keep_possible_last_options()? {
                return Ok(());
            }
            for item in members(&forced) {
                while let Some(option) = self.first_of(item) {
                    self.choose(option)?;
                }
            }
        }
    }

    /// If only one more option can be chosen, because an item of all options can be covered only once more: keeps the
    /// options that cover every item that must be covered. Returns whether it eliminated any.
    #[inline(always)]
    fn keep_possible_last_options(&mut self) -> Result<bool, Contradiction> {
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

    /// Computes all slacks from the live options.
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

    /// The item with the fewest branches (its slack + 1), the first of several; `None` if all items are decided.
    #[inline(always)]
    pub(super) fn choose_item(&self) -> Option<usize> {
        let open = self.state.slack.nonzero();
        members(&self.state.slack.smallest(open)).next()
    }
}
