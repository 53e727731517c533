//! Sparse sets: an item's options in an array, those that are left in front; nothing is linked, and to undo is to
//! write the sizes back.
//!
//! For problems whose items are all covered once, colours and all: Christine Solnon, "Exact Cover: a new data
//! structure based on sparse sets" (after Briggs and Torczon's sparse sets), and Donald Knuth's "dancing cells"
//! (program ssxcc). The search is that of dancing links, see [`links`](crate::links); what is done to an item is
//! drawn in [`sets`].
//!
//! Tricks
//! 1. Sizes stand side by side, small numbers: the item with the fewest options is a minimum of eight at a time,
//!    and a branch is undone by one copy of all of them.
//! 2. An item that comes down to one option is put on a list and covered before anything else is looked at. So no
//!    level is made for it, and an item without options is never looked for: whoever removes its last one knows.
//! 3. What one colour of an item excludes is removed when the first option in that colour is chosen; from then on
//!    the item is covered, and none of its options that are left can clash.
//! 4. A member of a set is a term; the others of its option are found going round, over a spacer (as in dancing links),
//!    and the item that is being covered is never looked at. Twelve bytes a term are read and written in all: it
//!    is memory that this engine waits for.
//! 5. The options of the item that is branched on are copied, and sorted: below they change places. Sorted, they are
//!    tried in the same order whatever was searched before, on any thread.
//!
//! Tried and lost
//! - A member as first term, length and place of the option in one number of 64 bits: no spacers, and a third more
//!   memory: pentominoes 8x8 1.2 times as long.
//! - Not to swap where an option is the last member already: a branch that nobody can foresee, 1.3 times as long.
//!
//! It builds in linear time without a table, so it is where [`auto`](crate::auto) begins; what needs many nodes is
//! faster with option masks.

mod sets;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::engine::{CoverEngine, CoverEntry, Event, Meter, Unsuitable};
use crate::{Assumptions, ExactCover, OptionId};
use sets::{Sets, Table};

/// Its row in the table of engines.
pub(crate) const ENTRY: CoverEntry = CoverEntry {
    name: "sparse",
    about: "sparse sets (Solnon; Knuth's dancing cells): ready at once; many items, forced moves",
    make: |problem, _| Ok(Box::new(Sparse::new(problem)?)),
};

/// An item that was branched on.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// Its options in `branches`: the first, the next to be tried, and behind the last that is to be tried.
    from: usize,
    next: usize,
    end: usize,
    /// How many there were.
    degree: usize,
    /// Options chosen above, and primary items uncovered.
    trail: usize,
    open: usize,
}

impl Level {
    /// The share of it that is tried or given away.
    fn done(&self) -> f64 {
        let left = self.end - self.next;
        (self.degree - left) as f64
    }
}

/// Where the search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// At the root.
    Root,
    /// With the next branch of the last level.
    Branch,
    /// Nothing is left.
    Done,
}

/// A problem in sparse sets, and a search through it.
#[derive(Clone, Debug)]
pub(crate) struct Sparse {
    table: Arc<Table>,
    sets: Sets,
    levels: Vec<Level>,
    /// The options of the levels' items, by a term of each.
    branches: Vec<u32>,
    /// The sizes that the levels began with.
    saved: Vec<i16>,
    /// The options chosen, by a term of each: assumed ones first.
    trail: Vec<u32>,
    forbidden: Vec<OptionId>,
    step: Step,
    solution: Vec<OptionId>,
}

impl Sparse {
    /// The most options that a primary item has.
    pub(crate) fn most_options(&self) -> usize {
        self.table.most_options()
    }

    /// The engine of `problem`.
    ///
    /// # Errors
    /// [`Unsuitable`] if an item has bounds or too many options, or there are too many terms.
    pub(crate) fn new(problem: &ExactCover) -> Result<Sparse, Unsuitable> {
        if !problem.is_simple() {
            return Err(Unsuitable::Bounds);
        }
        let (table, sets) = Table::new(problem)?;
        let primary_count = table.primary_count;
        Ok(Sparse {
            table: Arc::new(table),
            sets,
            levels: Vec::new(),
            branches: Vec::new(),
            saved: Vec::new(),
            trail: Vec::with_capacity(primary_count),
            forbidden: Vec::new(),
            step: Step::Done,
            solution: Vec::with_capacity(primary_count),
        })
    }

    /// Makes the assumptions; `false` if they cannot all be.
    fn assume<const COLOURS: bool>(&mut self, assumptions: &Assumptions) -> bool {
        let Sparse { table, sets, trail, .. } = self;
        if !sets.reset(table) {
            return false;
        }
        let mut view = sets.view(table);
        for &option in &assumptions.forbidden {
            let Some(start) = table.start(option) else { continue };
            if view.is_left(start) && !view.remove(start) {
                return false;
            }
        }
        for &option in &assumptions.chosen {
            let Some(start) = table.start(option) else { return false };
            if view.is_left(start) {
                trail.push(start);
                if !view.choose::<COLOURS>(start) {
                    return false;
                }
            } else if !trail.contains(&start) {
                return false;
            }
        }
        (sets.open, sets.pending) = (view.open, view.pending);
        true
    }

    fn run<const COLOURS: bool>(&mut self, meter: &mut Meter<'_>) -> Event {
        let Sparse { table, sets, levels, branches, saved, trail, step, solution, .. } = self;
        let table = &**table;
        let mut view = sets.view(table);
        let size_count = view.sizes.len();
        let event = loop {
            match *step {
                Step::Root => {
                    if let Some(stop) = meter.node(0) {
                        break Event::Stopped(stop);
                    }
                    *step = Step::Branch;
                }
                Step::Branch => {
                    let depth = levels.len();
                    let Some(level) = levels.last_mut() else {
                        *step = Step::Done;
                        break Event::End;
                    };
                    if level.next == level.end {
                        branches.truncate(level.from);
                        saved.truncate(saved.len() - size_count);
                        levels.pop();
                        continue;
                    }
                    if let Some(stop) = meter.node(depth) {
                        break Event::Stopped(stop);
                    }
                    if level.next > level.from {
                        view.sizes.copy_from_slice(&saved[saved.len() - size_count..]);
                    }
                    let option = branches[level.next];
                    level.next += 1;
                    view.open = level.open;
                    trail.truncate(level.trail);
                    trail.push(option);
                    if !view.choose::<COLOURS>(option) {
                        view.pending = 0;
                        continue;
                    }
                }
                Step::Done => break Event::End,
            }
            if !view.propagate::<COLOURS>(trail) {
                view.pending = 0;
                continue;
            }
            if view.open == 0 {
                solution.clear();
                solution.extend(trail.iter().map(|&term| table.option_of(term)));
                break Event::Solution;
            }
            let from = branches.len();
            view.list(view.fewest(), branches);
            let end = branches.len();
            let (trail, open) = (trail.len(), view.open);
            levels.push(Level { from, next: from, end, degree: end - from, trail, open });
            saved.extend_from_slice(view.sizes);
        };
        meter.updates += view.updates;
        sets.pending = view.pending;
        event
    }
}

impl CoverEngine for Sparse {
    fn start(&mut self, assumptions: &Assumptions) {
        self.levels.clear();
        self.branches.clear();
        self.saved.clear();
        self.trail.clear();
        self.forbidden.clone_from(&assumptions.forbidden);
        let is_possible = match self.table.has_colours() {
            true => self.assume::<true>(assumptions),
            false => self.assume::<false>(assumptions),
        };
        self.step = if is_possible { Step::Root } else { Step::Done };
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        match self.table.has_colours() {
            true => self.run::<true>(meter),
            false => self.run::<false>(meter),
        }
    }

    fn solution(&self) -> &[OptionId] {
        &self.solution
    }

    fn split(&mut self) -> Option<Assumptions> {
        let level = self.levels.iter_mut().find(|level| level.next < level.end)?;
        level.end -= 1;
        let above = self.trail[..level.trail].iter().copied();
        let terms = above.chain([self.branches[level.end]]);
        Some(Assumptions {
            chosen: terms.map(|term| self.table.option_of(term)).collect(),
            forbidden: self.forbidden.clone(),
        })
    }

    fn progress(&self) -> f64 {
        let Some((last, above)) = self.levels.split_last() else {
            return if self.step == Step::Root { 0.0 } else { 1.0 };
        };
        let (mut done, mut weight) = (0.0, 1.0);
        for level in above {
            weight /= level.degree as f64;
            done += weight * (level.done() - 1.0);
        }
        done + weight * last.done() / last.degree as f64
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        let mut fork = self.clone();
        fork.start(&Assumptions::default());
        fork.step = Step::Done;
        Box::new(fork)
    }
}
