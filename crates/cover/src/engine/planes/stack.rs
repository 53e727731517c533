//! The states of a search, by level, and the moves between them.
//!
//! Live options are not counted: the slack alone decides, and it is kept up to date, never computed again.
//! - An option is eliminated: the slack of its items decreases by 1. A slack of 0 cannot decrease: then an item has too
//!   few options.
//! - An option is chosen: its items have one live option less. Those with `low` above 0 need one less too, so that
//!   their slack stays. The slack of the others decreases by 1 (it is their number of options, so it is not 0).
//! - An item with `high` 0 is full: its options are eliminated.
//! - An item with slack 0 and `low` above 0 needs all its live options: they are chosen.
//!
//! An item with slack 0 and `low` 0 has no live options: it is decided. If no option is live and no item has too few,
//! the chosen options are a solution.
//!
//! 1. Options are eliminated three at a time: a full adder before the borrow. One at a time is 1.8 times slower on
//!    the Soma cube, 1.05 on mixed dominoes, and equal on queens.
//! 2. If an item is in all options and can be covered once more (the last queen), one AND for each item that must be
//!    covered leaves only the options that cover all of them. Without this queen domination is 7 times slower.

use super::numbers::{Numbers, both, is_empty, members, without};
use super::tables::Tables;
use crate::OptionId;
use crate::engine::Contradiction;

/// The numbers of all primary items, and the live options.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct State<const W: usize, const K: usize, const B: usize> {
    pub(super) slack: Numbers<W, K>,
    pub(super) low: Numbers<W, B>,
    pub(super) high: Numbers<W, B>,
    pub(super) live: Vec<u64>,
}

impl<const W: usize, const K: usize, const B: usize> Clone for State<W, K, B> {
    fn clone(&self) -> Self {
        State { live: self.live.clone(), ..*self }
    }

    #[inline(always)]
    fn clone_from(&mut self, other: &Self) {
        (self.slack, self.low, self.high) = (other.slack, other.low, other.high);
        self.live.clone_from(&other.live);
    }
}

/// The states. Those above the current one are kept to be filled again.
#[derive(Debug)]
pub(super) struct Stack<const W: usize, const K: usize, const B: usize> {
    states: Vec<State<W, K, B>>,
    level: usize,
    /// The chosen options: assumed ones first.
    pub(super) chosen: Vec<OptionId>,
    pub(super) ticks: u64,
    /// The item of the last contradiction.
    pub(super) failed: usize,
}

impl<const W: usize, const K: usize, const B: usize> Stack<W, K, B> {
    /// Ticks of a state that is copied, without its live options; of an option that is chosen or a pass that looks for
    /// forced ones; and of three options that are eliminated.
    const COPY: u64 = 4 + (W * (K + 2 * B)) as u64 / 4;
    const STEP: u64 = 12;
    const ELIMINATE: u64 = (W * K) as u64 / if W > 4 { 3 } else { 6 };

    /// One state.
    pub(super) fn new(root: &State<W, K, B>) -> Self {
        Stack { states: vec![root.clone()], level: 0, chosen: Vec::new(), ticks: 0, failed: 0 }
    }

    #[inline(always)]
    pub(super) fn current(&self) -> &State<W, K, B> {
        &self.states[self.level]
    }

    #[inline(always)]
    fn current_mut(&mut self) -> &mut State<W, K, B> {
        &mut self.states[self.level]
    }

    /// Goes back to the first level, on which nothing is chosen.
    pub(super) fn reset(&mut self, tables: &Tables<W, K, B>) -> Result<(), Contradiction> {
        self.level = 0;
        self.chosen.clear();
        self.current_mut().clone_from(&tables.root);
        if tables.is_contradictory { Err(Contradiction) } else { Ok(()) }
    }

    /// Keeps the current state, and goes on with a copy on the next level.
    #[inline(always)]
    pub(super) fn save(&mut self) {
        self.ticks += Self::COPY + self.current().live.len() as u64 / 4;
        let (below, above) = self.states.split_at_mut(self.level + 1);
        match above.first_mut() {
            Some(next) => next.clone_from(&below[self.level]),
            None => self.states.push(self.states[self.level].clone()),
        }
        self.level += 1;
    }

    /// Goes back to the state that was kept on a level, in which `chosen` options were chosen.
    #[inline(always)]
    pub(super) fn restore(&mut self, level: usize, chosen: usize) {
        self.level = level;
        self.chosen.truncate(chosen);
    }

    /// Whether an option can be chosen.
    pub(super) fn is_live(&self, option: u32) -> bool {
        let word = self.current().live.get(option as usize / 64);
        word.is_some_and(|word| word >> (option % 64) & 1 == 1)
    }

    /// An error if an item has too few options.
    #[inline(always)]
    fn check(&mut self, short: Option<usize>) -> Result<(), Contradiction> {
        let Some(item) = short else { return Ok(()) };
        self.failed = item;
        Err(Contradiction)
    }

    /// Eliminates a live option.
    #[inline(always)]
    pub(super) fn forbid(&mut self, tables: &Tables<W, K, B>, option: OptionId) -> Result<(), Contradiction> {
        self.ticks += Self::STEP;
        let State { slack, live, .. } = self.current_mut();
        live[option.index() / 64] &= !(1 << (option.0 % 64));
        let short = slack.decrease(&tables.items[option.index()]);
        self.check(members(&short).next())
    }

    /// Eliminates the live options of `set`, three at a time.
    #[inline(always)]
    fn eliminate(&mut self, tables: &Tables<W, K, B>, set: &[u64]) -> Result<(), Contradiction> {
        let none = tables.option_count();
        let state = self.current_mut();
        let mut slack = state.slack;
        let mut short = [0; W];
        let mut triples = 0;
        for (index, (live, set)) in state.live.iter_mut().zip(set).enumerate() {
            let mut eliminated = *live & set;
            *live &= !set;
            while eliminated != 0 {
                triples += 1;
                let mut next = || {
                    let option = if eliminated == 0 {
                        none
                    } else {
                        64 * index + eliminated.trailing_zeros() as usize
                    };
                    eliminated &= eliminated.wrapping_sub(1);
                    &tables.items[option]
                };
                let less = slack.decrease_by_three([next(), next(), next()]);
                short = std::array::from_fn(|word| short[word] | less[word]);
            }
        }
        state.slack = slack;
        self.ticks += triples * Self::ELIMINATE + set.len() as u64 / 4;
        self.check(members(&short).next())
    }

    /// Chooses a live option and eliminates all options that it excludes. It is called from several places, and each
    /// size would have a copy there.
    #[inline(never)]
    pub(super) fn choose(&mut self, tables: &Tables<W, K, B>, option: OptionId) -> Result<(), Contradiction> {
        let items = &tables.items[option.index()];
        self.chosen.push(option);
        self.ticks += Self::STEP;
        let State { slack, low, high, live } = self.current_mut();
        live[option.index() / 64] &= !(1 << (option.0 % 64));
        let needed = both(&low.nonzero(), items);
        low.decrease(&needed);
        slack.decrease(&without(items, &needed));
        high.decrease(items);
        let full = without(items, &high.nonzero());
        if !is_empty(&both(&full, &tables.universal)) {
            // No other option can be chosen.
            live.fill(0);
            *slack = Numbers::ZERO;
            let short = low.nonzero();
            return self.check(members(&short).next());
        }
        self.eliminate(tables, tables.excluded_by(option))?;
        for item in members(&both(&full, &tables.shared)) {
            self.eliminate(tables, tables.options_of(item))?;
        }
        Ok(())
    }

    /// If only one more option can be chosen, because an item of all options can be covered only once more: keeps the
    /// options that cover every item that must be covered. Returns whether it eliminated any.
    #[inline(always)]
    fn keep_possible_last_options(&mut self, tables: &Tables<W, K, B>) -> Result<bool, Contradiction> {
        let state = self.current_mut();
        if is_empty(&tables.universal) || is_empty(&both(&state.high.ones(), &tables.universal)) {
            return Ok(false);
        }
        let mut is_less = false;
        for item in members(&state.low.nonzero()) {
            let mut any = 0;
            for (live, of_item) in state.live.iter_mut().zip(tables.options_of(item)) {
                is_less |= *live & !of_item != 0;
                *live &= of_item;
                any |= *live;
            }
            if any == 0 {
                self.failed = item;
                return Err(Contradiction);
            }
        }
        if is_less {
            let mut slack = Numbers::ZERO;
            for option in members(&state.live) {
                slack.increase(&tables.items[option]);
            }
            let short = slack.subtract(&state.low);
            state.slack = slack;
            self.check(members(&short).next())?;
        }
        Ok(is_less)
    }

    /// See [`Moves::propagate`](crate::engine::search::Moves::propagate).
    #[inline(always)]
    pub(super) fn propagate(
        &mut self,
        tables: &Tables<W, K, B>,
    ) -> Result<Option<(usize, u32)>, Contradiction> {
        loop {
            self.ticks += Self::STEP;
            let State { slack, low, .. } = self.current();
            let open = slack.nonzero();
            let forced = without(&low.nonzero(), &open);
            if !is_empty(&forced) {
                for item in members(&forced) {
                    while let Some(option) = self.first_of(tables, item) {
                        self.choose(tables, option)?;
                    }
                }
            } else if !self.keep_possible_last_options(tables)? {
                let slack = &self.current().slack;
                let open = slack.nonzero();
                let least = members(&slack.smallest(open)).next();
                return Ok(least.map(|item| (item, slack.get(item))));
            }
        }
    }

    /// The first live option of an item.
    #[inline(always)]
    pub(super) fn first_of(&self, tables: &Tables<W, K, B>, item: usize) -> Option<OptionId> {
        let words = self.current().live.iter().zip(tables.options_of(item)).enumerate();
        let mut left = words.map(|(index, (live, of_item))| (index, live & of_item));
        let (index, word) = left.find(|&(_, word)| word != 0)?;
        Some(OptionId((64 * index) as u32 + word.trailing_zeros()))
    }
}
