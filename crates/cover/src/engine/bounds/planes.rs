//! Multiplicity planes: the numbers of few items, and the moves between states.
//!
//! For every primary item a state holds three numbers, [bit-sliced](super::numbers), and beside them a row of bits:
//! ```text
//! low      how often it must still be covered                  B planes of W words
//! high     how often it may still be covered                   B planes of W words
//! slack    its live options minus `low`: how many of them      K planes of W words
//!          it can lose
//! live     of each option: whether it is neither chosen nor eliminated
//! ```
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

use std::sync::Arc;

use super::Layout;
use super::numbers::{Numbers, both, is_empty, members, without};
use super::stack::Stack;
use super::tables::{Size, State, Tables};
use crate::engine::search::Choices;
use crate::engine::{Build, Contradiction, CoverEngine, Unsuitable};
use crate::{ExactCover, OptionId};
use galop_simd::Portable;

/// The engine of the smallest size that fits.
pub(super) fn make(problem: &ExactCover, build: Build<'_>) -> Result<Box<dyn CoverEngine>, Unsuitable> {
    let size = Size::of(problem)?;
    match SIZES.iter().find(|(room, _)| size.fits(*room)) {
        Some((_, make)) => make(problem, build),
        None => {
            // The largest size: 16 words of items, numbers of 14 bits.
            Unsuitable::check_size("primary items", problem.primary_count(), 64 * 16)?;
            Err(Unsuitable::TooLarge { what: "options", found: problem.option_count(), most: (1 << 14) - 1 })
        }
    }
}

/// Builds an engine of one size.
type Make = fn(&ExactCover, Build<'_>) -> Result<Box<dyn CoverEngine>, Unsuitable>;

/// The sizes compiled, smallest first: words of a set of items, planes of the slack, planes of the bounds. Those that
/// the problems of the benches need are exact.
const SIZES: &[(Size, Make)] = &[
    size::<1, 6, 3>(),
    size::<1, 8, 4>(),
    size::<2, 6, 3>(),
    size::<2, 8, 4>(),
    size::<4, 8, 4>(),
    size::<16, 14, 14>(),
];

const fn size<const W: usize, const K: usize, const B: usize>() -> (Size, Make) {
    (Size { words: W, slack: K, bound: B }, |problem, build| {
        let (options, items) = (problem.option_count(), problem.item_count());
        let row = 8 * options.div_ceil(64).max(1);
        // Rows of items, of options, and of pairs of an item and a colour while the others are made.
        let coloured = if problem.has_colours() { problem.term_count() } else { 0 };
        let shared = row * (items + options + coloured) + 8 * W * (options + 1);
        // Each level chooses another option. A list that grows may take twice what it holds.
        let own = 2 * (options + 2) * (size_of::<State<W, K, B>>() + row + 64);
        let room = build.reserve(shared, own)?;
        Ok(Box::new(Choices::new(Planes::<W, K, B>::new(problem), room)))
    })
}

/// A problem in planes, and the states of a search.
pub(super) struct Planes<const W: usize, const K: usize, const B: usize> {
    tables: Arc<Tables<W, K, B>>,
    pub(super) stack: Stack<State<W, K, B>>,
}

impl<const W: usize, const K: usize, const B: usize> Planes<W, K, B> {
    /// The layout of a problem that fits this size.
    pub(super) fn new(problem: &ExactCover) -> Self {
        Self::of(Arc::new(Tables::new(problem)))
    }

    fn of(tables: Arc<Tables<W, K, B>>) -> Self {
        Planes { stack: Stack::new(&tables.root), tables }
    }
}

impl<const W: usize, const K: usize, const B: usize> Stack<State<W, K, B>> {
    /// Eliminates the live options of `set`, three at a time.
    #[inline(always)]
    fn eliminate(&mut self, tables: &Tables<W, K, B>, set: &[u64]) -> Result<(), Contradiction> {
        let none = tables.option_count();
        let state = self.current_mut();
        let mut slack = state.slack;
        let mut short = [0; W];
        let mut updates: u64 = 0;
        for (index, (live, set)) in state.live.iter_mut().zip(set).enumerate() {
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
        state.slack = slack;
        self.updates += updates;
        self.check(members(&short).next())
    }

    /// Chooses a live option and eliminates all options that it excludes. It is called from several places, and each
    /// size would have a copy there. (With one inlined, where a node begins, queen domination takes 1 % less and the
    /// partridge puzzle of order 5 10 % more.)
    #[inline(never)]
    fn choose(&mut self, tables: &Tables<W, K, B>, option: OptionId) -> Result<(), Contradiction> {
        let items = &tables.items[option.index()];
        self.chosen.push(option.0);
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
        self.eliminate(tables, tables.excluded_by(option.0))?;
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

    #[inline(always)]
    fn propagate(&mut self, tables: &Tables<W, K, B>) -> Result<Option<(usize, u32)>, Contradiction> {
        loop {
            let State { slack, low, .. } = self.current();
            let open = slack.nonzero();
            let forced = without(&low.nonzero(), &open);
            if !is_empty(&forced) {
                for item in members(&forced) {
                    while let Some(option) = self.first_of(tables, item) {
                        self.choose(tables, OptionId(option))?;
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

    #[inline(always)]
    fn first_of(&self, tables: &Tables<W, K, B>, item: usize) -> Option<u32> {
        let words = self.current().live.iter().zip(tables.options_of(item)).enumerate();
        let mut left = words.map(|(index, (live, of_item))| (index, live & of_item));
        let (index, word) = left.find(|&(_, word)| word != 0)?;
        Some((64 * index) as u32 + word.trailing_zeros())
    }
}

impl<const W: usize, const K: usize, const B: usize> Layout for Planes<W, K, B> {
    type Isa = Portable;
    type State = State<W, K, B>;

    fn fork(&self) -> Self {
        Self::of(Arc::clone(&self.tables))
    }

    #[inline(always)]
    fn option_of(&self, number: u32) -> OptionId {
        OptionId(number)
    }

    fn number_of(&self, option: OptionId) -> Option<u32> {
        Some(option.0)
    }

    fn reset(&mut self) -> Result<(), Contradiction> {
        self.stack.reset(&self.tables.root, self.tables.is_contradictory)
    }

    #[inline(always)]
    fn stack(&self) -> &Stack<State<W, K, B>> {
        &self.stack
    }

    #[inline(always)]
    fn stack_mut(&mut self) -> &mut Stack<State<W, K, B>> {
        &mut self.stack
    }

    #[inline(always)]
    fn choose(&mut self, option: u32) -> Result<(), Contradiction> {
        self.stack.choose(&self.tables, OptionId(option))
    }

    #[inline(always)]
    fn forbid(&mut self, option: u32) -> Result<(), Contradiction> {
        self.stack.updates += 1;
        let State { slack, live, .. } = self.stack.current_mut();
        live[option as usize / 64] &= !(1 << (option % 64));
        let short = slack.decrease(&self.tables.items[option as usize]);
        self.stack.check(members(&short).next())
    }

    #[inline(always)]
    fn propagate(&mut self) -> Result<Option<(usize, u32)>, Contradiction> {
        self.stack.propagate(&self.tables)
    }

    #[inline(always)]
    fn first_of(&self, item: usize) -> Option<u32> {
        self.stack.first_of(&self.tables, item)
    }

    fn for_each_option(&self, item: usize, mut visit: impl FnMut(u32)) {
        for (index, (live, of_item)) in
            self.stack.current().live.iter().zip(self.tables.options_of(item)).enumerate()
        {
            members(&[live & of_item]).for_each(|bit| visit((64 * index + bit) as u32));
        }
    }

    fn item_count(&self) -> usize {
        64 * W
    }

    fn for_each_least(&self, visit: impl FnMut(usize)) {
        let slack = &self.stack.current().slack;
        members(&slack.smallest(slack.nonzero())).for_each(visit);
    }

    fn slack_of(&self, item: usize) -> Option<u32> {
        Some(self.stack.current().slack.get(item)).filter(|&slack| slack > 0)
    }

    /// If all live options cover an item that can be covered once more, and all cover each item that must be covered
    /// once more.
    #[inline(always)]
    fn last_choices(&self, item: usize, slack: u32) -> u64 {
        let State { low, high, live, .. } = self.stack.current();
        if live.iter().zip(self.tables.options_of(item)).any(|(live, of_item)| live & !of_item != 0) {
            return 0;
        }
        // No open item has a smaller slack. So all live options cover each item that must be covered once more.
        let needed = low.nonzero();
        let is_needed = needed[item / 64] >> (item % 64) & 1 == 1;
        let is_last = low.ones() == needed && !is_empty(&both(&needed, &high.ones()));
        if is_needed && is_last { u64::from(slack) + 1 } else { 0 }
    }

    fn weigh(&self, option: u32) -> u64 {
        let items = &self.tables.items[option as usize];
        let size: f64 = items.iter().map(|word| f64::from(word.count_ones())).sum();
        let low = &self.stack.current().low;
        let bounded = without(items, &self.tables.once);
        let needs = members(&bounded).map(|item| f64::from(low.get(item).max(1)));
        (16.0 * needs.fold(size * size.sqrt(), |weight, need| weight * need * need)) as u64
    }
}
