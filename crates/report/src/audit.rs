//! The figures of an audit: of `verify` or `check`.

use std::time::Duration;

use serde::Serialize;

use super::run::{InputFigures, add_checksums};
use super::written_at::written_at;
use galop_batch::error::Error;
use galop_batch::figures::RulesInfo;
use galop_batch::input::Source;
use galop_batch::pipeline::{Faults, Inspected};
use galop_engines::engine::Entry;
use galop_engines::grid::Rules;

/// An audit that is over: what it was given, and what it found.
#[derive(Clone, Copy, Debug)]
pub struct AuditRun<'a> {
    /// The rules of the puzzles.
    pub rules: &'a Rules,
    /// The engine that counted solutions, if they were counted.
    pub engine: Option<&'a Entry>,
    /// Time from the first byte read to the last fault written.
    pub elapsed: Duration,
    /// The command that was typed, quoted for a shell.
    pub command: Option<&'a str>,
    /// What each source was found to hold, in order.
    pub inspected: &'a [Inspected],
    /// The faults of all sources.
    pub faults: &'a Faults,
}

/// All figures of an audit. Serialised with serde, it is the JSON report.
#[derive(Clone, Debug, Serialize)]
pub struct Audit {
    /// The version of galop.
    #[serde(rename = "galop")]
    version: &'static str,
    /// The command that was typed, quoted for a shell.
    command: Option<String>,
    /// When the report was made, in UTC.
    date: String,
    /// The rules of the puzzles.
    rules: RulesInfo,
    /// The engine that counted solutions; null if they were not counted.
    engine: Option<&'static str>,
    /// The sources that were read.
    inputs: Vec<InputFigures>,
    /// All records.
    records: u64,
    /// Records by verdict, in the order of the summary.
    verdicts: Vec<VerdictFigures>,
    /// Records with a fault, by reason: the most frequent first.
    faults: Vec<FaultFigures>,
    /// Seconds from the first byte read to the last fault written.
    elapsed_seconds: f64,
}

/// Records of one verdict.
#[derive(Clone, Debug, Serialize)]
struct VerdictFigures {
    verdict: &'static str,
    records: u64,
}

/// Records that have a fault for one reason.
#[derive(Clone, Debug, Serialize)]
struct FaultFigures {
    /// A few words: `clue not kept`.
    reason: &'static str,
    records: u64,
    /// The first of them: place and what is wrong.
    first: Vec<String>,
}

impl Audit {
    /// The figures of this audit.
    pub fn new(run: &AuditRun<'_>) -> Audit {
        let AuditRun { rules, engine, elapsed, command, inspected, faults } = *run;
        let total = Inspected::total(inspected);
        let counts = total.map(|total| total.counts).into_iter().flatten();
        let mut faults: Vec<FaultFigures> = faults
            .reasons
            .iter()
            .map(|faults| FaultFigures {
                reason: faults.reason,
                records: faults.records,
                first: faults.first.clone(),
            })
            .collect();
        faults.sort_by_key(|faults| std::cmp::Reverse(faults.records));
        Audit {
            version: env!("CARGO_PKG_VERSION"),
            command: command.map(str::to_owned),
            date: written_at(),
            rules: RulesInfo::new(rules),
            engine: engine.map(|engine| engine.name),
            inputs: inspected.iter().map(|source| InputFigures::new(&source.input)).collect(),
            records: total.map_or(0, |total| total.records),
            verdicts: counts.map(|(verdict, records)| VerdictFigures { verdict, records }).collect(),
            faults,
            elapsed_seconds: elapsed.as_secs_f64(),
        }
    }

    /// Adds the SHA-256 sums of the inputs. `sources` are the sources of the audit in order. Each file is read again.
    ///
    /// # Errors
    /// [`ErrorKind::Read`](galop_batch::ErrorKind::Read) if a file cannot be read again;
    /// [`InputError::Changed`](galop_batch::input::InputError::Changed).
    pub fn add_checksums(&mut self, sources: &[Source]) -> Result<(), Error> {
        add_checksums(&mut self.inputs, sources)
    }
}
