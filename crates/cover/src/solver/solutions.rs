//! Solutions one by one, on one thread.

use super::{CoverOutcome, End, Solver};
use crate::OptionId;
use crate::engine::{Event, Meter};
use crate::error::CoverError;

/// Iterates over the solutions of a problem; see [`Search`](super::Search).
#[derive(Debug)]
#[must_use = "the iterator does nothing unless it is used"]
pub struct Solutions<'s, 'p, 'l> {
    pub(super) solver: &'s mut Solver<'p>,
    pub(super) meter: Meter<'l>,
    pub(super) limit: Option<u64>,
    pub(super) found: u64,
    /// Parts of the search that were started.
    pub(super) part: usize,
    pub(super) end: Option<End>,
}

impl Solutions<'_, '_, '_> {
    /// The outcome so far. Its `end` is `Refused` until the search has ended.
    pub fn outcome(&self) -> CoverOutcome {
        CoverOutcome {
            solutions: u128::from(self.found).into(),
            nodes: self.meter.nodes,
            ticks: self.meter.ticks,
            end: self.end.unwrap_or(End::Refused),
        }
    }

    /// Starts the next part of the search; `false` after the last one.
    pub(super) fn start_part(&mut self) -> bool {
        let Solver { first, assumptions, parts, .. } = &mut *self.solver;
        let parts = parts.as_deref().unwrap_or(std::slice::from_ref(assumptions));
        let Some(part) = parts.get(self.part) else { return false };
        first.engine.start(part);
        self.part += 1;
        true
    }

    /// Searches to the next solution; `false` if there are no more.
    pub(super) fn advance(&mut self) -> Result<bool, CoverError> {
        if self.end.is_some() {
            return Ok(false);
        }
        if let Err(error) = self.solver.check_lists() {
            self.end = Some(End::Refused);
            return Err(error);
        }
        let event = loop {
            match self.solver.first.engine.next(&mut self.meter) {
                Event::End if self.start_part() => {}
                event => break event,
            }
        };
        let Solver { first, built, assumptions, .. } = &mut *self.solver;
        match event {
            Event::Solution => {
                if let Err(error) = first.take_solution(built.name, assumptions) {
                    self.end = Some(End::Refused);
                    return Err(error);
                }
                self.found += 1;
                self.end = (Some(self.found) == self.limit).then_some(End::Solutions);
                return Ok(true);
            }
            Event::End => self.end = Some(End::Complete),
            Event::Stopped(stop) => self.end = Some(stop.into()),
        }
        Ok(false)
    }
}

impl Iterator for Solutions<'_, '_, '_> {
    type Item = Result<Vec<OptionId>, CoverError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.advance() {
            Ok(true) => Some(Ok(self.solver.first.solution.clone())),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}
