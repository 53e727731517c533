//! A contest on puzzles: each run has them under other symmetries and in another order.

mod best_known;
mod budget;
mod failure;
mod program;
mod schedule;
mod set;
mod symmetries;
mod workers;

use super::contest::Field;
use super::pass::{Pass, Ran};
use super::plan::Plan;
use best_known::{BestKnown, EngineAnswer};
use galop_batch::error::Error;
use galop_engines::grid::Rules;
use schedule::Schedule;
use workers::Workers;

pub use set::Set;

/// The puzzles of a set, the threads that solve them, and what is known of them.
pub(super) struct PuzzleField<'a> {
    rules: &'a Rules,
    puzzles: &'a Set,
    plan: &'a Plan<'a>,
    workers: Workers<'a>,
    known: Vec<BestKnown>,
    schedule: Schedule<'a>,
}

impl<'a> PuzzleField<'a> {
    /// Starts the threads and makes the engines.
    ///
    /// # Errors
    /// [`Unsupported`](galop_engines::engine::Unsupported), [`Threads`](galop_batch::ErrorKind::Threads), or
    /// [`OtherTasks`](crate::PlanError::OtherTasks).
    pub(super) fn start(rules: &'a Rules, puzzles: &'a Set, plan: &'a Plan<'a>) -> Result<Self, Error> {
        let workers = Workers::start(rules, plan)?;
        let known = (0..puzzles.len()).map(|_| BestKnown::default()).collect();
        let schedule = Schedule::as_read(puzzles);
        Ok(PuzzleField { rules, puzzles, plan, workers, known, schedule })
    }

    /// What each contestant runs on.
    pub(super) fn ran(&self) -> Vec<Ran> {
        let ran = |index| Ran { isa: self.workers.isa(index), threads: self.workers.threads(index) };
        (0..self.plan.contestants.len()).map(ran).collect()
    }
}

impl Field for PuzzleField<'_> {
    fn len(&self) -> usize {
        self.puzzles.len()
    }

    fn warm_up(&mut self, index: usize, advanced: &mut dyn FnMut(u64)) -> Result<Pass, Error> {
        let limits = self.plan.limits(&self.plan.contestants[index]);
        let learn = |said: &EngineAnswer<'_>, known: &mut BestKnown| known.learn(said, limits);
        let pass = self.workers.pass(index, self.puzzles.cells(), limits, &mut self.known, learn, advanced);
        pass.map_err(|failure| failure.at(self.puzzles))
    }

    fn arrange(&mut self, run: usize) -> Vec<usize> {
        let (schedule, turns) = Schedule::draw(self.rules, self.puzzles, self.plan, run);
        self.schedule = schedule;
        turns
    }

    fn pass(&mut self, index: usize, advanced: &mut dyn FnMut(u64)) -> Result<Pass, Error> {
        let limits = self.plan.limits(&self.plan.contestants[index]);
        let (schedule, known) = (&self.schedule, &self.known);
        let check = |said: &EngineAnswer<'_>, (): &mut ()| {
            let known = &known[schedule.order[said.place] as usize];
            known.check(said, limits, |cells| schedule.undo(said.place, cells))
        };
        // A run needs no notes on single answers beside what every pass keeps.
        let mut no_notes = vec![(); self.puzzles.len()];
        let pass = self.workers.pass(index, schedule.puzzles(), limits, &mut no_notes, check, advanced);
        let pass = pass.map_err(|failure| failure.in_order(&schedule.order).at(self.puzzles))?;
        Ok(pass.without_statuses())
    }

    fn order(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.schedule.order)
    }
}
