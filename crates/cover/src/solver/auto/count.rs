//! A count, from engine to engine: the try, a count of the whole, the counter, turns that learn, and the finisher.
//!
//! ```text
//! try ──▶ sweep or parts, if the try shows that the search is larger ──▶ done
//!   └───▶ counter, from the root ──▶ done
//!           ├── took longer than a sweep: sweep ──▶ done
//!           └── nothing comes again ──▶ finisher, for its branches; in turns with weights as long as nothing was met
//! ```
//! The counter begins at the root, not with the branches that the try left: a state far below has lost what makes it fall apart,
//! and the counter decides by the first states whether it is worth it. (Four Langford-8 that one item joins were never
//! counted from the branches, and take 2 ms from the root.) It counts the solutions of the try again; they are subtracted.

use std::collections::VecDeque;

use super::parts::{Part, Parts};
use super::whole::Counted;
use super::{Auto, Phase, choose};
use crate::Natural;
use crate::engine::{CoverEngine, Event, Meter, Stop};

impl Auto {
    /// Counts on, see [`CoverEngine::count`].
    pub(super) fn count_in_turn(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        loop {
            match self.phase {
                Phase::Begin => self.begin(true),
                Phase::Try => match self.try_on(meter) {
                    Some(event) => {
                        self.counted += u64::from(event == Event::Solution);
                        *found += u64::from(event == Event::Solution);
                        return Some(event);
                    }
                    None => {
                        self.hand_over_to_count();
                        self.begin_steering();
                    }
                },
                Phase::Whole => match self.count_on(meter, found) {
                    Some(event) => return Some(event),
                    None => {
                        self.shared.parts().ways.give_up();
                        self.count_branches();
                        self.begin_steering();
                    }
                },
                Phase::Counted => return Some(Event::End),
                Phase::Count => match self.count_with_memory(meter, found) {
                    Some(Event::End) if self.begin_branch() => {}
                    Some(Event::Stopped(_)) if self.phase == Phase::Whole => {}
                    Some(Event::End) => {
                        self.note_forgetting();
                        return Some(Event::End);
                    }
                    Some(event) => return Some(event),
                    None => {
                        self.shared.parts().counter = Part::Missing;
                        self.leave_counter();
                        self.hand_over();
                        self.begin_steering();
                    }
                },
                Phase::Steer => {
                    if let Some(event) = self.steer_on(meter, found) {
                        return Some(event);
                    }
                }
                Phase::Finish | Phase::Sparse => return None,
            }
        }
    }

    /// Hands the rest over to what counts best.
    fn hand_over_to_count(&mut self) {
        let nodes = self.shared.try_nodes as f64 / self.sparse.progress();
        self.set_aside();
        self.count_whole(nodes);
    }

    /// Counts the whole, if that is worth it in place of a search of `nodes` nodes; else the counter or the finisher
    /// searches the branches.
    pub(super) fn count_whole(&mut self, nodes: f64) {
        if !self.begin_whole(nodes) {
            self.count_branches();
        }
    }

    /// Begins to count the whole, if that is worth it in place of a search of `nodes` nodes.
    fn begin_whole(&mut self, nodes: f64) -> bool {
        if !self.assumptions.chosen.is_empty() {
            return false;
        }
        let (forbidden, memory) = (&self.assumptions.forbidden, &self.shared.memory);
        let mut parts = self.shared.parts();
        let Parts { problem, isa, ways, counting, .. } = &mut *parts;
        self.whole = ways.begin(problem.as_deref(), nodes, forbidden, *isa, memory);
        if let Some(whole) = &self.whole {
            *counting = Some(whole.selection());
            self.phase = Phase::Whole;
        }
        self.whole.is_some()
    }

    /// Searches the branches with the counter, if there is one, or with the finisher.
    pub(super) fn count_branches(&mut self) {
        self.drop_whole();
        if self.phase == Phase::Count {
            return;
        }
        if self.assumptions.chosen.is_empty() {
            self.counter = self.shared.parts().counter(&self.shared.memory);
        }
        if self.counter.is_some() { self.begin_counter() } else { self.hand_over() }
    }

    /// Begins to count with memory, at the root: what a branch far below has in common with others is seen too late there.
    /// The solutions of the try are counted again, and subtracted.
    fn begin_counter(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        self.suspended = if self.counted == 0 { VecDeque::new() } else { pending };
        self.debt.clone_from(&self.counted);
        self.weight = 1.0 - self.done;
        self.phase = Phase::Count;
        let mut parts = self.shared.parts();
        parts.counting = parts.counter.selection();
        self.counter_nodes_left = parts.ways.nodes_of_sweep();
        drop(parts);
        let assumptions = std::mem::take(&mut self.assumptions);
        self.engine_mut().start(&assumptions);
        self.assumptions = assumptions;
    }

    /// Turns what the counter leaves into branches: its own, or those of the try if it has not counted their solutions.
    pub(super) fn leave_counter(&mut self) {
        if self.debt == 0 {
            self.set_aside();
        } else {
            // The progress never falls: the branches share the rest.
            let rest = std::mem::take(&mut self.weight) * (1.0 - self.engine().progress());
            self.done = 1.0 - rest;
            self.pending = std::mem::take(&mut self.suspended);
            let weight: f64 = self.pending.iter().map(|branch| branch.weight).sum();
            self.pending.iter_mut().for_each(|branch| branch.weight *= rest / weight);
            self.debt = Natural::ZERO;
        }
        self.counter = None;
    }

    /// Gives up the count of the whole; a counter that waits goes on. What was done stays done in the progress, which never
    /// falls: the branches share the rest.
    pub(super) fn drop_whole(&mut self) {
        let Some(whole) = self.whole.take() else { return };
        let (rest, before) = (1.0 - whole.progress(), self.done_before_whole());
        let begun = before - self.done;
        self.done = 1.0 - (1.0 - before) * rest - begun * rest;
        self.weight *= rest;
        self.pending.iter_mut().for_each(|branch| branch.weight *= rest);
        if std::mem::take(&mut self.is_counter_waiting) {
            self.phase = Phase::Count;
            let mut parts = self.shared.parts();
            parts.counting = parts.counter.selection();
        }
    }

    /// The share of the search that was done when the count of the whole began.
    pub(super) fn done_before_whole(&self) -> f64 {
        let waiting = self.counter.as_ref().filter(|_| self.is_counter_waiting);
        self.done + waiting.map_or(0.0, |counter| self.weight * counter.progress())
    }

    /// Counts the whole; `None` if it gave up.
    fn count_on(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        let whole = self.whole.as_mut()?;
        match whole.run(meter) {
            Counted::Stopped(stop) => Some(Event::Stopped(stop)),
            Counted::GaveUp => None,
            Counted::Done => {
                // The solutions of the try and the counter are counted already.
                let count = whole.count().checked_sub(&self.counted).unwrap_or_default();
                *found += &count;
                self.pending.clear();
                (self.done, self.weight) = (1.0, 0.0);
                self.phase = Phase::Counted;
                let is_shown = whole.solution().is_some() && count != 0;
                Some(if is_shown { Event::Solution } else { Event::End })
            }
        }
    }

    /// Counts on with the counter. Once it has searched more nodes than a sweep of the whole would take, that counts
    /// instead: the try expected too small a search.
    fn count_with_memory(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        let mut fresh = Natural::ZERO;
        let (event, nodes) =
            meter.within(self.counter_nodes_left, |meter| self.engine_mut().count(meter, &mut fresh));
        self.counter_nodes_left -= nodes;
        if self.debt != 0 {
            let more = fresh.checked_sub(&self.debt);
            self.debt = self.debt.checked_sub(&fresh).unwrap_or_default();
            fresh = more.unwrap_or_default();
        }
        *found += &fresh;
        self.counted += &fresh;
        if self.counter_nodes_left == 0 && event == Some(Event::Stopped(Stop::Nodes)) {
            self.counter_nodes_left = u64::MAX;
            self.is_counter_waiting = self.begin_whole(f64::INFINITY);
        }
        event
    }

    /// Says in the reason for the counter that it has forgotten counts.
    fn note_forgetting(&self) {
        if self.engine().is_forgetting()
            && let Some(selection) = &mut self.shared.parts().counting
        {
            selection.why = choose::FORGETTING;
        }
    }
}
