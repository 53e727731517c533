//! The figures of a run.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::names::input_name;
use super::written_at::written_at;
use galop_batch::error::Error;
use galop_batch::figures::{
    Counts, CpuInfo, Distribution, Point, RulesInfo, Slow, duration, group_digits, percent, pluralize,
};
use galop_batch::input::{Source, TakenColumns};
use galop_batch::output::OutputSum;
use galop_batch::pipeline::{SolveOptions, SolveOutcome, SolvedInput};
use galop_engines::engine::{Entry, Work};
use galop_engines::grid::Rules;
use galop_engines::puzzle::Status;

/// A run that is over: what it was given, and how long it took.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The rules of the puzzles.
    pub rules: &'a Rules,
    /// The engine.
    pub engine: &'a Entry,
    /// The options.
    pub options: &'a SolveOptions<'a>,
    /// Threads that solved.
    pub threads: usize,
    /// Time from the first byte read to the last byte written.
    pub elapsed: Duration,
    /// The command that was typed, quoted for a shell.
    pub command: Option<&'a str>,
}

/// All figures of a run. Serialised with serde, it is the JSON report. Names of values with a unit contain the unit
/// (`_seconds`, `nanos`, `bytes`).
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of galop.
    #[serde(rename = "galop")]
    pub(super) version: &'static str,
    /// The command that was typed, quoted for a shell.
    pub(super) command: Option<String>,
    /// When the report was made, in UTC.
    pub(super) date: String,
    /// The machine that it used.
    pub(super) machine: CpuInfo,
    /// The engine's name.
    pub(super) engine: &'static str,
    /// The rules of the puzzles.
    pub(super) rules: RulesInfo,
    /// The options of the run.
    pub(super) options: RunOptions,
    /// The sources that were read.
    pub(super) inputs: Vec<InputFigures>,
    /// Records by status.
    pub(super) counts: Counts,
    /// Seconds from the first byte read to the last byte written.
    pub(super) elapsed_seconds: f64,
    /// Puzzles, malformed records excluded, divided by elapsed seconds.
    pub(super) puzzles_per_second: f64,
    /// The work of the engine, if it solves many puzzles at once.
    pub(super) work: Option<WorkFigures>,
    /// The puzzles that another engine solved again, if that was an option of the run.
    pub(super) crosscheck: Option<CrosscheckFigures>,
    /// Nanoseconds of each puzzle, if times were measured. If there is `work`, a puzzle's time is its share of its
    /// lanes' rounds, and the sum is the time of the batches.
    pub(super) nanos: Option<Distribution>,
    /// Guesses of each puzzle.
    pub(super) guesses: Distribution,
    /// Calls of the search of each puzzle, if the engine counts them.
    pub(super) calls: Option<Distribution>,
    /// Depth to which these calls were nested, if the engine counts them.
    pub(super) depth: Option<Distribution>,
    /// The slowest puzzles, slowest first.
    pub(super) slowest: Vec<SlowPuzzle>,
    /// The puzzles that took the most guesses, the most first.
    pub(super) most_guesses: Vec<SlowPuzzle>,
    /// A sample of the puzzles, evenly spread: guesses and time. It is for plots and not part of the JSON report.
    #[serde(skip)]
    pub(super) points: Vec<Point>,
    /// The first malformed records: place and reason.
    pub(super) malformed: Vec<String>,
    /// Which records were written, if not all of them were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) selection: Option<SelectionFigures>,
    /// The solutions that were written, if all of them were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) listing: Option<ListingFigures>,
    /// The file that was written, if its bytes were summed up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) output: Option<OutputFigures>,
    /// The answers that the inputs give, if they give any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answers: Option<AnswerFigures>,
}

/// The options of a run that decide its answers or its speed.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RunOptions {
    /// Solutions after which searches stopped; null for all.
    pub(super) solutions: Option<u64>,
    /// Guesses after which searches gave up; null for no limit.
    pub(super) max_guesses: Option<u64>,
    /// Threads that solved.
    pub(super) threads: usize,
    /// The output format.
    pub(super) format: &'static str,
    /// Whether times were measured.
    pub(super) times: bool,
}

/// A source that was read.
#[derive(Clone, Debug, Serialize)]
pub(super) struct InputFigures {
    /// The path as typed, or `<stdin>`.
    pub(super) name: String,
    /// The format it was read as.
    pub(super) shape: &'static str,
    /// The columns of a table, or the keys of objects, that were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) columns: Option<TakenColumns>,
    /// Bytes read.
    pub(super) bytes: u64,
    /// Lines read.
    pub(super) lines: u64,
    /// Records in these lines.
    pub(super) records: u64,
    /// Whether it was mapped into memory.
    pub(super) mapped: bool,
    /// The SHA-256 sum of the file, in hexadecimal digits; null for a stream.
    pub(super) sha256: Option<String>,
}

/// Which records were written.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SelectionFigures {
    /// Those that are one of these; all if it is empty.
    pub(super) only: Vec<&'static str>,
    /// The least and the largest number of guesses; null for no limit.
    pub(super) guesses: [Option<u64>; 2],
    /// How many they are.
    pub(super) written: u64,
    /// All records, as in `counts`.
    #[serde(skip)]
    pub(super) records: u64,
    /// The selection in words.
    #[serde(skip)]
    pub(super) words: String,
}

/// The solutions that were written.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ListingFigures {
    /// How many they are.
    pub(super) solutions: u64,
    /// Puzzles with more solutions than were written or found.
    pub(super) partial: u64,
}

/// The file that was written.
#[derive(Clone, Debug, Serialize)]
pub(super) struct OutputFigures {
    /// The path as typed.
    pub(super) name: String,
    /// Its bytes, as they are on the disk.
    pub(super) bytes: u64,
    /// Their SHA-256 sum, in hexadecimal digits.
    pub(super) sha256: String,
}

/// The answers that tables and objects give beside their puzzles.
#[derive(Clone, Debug, Serialize)]
pub(super) struct AnswerFigures {
    /// Records that give a full grid as the answer.
    pub(super) given: u64,
    /// Those whose answer does not solve the puzzle.
    pub(super) wrong: u64,
    /// The first wrong ones: place and reason.
    pub(super) first_wrong: Vec<String>,
}

/// The work of an engine that solves many puzzles at once.
#[derive(Clone, Debug, Serialize)]
pub(super) struct WorkFigures {
    /// The instruction set it was compiled for.
    pub(super) isa: &'static str,
    /// Puzzles that it can work on at once.
    pub(super) lanes: usize,
    /// Puzzles answered in lanes. Puzzles of batches too small for lanes are not counted.
    pub(super) puzzles: u64,
    /// Rounds.
    pub(super) rounds: u64,
    /// Lanes that held a puzzle, summed over the rounds.
    pub(super) busy: u64,
    /// Sweeps of lanes that held a puzzle, summed over these lanes.
    pub(super) sweeps: u64,
    /// The fraction of the lanes that held a puzzle, 0 to 1.
    pub(super) occupancy: f64,
    /// Sweeps per puzzle.
    pub(super) sweeps_per_puzzle: f64,
    /// Rounds per puzzle.
    pub(super) rounds_per_puzzle: f64,
}

/// The puzzles that another engine solved again. A difference ends the run, so a report has no differences.
#[derive(Clone, Debug, Serialize)]
pub(super) struct CrosscheckFigures {
    /// The other engine.
    pub(super) engine: &'static str,
    /// The fraction of the puzzles that the user chose, 0 to 1.
    pub(super) share: f64,
    /// The seed of the sample.
    pub(super) seed: u64,
    /// Puzzles solved again.
    pub(super) puzzles: u64,
    /// Those that stay undecided, because one of the engines gave up.
    pub(super) undecided: u64,
}

/// One of the slowest puzzles, with its place.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SlowPuzzle {
    /// The source.
    pub(super) input: String,
    /// The line, from 1.
    pub(super) line: u64,
    /// Nanoseconds that it takes alone, if times were measured.
    pub(super) nanos: Option<u64>,
    /// Guesses.
    pub(super) guesses: u64,
    /// The puzzle as it was read.
    pub(super) puzzle: String,
    /// The first solution found, if any.
    pub(super) solution: Option<String>,
}

impl Report {
    /// The report of a run with this outcome.
    pub fn new(run: &Run<'_>, outcome: &SolveOutcome) -> Report {
        let Run { rules, engine, options, threads, elapsed, command } = *run;
        let tally = &outcome.tally;
        let counts = Counts::new(|status| tally.of(status));
        let elapsed_seconds = elapsed.as_secs_f64();
        let inputs: Vec<InputFigures> = outcome.inputs.iter().map(InputFigures::new).collect();
        let named = |slow: &Slow| SlowPuzzle {
            input: inputs.get(slow.input).map_or(String::new(), |input| input.name.clone()),
            line: slow.line,
            nanos: options.times.then_some(slow.nanos),
            guesses: slow.guesses,
            puzzle: slow.puzzle.clone(),
            solution: slow.solution.clone(),
        };
        let slowest: Vec<SlowPuzzle> = outcome.slowest.iter().map(named).collect();
        let most_guesses = outcome.most_guesses.iter().map(named).collect();
        Report {
            version: env!("CARGO_PKG_VERSION"),
            command: command.map(str::to_owned),
            date: written_at(),
            machine: CpuInfo::current(),
            engine: engine.name,
            rules: RulesInfo::new(rules),
            options: RunOptions {
                solutions: options.limits.solutions(),
                max_guesses: options.limits.guesses(),
                threads,
                format: options.format.name,
                times: options.times,
            },
            puzzles_per_second: counts.puzzles as f64 / elapsed_seconds.max(1e-9),
            counts,
            elapsed_seconds,
            work: outcome.work.map(WorkFigures::new),
            crosscheck: options.crosscheck.zip(outcome.crosscheck).map(|(sample, checked)| {
                CrosscheckFigures {
                    engine: checked.engine,
                    share: sample.share,
                    seed: sample.seed,
                    puzzles: checked.puzzles,
                    undecided: checked.undecided,
                }
            }),
            nanos: options.times.then(|| Distribution::of(&tally.nanos)),
            guesses: Distribution::of(&tally.guesses),
            calls: engine.counts_calls.then(|| Distribution::of(&tally.calls)),
            depth: engine.counts_calls.then(|| Distribution::of(&tally.depth)),
            slowest,
            most_guesses,
            inputs,
            points: outcome.points.clone(),
            malformed: outcome.malformed.iter().map(ToString::to_string).collect(),
            selection: options.selection.zip(outcome.printed).map(|(selection, written)| SelectionFigures {
                only: selection.only.iter().map(|choice| choice.name).collect(),
                guesses: selection.guesses.as_ref().map_or([None; 2], |range| {
                    [Some(*range.start()), Some(*range.end()).filter(|end| *end < u64::MAX)]
                }),
                written,
                records: tally.records(),
                words: selection.to_string(),
            }),
            listing: outcome
                .listed
                .map(|solutions| ListingFigures { solutions, partial: tally.of(Status::Limit) }),
            output: None,
            answers: (outcome.answers.given > 0).then(|| AnswerFigures {
                given: outcome.answers.given,
                wrong: outcome.answers.wrong,
                first_wrong: outcome.wrong_answers.iter().map(ToString::to_string).collect(),
            }),
        }
    }

    /// Adds the SHA-256 sums of the inputs. `sources` are the sources of the run in order. Each file is read again.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](galop_batch::ErrorKind::Read) if a file cannot be read again;
    /// [`InputError::Changed`](galop_batch::input::InputError::Changed).
    pub fn add_checksums(&mut self, sources: &[Source]) -> Result<(), Error> {
        add_checksums(&mut self.inputs, sources)
    }

    /// Adds the file that was written.
    pub fn add_output(&mut self, path: &Path, sum: OutputSum) {
        self.output = Some(OutputFigures::new(path, sum));
    }

    /// The engine, with its instruction set if it is compiled for several.
    pub(super) fn describe_engine(&self) -> String {
        match &self.work {
            Some(work) => format!("{} {}", self.engine, work.isa),
            None => self.engine.to_owned(),
        }
    }

    /// The puzzles a second, for people.
    pub(super) fn rate(&self) -> String {
        group_digits(self.puzzles_per_second.round() as u64)
    }

    /// The elapsed time, for people.
    pub(super) fn elapsed(&self) -> String {
        duration(self.elapsed_seconds * 1e9)
    }

    /// Whether the time of a puzzle is its share of the time of many puzzles.
    pub(super) fn has_shared_times(&self) -> bool {
        self.work.as_ref().is_some_and(|work| work.puzzles > 0)
    }

    /// Times, if they were measured for any puzzle.
    pub(super) fn times(&self) -> Option<&Distribution> {
        self.nanos.as_ref().filter(|nanos| nanos.count > 0)
    }
}

/// Adds the SHA-256 sums of `sources` to `inputs`, which describe them in the same order.
pub(super) fn add_checksums(inputs: &mut [InputFigures], sources: &[Source]) -> Result<(), Error> {
    let mut last: Option<(&Path, Option<String>)> = None;
    for (input, source) in inputs.iter_mut().zip(sources) {
        // The members of an archive have the checksum of the archive, which is read once.
        let known = last.take().filter(|(path, _)| source.file() == Some(path));
        let sum = known.map_or_else(|| source.sha256(), |(_, sum)| Ok(sum))?;
        input.sha256.clone_from(&sum);
        last = source.file().map(|path| (path, sum));
    }
    Ok(())
}

impl InputFigures {
    pub(super) fn new(input: &SolvedInput) -> InputFigures {
        InputFigures {
            name: input.name.display().to_string(),
            shape: input.format,
            columns: input.columns.clone(),
            bytes: input.bytes,
            lines: input.lines,
            records: input.records,
            mapped: input.mapped,
            sha256: None,
        }
    }
}

impl SelectionFigures {
    /// The figures in one line.
    pub(super) fn describe(&self) -> String {
        let (written, records) = (group_digits(self.written), pluralize(self.records, "record", "records"));
        format!("wrote {written} of {records}: {}", self.words)
    }
}

impl ListingFigures {
    /// The figures in one line.
    pub(super) fn describe(&self) -> String {
        let partial = match self.partial {
            0 => String::new(),
            partial => format!("; the list is partial for {}", pluralize(partial, "puzzle", "puzzles")),
        };
        format!("{} written{partial}", pluralize(self.solutions, "solution", "solutions"))
    }
}

impl OutputFigures {
    pub(super) fn new(path: &Path, sum: OutputSum) -> OutputFigures {
        let OutputSum { bytes, sha256 } = sum;
        OutputFigures { name: path.display().to_string(), bytes, sha256 }
    }

    /// The figures in one line.
    pub(super) fn describe(&self) -> String {
        let OutputFigures { name, bytes, sha256 } = self;
        format!("{} ({}, SHA-256 {sha256})", input_name(name), pluralize(*bytes, "byte", "bytes"))
    }
}

impl AnswerFigures {
    /// The figures in one line.
    pub(super) fn describe(&self) -> String {
        format!("{} given with the puzzles, {} wrong", group_digits(self.given), group_digits(self.wrong))
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

    /// The figures in one line.
    pub(super) fn describe(&self) -> String {
        let WorkFigures { isa, lanes, sweeps_per_puzzle, rounds_per_puzzle, .. } = self;
        if self.puzzles == 0 {
            return format!("{isa}, {lanes} lanes, not used");
        }
        let busy = percent(self.busy, self.rounds * *lanes as u64);
        format!(
            "{isa}, {lanes} lanes, {busy} busy, {sweeps_per_puzzle:.1} sweeps and {rounds_per_puzzle:.1} rounds \
             per puzzle"
        )
    }
}

impl CrosscheckFigures {
    /// The figures in one line.
    pub(super) fn describe(&self) -> String {
        let puzzles = pluralize(self.puzzles, "puzzle", "puzzles");
        let undecided = match self.undecided {
            0 => String::new(),
            undecided => format!(", {} left open by a limit on guesses", group_digits(undecided)),
        };
        format!("{puzzles} solved again by {}: no difference{undecided}", self.engine)
    }
}
