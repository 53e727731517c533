//! The figures of a run that reads a corpus: of `verify`, `canon`, `rate` and others.

use std::cmp::Reverse;
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
use galop_batch::pipeline::{Faults, ReasonFaults, RewriteOutcome, VerifyOutcome};
use galop_engines::engine::Entry;
use galop_engines::grid::Rules;

/// A run over a corpus that is over: what it was given.
#[derive(Clone, Copy, Debug)]
pub struct SurveyRun<'a> {
    /// The rules of the puzzles.
    pub rules: &'a Rules,
    /// The engine that counted solutions or guesses, if they were counted.
    pub engine: Option<&'a Entry>,
    /// Time from the first byte read to the last byte written.
    pub elapsed: Duration,
    /// The command that was typed, quoted for a shell.
    pub command: Option<&'a str>,
}

/// All figures of such a run. Serialised with serde, it is the JSON report.
#[derive(Clone, Debug, Serialize)]
pub struct Survey {
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
    /// Threads that worked, if records were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<usize>,
    /// The sources that were read.
    inputs: Vec<InputFigures>,
    /// All records.
    records: u64,
    /// What was found in them.
    #[serde(flatten)]
    findings: Findings,
    /// Seconds from the first byte read to the last byte written.
    elapsed_seconds: f64,
    /// The file that was written, if its bytes were summed up.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<OutputFigures>,
}

/// What was found in the records.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Findings {
    /// `verify` gave each record a verdict.
    Verdicts {
        /// Records by verdict, in the order of the summary.
        verdicts: Vec<VerdictFigures>,
        /// Records with a fault, by reason: the most frequent first.
        faults: Vec<ReasonFaults>,
    },
    /// Another command read the puzzles.
    Puzzles {
        /// Records that are not puzzles.
        malformed: u64,
        /// The first of them: place and reason.
        first_malformed: Vec<String>,
        /// What was counted, by name.
        figures: BTreeMap<&'static str, u64>,
        /// The guesses for the puzzles with one solution, if they were counted.
        #[serde(skip_serializing_if = "Option::is_none")]
        guesses: Option<Box<Distribution>>,
    },
}

/// Records of one verdict.
#[derive(Clone, Debug, Serialize)]
struct VerdictFigures {
    verdict: &'static str,
    records: u64,
}

impl Survey {
    /// The figures of a run of `verify`: what was found in each source, in order, and the faults of all sources.
    pub fn of_verdicts(run: &SurveyRun<'_>, verified: &[VerifyOutcome], faults: &Faults) -> Survey {
        let total = VerifyOutcome::total(verified).unwrap_or_default();
        let mut faults = faults.reasons.clone();
        faults.sort_by_key(|faults| Reverse(faults.records));
        Survey {
            inputs: verified.iter().map(|source| InputFigures::new(&source.input)).collect(),
            records: total.records,
            ..Survey::new(
                run,
                Findings::Verdicts {
                    verdicts: total
                        .counts()
                        .map(|(verdict, records)| VerdictFigures { verdict, records })
                        .collect(),
                    faults,
                },
            )
        }
    }

    /// The figures of a run that worked on `threads` threads: what it read and wrote, and what it counted, each figure
    /// with its name.
    pub fn of_puzzles(
        run: &SurveyRun<'_>,
        threads: usize,
        outcome: &RewriteOutcome,
        figures: &[(&'static str, u64)],
        guesses: Option<&Histogram>,
    ) -> Survey {
        Survey {
            threads: Some(threads),
            inputs: outcome.inputs.iter().map(InputFigures::new).collect(),
            records: outcome.records,
            ..Survey::new(
                run,
                Findings::Puzzles {
                    malformed: outcome.malformed_count,
                    first_malformed: outcome.malformed.iter().map(ToString::to_string).collect(),
                    figures: figures.iter().copied().collect(),
                    guesses: guesses.map(|guesses| Box::new(Distribution::of(guesses))),
                },
            )
        }
    }

    fn new(run: &SurveyRun<'_>, findings: Findings) -> Survey {
        Survey {
            version: env!("CARGO_PKG_VERSION"),
            command: run.command.map(str::to_owned),
            date: written_at(),
            rules: RulesInfo::new(run.rules),
            engine: run.engine.map(|engine| engine.name),
            threads: None,
            inputs: Vec::new(),
            records: 0,
            findings,
            elapsed_seconds: run.elapsed.as_secs_f64(),
            output: None,
        }
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
