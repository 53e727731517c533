//! Counts: of the whole, and in turns with a search for a proof.

use super::Auto;
use super::prove::Proof;
use super::stages::FORGETS;
use crate::Natural;
use crate::engine::{CoverEngine, Event, Meter, Selection, Stop};

impl Auto {
    /// Counts the whole; `None` if another stage must go on.
    pub(super) fn count_whole(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        let whole = self.whole.as_mut()?;
        let event = whole.run(meter);
        let count = whole.count();
        // Solutions of earlier stages are counted already.
        if let Some(more) = count.checked_sub(&self.counted) {
            *found += &more;
            self.counted = count;
        }
        match event {
            None => {
                if let Some(stage) = self.stage {
                    self.shared.cache().give_up(stage.name);
                }
            }
            Some(Event::End) => {
                if whole.is_forgetting()
                    && let Some(selection) = &mut self.shared.cache().selection
                {
                    selection.why = FORGETS;
                }
                self.pending.clear();
                (self.done, self.weight) = (1.0, 0.0);
            }
            Some(_) => {}
        }
        event
    }

    /// Counts on, in turns with restarts that look for a proof; `None` if the search in order goes on alone.
    #[inline(never)]
    pub(super) fn count_in_turns(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        loop {
            let Auto { prover: Some(prover), engine, base, .. } = self else { return None };
            if prover.is_proving() {
                let proof = prover.prove(|| base.seeker(), &self.assumptions, meter);
                self.note_as("restarts", meter);
                match proof {
                    Proof::Found => {
                        self.pending.clear();
                        (self.done, self.weight, self.is_searching) = (1.0, 0.0, false);
                        let why = "it proved that there is no solution, with restarts and learnt weights";
                        self.shared.cache().selection = Some(Selection { name: self.shared.base, why });
                        return Some(Event::End);
                    }
                    Proof::Open => {}
                    Proof::Refuted => self.prover = None,
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
                    self.note(meter);
                    self.prover.iter_mut().for_each(|prover| prover.end_turn(progress));
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
