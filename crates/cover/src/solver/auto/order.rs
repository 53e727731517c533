//! The search in order, which a race runs beside its runners.

use super::{Auto, Whole};
use crate::OptionId;
use crate::engine::{CoverEngine, Event, Meter, Selection, Stop, masks};

impl Auto {
    /// Continues the try; `None` if it used up its nodes before the search ended.
    pub(super) fn try_on(&mut self, meter: &mut Meter<'_>) -> Option<Event> {
        let (event, nodes) = meter.within(self.nodes_left, |meter| self.base.next(meter));
        self.nodes_left -= nodes;
        self.has_found |= event == Event::Solution;
        let is_over = self.nodes_left == 0 && event == Event::Stopped(Stop::Nodes);
        (!is_over).then_some(event)
    }

    /// The nodes that a search is expected to have, by the share of it that the try has done; `None` without a try.
    pub(super) fn expected_nodes(&self) -> Option<f64> {
        let is_tried = self.stage.is_some_and(|stage| stage.name == "try");
        is_tried.then(|| self.shared.try_nodes as f64 / self.base.progress())
    }

    /// Searches to the next solution in order.
    pub(super) fn next_in_order(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            // The way of nearly all solutions.
            if self.is_searching && self.nodes_left == u64::MAX {
                match self.engine_mut().next(meter) {
                    Event::End if self.begin_branch() => continue,
                    event => return event,
                }
            }
            if self.stage.is_none() {
                self.begin(false, meter);
            } else if self.is_searching {
                match self.try_on(meter) {
                    Some(event) => return event,
                    None => {
                        self.tried = self.progress();
                        self.advance(meter);
                    }
                }
            } else if self.whole.is_some() {
                // From now on solutions are listed.
                self.is_whole = false;
                self.advance(meter);
            } else {
                return Event::End;
            }
        }
    }

    /// The options of the last solution found in order.
    pub(super) fn found_in_order(&self) -> &[OptionId] {
        self.whole.as_ref().map_or_else(|| self.engine().solution(), Whole::solution)
    }

    /// The share that is done: what the rest is expected to take is judged by it.
    pub(super) fn share_done(&self) -> f64 {
        if self.shared.is_simple { self.progress() } else { self.progress() - self.tried }
    }

    /// Makes the try go on until the race ends it, and returns how many nodes it has.
    pub(super) fn prolong_try(&mut self) -> u64 {
        self.is_trying = true;
        if self.shared.is_simple { self.shared.try_nodes } else { 2 * self.shared.try_nodes }
    }

    /// Ends the try: the next node is one of the engine that continues.
    pub(super) fn end_try(&mut self) {
        self.is_trying = false;
        if self.shared.is_simple && self.nodes_left != u64::MAX {
            self.nodes_left = 0;
        }
    }

    /// The work of the search in order, in updates of the search with restarts. Option masks read their state for each
    /// node and update.
    pub(super) fn work(&self, nodes: u64, updates: u64) -> u64 {
        match self.selection {
            Some(Selection { name, .. }) if [masks::NARROW.name, masks::WIDE.name].contains(&name) => {
                (nodes + updates) * (64 + self.shared.problem.primary_count() as u64) / 128
            }
            _ => updates,
        }
    }
}
