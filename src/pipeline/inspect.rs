//! What [`verify`](super::verify) and [`check`](super::check) share: every record of a source gets a verdict, and the
//! records with a fault are reported in order.

use std::marker::PhantomData;
use std::num::NonZero;
use std::ops::AddAssign;
use std::sync::atomic::AtomicBool;

use super::{ChunkJob, Failure, PagePlace, Pipeline, Reading, SourceHead, Station};
use crate::error::{Error, ErrorKind};
use crate::input::format::{Format, Notation};
use crate::input::records::Record;
use crate::input::source::Source;

/// How a source is inspected.
#[derive(Clone, Copy, Debug)]
pub struct InspectOptions<'a> {
    /// Worker threads; `None` for one a core.
    pub threads: Option<NonZero<usize>>,
    /// Once this is true the inspection ends with [`ErrorKind::Stopped`].
    pub stop: &'a AtomicBool,
}

/// What a record turns out to be. There are three verdicts of each kind.
pub trait Verdict: Copy + 'static {
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
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Verdicts<V> {
    /// Lines read.
    pub lines: u64,
    counts: [u64; 3],
    verdict: PhantomData<V>,
}

impl<V: Verdict> Default for Verdicts<V> {
    fn default() -> Self {
        Verdicts { lines: 0, counts: [0; 3], verdict: PhantomData }
    }
}

impl<V: Verdict> Verdicts<V> {
    /// How many records have this verdict.
    pub fn of(&self, verdict: V) -> u64 {
        self.counts[verdict.index()]
    }

    /// All records.
    pub fn records(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// All records with a fault.
    pub fn faults(&self) -> u64 {
        V::ALL.into_iter().filter(|verdict| verdict.is_fault()).map(|verdict| self.of(verdict)).sum()
    }

    fn count(&mut self, verdict: V) {
        self.counts[verdict.index()] += 1;
    }
}

impl<V: Verdict> AddAssign for Verdicts<V> {
    fn add_assign(&mut self, other: Verdicts<V>) {
        self.lines += other.lines;
        for (mine, theirs) in self.counts.iter_mut().zip(other.counts) {
            *mine += theirs;
        }
    }
}

impl<V: Verdict> std::fmt::Debug for Verdicts<V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut map = f.debug_map();
        map.entry(&"lines", &self.lines);
        map.entries(V::ALL.into_iter().map(|verdict| (verdict.words(), self.of(verdict)))).finish()
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
) -> Result<Verdicts<J::Verdict>, Error> {
    let mut pipeline = Pipeline::new(options.threads, judge)?;
    let mut station = Inspection::<J> { verdicts: Verdicts::default(), report };
    pipeline.run(source, Reading { notation, chunk_bytes, stop: options.stop }, &mut station)?;
    Ok(station.verdicts)
}

struct Inspection<'a, J: Judge> {
    verdicts: Verdicts<J::Verdict>,
    report: &'a mut dyn FnMut(u64, J::Fault) -> Result<(), Error>,
}

/// What one chunk becomes.
struct Page<J: Judge> {
    verdicts: Verdicts<J::Verdict>,
    /// Lines count from 0 in the chunk.
    faults: Vec<(u64, J::Fault)>,
}

impl<J: Judge> Default for Page<J> {
    fn default() -> Self {
        Page { verdicts: Verdicts::default(), faults: Vec::new() }
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
        page.verdicts = Verdicts::default();
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
