//! Sparse sets with bounds: items that are covered several times or need not be covered, in problems too large for
//! multiplicity planes.
//!
//! Every item has an array of its options, those still live in front, as in [`sparse`](super::sparse) sets; beside its
//! size stand how often it must and how often it may still be covered ([`sets`]). A step examines the terms of the
//! options that it eliminates and nothing else, so its cost does not depend on the number of items. Donald Knuth's
//! program ssmcc joins the two ideas, too.
//!
//! It branches as [`planes`](super::planes) do, and searches the same tree: the item that can lose the fewest options
//! (its slack), the first of several; its first live option is chosen, and then forbidden in place.
//!
//! Tricks
//! 1. An item with slack 0 needs all its options: it goes to a list, and they are chosen before anything else is
//!    examined.
//! 2. An item that need not be covered any more, and has no options, is closed at once. So the search ends when no item
//!    is open.
//! 3. A level saves the numbers of all items, one copy; members of sets keep the order that the search gave them.
//!
//! Planes are faster for up to 256 items, and where an item is in all options (queen domination). Where a choice excludes
//! hundreds of options, [`adders`](super::adders) are: 2.3 microseconds a node on the partridge puzzle of order 8, not 22.

mod sets;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::engine::{Build, Contradiction, CoverEngine, CoverEntry, Event, Meter, Room, Unsuitable};
use crate::search::{Levels, Step, level_bytes};
use crate::{Assumptions, ExactCover, OptionId};
use sets::{Sets, State, Table};

/// The engine's row in the table.
pub(crate) const ENTRY: CoverEntry = CoverEntry {
    name: "quotas",
    about: "sparse sets with bounds: any number of items, few options examined (Knuth's ssmcc)",
    make: |problem, build| Ok(Box::new(Quotas::new(problem, build)?)),
};

/// A problem in sparse sets with bounds, and a search through it.
#[derive(Clone, Debug)]
pub(crate) struct Quotas {
    table: Arc<Table>,
    room: Room,
    sets: Sets,
    levels: Levels,
    /// The state of each level before its choice.
    saved: Vec<State>,
    /// The chosen options, each as one of its terms: assumed options first.
    chosen: Vec<u32>,
    solution: Vec<OptionId>,
}

impl Quotas {
    /// The engine of `problem`.
    ///
    /// # Errors
    /// [`Unsuitable`] if an item has too many options, or there are too many terms.
    pub(crate) fn new(problem: &ExactCover, build: Build<'_>) -> Result<Quotas, Unsuitable> {
        let ([shared, sets], state) = Table::bytes(problem);
        let room = build.reserve(shared, level_bytes(problem, state).saturating_add(sets))?;
        let (table, sets) = Table::new(problem)?;
        Ok(Quotas {
            table: Arc::new(table),
            room,
            sets,
            levels: Levels::default(),
            saved: Vec::new(),
            chosen: Vec::new(),
            solution: Vec::new(),
        })
    }

    fn assume<const COLOURS: bool>(&mut self, assumptions: &Assumptions) -> Result<(), Contradiction> {
        let Quotas { table, sets, levels, chosen, .. } = self;
        sets.reset(table)?;
        let mut view = sets.view(table);
        for &option in &assumptions.forbidden {
            let Some(start) = table.start(option) else { continue };
            if view.is_live(start) {
                levels.forbidden.push(option);
                view.eliminate(start)?;
            }
        }
        for &option in &assumptions.chosen {
            let Some(start) = table.start(option) else { return Err(Contradiction) };
            if view.is_live(start) {
                chosen.push(start);
                view.choose::<COLOURS>(start)?;
            } else if !chosen.contains(&start) {
                return Err(Contradiction);
            }
        }
        Ok(())
    }

    fn run<const COLOURS: bool>(&mut self, meter: &mut Meter<'_>) -> Event {
        let Quotas { table, sets, levels, saved, chosen, solution, .. } = self;
        let table = &**table;
        let mut updates = 0;
        let event = loop {
            match levels.step {
                Step::Enter => {
                    if let Some(stop) = meter.node(levels.depth()) {
                        break Event::Stopped(stop);
                    }
                    levels.step = Step::Examine;
                    if let Some(option) = levels.option() {
                        chosen.push(option);
                        let mut view = sets.view(table);
                        if view.choose::<COLOURS>(option).is_err() {
                            levels.step = Step::Leave;
                        }
                        updates += view.updates;
                    }
                }
                Step::Examine => {
                    levels.step = Step::Leave;
                    let mut view = sets.view(table);
                    let is_possible = view.propagate::<COLOURS>(chosen).is_ok();
                    updates += view.updates;
                    if !is_possible {
                        continue;
                    }
                    if *view.open == 0 {
                        solution.clear();
                        solution.extend(chosen.iter().map(|&term| table.option_of(term)));
                        break Event::Solution;
                    }
                    let item = view.choose_item();
                    let slack = view.slack(item);
                    let Some(&option) = view.options(item).iter().min() else { continue };
                    let depth = levels.depth();
                    if saved.len() == depth {
                        saved.push(State::default());
                    }
                    saved[depth].copy_from(&sets.state);
                    levels.push(option, slack, chosen.len());
                }
                Step::Leave => {
                    let Some((option, before)) = levels.pop(|term| table.option_of(term)) else { continue };
                    chosen.truncate(before);
                    sets.state.copy_from(&saved[levels.depth()]);
                    sets.pending = 0;
                    let mut view = sets.view(table);
                    if view.eliminate(option).is_ok() {
                        levels.step = Step::Examine;
                    }
                    updates += view.updates;
                }
                Step::Done => break Event::End,
            }
        };
        meter.updates += updates;
        event
    }
}

impl CoverEngine for Quotas {
    fn start(&mut self, assumptions: &Assumptions) {
        self.levels.start();
        self.chosen.clear();
        let assumed = match self.table.has_colours() {
            true => self.assume::<true>(assumptions),
            false => self.assume::<false>(assumptions),
        };
        if assumed.is_ok() {
            self.levels.step = Step::Enter;
        }
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
        self.levels.split(&self.chosen, |term| self.table.option_of(term))
    }

    fn progress(&self) -> f64 {
        self.levels.progress()
    }

    fn own_bytes(&self) -> usize {
        self.room.own()
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        let mut fork = self.clone();
        fork.start(&Assumptions::default());
        fork.levels.step = Step::Done;
        Box::new(fork)
    }
}
