//! A run: one source after the other through the pipeline, and everything that all runs do alike.
//!
//! A [`Task`] says what a worker makes of a chunk, and what becomes of the page. The [`Run`] reads the chunks of the
//! sources, writes the header of the output, accounts for malformed records, counts what was read, and makes the
//! checkpoints from which a later run goes on. There are three tasks: to solve, to rewrite and to verify records.

use std::cell::Cell;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::fields::OutputHeader;
use super::malformed::MalformedLines;
use super::watch::Watch;
use super::workers::{Steps, Workers};
use super::{CHUNK_BYTES, ChunkJob, Failure, PagePlace, SourceHead, WorkProgress};
use crate::error::{Error, ErrorKind, Fact};
use crate::input::LineError;
use crate::input::format::Notation;
use crate::input::reader::{Chunk, Reader};
use crate::input::records::{MALFORMED_KEPT, MalformedRecord, Records};
use crate::input::source::Source;
use crate::output::Outlet;
use crate::parts::{Behind, Checkpoint, Part, Progress, Shard, SolvedInput};

/// Slots a thread, for chunks of `chunk_bytes`: enough that a worker finds work while the oldest chunk is being
/// written. Large chunks get no more than that, because their memory counts.
pub(super) fn slots_per_thread(chunk_bytes: usize) -> usize {
    (8 * CHUNK_BYTES / chunk_bytes.max(1)).clamp(2, 8)
}

/// What is done to the records of all sources.
///
/// `recognised` and `deliver` run on the caller's thread, `work` on the workers' threads, at the same time. So `work`
/// cannot see the task: it has its worker, and what `recognised` decided.
pub(super) trait Task {
    /// What a thread keeps between chunks.
    type Worker: Send;
    /// What the head of a source decides for all of its chunks.
    type Plan: Clone + Default + Send;
    /// What a chunk becomes. Pages are used again: `work` gets an old one.
    type Page: Default + Send;

    /// Which lines the chunks count.
    fn line_numbers(&self) -> LineNumbers {
        LineNumbers::None
    }

    /// Whether no source has decided yet which header the output has.
    fn needs_head(&self) -> bool {
        false
    }

    /// Called once a source, before its first chunk with a record. Appends the header of the output to `header`, if it
    /// follows from this source. `lines_before` are the lines of all earlier sources.
    fn recognised(
        &mut self,
        head: &SourceHead<'_>,
        lines_before: u64,
        input: &mut SolvedInput,
        header: &mut Vec<u8>,
    ) -> Result<Self::Plan, Error>;

    /// Makes a page of `chunk`, and adds its malformed records to `malformed`.
    fn work(
        worker: &mut Self::Worker,
        plan: Self::Plan,
        chunk: &ChunkJob<'_>,
        page: &mut Self::Page,
        malformed: &mut MalformedLines,
    ) -> Result<(), Failure>;

    /// Writes a page, and adds up what it counted. Pages come in the order of their chunks.
    fn deliver(&mut self, page: &mut Self::Page, delivery: Delivery<'_, '_>) -> Result<(), Error>;

    /// What the delivered pages add up to. A run that goes on gets it from [`Run::restore`].
    fn sums(&self, totals: &Totals) -> impl Serialize;
}

/// A run: it takes one source after the other, solves its records ([`SolveRun`](super::SolveRun)) or rewrites them
/// ([`rewrite`](super::rewrite)), and writes what becomes of them, in order.
///
/// (A trait, so that what is done to a record is compiled for speed in its package, whatever package has it run.)
pub trait SourceRun {
    /// What it has done in the end.
    type Outcome;

    /// How many threads there are.
    fn threads(&self) -> usize;

    /// How many records were read.
    fn records(&self) -> u64;

    /// The part of each of `sources` that belongs to `shard`, for [`read`](Self::read), to be called for each source in
    /// this order. The outputs of all shards, one after the other, are the output of the whole: only the first has a
    /// header.
    ///
    /// # Errors
    /// A [`ShardError`](crate::parts::ShardError) if one of them is not a regular file of text.
    fn cut(&mut self, shard: Shard, sources: &[Source]) -> Result<Vec<Part>, Error>;

    /// The state of the run between two sources: a line of text, from which a later run goes on.
    fn state(&self) -> String;

    /// Goes on where an earlier run had `state`, to the output of that run. Both runs have the same `sources`; call
    /// [`read`](Self::read) for all of them. `watch` is informed of what the earlier run told its own.
    ///
    /// # Errors
    /// [`UnknownState`].
    fn restore(&mut self, state: &str, sources: &[Source], watch: &mut dyn Watch) -> Result<(), Error>;

    /// Reads every record of `part` of `source`, and writes to `outs`, in order. A part that is empty may still show the
    /// columns of the output. After an error, what was written is the beginning of the output, in whole lines.
    ///
    /// # Errors
    /// [`ErrorKind::Read`], [`InputError`](crate::input::InputError), [`ErrorKind::Write`], [`ErrorKind::Stopped`],
    /// [`ColumnsDiffer`](super::ColumnsDiffer), and what the function that made the run names.
    fn read(
        &mut self,
        source: &mut Source,
        part: Part,
        outs: &mut [&mut dyn Outlet],
        watch: &mut dyn Watch,
    ) -> Result<(), Error>;

    /// Flushes the outputs and sums up.
    ///
    /// # Errors
    /// [`ErrorKind::Write`], and what the function that made the run names.
    fn finish(self: Box<Self>, outs: &mut [&mut dyn Outlet]) -> Result<Self::Outcome, Error>;
}

/// Which lines are counted before a chunk. To count them takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineNumbers {
    None,
    /// The lines of the source.
    OfSource,
    /// The lines of the source and of all sources before it.
    OfAllSources,
}

/// Where a page is in its source, and where its bytes go.
pub(super) struct Delivery<'d, 'o> {
    pub(super) at: &'d PagePlace,
    /// Lines of all earlier sources, and records of all earlier pages.
    pub(super) lines_before_source: u64,
    pub(super) records_before: u64,
    pub(super) input: &'d SolvedInput,
    /// The number of the source, from 0.
    pub(super) index: usize,
    pub(super) outs: &'d mut [&'o mut dyn Outlet],
    pub(super) watch: &'d mut dyn Watch,
}

/// The state belongs to another kind of run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the progress is not from this command")]
pub struct UnknownState;

impl Fact for UnknownState {}

/// What was read of all sources.
#[derive(Debug, Default)]
pub(super) struct Totals {
    /// The sources in order.
    pub(super) inputs: Vec<SolvedInput>,
    /// Their lines.
    lines: u64,
    /// Records of all sources, and of the one that is read.
    pub(super) records: u64,
    /// Those that are no puzzles.
    pub(super) malformed_count: u64,
    /// The first of them.
    pub(super) malformed: Vec<MalformedRecord>,
}

/// The state of a run: a line of JSON.
#[derive(Serialize, Deserialize)]
struct RunState<S> {
    at: Checkpoint,
    /// Whether the output has its header.
    has_header: bool,
    malformed_count: u64,
    /// Indices of sources, lines, errors.
    malformed: Vec<(usize, u64, LineError)>,
    sums: S,
}

/// A chunk's page, and the buffer its bytes were read into.
pub(super) struct Slot<P> {
    page: P,
    malformed: MalformedLines,
    /// Whether the page was made, or why it was not.
    result: Result<(), Failure>,
    spare: Vec<u8>,
    /// The place of the page. Of the lines before it, those that were skipped right before.
    place: PagePlace,
}

impl<P: Default> Default for Slot<P> {
    fn default() -> Slot<P> {
        let (malformed, place) = (MalformedLines::default(), PagePlace::default());
        Slot { page: P::default(), malformed, result: Ok(()), spare: Vec::new(), place }
    }
}

/// A run: its threads are started. It takes one source after the other.
pub(super) struct Run<'a, W, P> {
    workers: Workers<(W, Records), Slot<P>>,
    notation: Notation,
    /// Bytes of a chunk.
    chunk_bytes: usize,
    stop: &'a AtomicBool,
    pub(super) totals: Totals,
    /// Whether the header of the output is written.
    prints_header: bool,
    /// Where an earlier run was.
    continued: Checkpoint,
}

/// Bytes of the largest chunk: a worker has a byte an option of all its puzzles, and the shortest record of a problem has
/// two bytes with its line end.
fn most_chunk_bytes(notation: &Notation) -> usize {
    /// Bytes of the puzzles of a chunk.
    const PUZZLES: usize = 1 << 26;
    match notation.choices {
        Some(_) => (2 * PUZZLES / notation.cells).max(2),
        None => usize::MAX,
    }
}

impl<'a, W: Send, P: Default + Send> Run<'a, W, P> {
    /// Starts the threads (`None`: one a core) and makes a worker for each, which decides how many bytes a chunk has.
    /// Puzzles are written in this notation. Once `stop` is true the run ends with [`ErrorKind::Stopped`].
    ///
    /// # Errors
    /// [`ErrorKind::Threads`], and what `worker` fails with.
    pub(super) fn start(
        threads: Option<NonZero<usize>>,
        worker: impl Fn() -> Result<W, Error>,
        notation: Notation,
        chunk_bytes: impl Fn(&W) -> usize,
        stop: &'a AtomicBool,
    ) -> Result<Run<'a, W, P>, Error> {
        let workers = Workers::start(threads, || Ok((worker()?, Records::default())))?;
        let chunk_bytes = workers.first(|(worker, _)| chunk_bytes(worker)).unwrap_or(CHUNK_BYTES);
        let chunk_bytes = chunk_bytes.min(most_chunk_bytes(&notation));
        let (totals, continued) = (Totals::default(), Checkpoint::default());
        Ok(Run { workers, notation, chunk_bytes, stop, totals, prints_header: true, continued })
    }

    /// How many threads there are.
    pub(super) fn threads(&self) -> usize {
        self.workers.threads()
    }

    /// The worker of the first thread, to ask what all of them have in common.
    pub(super) fn first_worker<T>(&self, ask: impl Fn(&W) -> T) -> Option<T> {
        self.workers.first(|(worker, _)| ask(worker))
    }

    /// Writes the header of an output without sources, if none has decided it, and flushes the outputs.
    ///
    /// # Errors
    /// [`ErrorKind::Write`].
    pub(super) fn flush(&self, header: &OutputHeader, outs: &mut [&mut dyn Outlet]) -> Result<(), Error> {
        let first = if self.prints_header { header.without_sources() } else { Vec::new() };
        outs.iter_mut().try_for_each(|out| {
            out.put(&first)?;
            Ok(out.flush().map_err(ErrorKind::Write)?)
        })
    }

    /// The totals, and what the threads kept.
    pub(super) fn end(self) -> (Totals, impl Iterator<Item = W>) {
        (self.totals, self.workers.into_workers().map(|(worker, _)| worker))
    }

    /// The part of each of `sources` that belongs to `shard`, for [`read`](Self::read). Only the first shard has a
    /// header. `usual` are the bytes of a chunk, of which a small input may have fewer; `None` if the answers depend on
    /// it.
    ///
    /// # Errors
    /// A [`ShardError`](crate::parts::ShardError) if one of the sources is not a regular file of text.
    pub(super) fn cut(
        &mut self,
        shard: Shard,
        sources: &[Source],
        lines: LineNumbers,
        usual: Option<usize>,
    ) -> Result<Vec<Part>, Error> {
        let (parts, bytes) = shard.parts(sources, lines == LineNumbers::OfAllSources)?;
        if let Some(usual) = usual {
            self.chunk_bytes = shard.small_chunk_bytes(bytes, usual).min(most_chunk_bytes(&self.notation));
        }
        self.prints_header &= shard.is_first();
        Ok(parts)
    }

    /// Whether the next source was finished by the run that this one continues.
    pub(super) fn is_passing(&self) -> bool {
        self.continued.has_finished(self.totals.inputs.len())
    }

    /// The state between two sources, with these `sums`. `needs_head`: no source has decided yet which header the
    /// output has.
    pub(super) fn state(&self, needs_head: bool, sums: impl Serialize) -> String {
        self.totals.state(None, !self.prints_header || !needs_head, sums)
    }

    /// Goes on where an earlier run had `state`, to the output of that run. Both runs have the same `sources`; all of
    /// them must be [`read`](Self::read). `watch` is informed of its malformed records. Returns the sums of its task.
    ///
    /// # Errors
    /// [`UnknownState`].
    pub(super) fn restore<S: DeserializeOwned>(
        &mut self,
        state: &str,
        sources: &[Source],
        watch: &mut dyn Watch,
    ) -> Result<S, Error> {
        let state: RunState<S> = serde_json::from_str(state).map_err(|_| UnknownState)?;
        for (index, line, error) in state.malformed {
            let malformed = MalformedRecord { path: name_of(sources, index), line, error };
            watch.malformed(&malformed);
            self.totals.malformed.push(malformed);
        }
        self.totals.malformed_count = state.malformed_count;
        self.totals.records = state.at.records();
        self.prints_header &= !state.has_header;
        self.continued = state.at;
        Ok(state.sums)
    }

    /// Reads `part` of `source`, and has `task` write each page to `outs`, in order. What an earlier run has read is
    /// left out. A part that is empty may still show the columns of the output.
    ///
    /// # Errors
    /// [`ErrorKind::Read`], [`InputError`](crate::input::InputError), [`ErrorKind::Write`], [`ErrorKind::Stopped`], and
    /// the errors of the task.
    pub(super) fn read<T: Task<Worker = W, Page = P>>(
        &mut self,
        task: &mut T,
        source: &mut Source,
        part: Part,
        outs: &mut [&mut dyn Outlet],
        watch: &mut dyn Watch,
    ) -> Result<(), Error> {
        let is_passed = self.is_passing();
        let (part, at) = self.continued.rest_of(self.totals.inputs.len(), part);
        let mut input = SolvedInput::of(source);
        at.inspect(|at| at.read.give_to(&mut input));
        let Run { workers, notation, chunk_bytes, stop, totals, prints_header, .. } = self;
        let lines_before = part.lines_before.unwrap_or(0);
        let (name, worked) = (input.name.clone(), WorkProgress::default());
        let mut reading = Reading {
            task,
            totals,
            prints_header: *prints_header,
            input,
            outs,
            watch,
            header: Vec::new(),
            is_within_page: false,
            is_passed,
            at,
            reader: Reader::new(source, *chunk_bytes, notation.clone()),
            part,
            has_ended: false,
            stop,
            plan: None,
            lines_before,
            lines_read: lines_before,
            start: 0,
            position: 0,
            delivered: 0,
            worked: &worked,
        };
        let work = |(worker, records): &mut (W, Records),
                    job: Job<'_, T::Plan>,
                    slot: &mut Slot<P>,
                    abandoned: &AtomicBool| {
            let Job { chunk, plan, lines_before, start, file_bytes } = job;
            slot.malformed.clear();
            slot.result = chunk.read(records).map_err(Failure::from).and_then(|()| {
                let job = ChunkJob {
                    bytes: &chunk.bytes,
                    records,
                    format: &chunk.format,
                    source: &name,
                    lines_before,
                    stops: [stop, abandoned],
                    worked: &worked,
                    file_bytes,
                    counted: Cell::default(),
                };
                T::work(worker, plan, &job, &mut slot.page, &mut slot.malformed)?;
                job.end();
                Ok(())
            });
            slot.place = PagePlace {
                lines_before: chunk.skipped_lines,
                lines: records.lines(),
                records: records.len() as u64,
                end: chunk.end,
                bytes: chunk.end - start,
                position: chunk.position,
            };
            slot.spare = chunk.into_spare();
        };
        let steps = Steps { next: Reading::next, work, deliver: Reading::deliver, wait: Reading::wait };
        let slots = workers.threads() * slots_per_thread(*chunk_bytes) + 2;
        let done = workers.run(slots, &mut reading, steps);
        let done = done.and_then(|()| reading.end());
        if let Err(error) = &done {
            reading.keep_last(error);
        }
        let input = reading.input;
        self.totals.lines += input.lines;
        self.totals.inputs.push(input);
        done?;
        source.finish()
    }
}

/// The name of the source `index`.
pub(super) fn name_of(sources: &[Source], index: usize) -> PathBuf {
    sources.get(index).map(|source| source.name().to_owned()).unwrap_or_default()
}

impl Totals {
    /// The number of the source of that name, which may be the one that is being read. A source may be named twice:
    /// then its errors belong to the first of them, which has the same name.
    pub(super) fn index_of(&self, path: &Path) -> usize {
        self.inputs.iter().position(|input| input.name == path).unwrap_or(self.inputs.len())
    }

    /// The state at the place `current` of the source behind `inputs`.
    fn state(&self, current: Option<Behind>, has_header: bool, sums: impl Serialize) -> String {
        let malformed = self.malformed.iter();
        let state = RunState {
            at: Checkpoint::new(&self.inputs, current),
            has_header,
            malformed_count: self.malformed_count,
            malformed: malformed.map(|one| (self.index_of(&one.path), one.line, one.error)).collect(),
            sums,
        };
        // Names and numbers can be written as JSON.
        serde_json::to_string(&state).unwrap_or_default()
    }
}

/// The reading of one source.
struct Reading<'r, 'o, 's, T: Task> {
    task: &'r mut T,
    totals: &'r mut Totals,
    prints_header: bool,
    input: SolvedInput,
    outs: &'r mut [&'o mut dyn Outlet],
    watch: &'r mut dyn Watch,
    /// Bytes of the header that are not written yet.
    header: Vec<u8>,
    /// Whether a part of a page was written.
    is_within_page: bool,
    /// Whether an earlier run finished the source, whose state is then ahead of this place.
    is_passed: bool,
    /// The place behind the chunks that were delivered.
    at: Option<Behind>,
    reader: Reader<'s>,
    /// What is read of the source.
    part: Part,
    /// Whether there is no other chunk.
    has_ended: bool,
    stop: &'r AtomicBool,
    /// What the head decides.
    plan: Option<T::Plan>,
    /// Lines of the chunks that were delivered, and of those that were read.
    lines_before: u64,
    lines_read: u64,
    /// Where the next chunk begins, and where in the file.
    start: u64,
    position: u64,
    /// Records that were delivered.
    delivered: u64,
    worked: &'r WorkProgress,
}

/// A chunk on its way to a worker.
struct Job<'s, P> {
    chunk: Chunk<'s>,
    plan: P,
    lines_before: u64,
    /// Where it begins.
    start: u64,
    /// Bytes of the file that it takes.
    file_bytes: u64,
}

impl<'s, T: Task> Reading<'_, '_, 's, T> {
    fn stopped(&self) -> Error {
        Error::at(&self.input.name, ErrorKind::Stopped)
    }

    /// The next chunk that is not left out.
    fn next(&mut self, slot: &mut Slot<T::Page>) -> Result<Option<Job<'s, T::Plan>>, Error> {
        loop {
            let needs_head = self.at.is_some_and(|at| at.read.is_recognised) || self.task.needs_head();
            self.has_ended |= self.start >= self.part.to && (self.plan.is_some() || !needs_head);
            if self.has_ended {
                return Ok(None);
            }
            let Some(chunk) = self.reader.next(std::mem::take(&mut slot.spare))? else {
                self.has_ended = true;
                return Ok(None);
            };
            let start = std::mem::replace(&mut self.start, chunk.end);
            let position = std::mem::replace(&mut self.position, chunk.position);
            let file_bytes = chunk.position.saturating_sub(position);
            if self.plan.is_none() && chunk.is_first {
                self.plan = Some(self.recognised(&chunk)?);
            }
            if self.part.has(start) {
                self.lines_read += chunk.skipped_lines;
                let lines_before = self.lines_read;
                if self.task.line_numbers() != LineNumbers::None {
                    self.lines_read += chunk.lines();
                }
                // The result if the work panics.
                slot.result = Err(Failure::stopped());
                let plan = self.plan.clone().unwrap_or_default();
                return Ok(Some(Job { chunk, plan, lines_before, start, file_bytes }));
            }
            if self.stop.load(Ordering::Relaxed) {
                return Err(self.stopped());
            }
            if self.part.lines_before.is_none() && start < self.part.from {
                self.lines_before += chunk.lines();
                self.lines_read = self.lines_before;
            }
            self.worked.bytes.fetch_add(file_bytes, Ordering::Relaxed);
            slot.spare = chunk.into_spare();
        }
    }

    fn recognised(&mut self, chunk: &Chunk<'_>) -> Result<T::Plan, Error> {
        let (format, header) = (&*chunk.format, chunk.header());
        self.input.format = format.name;
        self.input.columns = format.taken.clone();
        self.input.has_eliminations = format.has_eliminations;
        let head = SourceHead { format, header, first_record: chunk.first_record() };
        self.task.recognised(&head, self.totals.lines, &mut self.input, &mut self.header)
    }

    fn deliver(&mut self, slot: &mut Slot<T::Page>) -> Result<(), Error> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(self.stopped());
        }
        self.lines_before += slot.place.lines_before;
        let result = std::mem::replace(&mut slot.result, Ok(()));
        result.map_err(|failure| failure.at(&self.input.name, self.lines_before))?;
        let at = &PagePlace { lines_before: self.lines_before, ..slot.place };
        self.is_within_page = true;
        self.write_header()?;
        let Reading { task, totals, input, outs, watch, .. } = self;
        let index = totals.inputs.len();
        let (lines_before_source, records_before) = (totals.lines, totals.records);
        let delivery =
            Delivery { at, lines_before_source, records_before, input, index, outs, watch: &mut **watch };
        task.deliver(&mut slot.page, delivery)?;
        self.is_within_page = false;
        totals.malformed_count += slot.malformed.count;
        let room = MALFORMED_KEPT.saturating_sub(totals.malformed.len());
        for (line, error) in slot.malformed.first.drain(..).take(room) {
            let malformed = MalformedRecord { path: input.name.clone(), line: at.line(line), error };
            watch.malformed(&malformed);
            totals.malformed.push(malformed);
        }
        at.count_in(input);
        totals.records += at.records;
        watch.advanced(at.position, totals.records);
        self.lines_before += at.lines;
        self.delivered += at.records;
        self.at = Some(Behind { read: Progress::of(input), offset: at.end, lines: self.lines_before });
        if !self.outs.is_empty() && self.outs.iter().all(|out| out.is_due()) { self.keep() } else { Ok(()) }
    }

    /// Says how far the workers are.
    fn wait(&mut self) {
        let [bytes, records] =
            [&self.worked.bytes, &self.worked.records].map(|of| of.load(Ordering::Relaxed));
        self.watch.working(bytes, self.totals.records + records.saturating_sub(self.delivered));
    }

    /// Called behind the last chunk.
    fn end(&mut self) -> Result<(), Error> {
        if self.task.line_numbers() == LineNumbers::OfAllSources {
            self.input.lines = self.input.lines.max(self.lines_before);
        }
        self.write_header()
    }

    /// Writes the header of the output, if it was found and not written yet.
    fn write_header(&mut self) -> Result<(), Error> {
        let header = std::mem::take(&mut self.header);
        if !header.is_empty() && self.prints_header {
            self.outs.iter_mut().try_for_each(|out| out.put(&header))?;
        }
        Ok(())
    }

    fn keep(&mut self) -> Result<(), Error> {
        let has_header = !self.prints_header || !self.task.needs_head() && self.header.is_empty();
        let state = self.totals.state(self.at, has_header, self.task.sums(self.totals));
        self.outs.iter_mut().try_for_each(|out| out.keep(&state))
    }

    /// Keeps the last state before the end, if the run was stopped between two pages: then everything that was written
    /// is whole. Until the run has reached the place where an earlier one ended, the earlier state stays.
    fn keep_last(&mut self, error: &Error) {
        if matches!(error.kind(), ErrorKind::Stopped) && !self.is_within_page && !self.is_passed {
            // The one before is kept if this is not.
            self.keep().ok();
        }
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
