//! What a comparison found.

use serde::Serialize;

use super::growth::{Curve, curves};
use galop_batch::figures::{Counts, CpuInfo, Distribution, Point, RulesInfo};

/// One comparison, or several of a series with the growth of their times. Serialised with serde, it is the JSON report.
#[derive(Clone, Debug, Serialize)]
pub struct Contest {
    /// The comparisons, in the order in which they were made.
    pub comparisons: Vec<Comparison>,
    /// How the times grow over a series, engine by engine.
    pub growth: Vec<Curve>,
}

impl Contest {
    /// The comparisons, with the growth over the series among them.
    pub fn new(comparisons: Vec<Comparison>) -> Contest {
        let growth = curves(&comparisons);
        Contest { comparisons, growth }
    }
}

/// All figures of a comparison. Names of values with a unit contain the unit (`_seconds`, `nanos`, `bytes`).
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The version of galop.
    #[serde(rename = "galop")]
    pub version: String,
    /// The commit of galop that was built, if it was built from its repository.
    pub commit: Option<String>,
    /// When it ended, in UTC (RFC 3339); null if the caller did not say.
    pub date: Option<String>,
    /// The command that was typed, quoted for a shell.
    pub command: Option<String>,
    /// The machine that it used.
    pub machine: CpuInfo,
    /// The rules of the puzzles; null for exact cover problems.
    pub rules: Option<RulesInfo>,
    /// The options of the comparison.
    pub options: ComparisonOptions,
    /// The sources of the puzzles.
    pub inputs: Vec<Input>,
    /// Its place in a series of comparisons.
    pub series: Option<SeriesPlace>,
    /// Puzzles, or exact cover problems, that every engine got in every run.
    pub puzzles: u64,
    /// Of exact cover problems, each one with the answers of all engines. Empty for puzzles.
    pub problems: Vec<ProblemFigures>,
    /// Whether the times of engines on exact cover problems contain the reading of the problem's text, because another
    /// program takes part; null for puzzles.
    pub is_read: Option<bool>,
    /// Nanoseconds of the clock's step: the time of a puzzle is at least this.
    pub clock_step_nanos: u64,
    /// The engine whose times the others are divided by.
    pub reference: String,
    /// The engines, fastest first.
    pub engines: Vec<EngineFigures>,
    /// For each engine except the reference, the puzzles on which the two differ most. Other programs are not among
    /// them.
    pub differences: Vec<Difference>,
    /// Reasons to doubt the figures, in words.
    pub warnings: Vec<String>,
}

impl Comparison {
    /// The statuses that some engine gave: the word of each, and its place in [`Counts::by_status`].
    pub fn statuses(&self) -> Vec<(&'static str, usize)> {
        let occurs = |place: usize| self.engines.iter().any(|engine| engine.counts.by_status()[place].1 > 0);
        let words = Counts::default().by_status().into_iter().enumerate();
        words.filter(|&(place, _)| occurs(place)).map(|(place, (word, _))| (word, place)).collect()
    }
}

/// The options of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct ComparisonOptions {
    /// Solutions after which searches stopped; null for all.
    pub solutions: Option<u64>,
    /// Whether the cheapest cover of each exact cover problem was searched.
    pub cheapest: bool,
    /// Measured runs of every engine.
    pub runs: usize,
    /// Threads that solved, for one engine at a time.
    pub threads: usize,
    /// The seed of orders, permutations and samples.
    pub seed: u64,
    /// Puzzles drawn from the inputs; null for all.
    pub sample: Option<u64>,
    /// Whether every run relabelled and permuted the puzzles, or shuffled the options of the problems.
    pub permuted: bool,
    /// Seconds of processor time after which an engine's run ended; of exact cover problems, elapsed seconds after which
    /// a search ended. Null for no limit.
    pub budget_seconds: Option<f64>,
}

/// A source of puzzles.
#[derive(Clone, Debug, Serialize)]
pub struct Input {
    /// The path as typed, or `<stdin>`.
    pub name: String,
    /// Bytes read.
    pub bytes: u64,
    /// Puzzles in it.
    pub puzzles: u64,
    /// Records that are not puzzles and were left out.
    pub malformed: u64,
    /// The SHA-256 sum of the file, in hexadecimal digits; null for a stream.
    pub sha256: Option<String>,
}

/// The figures of one engine.
#[derive(Clone, Debug, Serialize)]
pub struct EngineFigures {
    /// Its name.
    pub name: String,
    /// The instruction set it was compiled for, if it is compiled for several.
    pub isa: Option<String>,
    /// Threads that solved.
    pub threads: usize,
    /// Whether it is another program. Of these only the time of a whole run is known.
    pub is_program: bool,
    /// What is known of another program beside its name; null for engines.
    pub program: Option<ProgramInfo>,
    /// What its times are: `processor`, or `elapsed` if the system does not give processor time.
    pub clock: String,
    /// Nanoseconds that another program takes for an empty input, over the runs. Its times are less by the median. Null
    /// for engines, and for programs that fail on an empty input.
    pub start_nanos: Option<Spread>,
    /// Guesses after which it gave up a puzzle; null for no limit.
    pub max_guesses: Option<u64>,
    /// Puzzles that it answered within the budget in every run: all, or this many from the start of each run's order.
    pub puzzles: u64,
    /// The same as a fraction of all puzzles, 0 to 1.
    pub share: f64,
    /// Puzzles per second of processor time of one thread, over all runs: 1,000,000,000 by `mean_nanos`. Null if no
    /// time is left of another program's runs without their starts.
    pub puzzles_per_second: Option<f64>,
    /// Nanoseconds of processor time per puzzle, over all runs.
    pub mean_nanos: f64,
    /// Guesses, or nodes, per puzzle, over all runs; null if another program does not print them.
    pub mean_guesses: Option<f64>,
    /// Of exact cover problems with a budget: the mean over all problems of the median time in nanoseconds, twice the
    /// budget for a problem that was not finished (PAR2, as competitions of SAT solvers score).
    pub par2_nanos: Option<f64>,
    /// Nanoseconds of processor time per puzzle: the mean of each run, and how the runs differ.
    pub cpu_nanos: Spread,
    /// Nanoseconds of elapsed time per puzzle, over the runs.
    pub wall_nanos: Spread,
    /// Its processor time divided by the reference's on the same puzzles: above 1 it is slower. Null for the reference.
    pub ratio: Option<Ratio>,
    /// Puzzles by status, as found in the warm-up.
    pub counts: Counts,
    /// The fraction of the puzzles solved without a guess, over all runs, 0 to 1; null for another program.
    pub without_guess: Option<f64>,
    /// Nanoseconds of processor time of each puzzle, over all runs; null for another program.
    pub nanos: Option<Distribution>,
    /// Guesses of each puzzle, over all runs; null for another program.
    pub guesses: Option<Distribution>,
    /// Calls of the search of each puzzle, if the engine counts them.
    pub calls: Option<Distribution>,
    /// A sample of the puzzles: guesses and time. Empty for another program.
    pub points: Vec<Point>,
}

/// Another program: what was run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProgramInfo {
    /// The file that its command runs, a program or a script, if it was found.
    pub file: Option<String>,
    /// The SHA-256 sum of that file.
    pub sha256: Option<String>,
    /// Its version, if a command that prints it was given.
    pub version: Option<String>,
}

/// The place of a comparison or of an exact cover problem in a series.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeriesPlace {
    /// What grows: `puzzles`, `cells of a row`, `options`, or the name of a classic problem.
    pub of: String,
    /// How large it is here.
    pub size: f64,
}

/// An exact cover problem, and the answers of all engines.
#[derive(Clone, Debug, Serialize)]
pub struct ProblemFigures {
    /// Its name: a path, or the words that made it.
    pub name: String,
    /// Items.
    pub items: u64,
    /// Options.
    pub options: u64,
    /// Its place in a series.
    pub series: Option<SeriesPlace>,
    /// The number of solutions in decimal digits, or the cost of the cheapest cover, if an engine found it.
    pub answer: Option<String>,
    /// The engines' answers, in the order of [`Comparison::engines`].
    pub engines: Vec<ProblemAnswer>,
}

/// What an engine did with an exact cover problem.
#[derive(Clone, Debug, Serialize)]
pub struct ProblemAnswer {
    /// The engine.
    pub engine: String,
    /// Whether it finished in every run; if not, its times are at least these.
    pub finished: bool,
    /// Nanoseconds of processor time, over the runs; null if it refused the problem.
    pub nanos: Option<Spread>,
    /// Nodes, the median over the runs; null if they are not known.
    pub nodes: Option<f64>,
    /// The solutions that it counted in the warm-up, in decimal digits, or the cost that it found; null if not known.
    pub answer: Option<String>,
    /// Its time divided by the reference's in the same runs; null if one of the two did not finish.
    pub ratio: Option<Ratio>,
    /// Why it does not take the problem.
    pub refusal: Option<String>,
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

/// A time divided by the reference's time in the same run, over the runs, with an interval that contains it in 95 of 100
/// cases. Of 30 runs and more it is the median, of fewer the geometric mean.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// The median or the geometric mean.
    pub middle: f64,
    /// The lower end of the interval; null for a single run.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// How many runs it is of.
    pub runs: usize,
}

/// The puzzles on which an engine and the reference differ most.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// The engine.
    pub engine: String,
    /// The puzzles whose ratio of times is furthest from the engine's usual ratio, slower or faster; the largest
    /// difference first.
    pub puzzles: Vec<NotablePuzzle>,
}

/// A puzzle on which two engines differ more than usual.
#[derive(Clone, Debug, Serialize)]
pub struct NotablePuzzle {
    /// The source.
    pub input: String,
    /// The line, from 1.
    pub line: u64,
    /// The puzzle, as it was read.
    pub puzzle: String,
    /// The engine's time in nanoseconds: the median over the runs.
    pub nanos: f64,
    /// The reference's time in nanoseconds: the median over the runs.
    pub reference_nanos: f64,
    /// The engine's guesses: the median over the runs.
    pub guesses: f64,
    /// The reference's guesses: the median over the runs.
    pub reference_guesses: f64,
}
