//! The road: source -> chunks -> engines on all cores -> bytes in order + tally.
//!
//! ```text
//!   caller's thread                       workers (rayon)
//!   ---------------                       ---------------
//!   next chunk, into a free slot  ----->  read records -> solve -> verify -> print into the slot, tally
//!   the oldest slot, when done    <-----
//!   write its bytes, free it
//! ```
//! There are a few slots a thread, so memory is bounded whatever the size of the input; results wait in their
//! slot until all earlier ones are written, so the output is in input order. The caller's thread reads and
//! writes but is no worker: it may block without stopping one. (Windows of chunks with a barrier between them
//! keep order too, but the workers idle at every barrier for the slowest chunk of the window.)
//!
//! Chunks are cut at fixed offsets and engines do not remember earlier puzzles: the bytes that come out are
//! the same for any number of threads.

use std::collections::VecDeque;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::engine::{Engine, Entry, Timed};
use crate::error::{Error, ErrorKind, LineError};
use crate::input::chunk::Chunks;
use crate::input::format::{self, Records, Shape};
use crate::input::source::Source;
use crate::output;
use crate::puzzle::{Answer, Answers, Limits, Puzzles, Status};
use crate::rules::{Rules, Verifier};
use crate::tally::{Slow, Slowest, Tally};

/// How a run is done; what it solves comes with [`Road::open`].
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Where searches stop.
    pub limits: Limits,
    /// Worker threads; 0 for one a core.
    pub threads: usize,
    /// What records are printed as.
    pub format: &'static output::Format,
    /// Bytes of input a chunk: fixed by the run and not by the threads.
    pub chunk_bytes: usize,
    /// Whether each puzzle's time is measured.
    pub times: bool,
    /// How many of the slowest puzzles are kept.
    pub slowest: usize,
    /// Once this is true the run ends with [`ErrorKind::Stopped`], after the puzzles in hand.
    pub stop: &'a AtomicBool,
}

/// 400 puzzles: small enough that all cores have something to do on a small file, large enough that handing
/// it over (microseconds) does not count.
pub const CHUNK_BYTES: usize = 32 * 1024;

/// How many malformed records are kept with their reasons; all are counted.
pub const MALFORMED_KEPT: usize = 10;

const SLOTS_PER_THREAD: usize = 8;
/// Puzzles solved between two looks at the stop flag.
const PIECE: usize = 16;

static NEVER: AtomicBool = AtomicBool::new(false);

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            limits: Limits::ANY,
            threads: 0,
            format: &output::FORMATS[0],
            chunk_bytes: CHUNK_BYTES,
            times: true,
            slowest: 5,
            stop: &NEVER,
        }
    }
}

/// Hears how far a run is.
pub trait Watch {
    /// A record was malformed. Called for the first [`MALFORMED_KEPT`] of a run.
    fn malformed(&mut self, _malformed: &Malformed) {}
    /// Everything up to byte `offset` of the current source was answered and written, `records` records of
    /// the run in all.
    fn advanced(&mut self, _offset: u64, _records: u64) {}
}

/// Nobody watches.
impl Watch for () {}

/// A malformed record and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The source.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: u64,
    /// The column and the reason.
    pub error: LineError,
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}: {}", self.path.display(), self.line, self.error.column, self.error)
    }
}

/// A source that was read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its path, or `<stdin>`.
    pub name: PathBuf,
    /// The shape it was read as, a word of [`format::FORMATS`].
    pub shape: &'static str,
    /// Bytes read.
    pub bytes: u64,
    /// Lines read.
    pub lines: u64,
    /// Records among them.
    pub records: u64,
    /// Whether it was mapped into memory.
    pub mapped: bool,
}

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The sources in order.
    pub inputs: Vec<Input>,
    /// Statuses, guesses and times.
    pub tally: Tally,
    /// The slowest puzzles, slowest first.
    pub slowest: Vec<Slow>,
    /// The first malformed records.
    pub malformed: Vec<Malformed>,
}

/// A road open for sources: threads started, engines made, the header written.
pub struct Road<'a, W> {
    options: Options<'a>,
    engine: &'static str,
    cells: usize,
    pool: ThreadPool,
    /// One for each thread of the pool, which alone locks it.
    workers: Vec<Mutex<Worker>>,
    slots: Vec<Slot>,
    out: W,
    outcome: Outcome,
    slowest: Slowest,
    records: u64,
}

impl<'a, W: Write> Road<'a, W> {
    /// Starts the threads, makes an engine for each, and writes the format's header to `out`.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`], [`ErrorKind::Threads`] or [`ErrorKind::Write`].
    pub fn open(rules: &Rules, engine: &Entry, options: Options<'a>, mut out: W) -> Result<Self, Error> {
        let threads = match options.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("galop-{index}"))
            .build()
            .map_err(|error| ErrorKind::Threads { threads, reason: error.to_string() })?;
        let workers = (0..threads).map(|_| Worker::new(rules, engine, options.times).map(Mutex::new));
        let workers = workers.collect::<Result<_, _>>().map_err(ErrorKind::Unsupported)?;
        out.write_all(options.format.header.as_bytes()).map_err(ErrorKind::Write)?;
        Ok(Road {
            options,
            engine: engine.name,
            cells: rules.grid().cells(),
            pool,
            workers,
            slots: (0..threads * SLOTS_PER_THREAD + 2).map(|_| Slot::new(options.slowest)).collect(),
            out,
            outcome: Outcome::default(),
            slowest: Slowest::new(options.slowest),
            records: 0,
        })
    }

    /// How many threads solve.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Solves every record of `source` and writes the answers, in order.
    ///
    /// # Errors
    /// [`ErrorKind::Read`], [`ErrorKind::Changed`], [`ErrorKind::Write`], [`ErrorKind::Stopped`] or
    /// [`ErrorKind::WrongSolution`]. What was written until then is a beginning of the output, in whole lines.
    pub fn solve(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        let mut input = Input {
            name: source.name().to_owned(),
            shape: "",
            bytes: 0,
            lines: 0,
            records: 0,
            mapped: source.is_mapped(),
        };
        let result = self.pass(source, &mut input, watch);
        self.outcome.inputs.push(input);
        result.and_then(|()| source.check_unchanged())
    }

    fn pass(&mut self, source: &mut Source, input: &mut Input, watch: &mut dyn Watch) -> Result<(), Error> {
        let Road { options, engine, cells, pool, workers, slots, out, outcome, slowest, records } = self;
        let mut chunks = Chunks::new(source, options.chunk_bytes);
        let mut shape: Option<Arc<dyn Shape>> = None;
        let mut queue = Queue::default();
        let (send, receive) = channel::<Returned>();
        let is_abandoned = AtomicBool::new(false);
        let is_abandoned = &is_abandoned;
        let (options, workers) = (&*options, &*workers);

        pool.in_place_scope_fifo(|scope| {
            // Whatever ends this closure early, the tasks under way shall end early too.
            let abandon = Abandon(is_abandoned);
            let mut is_read = false;
            loop {
                while !is_read && let Some(mut slot) = slots.pop() {
                    let Some(chunk) = chunks.next(std::mem::take(&mut slot.spare))? else {
                        is_read = true;
                        slots.push(slot);
                        break;
                    };
                    let is_first = shape.is_none();
                    let shape = shape.get_or_insert_with(|| {
                        let (name, shape) = format::recognise(format::first_line(&chunk.bytes), *cells);
                        input.shape = name;
                        shape.into()
                    });
                    slot.end = chunk.end;
                    let (shape, mut reply) = (Arc::clone(shape), Reply::new(queue.enter(), slot, &send));
                    scope.spawn_fifo(move |_| {
                        let stops = [options.stop, is_abandoned];
                        let index = rayon::current_thread_index().unwrap_or(0);
                        let mut worker = workers[index].lock().unwrap_or_else(PoisonError::into_inner);
                        if let Some(slot) = &mut reply.slot {
                            slot.failure =
                                worker.answer(shape.as_ref(), &chunk.bytes, is_first, options, stops, slot);
                            if let std::borrow::Cow::Owned(spare) = chunk.bytes {
                                slot.spare = spare;
                            }
                        }
                    });
                }
                if queue.is_empty() {
                    abandon.not();
                    return Ok(());
                }
                queue.receive(&receive);
                while let Some(mut slot) = queue.leave() {
                    if let Some(failure) = slot.failure.take() {
                        return Err(failure.at(&input.name, input.lines, engine));
                    }
                    out.write_all(&slot.out).map_err(ErrorKind::Write)?;
                    for (line, error) in slot.malformed.drain(..) {
                        if outcome.malformed.len() < MALFORMED_KEPT {
                            let line = input.lines + line + 1;
                            let malformed = Malformed { path: input.name.clone(), line, error };
                            watch.malformed(&malformed);
                            outcome.malformed.push(malformed);
                        }
                    }
                    for slow in slot.slowest.take() {
                        let line = input.lines + slow.line + 1;
                        slowest.offer(Slow { line, input: outcome.inputs.len(), ..slow });
                    }
                    input.lines += slot.lines;
                    input.records += slot.records;
                    input.bytes = slot.end;
                    *records += slot.records;
                    watch.advanced(slot.end, *records);
                    slots.push(slot);
                }
            }
        })
    }

    /// Flushes the output and sums up.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if the last bytes cannot be written.
    pub fn close(mut self) -> Result<(W, Outcome), Error> {
        self.out.flush().map_err(ErrorKind::Write)?;
        for worker in self.workers {
            self.outcome.tally += &worker.into_inner().unwrap_or_else(PoisonError::into_inner).tally;
        }
        self.outcome.slowest = self.slowest.take().collect();
        Ok((self.out, self.outcome))
    }
}

impl<W> std::fmt::Debug for Road<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Road")
            .field("engine", &self.engine)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// What one chunk gives back. Kept and used again.
struct Slot {
    /// A buffer for the bytes of a streamed chunk.
    spare: Vec<u8>,
    out: Vec<u8>,
    /// Offset in the source behind the chunk.
    end: u64,
    lines: u64,
    records: u64,
    /// Lines from 0 in the chunk.
    malformed: Vec<(u64, LineError)>,
    /// Lines from 0 in the chunk.
    slowest: Slowest,
    failure: Option<Failure>,
}

impl Slot {
    fn new(slowest: usize) -> Slot {
        Slot {
            spare: Vec::new(),
            out: Vec::new(),
            end: 0,
            lines: 0,
            records: 0,
            malformed: Vec::new(),
            slowest: Slowest::new(slowest),
            failure: None,
        }
    }
}

/// Why a chunk was not answered.
enum Failure {
    Stopped,
    Wrong { line: u64, puzzle: String, solution: String, violation: crate::rules::Violation },
}

impl Failure {
    fn at(self, path: &std::path::Path, lines_before: u64, engine: &'static str) -> Error {
        match self {
            Failure::Stopped => Error::at(path, ErrorKind::Stopped),
            Failure::Wrong { line, puzzle, solution, violation } => {
                let kind = ErrorKind::WrongSolution { engine, puzzle, solution, violation };
                Error::at(path, kind).in_line(lines_before + line + 1)
            }
        }
    }
}

/// What one thread keeps between chunks.
struct Worker {
    engine: Box<dyn Engine>,
    verifier: Verifier,
    cells: usize,
    records: Records,
    solutions: Vec<u8>,
    answers: Vec<Answer>,
    tally: Tally,
}

impl Worker {
    fn new(rules: &Rules, engine: &Entry, times: bool) -> Result<Worker, crate::engine::Unsupported> {
        let made = (engine.make)(rules)?;
        Ok(Worker {
            engine: if times { Box::new(Timed(made)) } else { made },
            verifier: Verifier::new(rules),
            cells: rules.grid().cells(),
            records: Records::default(),
            solutions: Vec::new(),
            answers: Vec::new(),
            tally: Tally::default(),
        })
    }

    /// Reads, solves, checks, prints and counts one chunk.
    fn answer(
        &mut self,
        shape: &dyn Shape,
        chunk: &[u8],
        is_first: bool,
        options: &Options<'_>,
        stops: [&AtomicBool; 2],
        slot: &mut Slot,
    ) -> Option<Failure> {
        slot.out.clear();
        self.records.read(shape, chunk, is_first);
        slot.lines = self.records.lines;
        slot.records = self.records.records.len() as u64;
        self.solve(options.limits, stops).or_else(|| self.print(chunk, options, slot))
    }

    fn solve(&mut self, limits: Limits, stops: [&AtomicBool; 2]) -> Option<Failure> {
        let puzzles = Puzzles::new(&self.records.puzzles, self.cells);
        self.solutions.resize(self.records.puzzles.len(), 0);
        self.answers.resize(puzzles.len(), Answer::default());
        let mut answers = Answers::new(&mut self.solutions, &mut self.answers, self.cells);
        for start in (0..puzzles.len()).step_by(PIECE) {
            if stops.iter().any(|stop| stop.load(Ordering::Relaxed)) {
                return Some(Failure::Stopped);
            }
            let piece = start..start + PIECE;
            self.engine.solve(puzzles.slice(piece.clone()), limits, &mut answers.slice(piece));
        }
        None
    }

    fn print(&mut self, chunk: &[u8], options: &Options<'_>, slot: &mut Slot) -> Option<Failure> {
        let puzzles = Puzzles::new(&self.records.puzzles, self.cells);
        let solutions = Puzzles::new(&self.solutions, self.cells);
        let mut solved = puzzles.iter().zip(solutions.iter()).zip(&self.answers);
        for record in &self.records.records {
            let printed = match &record.puzzle {
                Err(error) => {
                    if slot.malformed.len() < MALFORMED_KEPT {
                        slot.malformed.push((record.line, *error));
                    }
                    output::Record {
                        puzzle: &chunk[record.text.clone()],
                        status: Status::Malformed,
                        solution: None,
                        solutions: 0,
                        guesses: 0,
                        nanos: None,
                    }
                }
                Ok(at) => {
                    let ((puzzle, solution), answer) = solved.next()?;
                    if answer.solutions > 0
                        && let Err(violation) = self.verifier.check(puzzle, solution)
                    {
                        let digits = |cells: &[u8]| cells.iter().map(|cell| cell.to_string()).collect();
                        let (puzzle, solution) = (digits(puzzle), digits(solution));
                        return Some(Failure::Wrong { line: record.line, puzzle, solution, violation });
                    }
                    let status = answer.status(options.limits);
                    let effort = answer.effort;
                    self.tally.add_effort(effort, options.times);
                    if slot.slowest.wants(effort) {
                        slot.slowest.offer(Slow {
                            nanos: effort.nanos,
                            guesses: effort.guesses,
                            input: 0,
                            line: record.line,
                            puzzle: String::from_utf8_lossy(&chunk[at.clone()]).into_owned(),
                        });
                    }
                    output::Record {
                        puzzle: &chunk[at.clone()],
                        status,
                        solution: (status == Status::Solved).then_some(solution),
                        solutions: answer.solutions,
                        guesses: effort.guesses,
                        nanos: options.times.then_some(effort.nanos),
                    }
                }
            };
            self.tally.count(printed.status);
            (options.format.print)(&printed, &mut slot.out);
        }
        None
    }
}

/// A chunk's slot on its way back to the caller's thread, also when its task panics.
struct Reply {
    number: u64,
    slot: Option<Slot>,
    sender: Sender<Returned>,
}

/// A chunk's slot, arrived.
struct Returned {
    number: u64,
    slot: Slot,
}

impl Reply {
    fn new(number: u64, slot: Slot, sender: &Sender<Returned>) -> Reply {
        Reply { number, slot: Some(slot), sender: sender.clone() }
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        // Nobody listens any more after an error: the slot goes with it.
        if let Some(mut slot) = self.slot.take() {
            if std::thread::panicking() {
                slot.failure = Some(Failure::Stopped);
            }
            let reply = Returned { number: self.number, slot };
            self.sender.send(reply).ok();
        }
    }
}

/// Sets the flag when it is dropped, unless told not to.
struct Abandon<'a>(&'a AtomicBool);

impl Abandon<'_> {
    fn not(self) {
        std::mem::forget(self);
    }
}

impl Drop for Abandon<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Chunks under way: puts them back in order.
#[derive(Default)]
struct Queue {
    /// The number of the chunk at the front of `done`.
    front: u64,
    done: VecDeque<Option<Slot>>,
}

impl Queue {
    fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// A place at the end; its number.
    fn enter(&mut self) -> u64 {
        self.done.push_back(None);
        self.front + self.done.len() as u64 - 1
    }

    /// Waits for any chunk.
    fn receive(&mut self, receive: &Receiver<Returned>) {
        // The caller's thread holds a sender itself: the channel cannot close.
        if let Ok(Returned { number, slot }) = receive.recv()
            && let Some(place) = self.done.get_mut((number - self.front) as usize)
        {
            *place = Some(slot);
        }
    }

    /// The chunk at the front, if it is done.
    fn leave(&mut self) -> Option<Slot> {
        if self.done.front()?.is_none() {
            return None;
        }
        self.front += 1;
        self.done.pop_front()?
    }
}
