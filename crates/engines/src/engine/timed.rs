//! Times the answers of any engine from outside: engines hold no clock.

use std::ops::ControlFlow;
use std::time::Instant;

use super::{Engine, Work, WrongLength};
use crate::puzzle::{Answers, Limits, Puzzles};

/// An engine with a stopwatch: fills [`Effort::nanos`](crate::puzzle::Effort::nanos) for every puzzle.
///
/// It calls the engine for one puzzle at a time and reads the clock once between two puzzles, so that the end of one is
/// the start of the next. If the engine solves many puzzles at once, it shares out the time of the batch by
/// [`Effort::cost`](crate::puzzle::Effort::cost): the sum over the puzzles is the time of the batch.
pub struct Stopwatch(pub Box<dyn Engine>);

impl Engine for Stopwatch {
    fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
    ) -> Result<(), WrongLength> {
        self.solve_until(puzzles, limits, answers, &|| false)
    }

    fn solve_until(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), WrongLength> {
        let mut before = Instant::now();
        if self.0.is_batched() {
            self.0.solve_until(puzzles, limits, answers, is_stopped)?;
            share(before.elapsed().as_nanos() as f64, answers);
            return Ok(());
        }
        for place in 0..puzzles.len().min(answers.len()) {
            let mut places = answers.slice(place..place + 1);
            self.0.solve_until(puzzles.slice(place..place + 1), limits, &mut places, is_stopped)?;
            let now = Instant::now();
            if let Some((_, answer)) = answers.get_mut(place) {
                answer.effort.nanos = now.duration_since(before).as_nanos() as u64;
            }
            before = now;
        }
        Ok(())
    }

    fn list(
        &mut self,
        puzzle: &[u8],
        limits: Limits,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> bool {
        self.0.list(puzzle, limits, visit)
    }

    fn is_slow(&self) -> bool {
        self.0.is_slow()
    }

    fn is_batched(&self) -> bool {
        self.0.is_batched()
    }

    fn work(&self) -> Option<Work> {
        self.0.work()
    }
}

/// Shares out `nanos` among the answers by their cost.
fn share(nanos: f64, answers: &mut Answers<'_>) {
    let costs = answers.iter_mut().map(|(_, answer)| answer.effort.cost).sum::<u64>();
    let nanos_each = nanos / costs.max(1) as f64;
    for (_, answer) in answers.iter_mut() {
        answer.effort.nanos = (answer.effort.cost as f64 * nanos_each) as u64;
    }
}
