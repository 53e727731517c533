//! The road: source -> chunks -> engines on all cores -> bytes in order + tally.
//!
//! `ordered.rs` hands the chunks round; here stands what is done with one: read its records,
//! solve the puzzles, verify every solution, print the answers, count.
//!
//! Chunks are cut at fixed offsets and engines do not remember earlier puzzles: the bytes that come out are
//! the same for any number of threads.
//!
//! # What it costs
//! Nanoseconds of processor time a puzzle with an engine that does nothing but copy, 1,000,000 `pair` lines (82 MB
//! in, 164 MB out, Zen 4 at 2.2 GHz, one thread, times on), by what comes out where:
//!
//! | | `/dev/null` | ext4 | tmpfs |
//! |---|---|---|---|
//! | the floor: map, copy both fields, write by the MiB | 21 | 67 | 102 |
//! | the road | 75 | 115 | 157 |
//!
//! Of the 54 in between 25 go into verifying, 8 into reading lines, 9 into printing, 3 into counting, 2 into
//! sharing out the times. Writing is the kernel's, on the caller's thread and beside the workers: it allows eleven
//! million lines a second on tmpfs, whatever the number of threads, as a file is written by one at a time.
//!
//! Tried and lost: verifying, counting and printing in a loop each (2 ns more than in one loop, where a solution
//! still lies in the first cache).

use std::cell::{Cell, RefCell};
use std::io::Write;
use std::ops::AddAssign;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::{ColumnsDiffer, Disagreement};
use crate::engine::{Engine, Entry, Isa, Timed, Work};
use crate::error::{Error, ErrorKind};
use crate::figures::{Point, Points, Slow, Slowest, Tally};
use crate::grid::{Alphabet, Rules, Verifier, Violation, WrongSolution};
use crate::input::LineError;
use crate::input::format::{self, Columns, Header, Records, Spelling};
use crate::input::source::Source;
use crate::output::{self, Extras};
use crate::pipeline::crosscheck::{Checked, Sample, Second};
use crate::pipeline::{Crew, Piece};
use crate::puzzle::{Answer, Answers, Limits, Puzzles, Status};

pub use crate::pipeline::{BATCH_CHUNK_BYTES, CHUNK_BYTES};

/// How a run is done; what it solves comes with [`Road::open`].
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Where searches stop.
    pub limits: Limits,
    /// Worker threads; 0 for one a core.
    pub threads: usize,
    /// What records are printed as.
    pub format: &'static output::Format,
    /// Bytes of input a chunk, fixed by the run and not by the threads; 0 for what suits the engine:
    /// [`CHUNK_BYTES`], or [`BATCH_CHUNK_BYTES`] where it solves many puzzles at once.
    pub chunk_bytes: usize,
    /// The instruction set of engines that are compiled for several.
    pub isa: Isa,
    /// Which puzzles another engine solves again, if any: see [`crosscheck`](crate::pipeline::crosscheck).
    pub crosscheck: Option<Sample>,
    /// Whether each puzzle's time is measured.
    pub times: bool,
    /// How many of the slowest puzzles are kept.
    pub slowest: usize,
    /// Once this is true the run ends with [`ErrorKind::Stopped`], after the puzzles in hand.
    pub stop: &'a AtomicBool,
}

/// How many points a chunk gives to [`Outcome::points`] at most.
const POINTS_KEPT: usize = 1024;

/// How many malformed records are kept with their reasons; all are counted.
pub const MALFORMED_KEPT: usize = 10;

static NEVER: AtomicBool = AtomicBool::new(false);

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            limits: Limits::ANY,
            threads: 0,
            format: &output::FORMATS[0],
            chunk_bytes: 0,
            isa: Isa::best(),
            crosscheck: None,
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// Its path, or `<stdin>`.
    pub name: PathBuf,
    /// The shape it was read as, a word of [`FORMATS`](crate::input::format::FORMATS).
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
    /// What the engines did, if they work on many puzzles at once.
    pub work: Option<Work>,
    /// What another engine solved again, if that was wished.
    pub crosscheck: Option<Checked>,
    /// The slowest puzzles, slowest first.
    pub slowest: Vec<Slow>,
    /// Some of the puzzles, evenly spread.
    pub points: Vec<Point>,
    /// The first malformed records.
    pub malformed: Vec<Malformed>,
}

/// A road open for sources: threads started, engines made, the header written.
pub struct Road<'a, W> {
    options: Options<'a>,
    engine: &'static str,
    extras: Extras,
    spelling: Spelling,
    crew: Crew<Worker, Page>,
    out: W,
    outcome: Outcome,
    slowest: Slowest,
    points: Points,
    records: u64,
    head: Head,
}

/// What stands at the top of the output.
#[derive(Default)]
struct Head {
    is_given: bool,
    /// The header of the first input, if it is a table whose columns are kept.
    table: Option<Vec<u8>>,
}

impl Head {
    /// Appends the header to `out` when the first input comes, which names its `columns` if they are to be
    /// kept. Says whether those of this input are.
    fn give(
        &mut self,
        format: &output::Format,
        columns: Option<Header<'_>>,
        extras: Extras,
        out: &mut Vec<u8>,
    ) -> Result<bool, ColumnsDiffer> {
        if !self.is_given {
            let table = columns.as_ref().map(|header| row(header.line, header.columns));
            (format.header)(table.as_ref(), extras, out);
            self.is_given = true;
            self.table = columns.map(|header| header.line.to_vec());
            return Ok(self.table.is_some());
        }
        match &self.table {
            None => Ok(false),
            Some(table) if columns.is_some_and(|header| header.line == table) => Ok(true),
            Some(_) => Err(ColumnsDiffer),
        }
    }
}

fn row(text: &[u8], columns: Columns) -> output::Row<'_> {
    output::Row { text, delimiter: columns.delimiter, columns: columns.count, puzzle: columns.puzzle }
}

impl<'a, W: Write> Road<'a, W> {
    /// Starts the threads and makes an engine for each.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] or [`ErrorKind::Threads`].
    pub fn open(rules: &Rules, engine: &Entry, mut options: Options<'a>, out: W) -> Result<Self, Error> {
        let is_batched = Cell::new(false);
        let worker = || {
            let worker = Worker::new(rules, engine, &options)?;
            is_batched.set(worker.engine.is_batched());
            Ok(worker)
        };
        let slowest = options.slowest;
        let crew = Crew::new(options.threads, worker, move || Page::new(slowest))?;
        if options.chunk_bytes == 0 {
            options.chunk_bytes = if is_batched.get() { BATCH_CHUNK_BYTES } else { CHUNK_BYTES };
        }
        Ok(Road {
            options,
            engine: engine.name,
            extras: extras_of(engine),
            spelling: rules.into(),
            crew,
            out,
            outcome: Outcome::default(),
            slowest: Slowest::new(options.slowest),
            points: Points::default(),
            records: 0,
            head: Head::default(),
        })
    }

    /// How many threads solve.
    pub fn threads(&self) -> usize {
        self.crew.threads()
    }

    /// Solves every record of `source` and writes the answers, in order.
    ///
    /// # Errors
    /// [`ErrorKind::Read`], [`ErrorKind::Input`], [`ErrorKind::Write`], [`ErrorKind::Stopped`],
    /// [`ErrorKind::Columns`], [`ErrorKind::WrongSolution`] or [`ErrorKind::Disagreement`]. What was
    /// written until then is a beginning of the output, in whole lines.
    pub fn solve(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        let name = source.name().to_owned();
        let mut input = Input { name: name.clone(), mapped: source.is_mapped(), ..Input::default() };
        let index = self.outcome.inputs.len();
        let Road { options, engine, extras, spelling, crew, out, outcome, slowest, points, records, head } =
            self;
        let (options, engine, extras) = (*options, *engine, *extras);
        let mut shape = "";
        let (header, keeps_rows) = (RefCell::new(Vec::new()), AtomicBool::new(false));
        let result = crew.run(
            source,
            (options.chunk_bytes, spelling.clone()),
            options.stop,
            |found, columns| {
                shape = found;
                let columns = columns.filter(|_| options.format.keeps_columns);
                let is_kept = head.give(options.format, columns, extras, &mut header.borrow_mut());
                keeps_rows.store(is_kept.map_err(|kind| Error::at(&name, kind))?, Ordering::Relaxed);
                Ok(())
            },
            |worker, page, piece| {
                let keeps_rows = keeps_rows.load(Ordering::Relaxed);
                page.failure = worker.answer(&piece, &options, extras, keeps_rows, page);
            },
            |page, offset| {
                if let Some(failure) = page.failure.take() {
                    return Err(failure.at(&name, input.lines, engine));
                }
                out.write_all(&header.take()).map_err(ErrorKind::Write)?;
                out.write_all(&page.out).map_err(ErrorKind::Write)?;
                for (line, error) in page.malformed.drain(..) {
                    if outcome.malformed.len() < MALFORMED_KEPT {
                        let malformed = Malformed { path: name.clone(), line: input.lines + line + 1, error };
                        watch.malformed(&malformed);
                        outcome.malformed.push(malformed);
                    }
                }
                for slow in page.slowest.take() {
                    slowest.offer(Slow { line: input.lines + slow.line + 1, input: index, ..slow });
                }
                page.points.drain(..).for_each(|point| points.add(point));
                input.lines += page.lines;
                input.records += page.records;
                input.bytes = offset;
                *records += page.records;
                watch.advanced(offset, *records);
                Ok(())
            },
        );
        input.shape = shape;
        self.outcome.inputs.push(input);
        result.and_then(|()| source.check_unchanged())
    }

    /// Flushes the output and sums up.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if the last bytes cannot be written.
    pub fn close(mut self) -> Result<(W, Outcome), Error> {
        let mut header = Vec::new();
        if !self.head.is_given {
            (self.options.format.header)(None, self.extras, &mut header);
        }
        self.out.write_all(&header).map_err(ErrorKind::Write)?;
        self.out.flush().map_err(ErrorKind::Write)?;
        for worker in self.crew.into_workers() {
            self.outcome.tally += &worker.tally;
            self.outcome.work = sum(self.outcome.work, worker.engine.work());
            let checked = worker.second.as_ref().map(Second::checked);
            self.outcome.crosscheck = sum(self.outcome.crosscheck, checked);
        }
        self.outcome.slowest = self.slowest.take().collect();
        self.outcome.points = self.points.as_slice().to_vec();
        Ok((self.out, self.outcome))
    }
}

/// The sum of what there is.
fn sum<T: AddAssign>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            one += other;
            Some(one)
        }
        (one, other) => one.or(other),
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

/// What one chunk becomes. Lines count from 0 in the chunk.
struct Page {
    out: Vec<u8>,
    lines: u64,
    records: u64,
    malformed: Vec<(u64, LineError)>,
    slowest: Slowest,
    points: Vec<Point>,
    failure: Option<Failure>,
}

impl Page {
    fn new(slowest: usize) -> Page {
        Page {
            out: Vec::new(),
            lines: 0,
            records: 0,
            malformed: Vec::new(),
            slowest: Slowest::new(slowest),
            points: Vec::new(),
            failure: None,
        }
    }
}

/// Why a chunk was not answered.
enum Failure {
    Stopped,
    Engine(ErrorKind),
    Wrong { line: u64, puzzle: String, solution: String, violation: Violation },
    Disagreement { line: u64, disagreement: Box<Disagreement> },
}

impl Failure {
    fn at(self, path: &std::path::Path, lines_before: u64, engine: &'static str) -> Error {
        match self {
            Failure::Stopped => Error::at(path, ErrorKind::Stopped),
            Failure::Engine(kind) => Error::at(path, kind),
            Failure::Wrong { line, puzzle, solution, violation } => {
                let wrong = WrongSolution { engine, puzzle, solution, violation };
                Error::at(path, Box::new(wrong)).in_line(lines_before + line + 1)
            }
            Failure::Disagreement { line, disagreement } => {
                Error::at(path, disagreement).in_line(lines_before + line + 1)
            }
        }
    }
}

/// What one thread keeps between chunks.
struct Worker {
    engine: Box<dyn Engine>,
    verifier: Verifier,
    second: Option<Second>,
    cells: usize,
    alphabet: Alphabet,
    records: Records,
    solutions: Vec<u8>,
    answers: Vec<Answer>,
    tally: Tally,
}

impl Worker {
    fn new(rules: &Rules, engine: &Entry, options: &Options<'_>) -> Result<Worker, Error> {
        let made = (engine.make)(rules, options.isa).map_err(ErrorKind::Unsupported)?;
        let second = options.crosscheck.map(|sample| Second::new(sample, engine, rules));
        Ok(Worker {
            engine: if options.times { Box::new(Timed(made)) } else { made },
            verifier: Verifier::new(rules),
            second: second.transpose().map_err(ErrorKind::Unsupported)?,
            cells: rules.grid().cells(),
            alphabet: rules.alphabet().clone(),
            records: Records::default(),
            solutions: Vec::new(),
            answers: Vec::new(),
            tally: Tally::default(),
        })
    }

    fn answer(
        &mut self,
        piece: &Piece<'_>,
        options: &Options<'_>,
        extras: Extras,
        keeps_rows: bool,
        page: &mut Page,
    ) -> Option<Failure> {
        page.out.clear();
        self.records.read(piece.shape, piece.bytes, piece.is_first);
        page.lines = self.records.lines;
        page.records = self.records.len() as u64;
        self.solve(options.limits, piece)
            .or_else(|| self.print(piece, options, extras, keeps_rows, page))
            .or_else(|| self.crosscheck(options.limits, piece))
    }

    /// A cell of a wrong solution, for people.
    fn character(&self, cell: u8) -> char {
        if cell == 0 && self.alphabet.is_digits() { '0' } else { self.alphabet.character(cell).into() }
    }

    /// Has the puzzles of the sample solved again.
    fn crosscheck(&mut self, limits: Limits, piece: &Piece<'_>) -> Option<Failure> {
        let second = self.second.as_mut()?;
        let puzzles = Puzzles::new(&self.records.puzzles, self.cells);
        let solutions = Puzzles::new(&self.solutions, self.cells);
        let solved = puzzles.iter().zip(solutions.iter()).zip(&self.answers);
        let records = self.records.iter().filter(|record| record.puzzle.is_ok());
        for (record, ((puzzle, solution), answer)) in records.zip(solved) {
            if !second.wants(puzzle) {
                continue;
            }
            if piece.is_stopped() {
                return Some(Failure::Stopped);
            }
            if let Err(disagreement) =
                second.check(puzzle, &cells_of(solution, &self.alphabet), *answer, limits)
            {
                return Some(Failure::Disagreement { line: record.line, disagreement });
            }
        }
        None
    }

    fn solve(&mut self, limits: Limits, piece: &Piece<'_>) -> Option<Failure> {
        let puzzles = Puzzles::new(&self.records.puzzles, self.cells);
        self.solutions.resize(self.records.puzzles.len(), 0);
        self.answers.resize(puzzles.len(), Answer::default());
        let mut answers = Answers::new(&mut self.solutions, &mut self.answers, self.cells);
        if let Err(error) = self.engine.solve_until(puzzles, limits, &mut answers, &|| piece.is_stopped()) {
            return Some(Failure::Engine(error.into()));
        }
        if piece.is_stopped() {
            return Some(Failure::Stopped);
        }
        let is_unanswered = self.answers.iter().any(|answer| !answer.is_answered());
        is_unanswered.then_some(Failure::Engine(ErrorKind::Unanswered))
    }

    /// Writes the cells that a stuck engine left open as dots.
    fn open_cells(&mut self) {
        for (solution, answer) in self.solutions.chunks_exact_mut(self.cells).zip(&self.answers) {
            if answer.is_stuck() {
                solution.iter_mut().filter(|cell| **cell == b'0').for_each(|cell| *cell = b'.');
            }
        }
    }

    fn print(
        &mut self,
        piece: &Piece<'_>,
        options: &Options<'_>,
        extras: Extras,
        keeps_rows: bool,
        page: &mut Page,
    ) -> Option<Failure> {
        let chunk = piece.bytes;
        let columns = piece.shape.columns().filter(|_| keeps_rows);
        // The solutions become the text that will be written, and that text is verified.
        if self.alphabet.is_digits() {
            self.solutions.iter_mut().for_each(|cell| *cell = cell.wrapping_add(b'0'));
            if extras.partial {
                self.open_cells();
            }
        } else {
            self.solutions.iter_mut().for_each(|cell| *cell = self.alphabet.character(*cell));
        }
        page.out.reserve(self.records.len() * 2 * (self.cells + 1));
        let puzzles = Puzzles::new(&self.records.puzzles, self.cells);
        let solutions = Puzzles::new(&self.solutions, self.cells);
        let mut solved = puzzles.iter().zip(solutions.iter()).zip(&self.answers);
        let step = puzzles.len().div_ceil(POINTS_KEPT).max(1);
        page.points.extend(self.answers.iter().step_by(step).map(|answer| Point::of(answer.effort)));
        let mut drawn = Vec::new();
        for record in self.records.iter() {
            let row = columns.map(|columns| row(&chunk[record.text.clone()], columns));
            let printed = match &record.puzzle {
                Err(error) => {
                    if page.malformed.len() < MALFORMED_KEPT {
                        page.malformed.push((record.line, *error));
                    }
                    output::Record {
                        puzzle: &chunk[record.text.clone()],
                        row,
                        status: Status::Malformed,
                        solution: None,
                        solutions: 0,
                        guesses: 0,
                        nanos: None,
                        calls: extras.calls.then_some((0, 0)),
                        partial: extras.partial.then_some(b""),
                    }
                }
                Ok(at) => {
                    let ((puzzle, solution), answer) = solved.next()?;
                    if answer.solutions > 0
                        && let Err(violation) = self.verifier.check_text(puzzle, solution)
                    {
                        let text = |cells: &[u8]| cells.iter().map(|&cell| self.character(cell)).collect();
                        let (puzzle, solution) = (text(puzzle), text(&cells_of(solution, &self.alphabet)));
                        return Some(Failure::Wrong { line: record.line, puzzle, solution, violation });
                    }
                    let text = format::on_one_line(&chunk[at.clone()], puzzle, &self.alphabet, &mut drawn);
                    let status = answer.status(options.limits);
                    let effort = answer.effort;
                    self.tally.add_effort(effort, options.times);
                    if extras.calls {
                        self.tally.add_calls(effort);
                    }
                    if page.slowest.wants(effort) {
                        page.slowest.offer(Slow {
                            nanos: effort.nanos,
                            guesses: effort.guesses,
                            input: 0,
                            line: record.line,
                            puzzle: String::from_utf8_lossy(text).into_owned(),
                            solution: (answer.solutions > 0)
                                .then(|| String::from_utf8_lossy(solution).into_owned()),
                        });
                    }
                    output::Record {
                        puzzle: text,
                        row,
                        status,
                        solution: (status == Status::Solved).then_some(solution),
                        solutions: answer.solutions,
                        guesses: effort.guesses,
                        nanos: options.times.then_some(effort.nanos),
                        calls: extras.calls.then_some((effort.calls, effort.depth)),
                        partial: extras.partial.then_some(if answer.is_stuck() { solution } else { b"" }),
                    }
                }
            };
            self.tally.count(printed.status);
            (options.format.print)(&printed, &mut page.out);
        }
        None
    }
}

/// What the records of `engine` have beyond those of all.
fn extras_of(engine: &Entry) -> Extras {
    Extras { calls: engine.counts_calls, partial: engine.may_be_stuck }
}

/// The cells of a solution that has become text.
fn cells_of(text: &[u8], alphabet: &Alphabet) -> Vec<u8> {
    text.iter().map(|&byte| alphabet.cell(byte).unwrap_or(0)).collect()
}
