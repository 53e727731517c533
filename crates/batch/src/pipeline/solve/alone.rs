//! Measures slow puzzles again, each alone.
//!
//! The time of a puzzle in a run is elapsed time, so the slowest puzzles of a run are partly those during which another
//! program used the core. Alone, a puzzle is solved several times, and the shortest time counts.

use std::time::{Duration, Instant};

use crate::engine::Engine;
use crate::figures::Slow;
use crate::input::format::Notation;
use crate::puzzle::{Answer, Answers, Limits, Puzzles};

/// Time for all puzzles together, at least and at most. Puzzles after it keep the time that they took in the run; the
/// slowest come first, and among them are those during which another program used the core.
const PATIENCE: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(250)];

/// The part of the time of the run that this may take, within these bounds.
const PART: u32 = 50;

/// Nanoseconds of the slowest puzzles that are measured again. An interruption is a small part of a longer time.
const LONGEST: u64 = 100_000_000;

/// How often a puzzle is solved.
const TRIES: usize = 3;

/// The engine of a worker, and what it needs.
pub(super) struct Alone {
    engine: Box<dyn Engine>,
    limits: Limits,
    notation: Notation,
    end: Instant,
}

impl Alone {
    /// For the puzzles of a run that took `elapsed`.
    pub(super) fn new(
        engine: Box<dyn Engine>,
        limits: Limits,
        notation: Notation,
        elapsed: Duration,
    ) -> Alone {
        let end = Instant::now() + (elapsed / PART).clamp(PATIENCE[0], PATIENCE[1]);
        Alone { engine, limits, notation, end }
    }

    /// The nanoseconds that the puzzle takes alone; `None` if it takes too long to find out.
    pub(super) fn measure(&mut self, slow: &Slow) -> Option<u64> {
        let mut cells = Vec::new();
        if slow.nanos > LONGEST || !self.notation.read_answer(slow.puzzle.as_bytes(), &mut cells) {
            return None;
        }
        let (mut solution, mut least) = (vec![0; cells.len()], None);
        for _ in 0..TRIES {
            if Instant::now() >= self.end {
                break;
            }
            let mut answer = Answer::default();
            let mut answers = Answers::one(&mut solution, &mut answer);
            self.engine.solve(Puzzles::one(&cells), self.limits, &mut answers).ok()?;
            let nanos = answer.effort.nanos;
            least = Some(least.map_or(nanos, |least: u64| least.min(nanos)));
        }
        least
    }
}
