//! A search that chooses an option of an item and then forbids it in place.

use super::{Levels, Step};
use crate::engine::{Contradiction, CoverEngine, Event, Meter, Seeker, is_checked};
use crate::{Assumptions, Natural, OptionId};

/// A state, and the moves between states. An engine has its own numbers for the options.
pub(crate) trait Moves: Send + Sized + 'static {
    /// Moves of the same problem, which share its tables.
    fn fork(&self) -> Self;

    /// The option with this number.
    fn option_of(&self, number: u32) -> OptionId;

    /// Starts anew and applies the assumptions. Adds the forbidden options to `forbidden`, all or those that could have
    /// been chosen.
    fn assume(
        &mut self,
        assumptions: &Assumptions,
        forbidden: &mut Vec<OptionId>,
    ) -> Result<(), Contradiction>;

    /// Chooses an option that can be chosen, and eliminates every option that it excludes.
    fn choose(&mut self, option: u32) -> Result<(), Contradiction>;

    /// Eliminates an option that could be chosen.
    fn forbid(&mut self, option: u32) -> Result<(), Contradiction>;

    /// Chooses all options that some item needs, to a fixed point. Returns the open item with the least slack, the
    /// first of several, and its slack: the options that it can lose. `None` if no item is open: the chosen options are
    /// a solution.
    fn propagate(&mut self) -> Result<Option<(usize, u32)>, Contradiction>;

    /// The first option in the problem that can be chosen for an item.
    fn first_of(&self, item: usize) -> Option<u32>;

    /// Keeps the current state as the state of the next level.
    fn save(&mut self);

    /// Goes back to the state of a level, in which `chosen` options were chosen.
    fn restore(&mut self, level: usize, chosen: usize);

    /// The number of options chosen.
    fn chosen_count(&self) -> usize;

    /// Appends the first `count` options chosen.
    fn write_chosen(&self, count: usize, options: &mut Vec<OptionId>);

    /// The number of solutions if every solution has one more option, in the propagated state whose item of least slack
    /// is `item`; 0 if that is not known at once.
    fn last_choices(&self, item: usize, slack: u32) -> u64 {
        let _ = (item, slack);
        0
    }

    /// Takes the ticks since the last call.
    fn take_ticks(&mut self) -> u64;

    /// A search with restarts of the same problem, if there is one.
    fn seeker(&self) -> Option<Box<dyn Seeker>> {
        None
    }
}

/// A problem, and a search through it.
pub(crate) struct Choices<M> {
    moves: M,
    levels: Levels,
    solution: Vec<OptionId>,
    /// The number of times that solutions were counted.
    counts: u64,
}

impl<M: Moves> Choices<M> {
    pub(crate) fn new(moves: M) -> Choices<M> {
        Choices { moves, levels: Levels::default(), solution: Vec::new(), counts: 0 }
    }

    /// Searches to the next event. If solutions are counted, only some of them are events. There is one copy, for lists
    /// and counts.
    #[inline(never)]
    fn run(&mut self, meter: &mut Meter<'_>, mut found: Option<&mut Natural>) -> Event {
        let Choices { moves, levels, solution, counts, .. } = self;
        loop {
            match levels.step {
                Step::Enter => {
                    let option = levels.option();
                    if let Some(stop) = meter.branch(levels.depth(), option.is_some()) {
                        return Event::Stopped(stop);
                    }
                    levels.step = Step::Examine;
                    if let Some(option) = option
                        && moves.choose(option).is_err()
                    {
                        levels.step = Step::Leave;
                    }
                }
                Step::Examine => {
                    levels.step = Step::Leave;
                    let Ok(open) = moves.propagate() else { continue };
                    let mut last = None;
                    if let Some(found) = &mut found {
                        let count = open.map_or(1, |(item, slack)| moves.last_choices(item, slack));
                        if count > 0 {
                            **found += count;
                            *counts += 1;
                            if !is_checked(*counts) {
                                continue;
                            }
                            last = Some(open.and_then(|(item, _)| moves.first_of(item)));
                        }
                    }
                    match (open, last) {
                        (None, _) | (_, Some(_)) => {
                            solution.clear();
                            moves.write_chosen(moves.chosen_count(), solution);
                            solution.extend(last.flatten().map(|option| moves.option_of(option)));
                            return Event::Solution;
                        }
                        (Some((item, slack)), None) => {
                            let Some(option) = moves.first_of(item) else { continue };
                            moves.save();
                            levels.push(option, slack, moves.chosen_count());
                        }
                    }
                }
                Step::Leave => {
                    let Some((option, chosen)) = levels.pop(|option| moves.option_of(option)) else {
                        continue;
                    };
                    moves.restore(levels.depth(), chosen);
                    if moves.forbid(option).is_ok() {
                        levels.step = Step::Examine;
                    }
                }
                Step::Done => return Event::End,
            }
        }
    }

    fn enter(&mut self, meter: &mut Meter<'_>, found: Option<&mut Natural>) -> Event {
        let event = self.run(meter, found);
        meter.ticks += self.moves.take_ticks();
        event
    }
}

impl<M: Moves> CoverEngine for Choices<M> {
    fn start(&mut self, assumptions: &Assumptions) {
        self.levels.start();
        self.counts = 0;
        if self.moves.assume(assumptions, &mut self.levels.forbidden).is_ok() {
            self.levels.step = Step::Enter;
        }
    }

    fn seeker(&self) -> Option<Box<dyn Seeker>> {
        self.moves.seeker()
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
        let Choices { moves, levels, .. } = self;
        let (count, forbidden) = levels.split(|option| moves.option_of(option))?;
        let mut chosen = Vec::new();
        moves.write_chosen(count, &mut chosen);
        Some(Assumptions { chosen, forbidden })
    }

    fn progress(&self) -> f64 {
        self.levels.progress()
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Choices::new(self.moves.fork()))
    }
}
