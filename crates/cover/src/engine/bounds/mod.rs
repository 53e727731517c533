//! Items that are covered several times or need not be covered: numbers of all items, bit-sliced.
//!
//! How often each item must still be covered, and how many options it can lose, its slack, are stored so that an operation
//! works on 64 items or more at once. Options that are neither chosen nor eliminated are bits of a set.
//!
//! Branching. An item that can lose s options has s + 1 branches: branch t chooses its t-th option and forbids those
//! before it, so every solution lies in one branch, the one of its first option. The last branch forbids s of them: then
//! the item needs all its other options, which propagation chooses. Or, if the item need not be covered, s is the number
//! of its options, and the last branch chooses none. So two neighbouring branches differ by one forbidden option:
//! ```text
//! level 0   o ────── first forbidden ────── second forbidden ── ..     in place: propagated at once, and the
//!           │ first chosen           │ second chosen                   item selected again
//! level 1   o                        o                                 copies
//! ```
//! 1. The consequences of forbidden options are computed once, not in every later branch; a contradiction skips all
//!    branches that are left.
//! 2. The item of least slack, the first of several, is selected again after each branch. Mostly it is the same one, because
//!    its slack has just decreased.
//! 3. The rest of a level is one branch, which can be split off ([`CoverEngine::split`]): the options chosen and
//!    forbidden above describe it.
//! 4. A count does not visit the solutions that differ in their last option only.
//!
//! There are two [layouts](Layout) of the numbers, which search the same tree: [`planes`] for few items, whose numbers are
//! copied and changed in a few instructions, and [`adders`] for many. Some solutions in any order are [sought](seek) with
//! restarts.
//!
//! Tried and lost
//! - A list of the live options, copied and counted in every state: 2.2 times slower on mixed dominoes, 4 times on queen
//!   domination.
//! - Sparse sets with a size, a low and a high bound of every item (Knuth's program ssmcc). They took two thirds of the time
//!   of adders where a node excludes few options (mixed dominoes 20x20, rosters of 340 to 500 items), twice the time on a
//!   timetable of 15,000 options, and ten times the time on the partridge puzzle of order 8.
//!
//! Problems without bounds are solved too, but not fast: an item covered once does not need three numbers.

mod adders;
mod excluded;
mod numbers;
mod planes;
mod seek;
mod slacks;
mod stack;
mod table;
mod tables;
#[cfg(test)]
mod tests;
mod windows;

use crate::engine::search::{Levels, Step};
use crate::engine::{Contradiction, CoverEngine, CoverEntry, Event, Meter, Room, Seeker, is_checked};
use crate::{Assumptions, Natural, OptionId};
use galop_simd::{Kernel, Simd};
use seek::Seek;

/// The layout for few items: its row in the table of engines.
pub(crate) const PLANES: CoverEntry = CoverEntry {
    name: "planes",
    about: "multiplicity planes: bounds of all items bit-sliced; up to 1,024 primary items, 16,384 options",
    make: planes::make,
};

/// The layout for many items.
pub(crate) const ADDERS: CoverEntry = CoverEntry {
    name: "adders",
    about: "carry-save adders: bounds of any number of items bit-sliced",
    make: adders::make,
};

/// How a state is stored, and the moves between states. The layout has numbers of its own for the options.
trait Layout: Send + Sized + 'static {
    /// The instruction set that it is compiled for.
    type Isa: Simd;

    /// Another one, which shares the tables.
    fn fork(&self) -> Self;

    /// The option with this number, and the number of an option.
    fn option_of(&self, number: u32) -> OptionId;
    fn number_of(&self, option: OptionId) -> Option<u32>;

    /// Starts anew: every option is live, and no state is saved.
    fn reset(&mut self) -> Result<(), Contradiction>;

    /// Saves the state as that of the next level, and goes back to the state of a level.
    fn save(&mut self);
    fn restore(&mut self, level: usize);

    /// Whether an option can still be chosen.
    fn is_live(&self, option: u32) -> bool;

    /// Chooses a live option, and eliminates every option that it excludes.
    fn choose(&mut self, option: u32) -> Result<(), Contradiction>;

    /// Eliminates a live option.
    fn forbid(&mut self, option: u32) -> Result<(), Contradiction>;

    /// Chooses all options that some item needs, to a fixed point. Returns the open item with the least slack, the first of
    /// several, and its slack; `None` if no item is open: then the chosen options are a solution.
    fn propagate(&mut self) -> Result<Option<(usize, u32)>, Contradiction>;

    /// The live option of an item that comes first in the problem.
    fn first_of(&self, item: usize) -> Option<u32>;

    /// Visits the live options of an item.
    fn for_each_option(&self, item: usize, visit: impl FnMut(u32));

    /// The number of primary items, or more.
    fn item_count(&self) -> usize;

    /// Visits the open items of least slack. The state is propagated.
    fn for_each_least(&self, visit: impl FnMut(usize));

    /// The slack of an item; `None` if it is not open.
    fn slack_of(&self, item: usize) -> Option<u32>;

    /// How many solutions there are if every solution is one more option, in the propagated state whose item of least slack
    /// is `item`; 0 if that does not show at once.
    fn last_choices(&self, item: usize, slack: u32) -> u64 {
        let _ = (item, slack);
        0
    }

    /// How often an option is drawn, compared to others: more often if it covers more items, and if its items with bounds
    /// must be covered more often.
    fn weigh(&self, option: u32) -> u64;

    /// The item of the last contradiction.
    fn failed(&self) -> usize;

    /// The chosen options: assumed ones first. Whoever restores a state truncates them.
    fn chosen(&mut self) -> &mut Vec<u32>;

    /// Takes the number of options eliminated since the last call.
    fn take_updates(&mut self) -> u64;

    /// Writes the chosen options.
    fn write_solution(&mut self, solution: &mut Vec<OptionId>) {
        solution.clear();
        for at in 0..self.chosen().len() {
            let option = self.chosen()[at];
            solution.push(self.option_of(option));
        }
    }

    /// Starts anew and applies the assumptions, forbidden options first. Those that were live are added to `forbidden`.
    fn assume(
        &mut self,
        assumptions: &Assumptions,
        forbidden: &mut Vec<OptionId>,
    ) -> Result<(), Contradiction> {
        self.chosen().clear();
        self.reset()?;
        for &option in &assumptions.forbidden {
            if let Some(number) = self.number_of(option)
                && self.is_live(number)
            {
                forbidden.push(option);
                self.forbid(number)?;
            }
        }
        for &option in &assumptions.chosen {
            let number = self.number_of(option).ok_or(Contradiction)?;
            if self.is_live(number) {
                self.choose(number)?;
            } else if !self.chosen().contains(&number) {
                return Err(Contradiction);
            }
        }
        Ok(())
    }
}

/// A problem in a layout, and a search through it.
struct Bounds<L> {
    layout: L,
    room: Room,
    levels: Levels,
    solution: Vec<OptionId>,
    /// How often solutions were counted.
    counts: u64,
}

/// See [`Bounds::run`].
struct Run<'a, 'm, L>(&'a mut Bounds<L>, &'a mut Meter<'m>, Option<&'a mut Natural>);

impl<L: Layout> Kernel for Run<'_, '_, L> {
    type Output = Event;

    #[inline(always)]
    fn run(self) -> Event {
        self.0.run(self.1, self.2)
    }
}

impl<L: Layout> Bounds<L> {
    fn new(layout: L, room: Room) -> Bounds<L> {
        Bounds { layout, room, levels: Levels::default(), solution: Vec::new(), counts: 0 }
    }

    /// Searches to the next event. If solutions are counted, only some of them are events.
    #[inline(always)]
    fn run(&mut self, meter: &mut Meter<'_>, mut found: Option<&mut Natural>) -> Event {
        let Bounds { layout, levels, solution, counts, .. } = self;
        loop {
            match levels.step {
                Step::Enter => {
                    if let Some(stop) = meter.node(levels.depth()) {
                        return Event::Stopped(stop);
                    }
                    levels.step = match levels.option() {
                        Some(option) if layout.choose(option).is_err() => Step::Leave,
                        _ => Step::Examine,
                    };
                }
                Step::Examine => {
                    levels.step = Step::Leave;
                    let Ok(open) = layout.propagate() else { continue };
                    let Some((item, slack)) = open else {
                        if let Some(found) = &mut found {
                            **found += 1;
                            *counts += 1;
                            if !is_checked(*counts) {
                                continue;
                            }
                        }
                        layout.write_solution(solution);
                        return Event::Solution;
                    };
                    if let Some(found) = &mut found {
                        let last = layout.last_choices(item, slack);
                        if last > 0 {
                            **found += last;
                            *counts += 1;
                            if !is_checked(*counts) {
                                continue;
                            }
                            layout.write_solution(solution);
                            solution.extend(layout.first_of(item).map(|option| layout.option_of(option)));
                            return Event::Solution;
                        }
                    }
                    let Some(option) = layout.first_of(item) else { continue };
                    layout.save();
                    levels.push(option, slack, layout.chosen().len());
                }
                Step::Leave => {
                    let Some((option, chosen)) = levels.pop(|option| layout.option_of(option)) else {
                        continue;
                    };
                    layout.chosen().truncate(chosen);
                    layout.restore(levels.depth());
                    if layout.forbid(option).is_ok() {
                        levels.step = Step::Examine;
                    }
                }
                Step::Done => return Event::End,
            }
        }
    }

    fn enter(&mut self, meter: &mut Meter<'_>, found: Option<&mut Natural>) -> Event {
        let event = L::Isa::run(Run(self, meter, found));
        meter.updates += self.layout.take_updates();
        event
    }
}

impl<L: Layout> CoverEngine for Bounds<L> {
    fn start(&mut self, assumptions: &Assumptions) {
        self.levels.start();
        self.counts = 0;
        if self.layout.assume(assumptions, &mut self.levels.forbidden).is_ok() {
            self.levels.step = Step::Enter;
        }
    }

    fn seeker(&self) -> Option<Box<dyn Seeker>> {
        Some(Box::new(Seek::new(self.layout.fork())))
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        self.enter(meter, None)
    }

    fn count(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        Some(self.enter(meter, Some(found)))
    }

    fn solution(&self) -> &[OptionId] {
        &self.solution
    }

    fn split(&mut self) -> Option<Assumptions> {
        let Bounds { layout, levels, .. } = self;
        let chosen = std::mem::take(layout.chosen());
        let branch = levels.split(&chosen, |option| layout.option_of(option));
        *layout.chosen() = chosen;
        branch
    }

    fn progress(&self) -> f64 {
        self.levels.progress()
    }

    fn own_bytes(&self) -> usize {
        self.room.own()
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Bounds::new(self.layout.fork(), self.room.clone()))
    }
}
