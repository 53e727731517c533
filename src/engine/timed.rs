//! Puts times beside any engine's answers, from outside: engines hold no clock.

use std::time::Instant;

use super::Engine;
use crate::puzzle::{Answers, Limits, Puzzles};

/// An engine with a stopwatch: fills [`Effort::nanos`](crate::Effort::nanos) for every puzzle.
///
/// The engine is called for one puzzle at a time and the clock is read once between two of them, so that the
/// end of one puzzle is the start of the next.
#[derive(Debug)]
pub struct Timed<E>(pub E);

impl<E: Engine> Engine for Timed<E> {
    fn solve(&mut self, puzzles: Puzzles<'_>, limits: Limits, answers: &mut Answers<'_>) {
        let mut before = Instant::now();
        for place in 0..puzzles.len().min(answers.len()) {
            self.0.solve(puzzles.slice(place..place + 1), limits, &mut answers.slice(place..place + 1));
            let now = Instant::now();
            if let Some((_, answer)) = answers.get_mut(place) {
                answer.effort.nanos = now.duration_since(before).as_nanos() as u64;
            }
            before = now;
        }
    }
}

impl<E: Engine + ?Sized> Engine for Box<E> {
    fn solve(&mut self, puzzles: Puzzles<'_>, limits: Limits, answers: &mut Answers<'_>) {
        (**self).solve(puzzles, limits, answers);
    }
}
