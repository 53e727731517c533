//! Sparse sets: every item has an array of its options, those still live in front. Nothing is linked, and undoing means
//! writing the sizes back.
//!
//! For problems whose items are all covered exactly once, with or without colours. Christine Solnon, "Exact Cover: a new
//! data structure based on sparse sets" (after Briggs and Torczon's sparse sets), and Donald Knuth's "dancing cells"
//! (program ssxcc). The search is that of dancing links, see [`links`](crate::engine::links); [`sets`] draws the
//! operations on an item.
//!
//! Tricks
//! 1. Sizes are small numbers, stored side by side: the item with the fewest options is a minimum of eight sizes at a
//!    time, and undoing a branch is one copy of all sizes.
//! 2. An item with a single option left goes to a list and is covered before anything else is examined. So forced
//!    options need no level of the search, and nothing searches for items without options: the code that removes the
//!    last option notices it.
//! 3. When the first option with a colour is chosen, all options that this colour excludes are removed from the item.
//!    From then on the item is covered, and its remaining options cannot clash.
//! 4. A member of a set is a term. The other terms of its option are found by going round the option, over a spacer (as
//!    in dancing links), and the item being covered is never examined. In all, twelve bytes a term are read and
//!    written: this engine waits for memory.
//! 5. The options of the item branched on are copied and sorted, because they change places deeper in the search. Sorted,
//!    they are tried in the same order whatever was searched before, on any thread.
//!
//! Tried and lost
//! - A member as first term, length and place of the option in one 64-bit number: no spacers, but a third more memory.
//!   Pentominoes 8x8 took 1.2 times as long.
//! - Not swapping if an option is the last member already: the branch is unpredictable, 1.3 times as long.
//!
//! A branch saves all sizes, so memory is quadratic in the items if the search is as deep as there are items. A problem
//! that could need more than [`MAX_SAVED_BYTES`], or than is allowed for the search, is refused.
//!
//! The engine is built in linear time without a table, so `auto` starts with it. Problems that need many nodes are faster
//! with option masks.

mod seek;
mod sets;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::engine::{Build, CoverEngine, CoverEntry, Event, Meter, Room, Seeker, Unsuitable};
use crate::{Assumptions, ExactCover, OptionId};
pub(crate) use seek::Seek;
pub(super) use seek::luby;
use sets::{Sets, Table};

/// The engine's row in the table.
pub(crate) const ENTRY: CoverEntry = CoverEntry {
    name: "sparse",
    about: "sparse sets (Solnon; Knuth's dancing cells): ready at once; many items, forced moves",
    make: |problem, build| Ok(Box::new(Sparse::new(problem, build)?)),
};

/// Bytes of sizes that a search may save, per thread. A problem whose search could need more is refused: memory would
/// run out in the middle.
const MAX_SAVED_BYTES: usize = 1 << 31;

/// The branches of one item.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// The item's options in `branches`: the first, the next to try, and the end of those to try.
    from: usize,
    next: usize,
    end: usize,
    /// The number of options when the level started.
    degree: usize,
    /// Options chosen above this level, and primary items not covered there.
    trail: usize,
    open: usize,
}

impl Level {
    /// The number of branches that were tried or split off.
    fn done(&self) -> f64 {
        let left = self.end - self.next;
        (self.degree - left) as f64
    }
}

/// Where the search continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// At the root.
    Root,
    /// With the next branch of the last level.
    Branch,
    /// The search is complete.
    Done,
}

/// A problem in sparse sets, and a search through it.
#[derive(Clone, Debug)]
pub(crate) struct Sparse {
    table: Arc<Table>,
    room: Room,
    sets: Sets,
    levels: Vec<Level>,
    /// The options of the levels' items, each as one of its terms.
    branches: Vec<u32>,
    /// All sizes at the start of each level.
    saved: Vec<i16>,
    /// The chosen options, each as one of its terms: assumed options first.
    trail: Vec<u32>,
    forbidden: Vec<OptionId>,
    step: Step,
    solution: Vec<OptionId>,
}

/// The most levels of a search. A level branches on an item with two options or more, and its option covers some
/// primary items that no other level covers.
pub(crate) fn most_levels(problem: &ExactCover) -> usize {
    let primary_count = problem.primary_count();
    let mut degrees = vec![0_u8; primary_count];
    let mut fewest_items = primary_count;
    for terms in problem.options() {
        let mut items = 0;
        for term in terms {
            if let Some(degree) = degrees.get_mut(term.item as usize) {
                *degree = degree.saturating_add(1);
                items += 1;
            }
        }
        fewest_items = fewest_items.min(items);
    }
    let branching = degrees.iter().filter(|&&degree| degree > 1).count();
    branching.min(primary_count / fewest_items.max(1))
}

impl Sparse {
    /// The largest number of options of a primary item.
    pub(crate) fn most_options(&self) -> usize {
        self.table.most_options()
    }

    /// The number of primary items.
    pub(crate) fn primary_count(&self) -> usize {
        self.table.primary_count
    }

    /// The engine of `problem`.
    ///
    /// # Errors
    /// [`Unsuitable`] if an item has bounds or too many options, there are too many terms, or a search could need too
    /// much memory.
    pub(crate) fn new(problem: &ExactCover, build: Build<'_>) -> Result<Sparse, Unsuitable> {
        if !problem.is_simple() {
            return Err(Unsuitable::Bounds);
        }
        let levels = most_levels(problem);
        let saved_bytes = levels.saturating_mul(size_of::<i16>() * problem.item_count());
        Unsuitable::check_size("bytes of saved sizes", saved_bytes, MAX_SAVED_BYTES)?;
        let [shared, sets] = Table::bytes(problem);
        // A list that grows may take twice what it holds; branches are members of the sets of different items.
        let lists = saved_bytes + levels * size_of::<Level>() + 4 * problem.term_count();
        // The trail and the solution; or what a search with restarts learns, too.
        let own = sets.saturating_add(2 * lists) + 20 * (problem.primary_count() + 16);
        let room = build.reserve(shared, own)?;
        let (table, sets) = Table::new(problem)?;
        let primary_count = table.primary_count;
        Ok(Sparse {
            table: Arc::new(table),
            room,
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
        let Sparse { table, sets, trail, .. } = self;
        let is_possible = match table.has_colours() {
            true => sets.assume::<true>(table, assumptions, trail),
            false => sets.assume::<false>(table, assumptions, trail),
        };
        self.step = if is_possible { Step::Root } else { Step::Done };
    }

    fn seeker(&self) -> Option<Box<dyn Seeker>> {
        Some(Box::new(Seek::new(self)))
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

    fn own_bytes(&self) -> usize {
        self.room.own()
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        let mut fork = self.clone();
        fork.start(&Assumptions::default());
        fork.step = Step::Done;
        Box::new(fork)
    }
}
