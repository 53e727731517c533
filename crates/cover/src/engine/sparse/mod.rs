//! Sparse sets: every item has an array of its options, those still live in front. Nothing is linked, and undoing means
//! writing the sizes back.
//!
//! For problems whose items are all covered exactly once, with or without colours. Christine Solnon, "Exact Cover: a
//! new data structure based on sparse sets" (after Briggs and Torczon's sparse sets), and Donald Knuth's "dancing
//! cells" (program ssxcc). It searches as dancing links do, see [`links`](crate::engine::links); [`sets`] draws the
//! operations on an item.
//!
//! Tricks
//! 1. Sizes are small numbers, stored side by side: the item with the fewest options is a minimum of eight sizes at a
//!    time, and undoing a branch is one copy of all sizes. Where that would take much memory, or an item has more
//!    options than 16 bits can count, sizes are large and come back by a journal; [`sizes`] compares the two.
//! 2. An item with a single option left goes to a list and is covered before anything else is examined. So forced
//!    options need no level of the search, and nothing searches for items without options: the code that removes the
//!    last option notices it.
//! 3. When the first option with a colour is chosen, all options that this colour excludes are removed from the item.
//!    From then on the item is covered, and its remaining options cannot clash.
//! 4. A member of a set is a term. The other terms of its option are found by going round the option, over a spacer (as
//!    in dancing links), and the item being covered is never examined. In all, twelve bytes a term are read and
//!    written: this engine waits for memory.
//! 5. The options of the item branched on are copied and sorted, because they change places deeper in the search.
//!    Sorted, they are tried in the same order whatever was searched before, on any thread.
//!
//! Tried and lost
//! - A member as first term, length and place of the option in one 64-bit number: no spacers, but a third more memory.
//!   Pentominoes 8x8 took 1.2 times as long.
//! - Not swapping if an option is the last member already: the branch is unpredictable, 1.3 times as long.
//!
//! The engine is built in linear time without a table, so `auto` starts with it. Problems that need many nodes are
//! faster with option masks.

mod branches;
mod seek;
mod sets;
mod sizes;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::engine::search::Restarting;
use crate::engine::{CoverEngine, CoverEntry, Event, Meter, Seeker, Unsuitable};
use crate::{Assumptions, ExactCover, OptionId};
use branches::{Branches, Verdict};
use sets::{Sets, SparseTable, View, Work};
use sizes::Size;

/// The engine's row in the table.
pub(crate) const ENTRY: CoverEntry = CoverEntry {
    name: "sparse",
    about: "sparse sets (Solnon; Knuth's dancing cells): ready at once; many items, forced moves",
    lists: true,
    holds: check,
    make: |problem, _| Ok(Box::new(Sparse::new(problem)?)),
};

/// Whether all items are covered once, and links can number the terms.
fn check(problem: &ExactCover) -> Result<(), Unsuitable> {
    if !problem.is_simple() {
        return Err(Unsuitable::Bounds);
    }
    let count = problem.term_count() + problem.option_count();
    Unsuitable::check_size("terms and options", count, (1 << 30) - 1)
}

/// A problem in sparse sets, and a search through it.
#[derive(Clone, Debug)]
pub(crate) struct Sparse {
    table: Arc<SparseTable>,
    sets: Sets,
    /// The branches are options, each as one of its terms.
    branches: Branches,
    /// The chosen options, each as one of its terms: assumed options first.
    trail: Vec<u32>,
    forbidden: Vec<OptionId>,
    solution: Vec<OptionId>,
}

/// The most levels of a search. A level branches on an item with two options or more, and its option covers some
/// primary items that no other level covers.
fn most_levels(problem: &ExactCover) -> usize {
    let primary_count = problem.primary_count();
    let mut degrees = vec![0_u8; primary_count];
    let mut fewest_items = primary_count;
    for terms in problem.options() {
        let mut items = 0;
        for term in terms {
            if let Some(degree) = degrees.get_mut(term.item.index()) {
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
    /// The engine of `problem`.
    ///
    /// # Errors
    /// [`Unsuitable`] if an item has bounds, or there are too many terms.
    pub(crate) fn new(problem: &ExactCover) -> Result<Sparse, Unsuitable> {
        check(problem)?;
        let degrees = problem.degrees();
        let levels = most_levels(problem);
        let (table, sets) = SparseTable::new(problem, &degrees, levels);
        let primary_count = table.primary_count;
        Ok(Sparse {
            table: Arc::new(table),
            sets,
            branches: Branches::default(),
            trail: Vec::with_capacity(primary_count),
            forbidden: Vec::new(),
            solution: Vec::with_capacity(primary_count),
        })
    }
}

/// The search in order, with the sets in view.
struct SearchJob<'a, 'm> {
    branches: &'a mut Branches,
    trail: &'a mut Vec<u32>,
    meter: &'a mut Meter<'m>,
}

impl Work for SearchJob<'_, '_> {
    type Output = Event;

    #[inline(always)]
    fn run<N: Size, const COLOURS: bool>(self, view: &mut View<'_, N>) -> Event {
        let event = self.branches.run(&mut Walk::<N, COLOURS> { view, trail: self.trail }, self.meter);
        self.meter.ticks += view.ticks;
        event
    }
}

/// The sets, and the options chosen.
struct Walk<'a, 'v, N, const COLOURS: bool> {
    view: &'a mut View<'v, N>,
    trail: &'a mut Vec<u32>,
}

impl<N: Size, const COLOURS: bool> Walk<'_, '_, N, COLOURS> {
    /// Chooses an option, if there is one, and what it forces. Appends the options of the item to branch on to
    /// `options`. `depth` is the number of levels.
    #[inline(always)]
    fn enter(&mut self, option: Option<u32>, depth: usize, options: &mut Vec<u32>) -> Verdict {
        let Walk { view, trail } = self;
        if let Some(option) = option {
            trail.push(option);
            if !view.choose::<COLOURS>(option) {
                view.pending = 0;
                return Verdict::Contradiction;
            }
        }
        if !view.propagate::<COLOURS>(trail) {
            view.pending = 0;
            return Verdict::Contradiction;
        }
        if view.open == 0 {
            return Verdict::Solution;
        }
        let item = view.fewest();
        view.list(item, options);
        view.save(depth);
        Verdict::Open(trail.len())
    }

    /// Goes back to the state in which level `depth` began, with `chosen` options chosen.
    #[inline(always)]
    fn go_back(&mut self, depth: usize, chosen: usize) {
        self.view.restore(depth);
        self.trail.truncate(chosen);
    }
}

impl CoverEngine for Sparse {
    fn start(&mut self, assumptions: &Assumptions) {
        let Sparse { table, sets, branches, trail, forbidden, .. } = self;
        trail.clear();
        forbidden.clone_from(&assumptions.forbidden);
        branches.start(sets.assume(table, assumptions, trail));
    }

    fn seeker(&self) -> Option<Box<dyn Seeker>> {
        Some(Box::new(Restarting::new(self.clone())))
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        let Sparse { table, sets, branches, trail, solution, .. } = self;
        let event = sets.work(table, SearchJob { branches, trail, meter });
        if event == Event::Solution {
            solution.clear();
            solution.extend(trail.iter().map(|&term| table.option_of(term)));
        }
        event
    }

    fn solution(&self) -> &[OptionId] {
        &self.solution
    }

    fn split(&mut self) -> Option<Assumptions> {
        let (chosen, option) = self.branches.split()?;
        let terms = self.trail[..chosen].iter().chain([&option]);
        Some(Assumptions {
            chosen: terms.map(|&term| self.table.option_of(term)).collect(),
            forbidden: self.forbidden.clone(),
        })
    }

    fn progress(&self) -> f64 {
        self.branches.progress()
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        let mut fork = self.clone();
        fork.branches.start(false);
        Box::new(fork)
    }
}
