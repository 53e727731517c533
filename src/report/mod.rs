//! A tally written out, for people and for programs.
//!
//! [`FORMATS`] is the table of report formats, chosen by the ending of a file's name: one file and one row
//! add one.

mod comparison;
mod csv;
mod error;
mod figures;
mod html;
mod json;
mod machine;
mod markdown;
mod ruled;
mod text;

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use crate::compare::Comparison;
use crate::engine::{Entry, Work};
use crate::error::Error;
use crate::figures::{Bucket, Histogram, Point, Slow};
use crate::grid::Rules;
use crate::pipeline::solve::{Options, Outcome};
use crate::puzzle::Status;
pub use error::ReportEnding;

pub use figures::{counted, duration, share, thousands};
pub use machine::Machine;
pub use ruled::Ruled;
pub use text::{Style, comparison_text, text};

/// A report format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The ending of file names, without the dot.
    pub ending: &'static str,
    /// One line: what it is for.
    pub about: &'static str,
    /// Writes the report of a run, if the format is one for that.
    pub write: Option<fn(&Report) -> String>,
    /// Writes the report of a comparison, if the format is one for that.
    pub compare: Option<fn(&Comparison) -> String>,
}

/// Every report format.
pub const FORMATS: &[Format] = &[json::FORMAT, markdown::FORMAT, html::FORMAT, csv::FORMAT, text::FORMAT];

/// The format for the report of a run in a file of that name, by its ending.
///
/// # Errors
/// [`ReportEnding`] if no format for that has that ending.
pub fn format_of(path: &Path) -> Result<&'static Format, Error> {
    among(path, |format| format.write.is_some())
}

/// The format for the report of a comparison in a file of that name, by its ending.
///
/// # Errors
/// [`ReportEnding`] if no format for that has that ending.
pub fn comparison_format_of(path: &Path) -> Result<&'static Format, Error> {
    among(path, |format| format.compare.is_some())
}

/// The format with the ending of `path` among those that do.
fn among(path: &Path, does: fn(&Format) -> bool) -> Result<&'static Format, Error> {
    let ending = path.extension().unwrap_or_default();
    let formats = || FORMATS.iter().filter(|format| does(format));
    formats().find(|format| ending.eq_ignore_ascii_case(format.ending)).ok_or_else(|| {
        let known: Vec<String> = formats().map(|format| format!(".{}", format.ending)).collect();
        Error::at(path, ReportEnding { known: known.join(", ") })
    })
}

/// Everything there is to say of a run. Serialised as it stands, it is the JSON report; names with a unit
/// carry it (`_seconds`, `nanos`, `bytes`).
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of galop.
    pub galop: &'static str,
    /// The command that was typed, quoted for a shell.
    pub command: Option<String>,
    /// Where it ran.
    pub machine: Machine,
    /// The engine's name.
    pub engine: &'static str,
    /// The rules of the puzzles.
    pub rules: Ruled,
    /// What was asked for.
    pub options: Asked,
    /// What was read.
    pub inputs: Vec<InputFigures>,
    /// Records by status.
    pub counts: Counts,
    /// From the first byte read to the last byte written.
    pub elapsed_seconds: f64,
    /// Puzzles (malformed records are none) by elapsed seconds.
    pub puzzles_per_second: f64,
    /// What the engine did, if it solves many puzzles at once.
    pub work: Option<WorkFigures>,
    /// What another engine solved again, if that was wished.
    pub crosscheck: Option<CrosscheckFigures>,
    /// Time a puzzle in nanoseconds, if it was measured. Where there is `work`, a puzzle's time is its share of
    /// its lanes' rounds, and the sum is the time of the batches.
    pub nanos: Option<Distribution>,
    /// Guesses a puzzle.
    pub guesses: Distribution,
    /// Calls of the search a puzzle, if the engine counts them.
    pub calls: Option<Distribution>,
    /// How deep those calls were nested.
    pub depth: Option<Distribution>,
    /// The slowest puzzles, slowest first.
    pub slowest: Vec<SlowPuzzle>,
    /// Some of the puzzles, evenly spread: guesses and time. They are for pictures, and not in the JSON report.
    #[serde(skip)]
    pub points: Vec<Point>,
    /// The first malformed records: place and reason.
    pub malformed: Vec<String>,
}

/// The options of a run that decide its answers or its speed.
#[derive(Clone, Debug, Serialize)]
pub struct Asked {
    /// Where searches stopped, in solutions; null for all.
    pub solutions: Option<u64>,
    /// Where searches gave up, in guesses; null for never.
    pub max_guesses: Option<u64>,
    /// Threads that solved.
    pub threads: usize,
    /// What records were printed as.
    pub format: &'static str,
    /// Whether times were taken.
    pub times: bool,
}

/// A source as the report names it.
#[derive(Clone, Debug, Serialize)]
pub struct InputFigures {
    /// The path as it was given, or `<stdin>`.
    pub name: String,
    /// The shape it was read as.
    pub shape: &'static str,
    /// Bytes read.
    pub bytes: u64,
    /// Lines read.
    pub lines: u64,
    /// Records among them.
    pub records: u64,
    /// Whether it was mapped into memory.
    pub mapped: bool,
    /// The SHA-256 sum of the file, in hexadecimal digits; null for a stream.
    pub sha256: Option<String>,
}

/// Records by status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All records.
    pub records: u64,
    /// Records that are puzzles.
    pub puzzles: u64,
    /// Exactly what was asked for was found.
    pub solved: u64,
    /// No solution.
    pub none: u64,
    /// Several, where the only one was asked for.
    pub multiple: u64,
    /// Gave up.
    pub limit: u64,
    /// Not finished by an engine that never guesses.
    pub stuck: u64,
    /// No puzzle.
    pub malformed: u64,
}

/// What an engine that solves many puzzles at once did.
#[derive(Clone, Debug, Serialize)]
pub struct WorkFigures {
    /// The instruction set it was compiled for.
    pub isa: &'static str,
    /// Places for puzzles.
    pub lanes: usize,
    /// Puzzles answered in lanes; those of batches too small for that are not among them.
    pub puzzles: u64,
    /// Rounds.
    pub rounds: u64,
    /// Lanes that held a puzzle, summed over the rounds.
    pub busy: u64,
    /// Sweeps of such lanes, summed.
    pub sweeps: u64,
    /// The part of the lanes that held a puzzle, 0 to 1.
    pub occupancy: f64,
    /// Sweeps a puzzle.
    pub sweeps_per_puzzle: f64,
    /// Rounds that a puzzle took part in.
    pub rounds_per_puzzle: f64,
}

/// What another engine solved again. No difference was found: one would have ended the run.
#[derive(Clone, Debug, Serialize)]
pub struct CrosscheckFigures {
    /// The other engine.
    pub engine: &'static str,
    /// The share of the puzzles that was asked for, 0 to 1.
    pub share: f64,
    /// The seed of the draw.
    pub seed: u64,
    /// Puzzles that were solved again.
    pub puzzles: u64,
    /// Those among them that stay open, because one of the engines gave up.
    pub undecided: u64,
}

/// A histogram with its usual figures.
#[derive(Clone, Debug, Serialize)]
pub struct Distribution {
    /// How many values.
    pub count: u64,
    /// Their sum.
    pub sum: u128,
    /// Sum by count.
    pub mean: f64,
    /// The smallest.
    pub min: u64,
    /// Half of the values are at most this.
    pub p50: u64,
    /// 90 % of the values are at most this.
    pub p90: u64,
    /// 99 % of the values are at most this.
    pub p99: u64,
    /// 99.9 % of the values are at most this.
    pub p99_9: u64,
    /// The largest.
    pub max: u64,
    /// Every range that holds a value: exact up to 2,047, to three digits above.
    pub histogram: Vec<Bucket>,
    /// The same in the coarse ranges that are drawn.
    #[serde(skip)]
    pub bars: Vec<Bucket>,
}

/// One of the slowest puzzles, with its place.
#[derive(Clone, Debug, Serialize)]
pub struct SlowPuzzle {
    /// The source.
    pub input: String,
    /// The line, from 1.
    pub line: u64,
    /// Time in nanoseconds, if it was measured.
    pub nanos: Option<u64>,
    /// Guesses.
    pub guesses: u64,
    /// The puzzle as it was read.
    pub puzzle: String,
    /// The first solution found, if any.
    pub solution: Option<String>,
}

impl Report {
    /// The report of a run of `engine` on puzzles of `rules` with `options` that found `outcome` in `elapsed`, on
    /// `threads` threads.
    pub fn new(
        rules: &Rules,
        engine: &Entry,
        options: &Options<'_>,
        threads: usize,
        outcome: &Outcome,
        elapsed: Duration,
    ) -> Report {
        let tally = &outcome.tally;
        let elapsed_seconds = elapsed.as_secs_f64();
        let name = |index: usize| outcome.inputs.get(index).map(|input| input.name.display().to_string());
        let inputs = outcome.inputs.iter().map(|input| InputFigures {
            name: input.name.display().to_string(),
            shape: input.shape,
            bytes: input.bytes,
            lines: input.lines,
            records: input.records,
            mapped: input.mapped,
            sha256: None,
        });
        let crosscheck = options.crosscheck.zip(outcome.crosscheck);
        let slowest = outcome.slowest.iter().map(|slow: &Slow| SlowPuzzle {
            input: name(slow.input).unwrap_or_default(),
            line: slow.line,
            nanos: options.times.then_some(slow.nanos),
            guesses: slow.guesses,
            puzzle: slow.puzzle.clone(),
            solution: slow.solution.clone(),
        });
        Report {
            galop: env!("CARGO_PKG_VERSION"),
            command: None,
            machine: Machine::this(),
            engine: engine.name,
            rules: Ruled::by(rules),
            options: Asked {
                solutions: options.limits.solutions(),
                max_guesses: options.limits.guesses(),
                threads,
                format: options.format.name,
                times: options.times,
            },
            inputs: inputs.collect(),
            counts: Counts {
                records: tally.records(),
                puzzles: tally.puzzles(),
                solved: tally.of(Status::Solved),
                none: tally.of(Status::None),
                multiple: tally.of(Status::Multiple),
                limit: tally.of(Status::Limit),
                stuck: tally.of(Status::Stuck),
                malformed: tally.of(Status::Malformed),
            },
            elapsed_seconds,
            puzzles_per_second: tally.puzzles() as f64 / elapsed_seconds.max(1e-9),
            work: outcome.work.map(WorkFigures::new),
            crosscheck: crosscheck.map(|(sample, checked)| CrosscheckFigures {
                engine: checked.engine,
                share: sample.share,
                seed: sample.seed,
                puzzles: checked.puzzles,
                undecided: checked.undecided,
            }),
            nanos: options.times.then(|| Distribution::of_times(&tally.nanos)),
            guesses: Distribution::of_counts(&tally.guesses),
            calls: engine.counts_calls.then(|| Distribution::of_counts(&tally.calls)),
            depth: engine.counts_calls.then(|| Distribution::of_counts(&tally.depth)),
            slowest: slowest.collect(),
            points: outcome.points.clone(),
            malformed: outcome.malformed.iter().map(ToString::to_string).collect(),
        }
    }

    /// The inputs in a few words.
    fn inputs_in_words(&self) -> String {
        match &self.inputs[..] {
            [] => "no input".to_owned(),
            [one] => one.name.clone(),
            [first, others @ ..] => format!("{} and {} more", first.name, others.len()),
        }
    }

    /// The engine, with its instruction set if it is compiled for several.
    fn engine_in_words(&self) -> String {
        match &self.work {
            Some(work) => format!("{} {}", self.engine, work.isa),
            None => self.engine.to_owned(),
        }
    }

    /// What the engine counts beside guesses, in a few words.
    fn calls_in_words(&self) -> Option<String> {
        let (calls, depth) =
            self.calls.as_ref().zip(self.depth.as_ref()).filter(|(calls, _)| calls.count > 0)?;
        let (most, deepest) = (thousands(calls.max), thousands(depth.max));
        Some(format!("mean {:.3}  max {most}  deepest {deepest}", calls.mean))
    }

    /// Each status that occurred, with its count.
    fn statuses(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let counts = &self.counts;
        let Counts { solved, none, multiple, limit, stuck, malformed, .. } = *counts;
        let all = [solved, none, multiple, limit, stuck, malformed];
        Status::ALL.map(Status::word).into_iter().zip(all).filter(|&(_, count)| count > 0)
    }
}

impl WorkFigures {
    fn new(work: Work) -> WorkFigures {
        let Work { isa, lanes, puzzles, rounds, busy, sweeps } = work;
        let per = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        WorkFigures {
            isa: isa.name(),
            lanes,
            puzzles,
            rounds,
            busy,
            sweeps,
            occupancy: per(busy, rounds * lanes as u64),
            sweeps_per_puzzle: per(sweeps, puzzles),
            rounds_per_puzzle: per(busy, puzzles),
        }
    }

    /// The same in a few words.
    fn in_words(&self) -> String {
        let WorkFigures { isa, lanes, sweeps_per_puzzle, rounds_per_puzzle, .. } = self;
        if self.puzzles == 0 {
            return format!("{isa}, {lanes} lanes, not used: there were too few puzzles at a time");
        }
        let busy = share(self.busy, self.rounds * *lanes as u64);
        format!(
            "{isa}, {lanes} lanes, {busy} busy, {sweeps_per_puzzle:.1} sweeps and {rounds_per_puzzle:.1} rounds a puzzle"
        )
    }
}

impl CrosscheckFigures {
    /// The same in a few words.
    fn in_words(&self) -> String {
        let puzzles = counted(self.puzzles, "puzzle", "puzzles");
        let undecided = match self.undecided {
            0 => String::new(),
            undecided => format!(", {} left open by a limit on guesses", thousands(undecided)),
        };
        format!("{puzzles} solved again by {}: no difference{undecided}", self.engine)
    }
}

impl Distribution {
    /// Of nanoseconds.
    pub(crate) fn of_times(histogram: &Histogram) -> Distribution {
        Distribution::new(histogram, figures::time_start)
    }

    /// Of numbers of guesses, or of anything that is counted.
    pub(crate) fn of_counts(histogram: &Histogram) -> Distribution {
        Distribution::new(histogram, figures::guess_start)
    }

    fn new(histogram: &Histogram, start_of: fn(u64) -> u64) -> Distribution {
        Distribution {
            count: histogram.count(),
            sum: histogram.sum(),
            mean: histogram.mean(),
            min: histogram.min(),
            p50: histogram.percentile(500),
            p90: histogram.percentile(900),
            p99: histogram.percentile(990),
            p99_9: histogram.percentile(999),
            max: histogram.max(),
            histogram: histogram.buckets(),
            bars: histogram.buckets_by(start_of),
        }
    }
}
