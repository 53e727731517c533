//! What [`verify`](super::verify) and [`check`](super::check) share: every record of a source gets a verdict, and the
//! records with a fault are reported in order.

use std::fmt;
use std::num::NonZero;
use std::ops::AddAssign;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::{ChunkJob, Failure, PagePlace, Pipeline, Reading, SourceHead, Station};
use crate::error::{Error, ErrorKind};
use crate::input::LineError;
use crate::input::format::{Format, Notation};
use crate::input::records::Record;
use crate::input::source::Source;
use crate::printable::printable;

/// How a source is inspected.
#[derive(Clone, Copy, Debug)]
pub struct InspectOptions<'a> {
    /// Worker threads; `None` for one a core.
    pub threads: Option<NonZero<usize>>,
    /// Once this is true the inspection ends with [`ErrorKind::Stopped`].
    pub stop: &'a AtomicBool,
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
    /// Lines read.
    pub lines: u64,
    /// All records.
    pub records: u64,
    /// Each verdict in the order of a summary: the words for it (`right`), and its records.
    pub counts: [(&'static str, u64); 3],
    /// Records with a fault.
    pub faults: u64,
}

impl Verdicts {
    fn new<V: Verdict>() -> Verdicts {
        Verdicts { lines: 0, records: 0, counts: V::ALL.map(|verdict| (verdict.words(), 0)), faults: 0 }
    }

    fn count(&mut self, verdict: impl Verdict) {
        self.records += 1;
        self.counts[verdict.index()].1 += 1;
        self.faults += u64::from(verdict.is_fault());
    }
}

impl AddAssign for Verdicts {
    fn add_assign(&mut self, other: Verdicts) {
        self.lines += other.lines;
        self.records += other.records;
        for ((_, mine), (_, theirs)) in self.counts.iter_mut().zip(other.counts) {
            *mine += theirs;
        }
        self.faults += other.faults;
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
    /// What is wrong, in words.
    pub message: &'a dyn fmt::Display,
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

/// Gives a verdict on one record after the other. Each thread has one.
pub(super) trait Judge: Send {
    type Verdict: Verdict + Send;
    type Fault: Send;

    /// The verdict on `record`, and its fault if it has one.
    fn judge(
        &mut self,
        record: &Record<'_>,
        format: &dyn Format,
    ) -> Result<(Self::Verdict, Option<Self::Fault>), ErrorKind>;
}

/// Inspects every record of `source` with judges that `judge` makes. `report` gets each fault with its line, from 1,
/// in order.
pub(super) fn inspect<J: Judge>(
    source: &mut Source,
    (notation, chunk_bytes): (Notation, usize),
    options: &InspectOptions<'_>,
    judge: impl Fn() -> Result<J, Error>,
    report: &mut dyn FnMut(u64, J::Fault) -> Result<(), Error>,
) -> Result<Verdicts, Error> {
    let mut pipeline = Pipeline::new(options.threads, judge)?;
    let mut station = Inspection::<J> { verdicts: Verdicts::new::<J::Verdict>(), report };
    pipeline.run(source, Reading { notation, chunk_bytes, stop: options.stop }, &mut station)?;
    Ok(station.verdicts)
}

struct Inspection<'a, J: Judge> {
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

impl<J: Judge> Station for Inspection<'_, J> {
    type Worker = J;
    type Page = Page<J>;
    type Decision = ();

    fn recognised(&mut self, _head: &SourceHead<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn work(judge: &mut J, (): (), chunk: &ChunkJob<'_>, page: &mut Page<J>) -> Result<(), Failure> {
        page.verdicts = Verdicts::new::<J::Verdict>();
        page.faults.clear();
        for record in chunk.records() {
            if chunk.is_stopped() {
                return Err(Failure::stopped());
            }
            let judged = judge.judge(&record, chunk.format);
            let (verdict, fault) = judged.map_err(|kind| Failure::in_line(record.line, kind))?;
            page.verdicts.count(verdict);
            page.faults.extend(fault.map(|fault| (record.line, fault)));
        }
        Ok(())
    }

    fn deliver(&mut self, page: &mut Page<J>, at: &PagePlace) -> Result<(), Error> {
        for (line, fault) in page.faults.drain(..) {
            (self.report)(at.lines_before + line + 1, fault)?;
        }
        self.verdicts += page.verdicts;
        self.verdicts.lines += at.lines;
        Ok(())
    }
}
