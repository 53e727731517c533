//! Any engine, on the problem that preprocessing left, behind the numbers of the problem that was given.

use std::sync::Arc;

use super::Reduction;
use crate::engine::{CoverEngine, Event, Meter, Selection};
use crate::{Assumptions, Natural, OptionId};

/// What became of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It is there under this number.
    Left(OptionId),
    /// It is in no solution.
    Removed,
    /// It is in every one.
    Forced,
}

/// What all engines of one problem share.
struct Map {
    /// Of the options of the given problem.
    fates: Vec<Fate>,
    /// The old numbers of the options that are left.
    original: Vec<OptionId>,
    forced: Vec<OptionId>,
}

/// An engine whose options have the old numbers.
pub(crate) struct Reduced {
    map: Arc<Map>,
    inner: Box<dyn CoverEngine>,
    /// What is assumed, in the new numbers.
    assumptions: Assumptions,
    /// Whether it cannot be so.
    is_contradictory: bool,
    /// In the old numbers.
    solution: Vec<OptionId>,
}

impl Reduced {
    /// `inner` is an engine of the reduced problem, and `option_count` is that of the given one.
    pub(crate) fn new(reduction: &Reduction, option_count: usize, inner: Box<dyn CoverEngine>) -> Reduced {
        let mut fates = vec![Fate::Removed; option_count];
        for (number, &option) in reduction.original.iter().enumerate() {
            fates[option as usize] = Fate::Left(number as OptionId);
        }
        reduction.forced.iter().for_each(|&option| fates[option as usize] = Fate::Forced);
        let (original, forced) = (reduction.original.clone(), reduction.forced.clone());
        Reduced::with(Arc::new(Map { fates, original, forced }), inner)
    }

    fn with(map: Arc<Map>, inner: Box<dyn CoverEngine>) -> Reduced {
        let assumptions = Assumptions::default();
        Reduced { map, inner, assumptions, is_contradictory: true, solution: Vec::new() }
    }

    fn take_solution(&mut self) {
        self.solution.clear();
        self.solution.extend_from_slice(&self.map.forced);
        let original = &self.map.original;
        self.solution.extend(self.inner.solution().iter().map(|&option| original[option as usize]));
    }
}

impl CoverEngine for Reduced {
    fn start(&mut self, assumptions: &Assumptions) {
        let Reduced { map, assumptions: inner, is_contradictory, .. } = self;
        inner.chosen.clear();
        inner.forbidden.clear();
        *is_contradictory = false;
        let fate = |option: OptionId| map.fates.get(option as usize).copied().unwrap_or(Fate::Removed);
        for &option in &assumptions.chosen {
            match fate(option) {
                Fate::Left(option) => inner.chosen.push(option),
                Fate::Removed => *is_contradictory = true,
                Fate::Forced => {}
            }
        }
        for &option in &assumptions.forbidden {
            match fate(option) {
                Fate::Left(option) => inner.forbidden.push(option),
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
            *option = self.map.original[*option as usize];
        }
        Some(given)
    }

    fn progress(&self) -> f64 {
        if self.is_contradictory { 1.0 } else { self.inner.progress() }
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Reduced::with(Arc::clone(&self.map), self.inner.fork()))
    }

    fn delegate(&self) -> Option<Selection> {
        self.inner.delegate()
    }
}
