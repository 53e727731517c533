//! Multiplicity planes: items with bounds, secondary items and colours, without lists and without undoing.
//!
//! How often each item must and may still be covered, and how many options it can lose, are numbers of all items
//! stored bit-sliced ([`numbers`]); an operation works on 64 items at once ([`position`]). A state is a few hundred
//! bytes: a choice copies it, and backtracking drops the copy.
//!
//! Branching. An item that can lose s options (its slack) has s + 1 branches: branch t chooses its t-th option and
//! forbids those before it, so every solution lies in one branch, the one of its first option. The last branch
//! forbids s of them: then the item needs all its other options, which propagation chooses. Or, if the item need not
//! be covered, s is the number of its options, and the last branch chooses none. So two neighbouring branches differ
//! by one forbidden option:
//! ```text
//! level 0   o ────── first forbidden ────── second forbidden ── ..     in place: propagated at once, and the
//!           │ first chosen           │ second chosen                   item selected again
//! level 1   o                        o                                 copies
//! ```
//! 1. The consequences of forbidden options are computed once, not in every later branch; a contradiction skips all
//!    branches that are left.
//! 2. The item is selected again after each branch. Mostly it is the same one, because its slack has just decreased.
//! 3. The rest of a level is one branch, which can be split off ([`CoverEngine::split`]): the options chosen and
//!    forbidden above describe it.
//! 4. The slack is kept up to date. A list of the live options, copied and counted in every state, was used before:
//!    2.2 times slower on mixed dominoes, 4 times on queen domination.
//! 5. Options are eliminated three at a time: a full adder before the borrow. One at a time is 1.8 times slower on
//!    the Soma cube, 1.05 on mixed dominoes, and equal on queens.
//! 6. If an item is in all options and can be covered once more (the last queen), one AND for each item that must be
//!    covered leaves only the options that cover all of them. Without this queen domination is 7 times slower.
//!
//! Problems without bounds are solved too, but not fast: an item covered once does not need three numbers.

mod numbers;
mod position;
mod state;
mod tables;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::engine::{Build, Contradiction, CoverEngine, CoverEntry, Event, Meter, Room, Unsuitable};
use crate::search::{Levels, Step};
use crate::{Assumptions, ExactCover, OptionId};
pub(super) use numbers::members;
use position::Position;
use state::State;
use tables::{Size, Tables};

/// The engine's row in the table.
pub(crate) const ENTRY: CoverEntry = CoverEntry {
    name: "planes",
    about: "multiplicity planes: bounds of all items bit-sliced; up to 1,024 primary items, 16,384 options",
    make,
};

/// The engine of the smallest size that fits.
fn make(problem: &ExactCover, build: Build<'_>) -> Result<Box<dyn CoverEngine>, Unsuitable> {
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
    size::<8, 6, 3>(),
    size::<16, 14, 14>(),
];

const fn size<const W: usize, const K: usize, const B: usize>() -> (Size, Make) {
    (Size { words: W, slack: K, bound: B }, |problem, build| {
        Ok(Box::new(Planes::<W, K, B>::new(problem, build)?))
    })
}

/// A problem in planes, and a search through it.
#[derive(Debug)]
struct Planes<const W: usize, const K: usize, const B: usize> {
    tables: Arc<Tables<W, K, B>>,
    room: Room,
    /// States by level; the current state is that of the last level in use.
    states: Vec<State<W, K, B>>,
    /// The live options of each state, a row of bits each.
    live: Vec<u64>,
    levels: Levels,
    chosen: Vec<OptionId>,
    updates: u64,
}

impl<const W: usize, const K: usize, const B: usize> Planes<W, K, B> {
    /// The engine of a problem that fits this size.
    fn new(problem: &ExactCover, build: Build<'_>) -> Result<Self, Unsuitable> {
        let (options, items) = (problem.option_count(), problem.item_count());
        let row = 8 * options.div_ceil(64).max(1);
        // Rows of items, of options, and of pairs of an item and a colour while the others are made.
        let coloured = if problem.has_colours() { problem.term_count() } else { 0 };
        let shared = row * (items + options + coloured) + 8 * W * (options + 1);
        // Each level chooses another option. A list that grows may take twice what it holds.
        let own = 2 * (options + 2) * (size_of::<State<W, K, B>>() + row + 64);
        let room = build.reserve(shared, own)?;
        Ok(Self::of(Arc::new(Tables::new(problem)), room))
    }

    fn of(tables: Arc<Tables<W, K, B>>, room: Room) -> Self {
        Planes {
            tables,
            room,
            states: Vec::new(),
            live: Vec::new(),
            levels: Levels::default(),
            chosen: Vec::new(),
            updates: 0,
        }
    }

    /// Searches to the next event.
    fn run(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            match self.levels.step {
                Step::Enter => {
                    if let Some(stop) = meter.node(self.levels.depth()) {
                        return Event::Stopped(stop);
                    }
                    self.levels.step = self.enter();
                }
                Step::Examine => {
                    self.levels.step = Step::Leave;
                    let mut position = self.position();
                    if position.propagate().is_ok() {
                        match position.choose_item() {
                            None => return Event::Solution,
                            Some(item) => self.branch(item),
                        }
                    }
                }
                Step::Leave => self.leave(),
                Step::Done => return Event::End,
            }
        }
    }

    /// The current state.
    #[inline(always)]
    fn position(&mut self) -> Position<'_, W, K, B> {
        let (level, row) = (self.levels.depth(), self.tables.row());
        Position {
            tables: &self.tables,
            state: &mut self.states[level],
            live: &mut self.live[level * row..][..row],
            chosen: &mut self.chosen,
            updates: &mut self.updates,
        }
    }

    /// Chooses the option of the last level, if there is one.
    #[inline(always)]
    fn enter(&mut self) -> Step {
        match self.levels.option() {
            Some(option) if self.position().choose(option).is_err() => Step::Leave,
            _ => Step::Examine,
        }
    }

    /// Starts a level, on which the first live option of `item` will be chosen.
    #[inline(always)]
    fn branch(&mut self, item: usize) {
        let position = self.position();
        let slack = position.state.slack.get(item);
        let Some(option) = position.first_of(item) else { return };
        let (level, row) = (self.levels.depth(), self.tables.row());
        if self.states.len() < level + 2 {
            self.states.push(self.states[level]);
            self.live.resize((level + 2) * row, 0);
        }
        self.states[level + 1] = self.states[level];
        self.live.copy_within(level * row..(level + 1) * row, (level + 1) * row);
        self.levels.push(option, slack, self.chosen.len());
    }

    /// Backtracks to the last level, and forbids its option there. If that branch was split off or contradicts, the
    /// next step backtracks further.
    #[inline(always)]
    fn leave(&mut self) {
        let Some((option, chosen)) = self.levels.pop(|option| option) else { return };
        self.chosen.truncate(chosen);
        if self.position().forbid(option).is_ok() {
            self.levels.step = Step::Examine;
        }
    }

    /// Applies the assumptions, forbidden options first.
    fn assume(&mut self, assumptions: &Assumptions) -> Result<(), Contradiction> {
        for &option in &assumptions.forbidden {
            if self.position().is_live(option) {
                self.levels.forbidden.push(option);
                self.position().forbid(option)?;
            }
        }
        for &option in &assumptions.chosen {
            if self.position().is_live(option) {
                self.position().choose(option)?;
            } else if !self.chosen.contains(&option) {
                return Err(Contradiction);
            }
        }
        Ok(())
    }
}

impl<const W: usize, const K: usize, const B: usize> CoverEngine for Planes<W, K, B> {
    fn start(&mut self, assumptions: &Assumptions) {
        self.levels.start();
        self.chosen.clear();
        self.updates = 0;
        let Some(root) = self.tables.root else { return };
        if self.states.is_empty() {
            self.states.push(root);
            self.live.resize(self.tables.row(), 0);
        }
        self.states[0] = root;
        for (word, live) in self.live[..self.tables.row()].iter_mut().enumerate() {
            let options = self.tables.option_count().saturating_sub(64 * word);
            *live = if options >= 64 { !0 } else { (1 << options) - 1 };
        }
        if self.assume(assumptions).is_ok() {
            self.levels.step = Step::Enter;
        }
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        let event = self.run(meter);
        meter.updates += std::mem::take(&mut self.updates);
        event
    }

    fn solution(&self) -> &[OptionId] {
        &self.chosen
    }

    fn split(&mut self) -> Option<Assumptions> {
        self.levels.split(&self.chosen, |option| option)
    }

    fn progress(&self) -> f64 {
        self.levels.progress()
    }

    fn own_bytes(&self) -> usize {
        self.room.own()
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Self::of(Arc::clone(&self.tables), self.room.clone()))
    }
}
