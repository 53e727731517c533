//! Carry-save adders: items that are covered several times or need not be covered, in problems whose choices exclude
//! hundreds of options: large things packed into boxes.
//!
//! How many options each item can lose, its slack, is stored bit-sliced as in multiplicity [`planes`](super::planes), but of
//! any number of items. The options that a choice excludes are bits of one set; they are counted item by item with
//! carry-save adders, and the counts are subtracted from the slacks at once ([`slacks`]).
//!
//! It branches as planes do, and searches the same tree: the item with the least slack, the first of several; its first
//! live option is chosen, and then forbidden in place.
//!
//! Tricks
//! 1. Options are numbered anew, so that neighbours cover neighbouring items ([`table`]). Their items then lie in the same
//!    512 bits, a [window](windows), and one vector holds them: the cost of a choice does not depend on the number of items.
//! 2. All items without slack are found at once. Their options are chosen together, and what they exclude is subtracted
//!    together.
//! 3. The options of an item that its quota has just filled are eliminated last, unless there is a contradiction already.
//!    They were a fifth of the time.
//! 4. What an option excludes is [remembered](excluded) when it is first chosen: an eighth of the time.
//! 5. If some solutions are wanted in any order, it [seeks](seek) them with restarts.
//!
//! On the partridge puzzle of order 8 (1,304 items) a node excludes 560 options and takes 2.3 microseconds; sparse sets with
//! bounds, [`quotas`](super::quotas), take 22. Where a node excludes 30 options, quotas take two thirds of the time.
//!
//! Tried and lost, in microseconds for a node of that puzzle
//! - Slacks as 16-bit numbers side by side, an option as pieces of eight neighbouring items, each subtracted by one vector
//!   instruction: 7.
//! - Rows of bits of all items in place of windows: 7. They wait for memory.
//! - Items without slack settled one after the other: 3.6. Rows found by their numbers, in lists: 3.5. (Before tricks 3
//!   and 4; it was 2.9 then.)

mod excluded;
mod seek;
mod slacks;
mod state;
mod table;
#[cfg(test)]
mod tests;
mod windows;

use std::sync::Arc;

use crate::engine::{Build, Contradiction, CoverEngine, CoverEntry, Event, Meter, Seeker, Unsuitable};
use crate::{Assumptions, ExactCover, OptionId};
use seek::Seek;
use state::{Pending, Position, State};
use table::Table;

/// The engine's row in the table.
pub(crate) const ENTRY: CoverEntry = CoverEntry {
    name: "adders",
    about: "carry-save adders: bounds of any number of items; choices that exclude hundreds of options",
    make: |problem, build| Ok(Box::new(Adders::new(problem, build)?)),
};

/// Options that a choice excludes, on average, above which the engine is faster than others.
const MANY_EXCLUDED: usize = 256;

/// Whether the engine is faster than others for `problem`, which has bounds.
pub(crate) fn is_fastest(problem: &ExactCover) -> bool {
    table::excluded(problem) > MANY_EXCLUDED * problem.option_count()
}

/// Where the search continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// At a new state, a node: the option of the last level is not chosen yet.
    Enter,
    /// At a state to propagate and to branch on.
    Examine,
    /// At the last choice, to backtrack.
    Leave,
    /// The search is complete.
    Done,
}

/// A choice: its option is chosen on the next level and then forbidden on this one.
#[derive(Clone, Copy, Debug)]
struct Level {
    option: u32,
    /// Options chosen, and options forbidden, before this choice.
    chosen: usize,
    forbidden: usize,
    /// The share of the search in which the option is forbidden; `None` if that branch was split off.
    rest: Option<f64>,
}

/// A problem in bit-sliced numbers, and a search through it.
pub(crate) struct Adders {
    table: Arc<Table>,
    state: State,
    levels: Vec<Level>,
    /// The state of each level before its choice.
    saved: Vec<State>,
    /// The chosen options, by their places in the order of the search: assumed options first.
    chosen: Vec<u32>,
    forbidden: Vec<OptionId>,
    /// Empty between two steps.
    pending: Pending,
    step: Step,
    /// The share of the search below the current state, and the share that is done.
    weight: f64,
    done: f64,
    solution: Vec<OptionId>,
}

impl Adders {
    /// The engine of `problem`.
    ///
    /// # Errors
    /// [`Unsuitable`] if the table would be too large.
    pub(crate) fn new(problem: &ExactCover, build: Build<'_>) -> Result<Adders, Unsuitable> {
        Ok(Adders::of(Arc::new(Table::new(problem, build)?)))
    }

    fn of(table: Arc<Table>) -> Adders {
        let pending = Pending::new(table.order.len());
        Adders {
            state: table.root.clone(),
            table,
            levels: Vec::new(),
            saved: Vec::new(),
            chosen: Vec::new(),
            forbidden: Vec::new(),
            pending,
            step: Step::Done,
            weight: 1.0,
            done: 0.0,
            solution: Vec::new(),
        }
    }

    /// A search with restarts, which shares the table.
    pub(crate) fn seeker(&self) -> Box<dyn Seeker> {
        Box::new(Seek::new(Arc::clone(&self.table)))
    }

    /// Another engine of the same problem, with no search under way.
    pub(crate) fn forked(&self) -> Adders {
        Adders::of(Arc::clone(&self.table))
    }

    /// Applies the assumptions.
    fn assume(&mut self, assumptions: &Assumptions) -> Result<(), Contradiction> {
        let Adders { table, state, chosen, forbidden, pending, .. } = self;
        forbidden.extend_from_slice(&assumptions.forbidden);
        Position { table, state, chosen, pending, updates: 0 }.assume(assumptions)
    }

    fn run(&mut self, meter: &mut Meter<'_>) -> Event {
        let Adders { table, state, levels, saved, chosen, forbidden, pending, step, weight, done, solution } =
            self;
        let mut position = Position { table, state, chosen, pending, updates: 0 };
        let event = loop {
            match *step {
                Step::Enter => {
                    if let Some(stop) = meter.node(levels.len()) {
                        break Event::Stopped(stop);
                    }
                    *step = Step::Examine;
                    if let Some(level) = levels.last() {
                        position.choose(level.option);
                    }
                }
                Step::Examine => {
                    *step = Step::Leave;
                    let Ok(item) = position.propagate() else { continue };
                    let Some((item, slack)) = item else {
                        position.write_solution(solution);
                        break Event::Solution;
                    };
                    let branches = f64::from(slack) + 1.0;
                    let Some(option) = position.first_of(item) else { continue };
                    let depth = levels.len();
                    if saved.len() == depth {
                        saved.push(position.state.clone());
                    } else {
                        saved[depth].copy_from(position.state);
                    }
                    let first = *weight / branches;
                    let rest = Some(*weight - first);
                    *weight = first;
                    let (chosen, forbidden) = (position.chosen.len(), forbidden.len());
                    levels.push(Level { option, chosen, forbidden, rest });
                    *step = Step::Enter;
                }
                Step::Leave => {
                    *done += *weight;
                    *weight = 0.0;
                    let Some(level) = levels.pop() else {
                        *step = Step::Done;
                        continue;
                    };
                    position.chosen.truncate(level.chosen);
                    forbidden.truncate(level.forbidden);
                    let Some(rest) = level.rest else { continue };
                    *weight = rest;
                    forbidden.push(table.order[level.option as usize]);
                    position.state.copy_from(&saved[levels.len()]);
                    position.eliminate(level.option);
                    *step = Step::Examine;
                }
                Step::Done => break Event::End,
            }
        };
        meter.updates += position.updates;
        event
    }
}

impl CoverEngine for Adders {
    fn start(&mut self, assumptions: &Assumptions) {
        self.levels.clear();
        self.chosen.clear();
        self.forbidden.clear();
        (self.weight, self.done) = (1.0, 0.0);
        self.step = if self.assume(assumptions).is_ok() { Step::Enter } else { Step::Done };
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        self.run(meter)
    }

    fn solution(&self) -> &[OptionId] {
        &self.solution
    }

    fn split(&mut self) -> Option<Assumptions> {
        let shallowest = self.levels.iter_mut().find(|level| level.rest.is_some())?;
        self.done += shallowest.rest.take().unwrap_or(0.0);
        let mut forbidden = self.forbidden[..shallowest.forbidden].to_vec();
        let order = &self.table.order;
        forbidden.push(order[shallowest.option as usize]);
        let chosen = self.chosen[..shallowest.chosen].iter().map(|&place| order[place as usize]).collect();
        Some(Assumptions { chosen, forbidden })
    }

    fn progress(&self) -> f64 {
        if self.step == Step::Done { 1.0 } else { self.done.min(1.0) }
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(self.forked())
    }
}
