//! Measures slow puzzles again, each alone.
//!
//! The time of a puzzle in a run is elapsed time, so the slowest puzzles of a run are partly those during which another
//! program used the core. Alone, a puzzle is solved several times, and the shortest time counts.

use std::time::{Duration, Instant};

use crate::engine::Engine;
use crate::figures::Slow;
use crate::grid::Alphabet;
use crate::puzzle::{Answer, Answers, Limits, Puzzles};

/// Time for all puzzles together. Those after it keep the time that they took in the run.
const PATIENCE: Duration = Duration::from_millis(250);

/// Nanoseconds of the slowest puzzles that are measured again. An interruption is a small part of a longer time.
const LONGEST: u64 = 100_000_000;

/// How often a puzzle is solved.
const TRIES: usize = 5;

/// The engine of a worker, and what it needs.
pub(super) struct Alone {
    engine: Box<dyn Engine>,
    limits: Limits,
    alphabet: Alphabet,
    began: Instant,
}

impl Alone {
    pub(super) fn new(engine: Box<dyn Engine>, limits: Limits, alphabet: Alphabet) -> Alone {
        Alone { engine, limits, alphabet, began: Instant::now() }
    }

    /// The nanoseconds that the puzzle takes alone; `None` if it takes too long to find out.
    pub(super) fn measure(&mut self, slow: &Slow) -> Option<u64> {
        let cells: Option<Vec<u8>> = slow.puzzle.bytes().map(|byte| self.alphabet.cell(byte)).collect();
        let cells = cells.filter(|_| slow.nanos <= LONGEST)?;
        let (mut solution, mut least) = (vec![0; cells.len()], None);
        for _ in 0..TRIES {
            if self.began.elapsed() >= PATIENCE {
                break;
            }
            let mut answer = [Answer::default()];
            let mut answers = Answers::new(&mut solution, &mut answer, cells.len());
            self.engine.solve(Puzzles::new(&cells, cells.len()), self.limits, &mut answers).ok()?;
            let nanos = answer[0].effort.nanos;
            least = Some(least.map_or(nanos, |least: u64| least.min(nanos)));
        }
        least
    }
}
