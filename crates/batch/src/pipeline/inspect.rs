//! What [`verify`](super::verify) and [`check`](super::check) share: every record of a source gets a verdict, and the
//! records with a fault are reported in order.

use std::fmt;
use std::num::NonZero;
use std::ops::AddAssign;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use super::answerer::Answerer;
use super::malformed::MalformedLines;
use super::run::{Delivery, Run, Task, Totals};
use super::{BATCH_CHUNK_BYTES, CHUNK_BYTES, ChunkJob, Failure, Pipeline, SolveOptions, SourceHead};
use crate::engine::Entry;
use crate::error::Error;
use crate::grid::Rules;
use crate::input::LineError;
use crate::input::format::Format;
use crate::input::records::Record;
use crate::input::source::Source;
use crate::options::NEVER;
use crate::parts::{Part, SolvedInput};
use crate::printable::printable;
use crate::puzzle::{Limits, Status};

crate::options! {
    /// How a source is inspected.
    #[derive(Clone, Copy, Debug)]
    InspectOptions<'a> {
        /// Worker threads; `None` for one a core.
        threads: Option<NonZero<usize>> = None,
        /// Once this is true the inspection ends with [`ErrorKind::Stopped`](crate::ErrorKind::Stopped).
        stop: &'a AtomicBool = &NEVER,
    }
}

/// What a record turns out to be. There are three verdicts of each kind.
pub(super) trait Verdict: Copy + 'static {
    /// All of them, in the order of a summary.
    const ALL: [Self; 3];
    /// The place in [`ALL`](Self::ALL).
    fn index(self) -> usize;
    /// The words for it in a summary: `3 right`.
    fn words(self) -> &'static str;
    /// Whether a record of this verdict has a fault.
    fn is_fault(self) -> bool;
}

/// How many records have each verdict. Adds up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// All records.
    pub records: u64,
    /// Each verdict in the order of a summary: the words for it (`right`), and its records.
    pub counts: [(&'static str, u64); 3],
    /// Records with a fault.
    pub faults: u64,
}

impl Verdicts {
    fn new<V: Verdict>() -> Verdicts {
        Verdicts { records: 0, counts: V::ALL.map(|verdict| (verdict.words(), 0)), faults: 0 }
    }

    fn count(&mut self, verdict: impl Verdict) {
        self.records += 1;
        self.counts[verdict.index()].1 += 1;
        self.faults += u64::from(verdict.is_fault());
    }
}

impl AddAssign for Verdicts {
    fn add_assign(&mut self, other: Verdicts) {
        self.records += other.records;
        for ((_, mine), (_, theirs)) in self.counts.iter_mut().zip(other.counts) {
            *mine += theirs;
        }
        self.faults += other.faults;
    }
}

/// What the inspection of a source found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InspectOutcome {
    /// The source, and what was read of it.
    pub input: SolvedInput,
    /// How many of its records have each verdict.
    pub verdicts: Verdicts,
}

impl InspectOutcome {
    /// The verdicts of all sources together; `None` without a source.
    pub fn total(sources: &[InspectOutcome]) -> Option<Verdicts> {
        sources.iter().map(|source| source.verdicts).reduce(|mut total, verdicts| {
            total += verdicts;
            total
        })
    }
}

/// A record with a fault. Prints as its place and what is wrong.
#[derive(Clone, Copy)]
pub struct FaultyRecord<'a> {
    /// The source.
    pub path: &'a Path,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, if the fault has one.
    pub column: Option<u32>,
    /// What is wrong with its text, if a field that was read is malformed.
    pub malformed: Option<&'a LineError>,
    /// What is wrong in a few words, the same for all records with such a fault: `clue not kept`.
    pub reason: &'static str,
    /// What is wrong, in words.
    pub message: &'a dyn fmt::Display,
    /// Whether it lacks the answer that is verified.
    pub lacks_answer: bool,
}

impl fmt::Display for FaultyRecord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:", printable(self.path), self.line)?;
        if let Some(column) = self.column {
            write!(f, "{column}:")?;
        }
        write!(f, " {}", self.message)
    }
}

impl fmt::Debug for FaultyRecord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FaultyRecord({self})")
    }
}

/// Faults of an audit that are kept for each reason. All of them are counted.
const FIRST_KEPT: usize = 10;

/// The faults of one or several sources, by reason.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// The reasons, in the order of their first fault.
    pub reasons: Vec<ReasonFaults>,
}

/// The faults that have the same reason.
#[derive(Clone, Debug, Serialize)]
pub struct ReasonFaults {
    /// A few words: `clue not kept`.
    pub reason: &'static str,
    /// How many records have it.
    pub records: u64,
    /// The first of them: place and what is wrong.
    pub first: Vec<String>,
}

impl Faults {
    /// Counts a fault.
    pub fn add(&mut self, fault: &FaultyRecord<'_>) {
        let known = self.reasons.iter().position(|known| known.reason == fault.reason);
        let at = known.unwrap_or_else(|| {
            self.reasons.push(ReasonFaults { reason: fault.reason, records: 0, first: Vec::new() });
            self.reasons.len() - 1
        });
        let faults = &mut self.reasons[at];
        faults.records += 1;
        if faults.first.len() < FIRST_KEPT {
            faults.first.push(fault.to_string());
        }
    }
}

/// How the symbols of `rules` are written.
pub(super) fn written(rules: &Rules) -> impl Fn(u8) -> String {
    |symbol| char::from(rules.alphabet().character(symbol)).to_string()
}

/// Gives a verdict on one record after the other. Each thread has one.
pub(super) trait Judge: Send {
    type Verdict: Verdict + Send;
    type Fault: Send;

    /// Bytes of a chunk, unless its puzzles are solved many at once.
    const CHUNK_BYTES: usize = CHUNK_BYTES;

    /// The verdict on `record`, and its fault if it has one. `proved` says how many solutions its puzzle has, if they
    /// are counted.
    fn judge(
        &mut self,
        record: &Record<'_>,
        format: &Format,
        proved: Option<Status>,
    ) -> Result<Self::Verdict, (Self::Verdict, Self::Fault)>;

    /// Finds the place of a fault in a record of several lines. Returns how many lines of the record come before it.
    fn find_line(_fault: &mut Self::Fault, _record: &Record<'_>, _format: &Format) -> u64 {
        0
    }
}

/// Inspects every record of `source` with judges that `judge` makes. `prover`, if given, counts the solutions of each
/// puzzle up to two. `report` gets each fault with its line, from 1, in order.
pub(super) fn inspect<J: Judge>(
    source: &mut Source,
    rules: &Rules,
    prover: Option<&Entry>,
    options: &InspectOptions<'_>,
    judge: impl Fn() -> J,
    report: &mut dyn FnMut(u64, J::Fault) -> Result<(), Error>,
) -> Result<InspectOutcome, Error> {
    let worker = || {
        let prover = prover.map(|entry| {
            let limits = Limits::UNIQUE.with_guesses(entry.max_guesses);
            Answerer::new(rules, entry, false, &SolveOptions::default().limits(limits).times(false))
        });
        Ok(Inspector { prover: prover.transpose()?, judge: judge() })
    };
    let pipeline = Pipeline::new(options.threads, worker)?;
    let is_batched =
        |worker: &Inspector<J>| worker.prover.as_ref().is_some_and(|prover| prover.engine.is_batched());
    let chunk_bytes = match pipeline.first_worker(is_batched) {
        Some(true) => 2 * BATCH_CHUNK_BYTES,
        _ => J::CHUNK_BYTES,
    };
    let mut run = Run::new(pipeline, rules.into(), chunk_bytes, options.stop);
    let mut task = InspectTask::<J> { verdicts: Verdicts::new::<J::Verdict>(), report };
    run.read(&mut task, source, Part::WHOLE, &mut [], &mut ())?;
    Ok(InspectOutcome { input: run.totals.inputs.pop().unwrap_or_default(), verdicts: task.verdicts })
}

/// The steps of one thread: read, answer, judge, count.
struct Inspector<J> {
    prover: Option<Answerer>,
    judge: J,
}

/// Adds up the verdicts of all chunks, and reports the faults.
struct InspectTask<'a, J: Judge> {
    verdicts: Verdicts,
    report: &'a mut dyn FnMut(u64, J::Fault) -> Result<(), Error>,
}

/// What one chunk becomes.
struct Page<J: Judge> {
    verdicts: Verdicts,
    /// Lines count from 0 in the chunk.
    faults: Vec<(u64, J::Fault)>,
}

impl<J: Judge> Default for Page<J> {
    fn default() -> Self {
        Page { verdicts: Verdicts::new::<J::Verdict>(), faults: Vec::new() }
    }
}

impl<J: Judge> Task for InspectTask<'_, J> {
    type Worker = Inspector<J>;
    type Plan = ();
    type Page = Page<J>;

    fn needs_head(&self) -> bool {
        false
    }

    fn recognised(
        &mut self,
        _head: &SourceHead<'_>,
        _before: &[SolvedInput],
        _input: &mut SolvedInput,
        _header: &mut Vec<u8>,
    ) -> Result<(), Error> {
        Ok(())
    }

    fn work(
        Inspector { prover, judge }: &mut Inspector<J>,
        (): (),
        chunk: &ChunkJob<'_>,
        page: &mut Page<J>,
        _malformed: &mut MalformedLines,
    ) -> Result<(), Failure> {
        let mut verdicts = Verdicts::new::<J::Verdict>();
        page.faults.clear();
        if let Some(prover) = prover {
            prover.answer(chunk)?;
        }
        let cells = chunk.puzzles().stride();
        for record in chunk.records() {
            if chunk.is_stopped() {
                return Err(Failure::stopped());
            }
            let proved = match (&mut *prover, &record.puzzle) {
                (Some(prover), Ok(puzzle)) => Some(prover.take(puzzle.place, cells, record.line)?.status),
                _ => None,
            };
            match judge.judge(&record, chunk.format, proved) {
                Ok(verdict) => verdicts.count(verdict),
                Err((verdict, mut fault)) => {
                    verdicts.count(verdict);
                    page.faults.push((record.line + J::find_line(&mut fault, &record, chunk.format), fault));
                }
            }
        }
        page.verdicts = verdicts;
        Ok(())
    }

    fn deliver(&mut self, page: &mut Page<J>, delivery: Delivery<'_, '_>) -> Result<(), Error> {
        for (line, fault) in page.faults.drain(..) {
            (self.report)(delivery.at.line(line), fault)?;
        }
        self.verdicts += page.verdicts;
        Ok(())
    }

    /// An inspection cannot go on where another one ended: it has no output.
    fn sums(&self, _totals: &Totals) -> impl serde::Serialize {}
}
