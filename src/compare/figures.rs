//! What a comparison found.

use serde::Serialize;

use crate::figures::Point;
use crate::report::{Counts, Distribution, Machine, Ruled};

/// Everything there is to say of a comparison. Serialised as it stands, it is the JSON report; names with a unit
/// carry it (`_seconds`, `nanos`, `bytes`).
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The version of galop.
    pub galop: &'static str,
    /// The command that was typed, quoted for a shell.
    pub command: Option<String>,
    /// Where it ran.
    pub machine: Machine,
    /// The rules of the puzzles.
    pub rules: Ruled,
    /// What was asked for.
    pub options: Asked,
    /// What was read.
    pub inputs: Vec<Input>,
    /// Puzzles that every engine was given in every run.
    pub puzzles: u64,
    /// The engine that ratios are taken to.
    pub reference: &'static str,
    /// The engines, fastest first.
    pub engines: Vec<EngineFigures>,
    /// For each engine but the reference, the puzzles on which the two differ most.
    pub differences: Vec<Difference>,
    /// What makes the figures doubtful, in words.
    pub warnings: Vec<String>,
}

/// The options of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Asked {
    /// Where searches stopped, in solutions; null for all.
    pub solutions: Option<u64>,
    /// Measured runs of every engine.
    pub runs: usize,
    /// Threads that solved, for one engine at a time.
    pub threads: usize,
    /// Where orders, permutations and samples were drawn from.
    pub seed: u64,
    /// How many puzzles were drawn from the inputs; null for all.
    pub sample: Option<u64>,
    /// Whether puzzles were relabelled and permuted anew for every run.
    pub permuted: bool,
    /// Processor time after which an engine's run ended, in seconds; null for never.
    pub budget_seconds: Option<f64>,
}

/// A source.
#[derive(Clone, Debug, Serialize)]
pub struct Input {
    /// The path as it was given, or `<stdin>`.
    pub name: String,
    /// Bytes read.
    pub bytes: u64,
    /// Puzzles in it.
    pub puzzles: u64,
    /// Records that are no puzzles, left out.
    pub malformed: u64,
    /// The SHA-256 sum of the file, in hexadecimal digits; null for a stream.
    pub sha256: Option<String>,
}

/// What one engine did.
#[derive(Clone, Debug, Serialize)]
pub struct EngineFigures {
    /// Its name.
    pub name: &'static str,
    /// The instruction set it was compiled for, if it is compiled for several.
    pub isa: Option<&'static str>,
    /// Where it gave up a puzzle, in guesses; null for never.
    pub max_guesses: Option<u64>,
    /// Puzzles it answered within the budget in every run: all of them, or the first so many of each run's order.
    pub puzzles: u64,
    /// The same as a part of all, 0 to 1.
    pub share: f64,
    /// Puzzles by seconds of processor time of one thread: the median over the runs.
    pub puzzles_per_second: f64,
    /// Processor time a puzzle in nanoseconds, over the runs.
    pub cpu_nanos: Spread,
    /// Elapsed time a puzzle in nanoseconds, over the runs.
    pub wall_nanos: Spread,
    /// Its processor time by the reference's on the same puzzles: above 1 it is slower. Null for the reference.
    pub ratio: Option<Ratio>,
    /// Puzzles by status, as the warm-up found them.
    pub counts: Counts,
    /// The part of the puzzles that were solved without a guess, over all runs, 0 to 1.
    pub without_guess: f64,
    /// Time a puzzle in nanoseconds, over all runs.
    pub nanos: Distribution,
    /// Guesses a puzzle, over all runs.
    pub guesses: Distribution,
    /// Calls of the search a puzzle, if the engine counts them.
    pub calls: Option<Distribution>,
    /// Some of the puzzles: guesses and time.
    pub points: Vec<Point>,
}

/// A value over several runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Half of the runs are at most this.
    pub median: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// The median distance from the median (MAD).
    pub deviation: f64,
}

/// How many times the reference's time, with an interval that holds it in 95 of 100 cases.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// The median over the runs, each against the reference's run beside it.
    pub median: f64,
    /// The lower end of the bootstrap interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Where an engine and the reference differ most.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// The engine.
    pub engine: &'static str,
    /// The puzzles on which it was slowest by the reference's time, or fastest, beside what it is on the whole; the
    /// largest difference first.
    pub puzzles: Vec<Told>,
}

/// A puzzle that tells two engines apart.
#[derive(Clone, Debug, Serialize)]
pub struct Told {
    /// The source.
    pub input: String,
    /// The line, from 1.
    pub line: u64,
    /// The puzzle, as it was read.
    pub puzzle: String,
    /// The engine's time in nanoseconds: the median over the runs.
    pub nanos: f64,
    /// The reference's.
    pub reference_nanos: f64,
    /// The engine's guesses: the median over the runs.
    pub guesses: f64,
    /// The reference's.
    pub reference_guesses: f64,
}
