//! An adapter: an engine of the reduced problem becomes an engine of the original problem.

use std::sync::Arc;

use super::Reduction;
use crate::engine::{CoverEngine, Driver, Event, Meter, Restarts, Selection, StageFigures};
use crate::{Assumptions, Natural, OptionId};

/// What preprocessing did with an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// The option has this number in the reduced problem.
    Kept(OptionId),
    /// The option is in no solution.
    Removed,
    /// The option is in every solution.
    Forced,
}

/// The numbers of options, shared by all engines of one problem.
struct Map {
    /// For each option of the original problem.
    fates: Vec<Fate>,
    /// The original number of each option of the reduced problem.
    original: Vec<OptionId>,
    forced: Vec<OptionId>,
}

/// An engine that uses the original numbers.
pub(crate) struct ReducedEngine {
    map: Arc<Map>,
    inner: Box<dyn CoverEngine>,
    /// The options that are assumed, each once, in original numbers.
    chosen: Vec<OptionId>,
    /// The assumptions, in numbers of the reduced problem.
    assumptions: Assumptions,
    /// Whether the assumptions contradict the reduction.
    is_contradictory: bool,
    /// The last solution, in original numbers.
    solution: Vec<OptionId>,
}

impl ReducedEngine {
    /// `inner` is an engine of the reduced problem; `option_count` is the number of options of the original one.
    pub(crate) fn new(
        reduction: &Reduction,
        option_count: usize,
        inner: Box<dyn CoverEngine>,
    ) -> ReducedEngine {
        let mut fates = vec![Fate::Removed; option_count];
        for (number, &option) in reduction.original.iter().enumerate() {
            fates[option.index()] = Fate::Kept(OptionId(number as u32));
        }
        reduction.forced.iter().for_each(|&option| fates[option.index()] = Fate::Forced);
        let (original, forced) = (reduction.original.clone(), reduction.forced.clone());
        ReducedEngine::with(Arc::new(Map { fates, original, forced }), inner)
    }

    fn with(map: Arc<Map>, inner: Box<dyn CoverEngine>) -> ReducedEngine {
        let assumptions = Assumptions::default();
        let (chosen, solution) = (Vec::new(), Vec::new());
        ReducedEngine { map, inner, chosen, assumptions, is_contradictory: true, solution }
    }

    /// Assumed options come first, some of which are forced and unknown to the inner engine.
    fn take_solution(&mut self) {
        let ReducedEngine { map, inner, chosen, assumptions, solution, .. } = self;
        solution.clear();
        solution.extend_from_slice(chosen);
        solution.extend(map.forced.iter().filter(|option| !chosen.contains(option)));
        let others = inner.solution().get(assumptions.chosen.len()..).unwrap_or_default();
        solution.extend(others.iter().map(|&option| map.original[option.index()]));
    }
}

impl CoverEngine for ReducedEngine {
    fn start(&mut self, assumptions: &Assumptions) {
        let ReducedEngine { map, chosen, assumptions: inner, is_contradictory, .. } = self;
        chosen.clear();
        inner.chosen.clear();
        inner.forbidden.clear();
        *is_contradictory = false;
        let fate = |option: OptionId| map.fates.get(option.index()).copied().unwrap_or(Fate::Removed);
        for &option in &assumptions.chosen {
            if chosen.contains(&option) {
                continue;
            }
            chosen.push(option);
            match fate(option) {
                Fate::Kept(option) => inner.chosen.push(option),
                Fate::Removed => *is_contradictory = true,
                Fate::Forced => {}
            }
        }
        for &option in &assumptions.forbidden {
            match fate(option) {
                Fate::Kept(option) => inner.forbidden.push(option),
                Fate::Removed => {}
                Fate::Forced => *is_contradictory = true,
            }
        }
        self.inner.start(&self.assumptions);
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        if self.is_contradictory {
            return Event::End;
        }
        let event = self.inner.next(meter);
        if event == Event::Solution {
            self.take_solution();
        }
        event
    }

    fn count(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        if self.is_contradictory {
            return Some(Event::End);
        }
        let event = self.inner.count(meter, found);
        if event == Some(Event::Solution) {
            self.take_solution();
        }
        event
    }

    fn solution(&self) -> &[OptionId] {
        &self.solution
    }

    fn split(&mut self) -> Option<Assumptions> {
        if self.is_contradictory {
            return None;
        }
        let mut given = self.inner.split()?;
        for option in given.chosen.iter_mut().chain(&mut given.forbidden) {
            *option = self.map.original[(*option).index()];
        }
        Some(given)
    }

    fn progress(&self) -> f64 {
        if self.is_contradictory { 1.0 } else { self.inner.progress() }
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(ReducedEngine::with(Arc::clone(&self.map), self.inner.fork()))
    }

    fn driver(&mut self) -> Option<&mut dyn Driver> {
        Some(self)
    }

    fn as_driver(&self) -> Option<&dyn Driver> {
        Some(self)
    }
}

impl Driver for ReducedEngine {
    fn set_restarts(&mut self, restarts: Restarts) -> bool {
        self.inner.driver().is_some_and(|driver| driver.set_restarts(restarts))
    }

    fn give_away(&mut self) {
        if let Some(driver) = self.inner.driver() {
            driver.give_away();
        }
    }

    fn is_forgetting(&self) -> bool {
        self.inner.as_driver().is_some_and(Driver::is_forgetting)
    }

    fn stages(&self) -> Vec<StageFigures> {
        self.inner.as_driver().map_or_else(Vec::new, Driver::stages)
    }

    fn is_remembering(&self) -> bool {
        self.inner.as_driver().is_some_and(Driver::is_remembering)
    }

    fn delegate(&self) -> Option<Selection> {
        self.inner.as_driver().and_then(Driver::delegate)
    }
}
