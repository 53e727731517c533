//! Sources through a station on all cores, and the results back in order.
//!
//! ```text
//!   caller's thread                       workers (rayon)
//!   ---------------                       ---------------
//!   next chunk, with a free slot  ----->  read its records, work: they become the slot's page
//!   the oldest slot, when done    <-----
//!   deliver its page, free the slot
//! ```
//! A `Station` says what is done to a chunk: it is solved ([`SolveRun`]), converted ([`convert`]) or verified
//! ([`verify`]). There are a few slots a thread, so memory is bounded whatever the size
//! of the input. A page waits in its slot until all earlier ones are delivered. The caller's thread reads and delivers
//! but does not work: it may block without stopping a worker. (Windows of chunks with a barrier between them keep the
//! order too, but at every barrier the workers wait for the slowest chunk of the window.)

mod answerer;
mod convert;
mod crosscheck;
mod error;
mod fields;
mod malformed;
mod queue;
pub mod rewrite;
mod run;
mod solve;
mod verify;
mod watch;

use std::cell::Cell;
use std::num::NonZero;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use galop_cover::threads;
use rayon::ThreadPool;

use crate::engine::Engine;
use crate::error::{Error, ErrorKind};
use crate::grid::Verifier;
use crate::input::InputError;
use crate::input::answer::AnswerField;
use crate::input::format::{Format, Header, Notation};
use crate::input::reader::Reader;
use crate::input::records::{MissingCells, Puzzle, Record, Records};
use crate::input::source::Source;
use crate::puzzle::{Answer, Answers, Limits, Puzzles};
use queue::{Queue, Replies, Reply, Slot};

pub use crate::engine::Unanswered;
pub use crate::parts::{Part, Shard, ShardError, SolvedInput, facts_of};
pub use convert::convert;
pub use crosscheck::{CrosscheckCounts, Sample, agree, claim, digits, in_words, opinion};
pub use error::{ColumnsDiffer, Disagreement, NotConverted, Opinion};
pub use rewrite::{RewriteOptions, RewriteOutcome, RewriteRun};
pub use run::UnknownState;
pub use solve::{AnswerCounts, CHOICES, Choice, Selection, SolveOptions, SolveOutcome, SolveRun, choice};
pub use verify::{Faults, FaultyRecord, ReasonFaults, Verdicts, VerifyOptions, VerifyOutcome, verify};
pub use watch::{Watch, WrongAnswer};

/// Bytes of a chunk: 400 puzzles. Small enough to give all cores work on a small file, large enough that handing it
/// over (microseconds) does not count.
pub const CHUNK_BYTES: usize = 32 * 1024;

/// Bytes of a chunk for engines that solve many puzzles at once: 6,000 puzzles, so that their lanes are full
/// nearly all of the time. With half of it such an engine is 4 % slower, with a quarter 10 %; with the double it is no
/// faster and takes twice the memory. The rest of the pipeline is as fast with any of them.
///
/// Greatest memory of the process itself (RssAnon): one thread 6 MiB, two 11; 12 and 19 if the input is not mapped.
pub const BATCH_CHUNK_BYTES: usize = 512 * 1024;

/// Slots a thread, for chunks of `chunk_bytes`: enough that a worker finds work while the oldest chunk is being
/// written. Large chunks get no more than that, because their memory counts.
fn slots_per_thread(chunk_bytes: usize) -> usize {
    (8 * CHUNK_BYTES / chunk_bytes.max(1)).clamp(2, 8)
}

/// Time between two calls of [`Station::working`] while no page is finished.
const TICK: Duration = Duration::from_millis(100);

/// Time of a piece of a chunk above which the next one is smaller.
const PIECE: Duration = Duration::from_millis(20);

/// Puzzles that an engine for single puzzles solves before they are counted, at most. To count takes as long as a tenth
/// of a puzzle.
const PIECE_PUZZLES: usize = 64;

/// What is done to the chunks of a source.
///
/// `recognised` and `deliver` run on the caller's thread, `work` on the workers' threads, at the same time. So `work`
/// cannot see the station: it has its worker, and what `recognised` decided.
pub(crate) trait Station {
    /// What a thread keeps between chunks.
    type Worker: Send;
    /// What a chunk becomes. Pages are used again: `work` gets an old one.
    type Page: Default + Send;
    /// What [`recognised`](Self::recognised) decides for all chunks of a source.
    type Decision: Clone + Default + Send;

    /// Whether the chunks need the number of lines before them, which takes time to count.
    fn numbers_lines(&self) -> bool {
        false
    }

    /// Whether the head of the source is needed even if nothing else of it is read.
    fn needs_head(&self) -> bool {
        false
    }

    /// Called once a source, before its first chunk with a record.
    fn recognised(&mut self, head: &SourceHead<'_>) -> Result<Self::Decision, Error>;

    /// Makes a page of `chunk`.
    fn work(
        worker: &mut Self::Worker,
        decision: Self::Decision,
        chunk: &ChunkJob<'_>,
        page: &mut Self::Page,
    ) -> Result<(), Failure>;

    /// Takes over a page. Pages come in the order of their chunks.
    fn deliver(&mut self, page: &mut Self::Page, at: &PagePlace) -> Result<(), Error>;

    /// Called from time to time while pages are awaited. The workers have read up to byte `position` of the file, and
    /// have done `records` records that are not delivered yet.
    fn working(&mut self, _position: u64, _records: u64) {}
}

/// How far the workers are with a source: what is delivered, and what they have done of later chunks.
#[derive(Debug, Default)]
struct WorkProgress {
    /// Bytes of the file, as it lies on the disk.
    bytes: AtomicU64,
    records: AtomicU64,
}

/// What the head of a source shows.
pub(crate) struct SourceHead<'a> {
    /// Its format.
    pub(crate) format: &'a Format,
    /// The header, if it is a table.
    pub(crate) header: Option<Header<'a>>,
    /// The first line that is neither blank nor a comment.
    pub(crate) first_record: &'a [u8],
}

/// A chunk as a worker sees it, its records read.
pub struct ChunkJob<'a> {
    bytes: &'a [u8],
    records: &'a Records,
    /// How its records are written.
    pub(crate) format: &'a Format,
    /// The name of the source.
    pub(crate) source: &'a Path,
    /// Lines of the source before the chunk, if the station [numbers lines](Station::numbers_lines); else 0.
    pub(crate) lines_before: u64,
    stops: [&'a AtomicBool; 2],
    worked: &'a WorkProgress,
    /// Bytes of the file that the chunk takes.
    file_bytes: u64,
    /// Records of the chunk that are counted in `worked`, and the bytes that are counted for them.
    counted: Cell<(u64, u64)>,
}

impl<'a> ChunkJob<'a> {
    /// Counts the first `records` records as done, as far as they are not counted.
    pub fn advance_to(&self, records: usize) {
        let (records, all) = (records as u64, self.len() as u64);
        let (before, bytes_before) = self.counted.get();
        if records <= before || records > all {
            return;
        }
        let bytes = (u128::from(self.file_bytes) * u128::from(records) / u128::from(all)) as u64;
        self.count(records - before, bytes - bytes_before);
    }

    /// Counts the whole chunk, which may have no records.
    fn end(&self) {
        let (records, bytes) = self.counted.get();
        self.count(self.len() as u64 - records, self.file_bytes - bytes);
    }

    fn count(&self, records: u64, bytes: u64) {
        let (records_before, bytes_before) = self.counted.get();
        self.counted.set((records_before + records, bytes_before + bytes));
        self.worked.records.fetch_add(records, Ordering::Relaxed);
        self.worked.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Has `work` take the `puzzles` in pieces of `most` at most, and counts them. Slow puzzles come in small pieces.
    ///
    /// # Errors
    /// Those of `work`.
    pub fn each_piece(
        &self,
        puzzles: usize,
        most: usize,
        mut work: impl FnMut(Range<usize>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (mut done, mut at_once) = (0, 1);
        while done < puzzles {
            let started = Instant::now();
            let end = puzzles.min(done + at_once);
            work(done..end)?;
            self.advance_to(end);
            done = end;
            at_once = if started.elapsed() < PIECE { most.min(4 * at_once) } else { at_once.div_ceil(4) };
        }
        Ok(())
    }

    /// Every record with its puzzle, in order.
    pub fn records(&self) -> impl Iterator<Item = Record<'a>> {
        self.records.iter(self.bytes)
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The well-formed puzzles.
    pub fn puzzles(&self) -> Puzzles<'a> {
        self.records.puzzles()
    }

    /// Reads the answer beside the `puzzle` of `record`, a grid, into `cells` if `verifier` finds that it is a solution.
    /// Returns whether it is one; `None` if there is no answer.
    pub fn read_solution(
        &self,
        record: &Record<'_>,
        puzzle: &Puzzle<'_>,
        verifier: &Verifier,
        cells: &mut [u8],
    ) -> Option<bool> {
        let mut buffer = Vec::new();
        let field = AnswerField::read(self.format, record.text, &puzzle.at, &mut buffer)?;
        let is_solution = verifier.check_text(puzzle.cells, field.text).is_ok();
        Some(is_solution && self.format.notation.read(field.text, cells))
    }

    /// Has `engine` answer the puzzles. `solutions` gets their cells, flat, and `answers` their answers, which must be
    /// unanswered before.
    fn solve(
        &self,
        engine: &mut dyn Engine,
        limits: Limits,
        solutions: &mut Vec<u8>,
        answers: &mut Vec<Answer>,
    ) -> Result<(), Failure> {
        let puzzles = self.puzzles();
        if engine.is_batched() {
            return self.solve_batch(engine, puzzles, limits, solutions, answers);
        }
        let cells = puzzles.stride();
        solutions.resize(puzzles.len() * cells, 0);
        answers.resize(puzzles.len(), Answer::default());
        let mut places = Answers::new(solutions, answers, cells).map_err(ErrorKind::from)?;
        // An engine for single puzzles gives the same answers for any pieces.
        self.each_piece(puzzles.len(), PIECE_PUZZLES, |piece| {
            let mut places = places.slice(piece.clone());
            let solved = engine.solve_until(puzzles.slice(piece), limits, &mut places, &|| self.is_stopped());
            solved.map_err(ErrorKind::from)?;
            if self.is_stopped() { Err(Failure::stopped()) } else { Ok(()) }
        })
    }

    /// The same in one batch for other puzzles: some of the chunk, or what is made of them.
    ///
    /// # Errors
    /// [`ErrorKind::Stopped`], and [`WrongLength`](crate::engine::WrongLength).
    pub fn solve_batch(
        &self,
        engine: &mut dyn Engine,
        puzzles: Puzzles<'_>,
        limits: Limits,
        solutions: &mut Vec<u8>,
        answers: &mut Vec<Answer>,
    ) -> Result<(), Failure> {
        let cells = puzzles.stride();
        solutions.resize(puzzles.len() * cells, 0);
        answers.resize(puzzles.len(), Answer::default());
        let mut places = Answers::new(solutions, answers, cells).map_err(ErrorKind::from)?;
        let solved = engine.solve_until(puzzles, limits, &mut places, &|| self.is_stopped());
        solved.map_err(ErrorKind::from)?;
        if self.is_stopped() { Err(Failure::stopped()) } else { Ok(()) }
    }

    /// Whether the run was stopped or has failed, so that the page is not needed any more.
    pub fn is_stopped(&self) -> bool {
        self.stops.iter().any(|stop| stop.load(Ordering::Relaxed))
    }
}

/// The place of a page in its source.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PagePlace {
    /// Lines of all earlier chunks.
    pub(crate) lines_before: u64,
    /// Lines of the chunk.
    pub(crate) lines: u64,
    /// Records among them.
    pub(crate) records: u64,
    /// Offset in the source behind the chunk.
    pub(crate) end: u64,
    /// Bytes of the chunk.
    pub(crate) bytes: u64,
    /// Bytes of the file that were read for it: of a compressed file not the same as `end`.
    pub(crate) position: u64,
}

impl PagePlace {
    /// The line of the source, from 1, of a line of the chunk, from 0.
    pub(crate) fn line(&self, line: u64) -> u64 {
        self.lines_before + line + 1
    }

    /// Counts the chunk as read.
    fn count_in(&self, input: &mut SolvedInput) {
        input.lines = self.lines_before + self.lines;
        input.records += self.records;
        input.bytes += self.bytes;
    }
}

/// Why no page was made of a chunk.
#[derive(Debug)]
pub struct Failure {
    /// The line in the chunk, from 0, if one is to blame.
    line: Option<u64>,
    kind: ErrorKind,
}

impl Failure {
    /// The failure `kind` of a record in this line of the chunk, from 0.
    pub(crate) fn in_line(line: u64, kind: impl Into<ErrorKind>) -> Failure {
        Failure { line: Some(line), kind: kind.into() }
    }

    /// The run was stopped before the page was finished.
    pub fn stopped() -> Failure {
        ErrorKind::Stopped.into()
    }

    fn at(self, path: &Path, lines_before: u64) -> Error {
        let error = Error::at(path, self.kind);
        match self.line {
            Some(line) => error.in_line(lines_before + line + 1),
            None => error,
        }
    }
}

impl From<ErrorKind> for Failure {
    fn from(kind: ErrorKind) -> Failure {
        Failure { line: None, kind }
    }
}

impl From<Error> for Failure {
    /// Of an error that names no place.
    fn from(error: Error) -> Failure {
        error.into_kind().into()
    }
}

impl From<MissingCells> for Failure {
    fn from(missing: MissingCells) -> Failure {
        Failure::in_line(missing.line, InputError::MissingCells { format: missing.format })
    }
}

/// How a source is read.
pub(crate) struct Reading<'a> {
    /// How its puzzles are written.
    pub(crate) notation: Notation,
    /// Bytes of a chunk.
    pub(crate) chunk_bytes: usize,
    /// What is read of it.
    pub(crate) part: Part,
    /// Once this is true the run ends with [`ErrorKind::Stopped`].
    pub(crate) stop: &'a AtomicBool,
}

/// Threads, a worker for each, and the slots that circulate between them. `W` is the [`Station::Worker`], `P` the
/// [`Station::Page`].
pub(crate) struct Pipeline<W, P> {
    pool: ThreadPool,
    /// One for each thread of the pool. Only that thread locks it.
    workers: Vec<Mutex<(W, Records)>>,
    slots: Vec<Slot<P>>,
}

impl<W: Send, P: Default + Send> Pipeline<W, P> {
    /// Starts the threads (`None`: one a core) and makes a worker for each.
    ///
    /// # Errors
    /// [`ErrorKind::Threads`], and what `worker` fails with.
    pub(crate) fn new(
        threads: Option<NonZero<usize>>,
        worker: impl Fn() -> Result<W, Error>,
    ) -> Result<Self, Error> {
        let worker = |_| Ok(Mutex::new((worker()?, Records::default())));
        let workers = (0..threads::count(threads).get()).map(worker).collect::<Result<_, Error>>()?;
        let pool = threads::start(threads)?;
        Ok(Pipeline { pool, workers, slots: Vec::new() })
    }

    /// How many threads there are.
    pub(crate) fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Sends the chunks of `source` through `station`. Returns the number of lines up to the last chunk.
    ///
    /// # Errors
    /// [`ErrorKind::Read`], [`InputError::Changed`], [`InputError::MissingCells`], [`ErrorKind::Stopped`], and what
    /// the station fails with. Tasks that are still running then see [`ChunkJob::is_stopped`].
    pub(crate) fn run<S: Station<Worker = W, Page = P>>(
        &mut self,
        source: &mut Source,
        reading: Reading<'_>,
        station: &mut S,
    ) -> Result<u64, Error> {
        let Pipeline { pool, workers, slots } = self;
        let Reading { notation, chunk_bytes, part, stop } = reading;
        // The first run makes all of them; a later one those that an earlier run lost with an error.
        slots.resize_with(workers.len() * slots_per_thread(chunk_bytes) + 2, Slot::default);
        let workers = &*workers;
        let name = source.name().to_owned();
        let mut reader = Reader::new(source, chunk_bytes, notation);
        let mut decision = None;
        let numbers_lines = station.numbers_lines();
        // Lines of the chunks that were delivered, and of those that were read.
        let mut lines_before = part.lines_before.unwrap_or(0);
        let mut lines_read = lines_before;
        // Where the next chunk begins, and where in the file.
        let (mut next_start, mut next_position) = (0, 0);
        // Records that were delivered.
        let mut delivered = 0;
        let worked = WorkProgress::default();
        let mut queue = Queue::default();
        let finished = Replies::default();
        let abandoned = AtomicBool::new(false);
        let stops = [stop, &abandoned];

        pool.in_place_scope_fifo(|scope| {
            // However this closure ends, the pages of tasks that still run are not needed any more.
            let _guard = SetOnDrop(&abandoned);
            // The end of the source: how it ended. The records before an error are delivered before it.
            let mut ended = None;
            loop {
                while ended.is_none()
                    && let Some(mut slot) = slots.pop()
                {
                    if next_start >= part.to && (decision.is_some() || !station.needs_head()) {
                        ended = Some(Ok(()));
                        slots.push(slot);
                        break;
                    }
                    let chunk = match reader.next(std::mem::take(&mut slot.spare)) {
                        Ok(Some(chunk)) => chunk,
                        end => {
                            ended = Some(end.map(drop));
                            slots.push(slot);
                            break;
                        }
                    };
                    let start = std::mem::replace(&mut next_start, chunk.end);
                    let position_before = std::mem::replace(&mut next_position, chunk.position);
                    let file_bytes = chunk.position.saturating_sub(position_before);
                    let is_skipped = !part.has(start);
                    if decision.is_none() && chunk.is_first {
                        let (format, header) = (chunk.format.as_ref(), chunk.header());
                        let head = SourceHead { format, header, first_record: chunk.first_record() };
                        decision = Some(station.recognised(&head)?);
                    }
                    if is_skipped {
                        if stop.load(Ordering::Relaxed) {
                            return Err(Error::at(&name, ErrorKind::Stopped));
                        }
                        if part.lines_before.is_none() && start < part.from {
                            lines_before += chunk.lines();
                            lines_read = lines_before;
                        }
                        worked.bytes.fetch_add(file_bytes, Ordering::Relaxed);
                        slot.spare = chunk.into_spare();
                        slots.push(slot);
                        continue;
                    }
                    let decision = decision.clone().unwrap_or_default();
                    lines_read += chunk.skipped_lines;
                    let (source, lines_before, worked) = (&*name, lines_read, &worked);
                    if numbers_lines {
                        lines_read += chunk.lines();
                    }
                    // The result if the task panics.
                    slot.result = Err(Failure::stopped());
                    let mut reply = Reply::new(queue.enter(), slot, &finished);
                    scope.spawn_fifo(move |_| {
                        let index = rayon::current_thread_index().unwrap_or(0);
                        let mut worker = workers[index].lock().unwrap_or_else(PoisonError::into_inner);
                        let (worker, records) = &mut *worker;
                        reply.fill(|slot| {
                            let format = chunk.format.as_ref();
                            slot.result = chunk.read(records).map_err(Failure::from).and_then(|()| {
                                let bytes = &*chunk.bytes;
                                let counted = Cell::default();
                                let job = ChunkJob {
                                    bytes,
                                    records,
                                    format,
                                    source,
                                    lines_before,
                                    stops,
                                    worked,
                                    file_bytes,
                                    counted,
                                };
                                S::work(worker, decision, &job, &mut slot.page)?;
                                job.end();
                                Ok(())
                            });
                            let (lines, records) = (records.lines(), records.len() as u64);
                            slot.place = PagePlace {
                                lines_before: chunk.skipped_lines,
                                lines,
                                records,
                                end: chunk.end,
                                bytes: chunk.end - start,
                                position: chunk.position,
                            };
                            slot.spare = chunk.into_spare();
                        });
                    });
                }
                if queue.is_empty() {
                    return ended.unwrap_or(Ok(()));
                }
                while !queue.receive(&finished, TICK) {
                    let [bytes, records] =
                        [&worked.bytes, &worked.records].map(|of| of.load(Ordering::Relaxed));
                    station.working(bytes, records.saturating_sub(delivered));
                }
                while let Some(mut slot) = queue.leave() {
                    if stop.load(Ordering::Relaxed) {
                        return Err(Error::at(&name, ErrorKind::Stopped));
                    }
                    lines_before += slot.place.lines_before;
                    let result = std::mem::replace(&mut slot.result, Ok(()));
                    result.map_err(|failure| failure.at(&name, lines_before))?;
                    station.deliver(&mut slot.page, &PagePlace { lines_before, ..slot.place })?;
                    lines_before += slot.place.lines;
                    delivered += slot.place.records;
                    slots.push(slot);
                }
            }
        })?;
        drop(reader);
        source.finish()?;
        Ok(lines_before)
    }

    /// The worker of the first thread, to ask what all of them have in common.
    pub(crate) fn first_worker<T>(&self, ask: impl Fn(&W) -> T) -> Option<T> {
        self.workers.first().map(|worker| ask(&worker.lock().unwrap_or_else(PoisonError::into_inner).0))
    }

    /// What the threads kept.
    pub(crate) fn into_workers(self) -> impl Iterator<Item = W> {
        self.workers.into_iter().map(|worker| worker.into_inner().unwrap_or_else(PoisonError::into_inner).0)
    }
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
