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

use crate::engine::{Build, Contradiction, CoverEngine, CoverEntry, Event, Meter, Room, Seeker, Unsuitable};
use crate::search::{Levels, Step};
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

/// A problem in bit-sliced numbers, and a search through it.
pub(crate) struct Adders {
    table: Arc<Table>,
    room: Room,
    state: State,
    levels: Levels,
    /// The state of each level before its choice.
    saved: Vec<State>,
    /// The chosen options, by their places in the order of the search: assumed options first.
    chosen: Vec<u32>,
    /// Empty between two steps.
    pending: Pending,
    solution: Vec<OptionId>,
}

impl Adders {
    /// The engine of `problem`.
    ///
    /// # Errors
    /// [`Unsuitable`] if the table would be too large.
    pub(crate) fn new(problem: &ExactCover, build: Build<'_>) -> Result<Adders, Unsuitable> {
        let (table, room) = Table::new(problem, build)?;
        Ok(Adders::of(Arc::new(table), room))
    }

    fn of(table: Arc<Table>, room: Room) -> Adders {
        let pending = Pending::new(table.order.len());
        Adders {
            state: table.root.clone(),
            table,
            room,
            levels: Levels::default(),
            saved: Vec::new(),
            chosen: Vec::new(),
            pending,
            solution: Vec::new(),
        }
    }

    /// Another engine of the same problem, with no search under way.
    pub(crate) fn forked(&self) -> Adders {
        Adders::of(Arc::clone(&self.table), self.room.clone())
    }

    /// Applies the assumptions.
    fn assume(&mut self, assumptions: &Assumptions) -> Result<(), Contradiction> {
        let Adders { table, state, levels, chosen, pending, .. } = self;
        levels.forbidden.extend_from_slice(&assumptions.forbidden);
        Position { table, state, chosen, pending, updates: 0 }.assume(assumptions)
    }

    fn run(&mut self, meter: &mut Meter<'_>) -> Event {
        let Adders { table, state, levels, saved, chosen, pending, solution, .. } = self;
        let mut position = Position { table, state, chosen, pending, updates: 0 };
        let event = loop {
            match levels.step {
                Step::Enter => {
                    if let Some(stop) = meter.node(levels.depth()) {
                        break Event::Stopped(stop);
                    }
                    levels.step = Step::Examine;
                    if let Some(option) = levels.option() {
                        position.choose(option);
                    }
                }
                Step::Examine => {
                    levels.step = Step::Leave;
                    let Ok(item) = position.propagate() else { continue };
                    let Some((item, slack)) = item else {
                        position.write_solution(solution);
                        break Event::Solution;
                    };
                    let Some(option) = position.first_of(item) else { continue };
                    match saved.get_mut(levels.depth()) {
                        Some(saved) => saved.copy_from(position.state),
                        None => saved.push(position.state.clone()),
                    }
                    levels.push(option, slack, position.chosen.len());
                }
                Step::Leave => {
                    let Some((option, chosen)) = levels.pop(|place| table.order[place as usize]) else {
                        continue;
                    };
                    position.chosen.truncate(chosen);
                    position.state.copy_from(&saved[levels.depth()]);
                    position.eliminate(option);
                    levels.step = Step::Examine;
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
        self.levels.start();
        self.chosen.clear();
        if self.assume(assumptions).is_ok() {
            self.levels.step = Step::Enter;
        }
    }

    fn seeker(&self) -> Option<Box<dyn Seeker>> {
        Some(Box::new(Seek::new(Arc::clone(&self.table))))
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        self.run(meter)
    }

    fn solution(&self) -> &[OptionId] {
        &self.solution
    }

    fn split(&mut self) -> Option<Assumptions> {
        self.levels.split(&self.chosen, |place| self.table.order[place as usize])
    }

    fn progress(&self) -> f64 {
        self.levels.progress()
    }

    fn own_bytes(&self) -> usize {
        self.room.own()
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(self.forked())
    }
}
