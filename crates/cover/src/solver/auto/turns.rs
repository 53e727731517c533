//! From stage to stage: what a search does when a stage begins, pauses and ends.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::prove::Prover;
use super::stages::{STAGES, Stage, StageSearch};
use super::whole::Whole;
use super::{Auto, Built, Shared};
use crate::Assumptions;
use crate::engine::{CoverEngine, Meter, StageFigures, Unsuitable};

/// A branch that is not searched yet.
pub(super) struct Branch {
    pub(super) assumptions: Assumptions,
    /// Its share of the whole search.
    pub(super) weight: f64,
}

impl Branch {
    /// All branches that `engine`, which searches the share `weight`, has not tried: the next one last.
    pub(super) fn all(engine: &mut dyn CoverEngine, weight: f64) -> Vec<Branch> {
        let (mut branches, mut done) = (Vec::new(), engine.progress());
        while let Some(assumptions) = engine.split() {
            let before = std::mem::replace(&mut done, engine.progress());
            branches.push(Branch { assumptions, weight: weight * (done - before) });
        }
        branches
    }
}

impl Auto {
    /// Begins with the first stage whose condition holds. A search with a chosen option is taken for one of many, whose
    /// counts are not worth remembering.
    pub(super) fn begin(&mut self, is_counted: bool, meter: &Meter<'_>) {
        self.noted = (meter.nodes, Instant::now());
        self.is_one_of_many = self.shared.was_searched.swap(true, Ordering::Relaxed);
        self.is_whole = is_counted && self.assumptions.chosen.is_empty();
        self.was_counted = self.is_whole && self.shared.was_counted.swap(true, Ordering::Relaxed);
        self.shared.cache().selection = None;
        self.is_at_root = true;
        self.enter_first_of(&STAGES);
    }

    /// Notes what the stage has taken since this was last noted.
    pub(super) fn note(&mut self, meter: &Meter<'_>) {
        if let Some(Stage { name, .. }) = self.stage {
            self.note_as(name, meter);
        }
    }

    /// Notes what `name`, a stage or a runner, has taken since this was last noted.
    pub(super) fn note_as(&mut self, name: &'static str, meter: &Meter<'_>) {
        let now = Instant::now();
        let (nodes, time) = std::mem::replace(&mut self.noted, (meter.nodes, now));
        let figures = StageFigures { name, nodes: meter.nodes.saturating_sub(nodes), time: now - time };
        figures.add_to(&mut self.figures);
    }

    /// Goes on to the next stage whose condition holds.
    pub(super) fn advance(&mut self, meter: &Meter<'_>) {
        self.note(meter);
        self.leave_whole();
        let next = self.stage.and_then(|stage| STAGES.iter().position(|other| std::ptr::eq(other, stage)));
        self.enter_first_of(STAGES.get(next.map_or(0, |stage| stage + 1)..).unwrap_or_default());
    }

    pub(super) fn enter_first_of(&mut self, stages: &'static [Stage]) {
        for stage in stages {
            if stage.counts && (!self.is_whole || self.is_given_away) {
                continue;
            }
            if let Some(begun) = (stage.begin)(self, stage) {
                self.stage = Some(stage);
                return self.enter(begun);
            }
        }
    }

    pub(super) fn enter(&mut self, begun: StageSearch) {
        let is_branches = matches!(begun, StageSearch::Branches(..));
        let (selection, nodes) = match begun {
            StageSearch::Base(nodes) => {
                // It goes on where it is, if it was at work.
                if !self.is_searching || self.engine.is_some() {
                    self.leave_engine();
                    self.engine = None;
                    self.begin_branch();
                }
                (None, nodes)
            }
            StageSearch::Branches(selection, engine) => {
                self.continue_with(engine);
                (Some(selection), u64::MAX)
            }
            StageSearch::Root(selection, engine) => {
                self.set_aside();
                let assumptions = self.assumptions.clone();
                self.pending = [Branch { assumptions, weight: 1.0 - self.done }].into();
                self.continue_with(engine);
                (Some(selection), u64::MAX)
            }
            StageSearch::Whole(selection, whole) => {
                self.set_aside();
                self.whole = Some(whole);
                (Some(selection), u64::MAX)
            }
        };
        self.nodes_left = nodes;
        self.selection = selection;
        // Independent parts, and what `preprocess all` leaves, are searched by stages of their own.
        let is_last = nodes == u64::MAX && self.is_searching && (is_branches || self.engine.is_none());
        if is_last && self.is_whole && self.counted == 0 {
            self.prover = Some(Prover::new(self.progress()));
        }
        self.shared.cache().selection = selection;
    }

    /// Searches the branches with `engine`.
    pub(super) fn continue_with(&mut self, mut engine: Box<dyn CoverEngine>) {
        self.leave_engine();
        if self.is_given_away {
            engine.give_away();
        }
        self.engine = Some(engine);
        self.begin_branch();
    }

    /// Turns what the current engine searches into branches, if it searches.
    pub(super) fn leave_engine(&mut self) {
        if !self.is_at_root {
            self.set_aside();
        }
    }

    /// Turns the rest of the current engine's search into branches.
    pub(super) fn set_aside(&mut self) {
        if std::mem::take(&mut self.is_at_root) {
            self.pending.push_back(Branch { assumptions: self.assumptions.clone(), weight: 1.0 });
        } else if std::mem::take(&mut self.is_searching) {
            let weight = std::mem::take(&mut self.weight);
            self.done += weight * self.engine().progress();
            let branches = Branch::all(self.engine_mut(), weight);
            self.pending.extend(branches);
        }
    }

    /// Starts the next branch; `false` after the last one.
    pub(super) fn begin_branch(&mut self) -> bool {
        if std::mem::take(&mut self.is_at_root) {
            // Most searches begin so, and allocate nothing.
            let assumptions = std::mem::take(&mut self.assumptions);
            self.engine_mut().start(&assumptions);
            self.assumptions = assumptions;
            (self.weight, self.is_searching) = (1.0, true);
            return true;
        }
        self.done += std::mem::take(&mut self.weight);
        let branch = self.pending.pop_back();
        self.is_searching = branch.is_some();
        if let Some(branch) = branch {
            self.engine_mut().start(&branch.assumptions);
            self.weight = branch.weight;
        }
        self.is_searching
    }

    /// A fork of a stage's engine, which is built first if it was not needed before.
    pub(super) fn engine_of(
        &mut self,
        stage: &Stage,
        make: impl FnOnce(&Shared) -> Result<Built, Unsuitable>,
    ) -> Option<Built> {
        match self.kept.take_if(|(of, ..)| of.name == stage.name) {
            Some((_, selection, engine)) => Some((selection, engine)),
            None => self.shared.cache().engine(stage.name, || make(&self.shared)),
        }
    }

    /// Leaves a count of the whole that has given up. Its branches replace those that are pending, unless it has
    /// counted fewer solutions than were counted before.
    pub(super) fn leave_whole(&mut self) {
        let Some(whole) = self.whole.take() else { return };
        self.end_whole(&whole);
        if let Whole::Engine { mut engine, found } = whole
            && found >= self.counted
        {
            self.pending = Branch::all(&mut *engine, 1.0).into();
            self.share_rest();
        }
    }

    /// Ends a count of the whole. What it has done stays done.
    pub(super) fn end_whole(&mut self, whole: &Whole) {
        self.done = self.progress_of(whole);
        self.share_rest();
    }

    /// The pending branches share what is not done: the progress never falls.
    pub(super) fn share_rest(&mut self) {
        let weight: f64 = self.pending.iter().map(|branch| branch.weight).sum();
        let rest = (1.0 - self.done) / weight;
        self.pending.iter_mut().for_each(|branch| branch.weight *= rest);
    }

    pub(super) fn progress_of(&self, whole: &Whole) -> f64 {
        self.done + (1.0 - self.done) * whole.progress()
    }
}
