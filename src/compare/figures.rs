//! What a comparison found.

use serde::Serialize;

use crate::figures::{Counts, CpuInfo, Distribution, Point, RulesInfo};

/// All figures of a comparison. Serialised with serde, it is the JSON report. Names of values with a unit contain the unit
/// (`_seconds`, `nanos`, `bytes`).
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The version of galop.
    #[serde(rename = "galop")]
    pub(crate) version: &'static str,
    /// The command that was typed, quoted for a shell.
    pub(crate) command: Option<String>,
    /// The machine that it used.
    pub(crate) machine: CpuInfo,
    /// The rules of the puzzles.
    pub(crate) rules: RulesInfo,
    /// The options of the comparison.
    pub(crate) options: ComparisonOptions,
    /// The sources of the puzzles.
    pub(crate) inputs: Vec<Input>,
    /// Puzzles that every engine got in every run.
    pub(crate) puzzles: u64,
    /// The engine whose times the others are divided by.
    pub(crate) reference: &'static str,
    /// The engines, fastest first.
    pub(crate) engines: Vec<EngineFigures>,
    /// For each engine except the reference, the puzzles on which the two differ most. Other programs are not among them.
    pub(crate) differences: Vec<Difference>,
    /// Reasons to doubt the figures, in words.
    pub warnings: Vec<String>,
}

impl Comparison {
    /// The statuses that some engine gave: the word of each, and its place in [`Counts::by_status`].
    pub(crate) fn statuses(&self) -> Vec<(&'static str, usize)> {
        let occurs = |place: usize| self.engines.iter().any(|engine| engine.counts.by_status()[place].1 > 0);
        let words = Counts::default().by_status().into_iter().enumerate();
        words.filter(|&(place, _)| occurs(place)).map(|(place, (word, _))| (word, place)).collect()
    }
}

/// The options of a comparison.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ComparisonOptions {
    /// Solutions after which searches stopped; null for all.
    pub(crate) solutions: Option<u64>,
    /// Measured runs of every engine.
    pub(crate) runs: usize,
    /// Threads that solved, for one engine at a time.
    pub(crate) threads: usize,
    /// The seed of orders, permutations and samples.
    pub(crate) seed: u64,
    /// Puzzles drawn from the inputs; null for all.
    pub(crate) sample: Option<u64>,
    /// Whether every run relabelled and permuted the puzzles.
    pub(crate) permuted: bool,
    /// Seconds of processor time after which an engine's run ended; null for no limit.
    pub(crate) budget_seconds: Option<f64>,
}

/// A source of puzzles.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Input {
    /// The path as typed, or `<stdin>`.
    pub(crate) name: String,
    /// Bytes read.
    pub(crate) bytes: u64,
    /// Puzzles in it.
    pub(crate) puzzles: u64,
    /// Records that are not puzzles and were left out.
    pub(crate) malformed: u64,
    /// The SHA-256 sum of the file, in hexadecimal digits; null for a stream.
    pub(crate) sha256: Option<String>,
}

/// The figures of one engine.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EngineFigures {
    /// Its name.
    pub(crate) name: &'static str,
    /// The instruction set it was compiled for, if it is compiled for several.
    pub(crate) isa: Option<&'static str>,
    /// Threads that solved.
    pub(crate) threads: usize,
    /// Whether it is another program. Of these only the time of a whole run is known.
    pub(crate) is_program: bool,
    /// What its times are: `processor`, or `elapsed` if the system does not give processor time.
    pub(crate) clock: &'static str,
    /// Nanoseconds that another program takes for an empty input, over the runs. Its times are less by the median. Null for
    /// engines, and for programs that fail on an empty input.
    pub(crate) start_nanos: Option<Spread>,
    /// Guesses after which it gave up a puzzle; null for no limit.
    pub(crate) max_guesses: Option<u64>,
    /// Puzzles that it answered within the budget in every run: all, or this many from the start of each run's order.
    pub(crate) puzzles: u64,
    /// The same as a fraction of all puzzles, 0 to 1.
    pub(crate) share: f64,
    /// Puzzles per second of processor time of one thread, over all runs: 1,000,000,000 by `mean_nanos`. Null if no time
    /// is left of another program's runs without their starts.
    pub(crate) puzzles_per_second: Option<f64>,
    /// Nanoseconds of processor time per puzzle, over all runs.
    pub(crate) mean_nanos: f64,
    /// Nanoseconds of processor time per puzzle: the mean of each run, and how the runs differ.
    pub(crate) cpu_nanos: Spread,
    /// Nanoseconds of elapsed time per puzzle, over the runs.
    pub(crate) wall_nanos: Spread,
    /// Its processor time divided by the reference's on the same puzzles: above 1 it is slower. Null for the reference.
    pub(crate) ratio: Option<Ratio>,
    /// Puzzles by status, as found in the warm-up.
    pub(crate) counts: Counts,
    /// The fraction of the puzzles solved without a guess, over all runs, 0 to 1; null for another program.
    pub(crate) without_guess: Option<f64>,
    /// Nanoseconds of processor time of each puzzle, over all runs; null for another program.
    pub(crate) nanos: Option<Distribution>,
    /// Guesses of each puzzle, over all runs; null for another program.
    pub(crate) guesses: Option<Distribution>,
    /// Calls of the search of each puzzle, if the engine counts them.
    pub(crate) calls: Option<Distribution>,
    /// A sample of the puzzles: guesses and time. Empty for another program.
    pub(crate) points: Vec<Point>,
}

/// A value over several runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Spread {
    /// Half of the runs are at most this.
    pub(crate) median: f64,
    /// The smallest.
    pub(crate) min: f64,
    /// The largest.
    pub(crate) max: f64,
    /// The median distance from the median (MAD).
    pub(crate) deviation: f64,
}

/// A time divided by the reference's time, with an interval that contains it in 95 of 100 cases.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Ratio {
    /// The median over the runs, each compared with the reference's time in the same run.
    pub(crate) median: f64,
    /// The lower end of the bootstrap interval.
    pub(crate) low: f64,
    /// The upper end.
    pub(crate) high: f64,
}

/// The puzzles on which an engine and the reference differ most.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Difference {
    /// The engine.
    pub(crate) engine: &'static str,
    /// The puzzles whose ratio of times is furthest from the engine's usual ratio, slower or faster; the largest
    /// difference first.
    pub(crate) puzzles: Vec<NotablePuzzle>,
}

/// A puzzle on which two engines differ more than usual.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct NotablePuzzle {
    /// The source.
    pub(crate) input: String,
    /// The line, from 1.
    pub(crate) line: u64,
    /// The puzzle, as it was read.
    pub(crate) puzzle: String,
    /// The engine's time in nanoseconds: the median over the runs.
    pub(crate) nanos: f64,
    /// The reference's time in nanoseconds: the median over the runs.
    pub(crate) reference_nanos: f64,
    /// The engine's guesses: the median over the runs.
    pub(crate) guesses: f64,
    /// The reference's guesses: the median over the runs.
    pub(crate) reference_guesses: f64,
}
