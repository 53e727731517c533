//! The search: a stack of levels, each a state and the branches of one item that are untried.
//!
//! ```text
//! levels   0: one branch, the root | 1: item, untried options | 2: .. | ..      open of them
//! states   0: what is assumed      | 1                        | 2     | ..      one level, one state; one to spare
//! trail    assumed .. | forced at the root | branch of 1, forced by it | ..     the options chosen so far
//! ```
//! A branch is tried in the state above its own level; there is nothing to undo, and nothing on the machine's
//! stack, so that the search can stop between any two nodes, give branches away, and go on. Level 0 has a single
//! branch: the option that was assumed last, or the row that changes nothing.
//!
//! What a node does is the business of a [`Kernel`]: one option is chosen, all that is forced by it, and the item
//! with the fewest options left comes next.

use std::sync::Arc;

use super::machine::Machine;
use super::table::{Rows, Table, clear, is_set, word, word_mut};
use super::vector::{Block, Vector};
use crate::engine::{CoverEngine, Event, Meter};
use crate::{Assumptions, OptionId};

/// How states are worked on.
pub(super) trait Kernel: Clone + Send + 'static {
    /// The vectors they consist of.
    type V: Vector<Block = Self::Block>;
    /// Those in memory.
    type Block: Block;

    /// How many of them.
    fn vectors(&self) -> usize;

    /// Chooses `option` in `parent` and then whatever is forced: writes the state after that to `child` and the
    /// forced options to `trail`.
    fn descend(
        &mut self,
        rows: Rows<'_, Self::Block>,
        parent: &[Self::Block],
        option: OptionId,
        child: &mut [Self::Block],
        trail: &mut Trail<'_>,
    ) -> Outcome;
}

/// How a node ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// An item has no option left.
    Dead,
    /// Every item is covered.
    Solved,
    /// This item has the fewest options.
    Open(Branches),
}

/// Options of one item: in a word of its state, and in words that follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Branches {
    /// Options untried, bit 0 for the one at `place`.
    pub(super) untried: u64,
    /// The lowest place of the item in its word.
    pub(super) place: u32,
    /// Words of the item that come after that one, each a vector further on.
    pub(super) words_after: u32,
    /// How many options there were.
    pub(super) degree: u32,
}

/// The options chosen so far. Each covers an item of its own, so there is room for them.
pub(super) struct Trail<'a> {
    options: &'a mut [OptionId],
    pub(super) len: usize,
}

impl Trail<'_> {
    /// One more.
    #[inline(always)]
    pub(super) fn push(&mut self, option: OptionId) {
        if let Some(place) = self.options.get_mut(self.len) {
            *place = option;
        }
        self.len = self.len.wrapping_add(1);
    }
}

/// A level of the stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Level {
    branches: Branches,
    /// Options chosen above it; one less than none where the row that changes nothing is to leave no trace.
    trail: usize,
}

impl Level {
    /// Untried options; `state` is that of the level.
    fn untried<B: Block>(&self, state: &[B]) -> u32 {
        let Branches { untried, place, words_after, .. } = self.branches;
        let words = (1..=words_after).map(|after| word(state, place + after * 64 * B::WORDS as u32));
        untried.count_ones() + words.map(u64::count_ones).sum::<u32>()
    }

    /// Takes the last untried option away: its place.
    fn take_last<B: Block>(&mut self, state: &mut [B]) -> Option<u32> {
        let Branches { place, words_after, .. } = self.branches;
        for after in (1..=words_after).rev() {
            let place = place + after * 64 * B::WORDS as u32;
            let word = word_mut(state, place);
            if let Some(bit) = word.checked_ilog2() {
                *word ^= 1 << bit;
                return Some(place + bit);
            }
        }
        let bit = self.branches.untried.checked_ilog2()?;
        self.branches.untried ^= 1 << bit;
        Some(place + bit)
    }
}

/// An engine: a kernel and its stack.
#[derive(Debug)]
pub(super) struct Search<M, K: Kernel> {
    machine: M,
    kernel: K,
    table: Arc<Table<K::Block>>,
    states: Vec<K::Block>,
    levels: Vec<Level>,
    trail: Vec<OptionId>,
    /// How many levels are in use, and options on the trail.
    open: usize,
    chosen: usize,
    forbidden: Vec<OptionId>,
}

impl<M: Machine<V = K::V>, K: Kernel> Search<M, K> {
    /// A search with nothing assumed, not yet begun.
    pub(super) fn new(machine: M, kernel: K, table: Arc<Table<K::Block>>, items: usize) -> Self {
        let mut search = Search {
            machine,
            kernel,
            states: table.root.repeat(2),
            table,
            levels: vec![Level::default()],
            trail: vec![0; items],
            open: 0,
            chosen: 0,
            forbidden: Vec::new(),
        };
        search.start(&Assumptions::default());
        search
    }

    /// Searches on, and makes room where it is deeper than ever before.
    #[inline(always)]
    pub(super) fn run(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            match self.run_within(meter) {
                Ok(event) => return event,
                Err(level) => self.deepen(level),
            }
        }
    }

    /// The loop: the next untried option of the deepest level, until there is none. The deepest level itself is
    /// kept aside, in registers. `Err` is the level that has no place yet.
    #[inline(always)]
    fn run_within(&mut self, meter: &mut Meter<'_>) -> Result<Event, Level> {
        let Search { kernel, table, states, levels, trail, .. } = self;
        let (rows, vectors) = (table.rows(), kernel.vectors());
        let (states, levels) = (&mut states[..], &mut levels[..]);
        let mut trail = Trail { options: trail, len: 0 };
        let Some(mut top) = self.open.checked_sub(1) else { return Ok(Event::End) };
        let Some(&(mut level)) = levels.get(top) else { return Ok(Event::End) };
        let mut updates = 0;
        let result = loop {
            if level.branches.untried == 0 {
                if level.branches.words_after > 0 {
                    level.branches.words_after -= 1;
                    level.branches.place += 64 * K::Block::WORDS as u32;
                    level.branches.untried = word(&states[top * vectors..], level.branches.place);
                    continue;
                }
                if top == 0 {
                    break Ok(Event::End);
                }
                top -= 1;
                level = levels[top];
                continue;
            }
            let others = level.branches.untried & (level.branches.untried - 1);
            let is_last = others == 0 && level.branches.words_after == 0;
            if !is_last && let Some(stop) = meter.guess() {
                break Ok(Event::Stopped(stop));
            }
            if let Some(stop) = meter.node(top) {
                break Ok(Event::Stopped(stop));
            }
            let place = level.branches.place + level.branches.untried.trailing_zeros();
            level.branches.untried = others;
            let option = rows.option_of[place as usize];

            trail.len = level.trail;
            trail.push(option);
            let (parents, children) = states.split_at_mut((top + 1) * vectors);
            let (parent, child) = (&parents[top * vectors..], &mut children[..vectors]);
            let outcome = kernel.descend(rows, parent, option, child, &mut trail);
            updates += trail.len.wrapping_sub(level.trail) as u64;
            match outcome {
                Outcome::Dead => {}
                Outcome::Solved => {
                    self.chosen = trail.len;
                    break Ok(Event::Solution);
                }
                Outcome::Open(branches) => {
                    levels[top] = level;
                    level = Level { branches, trail: trail.len };
                    top += 1;
                    if top == levels.len() {
                        break Err(level);
                    }
                }
            }
        };
        meter.updates += updates;
        self.open = if result == Ok(Event::End) { 0 } else { top + 1 };
        if result.is_ok() {
            levels[top] = level;
        }
        result
    }

    /// Room for one more level, the deepest so far.
    #[cold]
    fn deepen(&mut self, level: Level) {
        self.levels.push(level);
        self.states.resize(self.states.len() + self.kernel.vectors(), K::Block::ZERO);
    }

    /// Makes state 0 and level 0 out of what is assumed: false if it cannot all be.
    #[inline(always)]
    pub(super) fn assume(&mut self, assumptions: &Assumptions) -> bool {
        let table = &*self.table;
        let state = &mut self.states[..table.root.len()];
        state.copy_from_slice(&table.root);
        for &option in &assumptions.forbidden {
            table.places(option).iter().for_each(|&place| clear(state, place));
        }
        let (mut place, mut chosen) = (table.nothing_place(), 0);
        for &option in &assumptions.chosen {
            if self.trail[..chosen].contains(&option) {
                continue;
            }
            if chosen > 0 {
                let row = table.rows().row(self.trail[chosen - 1]);
                for (block, row) in state.iter_mut().zip(row) {
                    K::V::load(block).and(K::V::load(row)).store(block);
                }
            }
            let Some(&first) = table.places(option).first() else { return false };
            if !is_set(state, first) {
                return false;
            }
            self.trail[chosen] = option;
            chosen += 1;
            place = first;
        }
        let branches = Branches { untried: 1, place, words_after: 0, degree: 1 };
        self.levels[0] = Level { branches, trail: chosen.wrapping_sub(1) };
        true
    }

    /// The state of a level.
    fn state(&self, level: usize) -> &[K::Block] {
        let vectors = self.kernel.vectors();
        &self.states[level * vectors..(level + 1) * vectors]
    }
}

impl<M: Machine<V = K::V>, K: Kernel> CoverEngine for Search<M, K> {
    fn start(&mut self, assumptions: &Assumptions) {
        self.forbidden.clone_from(&assumptions.forbidden);
        self.chosen = 0;
        self.open = usize::from(self.machine.assume(self, assumptions));
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        self.machine.run(self, meter)
    }

    fn solution(&self) -> &[OptionId] {
        &self.trail[..self.chosen]
    }

    fn split(&mut self) -> Option<Assumptions> {
        let vectors = self.kernel.vectors();
        for (at, level) in self.levels[..self.open].iter_mut().enumerate().skip(1) {
            if let Some(place) = level.take_last(&mut self.states[at * vectors..(at + 1) * vectors]) {
                let mut chosen = self.trail[..level.trail].to_vec();
                chosen.push(self.table.option_of[place as usize]);
                return Some(Assumptions { chosen, forbidden: self.forbidden.clone() });
            }
        }
        None
    }

    fn progress(&self) -> f64 {
        if self.levels[0].branches.untried != 0 && self.open == 1 {
            return 0.0;
        }
        let Some(deepest) = self.open.checked_sub(1).filter(|&deepest| deepest > 0) else { return 1.0 };
        let (mut done, mut weight) = (0.0, 1.0);
        for at in 1..=deepest {
            let level = &self.levels[at];
            weight /= f64::from(level.branches.degree);
            let tried = level.branches.degree - level.untried(self.state(at));
            done += weight * f64::from(tried - u32::from(at < deepest));
        }
        done
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Search::new(self.machine, self.kernel.clone(), Arc::clone(&self.table), self.trail.len()))
    }
}
