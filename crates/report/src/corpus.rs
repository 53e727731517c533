//! The figures of a run that reads a corpus and writes another, or what it finds in it: of `canon`, `rate` and others.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::run::{InputFigures, OutputFigures, add_checksums};
use super::written_at::written_at;
use galop_batch::error::Error;
use galop_batch::figures::{Distribution, Histogram, RulesInfo};
use galop_batch::input::Source;
use galop_batch::output::OutputSum;
use galop_batch::pipeline::RewriteOutcome;
use galop_engines::engine::Entry;
use galop_engines::grid::Rules;

/// A run that is over: what it was given, and what it found.
#[derive(Clone, Copy, Debug)]
pub struct CorpusRun<'a> {
    /// The rules of the puzzles.
    pub rules: &'a Rules,
    /// The engine that counted solutions or guesses, if they were counted.
    pub engine: Option<&'a Entry>,
    /// Threads that worked.
    pub threads: usize,
    /// Time from the first byte read to the last byte written.
    pub elapsed: Duration,
    /// The command that was typed, quoted for a shell.
    pub command: Option<&'a str>,
    /// What was read and written.
    pub outcome: &'a RewriteOutcome,
    /// What was counted: the name of each figure, and the figure.
    pub figures: &'a [(&'static str, u64)],
}

/// All figures of such a run. Serialised with serde, it is the JSON report.
#[derive(Clone, Debug, Serialize)]
pub struct Corpus {
    /// The version of galop.
    #[serde(rename = "galop")]
    version: &'static str,
    /// The command that was typed, quoted for a shell.
    command: Option<String>,
    /// When the report was made, in UTC.
    date: String,
    /// The rules of the puzzles.
    rules: RulesInfo,
    /// The engine that counted solutions or guesses; null if they were not counted.
    engine: Option<&'static str>,
    /// Threads that worked.
    threads: usize,
    /// The sources that were read.
    inputs: Vec<InputFigures>,
    /// All records.
    records: u64,
    /// Those that are no puzzles.
    malformed: u64,
    /// The first of them: place and reason.
    first_malformed: Vec<String>,
    /// What was counted, by name.
    figures: BTreeMap<&'static str, u64>,
    /// The guesses for the puzzles with one solution, if they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    guesses: Option<Distribution>,
    /// Seconds from the first byte read to the last byte written.
    elapsed_seconds: f64,
    /// The file that was written, if its bytes were summed up.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<OutputFigures>,
}

impl Corpus {
    /// The figures of this run.
    pub fn new(run: &CorpusRun<'_>) -> Corpus {
        let CorpusRun { rules, engine, threads, elapsed, command, outcome, figures } = *run;
        Corpus {
            version: env!("CARGO_PKG_VERSION"),
            command: command.map(str::to_owned),
            date: written_at(),
            rules: RulesInfo::new(rules),
            engine: engine.map(|engine| engine.name),
            threads,
            inputs: outcome.inputs.iter().map(InputFigures::new).collect(),
            records: outcome.records,
            malformed: outcome.malformed_count,
            first_malformed: outcome.malformed.iter().map(ToString::to_string).collect(),
            figures: figures.iter().copied().collect(),
            guesses: None,
            elapsed_seconds: elapsed.as_secs_f64(),
            output: None,
        }
    }

    /// Adds the guesses for the puzzles with one solution.
    pub fn add_guesses(&mut self, guesses: &Histogram) {
        self.guesses = Some(Distribution::of_counts(guesses));
    }

    /// Adds the file that was written.
    pub fn add_output(&mut self, path: &Path, sum: OutputSum) {
        self.output = Some(OutputFigures::new(path, sum));
    }

    /// Adds the SHA-256 sums of the inputs. `sources` are the sources of the run in order. Each file is read again.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](galop_batch::ErrorKind::Read) if a file cannot be read again;
    /// [`InputError::Changed`](galop_batch::input::InputError::Changed).
    pub fn add_checksums(&mut self, sources: &[Source]) -> Result<(), Error> {
        add_checksums(&mut self.inputs, sources)
    }
}
