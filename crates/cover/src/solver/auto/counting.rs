//! Counts: of the whole, and in turns with a search for a proof.

use super::Auto;
use super::prove::Proof;
use super::stages::FORGETS;
use super::whole::CountEnd;
use crate::Natural;
use crate::engine::{CoverEngine, Event, Meter, Stop};

impl Auto {
    /// Counts the whole; `None` if another stage must go on.
    pub(super) fn count_whole(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        let whole = self.whole.as_mut()?;
        let (counted, nodes) = meter.within(self.nodes_left, |meter| whole.run(meter));
        let is_limited = self.nodes_left != u64::MAX;
        self.nodes_left -= if is_limited { nodes } else { 0 };
        let count = whole.count();
        // Solutions of earlier stages are counted already.
        if let Some(more) = count.checked_sub(&self.counted) {
            *found += &more;
            self.counted = count;
        }
        match counted {
            CountEnd::Shown => Some(Event::Solution),
            CountEnd::Stopped(Stop::Nodes) if is_limited && self.nodes_left == 0 => {
                self.done = self.progress();
                self.parked = self.whole.take();
                None
            }
            CountEnd::Stopped(stop) => Some(Event::Stopped(stop)),
            CountEnd::GaveUp => {
                if let Some(stage) = self.stage {
                    self.shared.cache().give_up(stage.name);
                }
                None
            }
            CountEnd::Done => {
                if whole.is_forgetting()
                    && let Some(selection) = &mut self.shared.cache().selection
                {
                    selection.why = FORGETS;
                }
                self.pending.clear();
                (self.done, self.weight) = (1.0, 0.0);
                Some(Event::End)
            }
        }
    }

    /// Counts on, in turns with the runners that look for a proof; `None` if the search in order goes on alone.
    #[inline(never)]
    pub(super) fn count_in_turns(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        loop {
            let Auto { prover: Some(prover), engine, base, .. } = self else { return None };
            if prover.is_proving() {
                let (shared, seeker) = (&self.shared, &self.base);
                let make = |is_learner| if is_learner { shared.board.learner() } else { seeker.seeker() };
                let (name, selection) = (prover.name(), prover.selection(self.shared.base));
                let proof = prover.prove(make, &self.assumptions, meter);
                self.note_as(name, meter);
                match proof {
                    Proof::Found => {
                        self.pending.clear();
                        (self.done, self.weight, self.is_searching) = (1.0, 0.0, false);
                        self.shared.cache().selection = selection;
                        return Some(Event::End);
                    }
                    Proof::Open => {}
                    Proof::Refuted => {
                        self.prover = None;
                        return None;
                    }
                    Proof::Stopped(stop) => return Some(Event::Stopped(stop)),
                }
                continue;
            }
            let engine = engine.as_mut().unwrap_or(base);
            let (event, nodes) = meter.within(prover.nodes_left, |meter| engine.next(meter));
            prover.add(nodes);
            let is_turn_over = prover.nodes_left == 0;
            match event {
                Event::End if self.begin_branch() => {}
                Event::Stopped(Stop::Nodes) if is_turn_over => {
                    let progress = self.progress();
                    let terms = self.shared.problem.term_count();
                    self.note(meter);
                    self.prover.iter_mut().for_each(|prover| prover.end_turn(progress, terms));
                }
                Event::Solution => {
                    *found += 1;
                    self.prover = None;
                    return Some(event);
                }
                event => return Some(event),
            }
        }
    }
}
