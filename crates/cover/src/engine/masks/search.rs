//! The search: a stack of levels, each a state and the branches of one item that are untried.
//!
//! ```text
//! levels   0: one branch, the root | 1: item, untried options | 2: .. | ..      open of them
//! states   0: what is assumed      | 1                        | 2     | ..      one level, one state; one to spare
//! trail    - | assumed .. | forced at the root | branch of 1, forced by it | .. the options chosen so far
//! ```
//! A branch is tried in the state above its own level. Nothing has to be undone, and nothing is on the machine's stack,
//! so the search can stop between any two nodes, give branches away, and go on. Level 0 has a single branch: the option
//! that was assumed last, or, if nothing is assumed, the row that changes nothing. That row goes to place 0 of the
//! trail, which is not part of a solution.
//!
//! A [`Node`] does the work of a node: it chooses one option and all that is forced by it, and finds the item with
//! the fewest options left.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;

use galop_simd::{Kernel, Lanes, Simd, Vector};

use super::table::{Rows, Table, clear, is_set, word, word_mut};
use crate::engine::{CoverEngine, Event, Meter};
use crate::problem::has_option;
use crate::{Assumptions, OptionId};

/// The work of a node.
pub(super) trait Node: Clone + Debug + Send + 'static {
    /// The vectors of a state.
    type V: Lanes;

    /// Vectors of a state.
    fn vectors(&self) -> usize;

    /// Chooses `option` in `parent`, then all options that are forced. Writes the state after that to `child`, and
    /// the forced options to `trail`.
    fn descend(
        &mut self,
        rows: Rows<'_, Self::V>,
        parent: &[Self::V],
        option: OptionId,
        child: &mut [Self::V],
        trail: &mut Trail<'_>,
    ) -> Outcome;
}

/// How a node ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// An item has no option left.
    Contradiction,
    /// Every item is covered.
    Solved,
    /// This item has the fewest options.
    Open(Branches),
}

/// The untried options of one item: in a word of its state, and in words after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Branches {
    /// Untried options of the word; bit 0 is the one at `place`.
    pub(super) untried: u64,
    /// The lowest place of the item in its word.
    pub(super) place: u32,
    /// Words of the item after that one, each a vector further on.
    pub(super) words_after: u32,
    /// Options that the item had when the level was made.
    pub(super) degree: u32,
}

/// The options chosen so far, from place 1 on. Each covers an item of its own, so there is room for them.
pub(super) struct Trail<'a> {
    options: &'a mut [OptionId],
    pub(super) len: usize,
}

impl Trail<'_> {
    /// Adds an option.
    #[inline(always)]
    pub(super) fn push(&mut self, option: OptionId) {
        if let Some(place) = self.options.get_mut(self.len) {
            *place = option;
        }
        self.len += 1;
    }
}

/// A level of the stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Level {
    branches: Branches,
    /// Length of the trail above it, with place 0.
    trail: usize,
}

impl Level {
    /// The number of untried options. `state` is the state of the level.
    fn untried<V: Vector>(&self, state: &[V]) -> u32 {
        let Branches { untried, place, words_after, .. } = self.branches;
        let words = (1..=words_after).map(|after| word(state, place + after * 64 * V::WORDS as u32));
        untried.count_ones() + words.map(u64::count_ones).sum::<u32>()
    }

    /// Removes the last untried option, and returns its place.
    fn take_last<V: Vector>(&mut self, state: &mut [V]) -> Option<u32> {
        let Branches { place, words_after, .. } = self.branches;
        for after in (1..=words_after).rev() {
            let place = place + after * 64 * V::WORDS as u32;
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

/// An engine: a node, the instruction set that it is compiled for, and the stack that it works on. Only the loop is
/// compiled for every [`Node`], nearly all else once for each type of vector.
#[derive(Debug)]
struct Search<S, N: Node> {
    stack: Stack<N::V>,
    node: N,
    compiled_for: PhantomData<S>,
}

/// The engine of a table: its loop does the work of `node`, and is compiled for `S`.
pub(super) fn engine<S: Simd, N: Node>(
    node: N,
    table: Table<N::V>,
    items: usize,
    row_ticks: u64,
) -> Box<dyn CoverEngine> {
    let stack = Stack::new(Arc::new(table), node.vectors(), items, row_ticks);
    Box::new(Search::<S, N>::new(stack, node))
}

/// The table and the stack.
#[derive(Debug)]
struct Stack<V> {
    table: Arc<Table<V>>,
    /// Vectors of a state.
    vectors: usize,
    states: Vec<V>,
    levels: Vec<Level>,
    trail: Vec<OptionId>,
    /// Levels in use, and length of the trail of the last solution.
    open: usize,
    chosen: usize,
    forbidden: Vec<OptionId>,
    /// Ticks of an option that is chosen: lines of its row, of the parent's state and of the child's.
    row_ticks: u64,
}

impl<V: Vector> Stack<V> {
    fn new(table: Arc<Table<V>>, vectors: usize, items: usize, row_ticks: u64) -> Self {
        Stack {
            row_ticks,
            states: table.root.repeat(2),
            table,
            vectors,
            levels: vec![Level::default()],
            trail: vec![OptionId(0); items + 1],
            open: 0,
            chosen: 1,
            forbidden: Vec::new(),
        }
    }

    /// Room for one more level, the deepest so far.
    #[cold]
    fn deepen(&mut self, level: Level) {
        self.levels.push(level);
        self.states.resize(self.states.len() + self.vectors, V::ZERO);
    }

    /// Makes state 0 and level 0 from the assumptions; false if they contradict each other.
    #[inline(always)]
    fn assume(&mut self, assumptions: &Assumptions) -> bool {
        let table = &*self.table;
        let state = &mut self.states[..table.root.len()];
        state.copy_from_slice(&table.root);
        for &option in &assumptions.forbidden {
            table.places(option.0).iter().for_each(|&place| clear(state, place));
        }
        let (mut place, mut chosen) = (table.nothing_place(), 1);
        for &option in &assumptions.chosen {
            if has_option(&self.trail[1..chosen], option) {
                continue;
            }
            if chosen > 1 {
                let row = table.rows().row(self.trail[chosen - 1].0);
                for (block, row) in state.iter_mut().zip(row) {
                    *block &= *row;
                }
            }
            let Some(&first) = table.places(option.0).first() else { return false };
            if !is_set(state, first) {
                return false;
            }
            self.trail[chosen] = option;
            chosen += 1;
            place = first;
        }
        let branches = Branches { untried: 1, place, words_after: 0, degree: 1 };
        self.levels[0] = Level { branches, trail: chosen - 1 };
        true
    }

    /// The state of a level.
    fn state(&self, level: usize) -> &[V] {
        &self.states[level * self.vectors..(level + 1) * self.vectors]
    }

    /// See [`CoverEngine::split`].
    fn split(&mut self) -> Option<Assumptions> {
        let vectors = self.vectors;
        for (at, level) in self.levels[..self.open].iter_mut().enumerate().skip(1) {
            if let Some(place) = level.take_last(&mut self.states[at * vectors..(at + 1) * vectors]) {
                let mut chosen = self.trail[1..level.trail].to_vec();
                chosen.push(OptionId(self.table.option_of[place as usize]));
                return Some(Assumptions { chosen, forbidden: self.forbidden.clone() });
            }
        }
        None
    }

    /// See [`CoverEngine::progress`].
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
}

/// See [`Stack::assume`].
struct Assume<'a, V>(&'a mut Stack<V>, &'a Assumptions);

impl<V: Vector> Kernel for Assume<'_, V> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        self.0.assume(self.1)
    }
}

/// The loop: a node, the stack, and the limits.
struct Loop<'a, 'm, N: Node>(&'a mut N, &'a mut Stack<N::V>, &'a mut Meter<'m>);

impl<N: Node> Kernel for Loop<'_, '_, N> {
    type Output = Event;

    /// Searches on, and makes room for levels that are deeper than any before.
    #[inline(always)]
    fn run(mut self) -> Event {
        loop {
            match self.search() {
                Ok(event) => return event,
                Err(level) => self.1.deepen(level),
            }
        }
    }
}

impl<N: Node> Loop<'_, '_, N> {
    /// The loop: tries the next untried option of the deepest level until none is left. The deepest level is kept in
    /// registers. `Err` is a level that has no room yet.
    #[inline(always)]
    fn search(&mut self) -> Result<Event, Level> {
        let Loop(node, stack, meter) = self;
        let (rows, vectors) = (stack.table.rows(), node.vectors());
        let (states, levels) = (&mut stack.states[..], &mut stack.levels[..]);
        let mut trail = Trail { options: &mut stack.trail, len: 0 };
        let Some(mut top) = stack.open.checked_sub(1) else { return Ok(Event::End) };
        let Some(&(mut level)) = levels.get(top) else { return Ok(Event::End) };
        let (mut half_rows, nodes) = (0, meter.nodes);
        let result = loop {
            if level.branches.untried == 0 {
                if level.branches.words_after > 0 {
                    level.branches.words_after -= 1;
                    level.branches.place += 64 * N::V::WORDS as u32;
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
            if let Some(stop) = meter.branch(top, !is_last) {
                break Ok(Event::Stopped(stop));
            }
            let place = level.branches.place + level.branches.untried.trailing_zeros();
            level.branches.untried = others;
            let option = rows.option_of[place as usize];

            trail.len = level.trail;
            trail.push(OptionId(option));
            let (parents, children) = states.split_at_mut((top + 1) * vectors);
            let (parent, child) = (&parents[top * vectors..], &mut children[..vectors]);
            let outcome = node.descend(rows, parent, OptionId(option), child, &mut trail);
            // How many options are forced before a contradiction shows depends on the machine: a half counts.
            let chosen = (trail.len - level.trail) as u64;
            half_rows += if outcome == Outcome::Contradiction { 1 } else { 2 * chosen };
            match outcome {
                Outcome::Contradiction => {}
                Outcome::Solved => {
                    stack.chosen = trail.len;
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
        meter.ticks += 4 * (meter.nodes - nodes) + half_rows * stack.row_ticks / 2;
        stack.open = if result == Ok(Event::End) { 0 } else { top + 1 };
        if result.is_ok() {
            levels[top] = level;
        }
        result
    }
}

impl<S: Simd, N: Node> Search<S, N> {
    /// A search with nothing assumed, not yet begun.
    fn new(stack: Stack<N::V>, node: N) -> Self {
        let mut search = Search { stack, node, compiled_for: PhantomData };
        search.start(&Assumptions::default());
        search
    }
}

impl<S: Simd, N: Node> CoverEngine for Search<S, N> {
    fn start(&mut self, assumptions: &Assumptions) {
        let stack = &mut self.stack;
        stack.forbidden.clone_from(&assumptions.forbidden);
        stack.chosen = 1;
        stack.open = usize::from(S::run(Assume(stack, assumptions)));
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        S::run(Loop(&mut self.node, &mut self.stack, meter))
    }

    fn solution(&self) -> &[OptionId] {
        &self.stack.trail[1..self.stack.chosen]
    }

    fn split(&mut self) -> Option<Assumptions> {
        self.stack.split()
    }

    fn progress(&self) -> f64 {
        self.stack.progress()
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        let Stack { table, vectors, trail, row_ticks, .. } = &self.stack;
        let stack = Stack::new(Arc::clone(table), *vectors, trail.len() - 1, *row_ticks);
        Box::new(Search::<S, N>::new(stack, self.node.clone()))
    }
}
