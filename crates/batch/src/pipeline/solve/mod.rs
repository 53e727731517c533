//! Solves files: source -> chunks -> engines on all cores -> bytes in order, and figures.
//!
//! The folder above hands the chunks to the workers. This one says what a worker does with a chunk: it solves the
//! puzzles, verifies every solution, prints the answers, counts, and keeps the slowest.
//!
//! Chunks are cut at fixed offsets and engines do not remember earlier puzzles: the output has the same bytes for any
//! number of threads.
//!
//! # What it costs
//! Nanoseconds of processor time a puzzle with an engine that only copies, 1,000,000 `pair` lines (82 MB in, 164 MB
//! out, Zen 4 at 2.2 GHz, one thread, with times), by the place of the output:
//!
//! | | `/dev/null` | ext4 | tmpfs |
//! |---|---|---|---|
//! | the floor: map, copy both fields, write by the MiB | 21 | 67 | 102 |
//! | the pipeline | 75 | 115 | 157 |
//!
//! Of the 54 in between, verifying takes 25, reading lines 8, printing 9, counting 3, and sharing out the times 2.
//! Writing is the kernel's work, on the caller's thread and beside the workers. On tmpfs it allows eleven million lines
//! a second for any number of threads, because only one thread at a time writes to a file.
//!
//! Tried and lost: verifying, counting and printing in a loop each. One loop, in which a solution is still in the first
//! cache, is 2 ns faster.

mod all;
mod alone;
mod answerer;
mod answers;
mod counter;
mod facts;
mod header;
mod options;
mod outcome;
mod printer;
mod rows;
mod selection;
mod solution_text;
mod state;
mod worker;

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::{Failure, PagePlace, Part, Pipeline, Reading, Shard, SourceHead, Station};
use crate::engine::Entry;
use crate::error::{Error, ErrorKind};
use crate::figures::{Points, Slow, Slowest};
use crate::grid::Rules;
use crate::input::format::Notation;
use crate::input::records::{MALFORMED_KEPT, MalformedRecord};
use crate::input::source::Source;
use crate::output::{Extras, Layout};
use crate::pipeline::ChunkJob;
use all::{Fault, Listing};
use header::Kept;
pub(super) use header::OutputHeader;
use worker::{Page, SolveWorker};

pub use answers::AnswerCounts;
pub use facts::facts_of;
pub use options::SolveOptions;
pub use outcome::{SolveOutcome, SolvedInput, WrongAnswer};
pub use selection::{CHOICES, Choice, Selection, choice};
pub use state::{Keeper, RunState};

/// Is informed of the progress of a run.
pub trait Watch {
    /// A record was malformed. Called for the first [`MALFORMED_KEPT`] of a run.
    fn malformed(&mut self, _malformed: &MalformedRecord) {}
    /// The input gives a wrong answer. Called for the first [`MALFORMED_KEPT`] of a run.
    fn wrong_answer(&mut self, _wrong: &WrongAnswer) {}
    /// Everything up to byte `position` of the current source, as it lies on the disk, was answered and written. The run
    /// has answered `records` records so far. Of compressed data, the position is that of a block of text.
    fn advanced(&mut self, _position: u64, _records: u64) {}
    /// Called several times a second while nothing else happens: of the current source, that many bytes were worked on, as they lie
    /// on the disk, and the run has answered that many records, of which the last ones are not written yet. It is an estimate.
    fn working(&mut self, _position: u64, _records: u64) {}
}

/// Ignores the progress.
impl Watch for () {}

/// A run: its threads are started, its engines made. It takes one source after the other.
///
/// ```
/// use galop::input::Source;
/// use galop::pipeline::{SolveOptions, SolveRun};
/// use galop::{Rules, engine};
///
/// let text = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n";
/// let engine = engine::BITBOARD;
/// let mut run = SolveRun::open(&Rules::default(), engine, SolveOptions::default(), Vec::new())?;
/// run.solve(&mut Source::stream("text", text.as_bytes()), &mut ())?;
/// let (bytes, outcome) = run.finish()?;
/// assert!(bytes.ends_with(b",417369825632158947958724316825437169791586432346912758289643571573291684164875293\n"));
/// assert_eq!(outcome.tally.puzzles(), 1);
/// # Ok::<(), galop::Error>(())
/// ```
#[must_use = "`finish` writes the last bytes and returns the figures"]
pub struct SolveRun<'a, W> {
    options: SolveOptions<'a>,
    engine: &'static str,
    notation: Notation,
    /// Bytes of a chunk.
    chunk_bytes: usize,
    pipeline: Pipeline<SolveWorker, Page>,
    out: Outlet<W>,
    results: Results,
    began: Instant,
    /// What an earlier run did.
    continued: state::Continued,
}

/// What the chunks of all sources add up to.
struct Results {
    header: OutputHeader,
    /// Whether the lines of the records are printed.
    prints_lines: bool,
    outcome: SolveOutcome,
    slowest: Slowest,
    points: Points,
    records: u64,
    /// Lists the solutions that the workers leave.
    listing: Option<Listing>,
}

/// Where the answers go.
struct Outlet<W> {
    to: W,
    /// The keeper of the state, a part of `to`.
    keeper: Option<fn(&mut W) -> Option<&mut dyn Keeper>>,
}

/// An [`Outlet`] of any type. (A run is compiled once, not for each type of output.)
trait AnyOutlet: Write {
    /// The keeper of the state, if the run has one.
    fn keeper(&mut self) -> Option<&mut dyn Keeper>;
}

impl<W: Write> AnyOutlet for Outlet<W> {
    fn keeper(&mut self) -> Option<&mut dyn Keeper> {
        (self.keeper?)(&mut self.to)
    }
}

impl<W: Write> Write for Outlet<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.to.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl<'a, W: Write> SolveRun<'a, W> {
    /// Starts the threads and makes an engine for each. The answers will be written to `out`.
    ///
    /// # Errors
    /// [`Unsupported`](crate::engine::Unsupported) or [`ErrorKind::Threads`].
    pub fn open(rules: &Rules, engine: &Entry, options: SolveOptions<'a>, out: W) -> Result<Self, Error> {
        let extras = Extras {
            calls: engine.counts_calls,
            partial: engine.may_be_stuck,
            solution_number: options.all,
            line: options.selection.is_some(),
        };
        let layout = Layout::new(options.format, options.columns, extras);
        let worker = || SolveWorker::new(rules, engine, (&layout, extras), &options);
        let pipeline = Pipeline::new(options.threads, worker)?;
        let listing = || Listing::new(rules, engine, options.format, &layout).map_err(ErrorKind::from);
        let listing = options.all.then(listing).transpose()?;
        let is_batched = pipeline.first_worker(SolveWorker::is_batched).unwrap_or_default();
        // A run without chunks has counted nothing, which is not the same as not counting.
        let (work, crosscheck) = pipeline.first_worker(SolveWorker::totals).unwrap_or_default();
        let (printed, listed) = (options.selection.map(|_| 0), options.all.then_some(0));
        let outcome = SolveOutcome { work, crosscheck, printed, listed, ..SolveOutcome::default() };
        Ok(SolveRun {
            options,
            engine: engine.name,
            notation: rules.into(),
            chunk_bytes: options.chunk_bytes_for(is_batched),
            began: Instant::now(),
            pipeline,
            out: Outlet { to: out, keeper: None },
            results: Results {
                header: OutputHeader::new(options.format, layout.clone()),
                prints_lines: layout.has("line"),
                outcome,
                slowest: Slowest::with_candidates(options.slowest),
                points: Points::default(),
                records: 0,
                listing,
            },
            continued: state::Continued::default(),
        })
    }

    /// From now on, `keeper` of the output keeps the state of the run whenever it is due. Call it before the first source
    /// is solved.
    pub fn keep_with(&mut self, keeper: fn(&mut W) -> Option<&mut dyn Keeper>) {
        self.out.keeper = Some(keeper);
    }

    /// Keeps the state between two sources, whether it is due or not.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if it cannot be kept.
    pub fn keep(&mut self) -> Result<(), Error> {
        let state = self.state();
        self.out.keeper().map_or(Ok(()), |keeper| keeper.keep(&state))
    }

    /// The state of the run between two sources.
    pub fn state(&self) -> RunState {
        state::state_of(&self.results, self.results.header.is_done(), None)
    }

    /// Goes on where an earlier run had `state`, to the output of that run. Its sources are those of this run, `sources`;
    /// call [`solve_part`](Self::solve_part) for all of them. `watch` is informed of the malformed records and the wrong
    /// answers that the earlier run found.
    pub fn restore(&mut self, state: RunState, sources: &[Source], watch: &mut dyn Watch) {
        let totals = self.pipeline.first_worker(SolveWorker::totals).unwrap_or_default();
        self.continued = state::restore(state, &mut self.results, totals, sources, watch);
    }

    /// How many records were answered.
    pub fn records(&self) -> u64 {
        self.results.records
    }

    /// How many threads solve.
    pub fn threads(&self) -> usize {
        self.pipeline.threads()
    }

    /// Solves every record of `source` and writes the answers, in order.
    ///
    /// # Errors
    /// [`ErrorKind::Read`], [`InputError`](crate::input::InputError), [`ErrorKind::Write`], [`ErrorKind::Stopped`],
    /// [`ColumnsDiffer`](crate::pipeline::ColumnsDiffer), [`WrongSolution`](crate::grid::WrongSolution), [`Disagreement`](crate::pipeline::Disagreement) or
    /// [`Unanswered`](crate::pipeline::Unanswered). What was written before is the beginning of the output, in whole lines.
    pub fn solve(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        self.solve_part(source, Part::WHOLE, watch)
    }

    /// The output will have no line that names its columns.
    pub fn leave_out_header(&mut self) {
        self.results.header.leave_out();
    }

    /// The part of each of `sources` that belongs to `shard`, for [`solve_part`](Self::solve_part), to be called for each
    /// source in this order. The outputs of all shards, one after the other, are that of the whole: only the first has a
    /// header.
    ///
    /// # Errors
    /// A [`ShardError`](crate::pipeline::ShardError) if one of them is not a regular file of text.
    pub fn cut(&mut self, shard: Shard, sources: &[Source]) -> Result<Vec<Part>, Error> {
        let (parts, bytes) = shard.parts(sources)?;
        let is_batched = self.pipeline.first_worker(SolveWorker::is_batched).unwrap_or_default();
        if !is_batched && self.options.chunk_bytes.is_none() {
            self.chunk_bytes = shard.small_chunk_bytes(bytes).get();
        }
        if !shard.is_first() {
            self.leave_out_header();
        }
        Ok(parts)
    }

    /// Solves the records of `part` of `source` and writes the answers, in order. A part that is empty may still show the
    /// columns of the output.
    ///
    /// # Errors
    /// Those of [`solve`](Self::solve).
    pub fn solve_part(
        &mut self,
        source: &mut Source,
        part: Part,
        watch: &mut dyn Watch,
    ) -> Result<(), Error> {
        let name = source.name().to_owned();
        let mut input = SolvedInput { name, mapped: source.is_mapped(), ..SolvedInput::default() };
        let is_passed = self.continued.has_finished(self.results.outcome.inputs.len());
        let (part, earlier) = self.continued.rest_of(self.results.outcome.inputs.len(), part);
        earlier.inspect(|earlier| earlier.read.give_to(&mut input));
        let SolveRun { options, notation, chunk_bytes, pipeline, out, results, .. } = self;
        let reading =
            Reading { notation: notation.clone(), chunk_bytes: *chunk_bytes, part, stop: options.stop };
        let mut station = SolveStation {
            out,
            results,
            watch,
            input,
            header: Vec::new(),
            stop: options.stop,
            is_within_page: false,
            is_passed,
            at: earlier,
        };
        let solved = pipeline.run(source, reading, &mut station);
        if let Err(error) = &solved {
            station.keep_last(error);
        }
        let result = solved.and_then(|()| station.write_header());
        let input = station.input;
        self.results.outcome.inputs.push(input);
        result
    }

    /// Flushes the output and sums up.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if the last bytes cannot be written.
    pub fn finish(self) -> Result<(W, SolveOutcome), Error> {
        let Results { header, mut outcome, slowest, points, .. } = self.results;
        let mut out = self.out.to;
        out.write_all(&header.without_sources()).map_err(ErrorKind::Write)?;
        out.flush().map_err(ErrorKind::Write)?;
        let elapsed = self.began.elapsed();
        let mut alone = None;
        for worker in self.pipeline.into_workers() {
            alone = Some(worker.into_alone(elapsed));
        }
        let times = self.options.times;
        (outcome.slowest, outcome.most_guesses) = slowest.measured(|slow| match &mut alone {
            Some(alone) if times => alone.measure(slow),
            _ => None,
        });
        outcome.points = points.as_slice().to_vec();
        Ok((out, outcome))
    }
}

impl<W> std::fmt::Debug for SolveRun<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SolveRun")
            .field("engine", &self.engine)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// Solves one source.
struct SolveStation<'r> {
    out: &'r mut dyn AnyOutlet,
    results: &'r mut Results,
    watch: &'r mut dyn Watch,
    input: SolvedInput,
    /// Bytes of the output's header that are not written yet.
    header: Vec<u8>,
    /// Once this is true the run ends.
    stop: &'r AtomicBool,
    /// Whether a part of a page was written.
    is_within_page: bool,
    /// Whether an earlier run finished the source, whose state is then ahead of this place.
    is_passed: bool,
    /// The place behind the chunks that were delivered.
    at: Option<state::Current>,
}

impl SolveStation<'_> {
    /// Writes the output of a page.
    fn write(&mut self, page: &mut Page, at: &PagePlace) -> Result<(), Error> {
        (self.is_within_page = true);
        self.write_header()?;
        let SolveStation { out, results, input, stop, .. } = self;
        let mut written = 0;
        for rest in page.rests.drain(..) {
            out.write_all(&page.out[written..rest.at]).map_err(ErrorKind::Write)?;
            written = rest.at;
            let Some(listing) = &mut results.listing else { continue };
            let is_stopped = || stop.load(Ordering::Relaxed);
            listing.write_rest(&rest, out, &is_stopped).map_err(|fault| match fault {
                Fault::Write(error) => ErrorKind::Write(error).into(),
                Fault::Stopped => Error::at(&input.name, ErrorKind::Stopped),
                Fault::Wrong(kind) => Error::at(&input.name, kind).in_line(at.lines_before + rest.line + 1),
            })?;
        }
        out.write_all(&page.out[written..]).map_err(ErrorKind::Write)?;
        (self.is_within_page = false);
        Ok(())
    }

    /// Writes the header of the output, if it was found and not written yet.
    fn write_header(&mut self) -> Result<(), Error> {
        Ok(self.out.write_all(&std::mem::take(&mut self.header)).map_err(ErrorKind::Write)?)
    }
}
impl SolveStation<'_> {
    /// Keeps the state behind the page `at`, if it is time.
    fn keep(&mut self, at: &PagePlace) -> Result<(), Error> {
        if self.out.keeper().is_none() {
            return Ok(());
        }
        let (offset, lines) = (at.end, at.lines_before + at.lines);
        self.at = Some(state::Current { read: state::Read::of(&self.input), offset, lines });
        if self.out.keeper().is_some_and(|keeper| keeper.is_due()) {
            let state = self.state();
            self.out.keeper().map_or(Ok(()), |keeper| keeper.keep(&state))?;
        }
        Ok(())
    }

    /// Keeps the last state before the end, if the run was stopped between two pages: then everything that was written is
    /// whole. Until the run has reached the place where an earlier one ended, the earlier state stays.
    fn keep_last(&mut self, error: &Error) {
        let is_whole = !self.is_within_page && !self.is_passed;
        if matches!(error.kind(), ErrorKind::Stopped) && is_whole && self.out.keeper().is_some() {
            let state = self.state();
            // The one before is kept if this is not.
            self.out.keeper().map(|keeper| keeper.keep(&state).ok());
        }
    }

    fn state(&self) -> RunState {
        let has_header = self.results.header.is_done() && self.header.is_empty();
        state::state_of(self.results, has_header, self.at)
    }
}

impl Station for SolveStation<'_> {
    type Worker = SolveWorker;
    type Page = Page;
    type Decision = Kept;

    fn numbers_lines(&self) -> bool {
        self.results.prints_lines
    }

    fn needs_head(&self) -> bool {
        if self.at.is_some_and(|at| at.read.is_recognised) {
            return true;
        }
        !self.results.header.is_known()
    }

    fn recognised(&mut self, head: &SourceHead<'_>) -> Result<Kept, Error> {
        self.input.format = head.format.name;
        self.input.columns = head.format.taken.clone();
        if self.results.header.holds_fields() {
            self.input.left_out = head.format.left_out.clone();
        }
        let kept = self.results.header.keep(head, &mut self.header);
        kept.map_err(|error| Error::at(&self.input.name, error))
    }

    fn work(
        worker: &mut SolveWorker,
        kept: Kept,
        chunk: &ChunkJob<'_>,
        page: &mut Page,
    ) -> Result<(), Failure> {
        worker.answer(chunk, &kept, page)
    }

    fn deliver(&mut self, page: &mut Page, at: &PagePlace) -> Result<(), Error> {
        self.write(page, at)?;
        let SolveStation { results, watch, input, .. } = self;
        page.counts.add_to(&mut results.outcome);
        page.malformed.move_to(&mut results.outcome.malformed, (input, at), &mut **watch);
        for wrong in page.wrong_answers.drain(..) {
            if results.outcome.wrong_answers.len() < MALFORMED_KEPT {
                let (path, line) = (input.name.clone(), at.lines_before + wrong.line + 1);
                let wrong = WrongAnswer { path, line, column: wrong.column, fault: wrong.fault };
                watch.wrong_answer(&wrong);
                results.outcome.wrong_answers.push(wrong);
            }
        }
        let index = results.outcome.inputs.len();
        for slow in page.slowest.all().cloned() {
            results.slowest.offer(Slow { line: at.lines_before + slow.line + 1, input: index, ..slow });
        }
        page.points.drain(..).for_each(|point| results.points.add(point));
        input.add(at);
        results.records += at.records;
        watch.advanced(at.position, results.records);
        self.keep(at)?;
        Ok(())
    }

    fn working(&mut self, position: u64, records: u64) {
        self.watch.working(position, self.results.records + records);
    }
}
