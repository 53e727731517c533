//! What one engine did with the puzzles of one run.

use std::time::Duration;

use super::clock::TimeSpent;
use super::statistics::median;
use galop_batch::figures::Histogram;
use galop_engines::puzzle::Status;

/// What a contestant ran on.
pub(super) struct Ran {
    /// The instruction set that it was compiled for, if it is compiled for several.
    pub(super) isa: Option<&'static str>,
    pub(super) threads: usize,
}

/// What one engine did with the puzzles of a run, in the order of the run. Places from `done` on hold anything.
#[derive(Debug)]
pub(super) struct Pass {
    /// Whether times and guesses of single puzzles are known. Of another program only the time of the whole pass is.
    pub(super) has_each: bool,
    /// Whether the guesses of single puzzles are known.
    pub(super) has_guesses: bool,
    /// Nanoseconds of processor time of each puzzle; NaN if an engine does not take a problem.
    pub(super) nanos: Vec<f32>,
    /// Guesses of each puzzle.
    pub(super) guesses: Vec<u32>,
    /// Status of each puzzle.
    pub(super) statuses: Vec<Status>,
    /// Calls of the search of the puzzles.
    pub(super) calls: Histogram,
    /// Puzzles solved without a guess.
    pub(super) unguessed: u64,
    /// Number of puzzles answered: the first of the order.
    pub(super) done: usize,
    /// Time that they took, summed over the threads.
    pub(super) spent: TimeSpent,
    /// What another program took for an empty input.
    pub(super) start: Option<TimeSpent>,
    /// Processes of another program, each with a start.
    pub(super) processes: u32,
    /// Guesses of all puzzles together, if another program prints them.
    pub(super) guesses_of_all: Option<u64>,
}

impl Pass {
    /// A pass over `count` puzzles of which none is answered.
    pub(super) fn new(count: usize) -> Pass {
        Pass {
            has_each: true,
            has_guesses: true,
            nanos: vec![0.0; count],
            guesses: vec![0; count],
            statuses: vec![Status::Limit; count],
            calls: Histogram::default(),
            unguessed: 0,
            done: 0,
            spent: TimeSpent::default(),
            start: None,
            processes: 1,
            guesses_of_all: None,
        }
    }

    /// The same in less memory.
    pub(super) fn without_statuses(self) -> Pass {
        Pass { statuses: Vec::new(), ..self }
    }
}

/// The passes of one engine.
#[derive(Debug)]
pub(super) struct Measured {
    /// The pass over the puzzles as they were read.
    pub(super) warm_up: Pass,
    /// One pass for each run.
    pub(super) runs: Vec<Pass>,
}

impl Measured {
    /// Nanoseconds of processor time that another program took for the empty inputs of the runs.
    pub(super) fn starts(&self) -> Vec<f64> {
        let starts = self.runs.iter().filter_map(|pass| pass.start);
        starts.map(|start| start.cpu.as_nanos() as f64).collect()
    }

    /// Takes the median of the starts of another program off the time of each run. No time becomes less than zero.
    pub(super) fn take_off_start(&mut self) {
        let median_of = |time: fn(&TimeSpent) -> Duration| {
            let starts = self.runs.iter().filter_map(|pass| pass.start.as_ref());
            let nanos: Vec<f64> = starts.map(|start| time(start).as_nanos() as f64).collect();
            Duration::from_nanos(median(&nanos) as u64)
        };
        let (cpu, wall) = (median_of(|start| start.cpu), median_of(|start| start.wall));
        for pass in &mut self.runs {
            pass.spent.cpu = pass.spent.cpu.saturating_sub(cpu * pass.processes);
            pass.spent.wall = pass.spent.wall.saturating_sub(wall * pass.processes);
            if pass.start.is_some() && pass.has_each {
                let start = cpu.as_nanos() as f32;
                pass.nanos.iter_mut().for_each(|nanos| *nanos = (*nanos - start).max(0.0));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::spent;

    #[test]
    fn the_median_start_is_taken_off_and_no_time_is_below_zero() {
        let pass = |of, start| Pass { spent: of, start, ..Pass::new(1) };
        let times = [(12, 20, 4, 5), (3, 30, 2, 6), (40, 41, 9, 9)];
        let runs = times.map(|(cpu, wall, start, all)| pass(spent(cpu, wall), Some(spent(start, all))));
        let mut measured = Measured { warm_up: pass(spent(7, 7), None), runs: runs.into() };
        assert_eq!(measured.starts(), [4e6, 2e6, 9e6]);
        measured.take_off_start();
        let left: Vec<TimeSpent> = measured.runs.iter().map(|pass| pass.spent).collect();
        assert_eq!(left, [spent(8, 14), spent(0, 24), spent(36, 35)]);
        // A program that fails on an empty input: nothing is known of its start.
        let mut unknown = Measured { warm_up: Pass::new(1), runs: vec![pass(spent(3, 4), None)] };
        unknown.take_off_start();
        assert_eq!(unknown.runs[0].spent, spent(3, 4));
    }
}
