//! Solves files: source -> chunks -> engines on all cores -> bytes in order, and figures.
//!
//! The folder above hands the chunks to the workers. This one says what a worker does with a chunk: it solves the
//! puzzles, verifies every solution, prints the answers, counts, and keeps the slowest.
//!
//! Chunks are cut at fixed offsets and engines do not remember earlier puzzles: the output has the same bytes for any
//! number of threads.
//!
//! # What it costs
//! Nanoseconds of processor time a puzzle with an engine that only copies, by the place of the output. The input are
//! 1,000,000 `pair` lines: 82 MB in, 164 MB out. (Zen 4 at 2.2 GHz, one thread, with times.)
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
//! Instructions a puzzle with the engine `lanes`, from lines of easy puzzles to lines of pairs (AVX2, callgrind, without
//! the start; the kernel takes 15 to 25 ns on top, mostly for the pages of the mapped input):
//!
//! | step | instructions |
//! |---|---:|
//! | engine | 1,900 |
//! | lines found and copied, 80; turned into cells, 53 | 133 |
//! | solutions written and verified, 64 at a time | 151 |
//! | answers counted, the slowest looked for | 90 |
//! | lines printed | 75 |
//! | times shared out | 24 |
//!
//! Nanoseconds of processor time a puzzle beside the engine, 2,000,000 easy puzzles to `/dev/null` (Sapphire Rapids,
//! AVX-512): 55 from lines, 43 from an array. With chunks of 128 KiB, whose page stays in the second-level cache, solutions
//! are written, verified, counted and printed in 0.76 of the time, but the engine takes 1.23.
//!
//! Tried there and lost (within 1 ns): pages filled with line ends before the lines are copied to them; one slot less for
//! each thread; lines that are alike counted first and then copied. All pages of the mapped input populated before the
//! first line (`MADV_POPULATE_READ`): 3 ns less, but a run then reads a whole file before it writes anything.
//!
//! Tried and lost, measured on a machine that others used as well (within 2 %): text, cells, solutions and answers loaded
//! into the cache before they are needed; chunks of 64 to 256 KiB, for which the engine takes 15 to 60 % longer and the
//! rest as long. One loop over all steps of a record: 285 instructions for what takes 165 in three.

mod all;
mod alone;
mod answers;
mod counter;
mod options;
mod outcome;
mod page;
mod printer;
mod selection;
mod solution_text;
mod state;
mod worker;

use std::sync::Arc;
use std::time::Instant;

use super::fields::{OutputHeader, SourcePlan};
use super::malformed::MalformedLines;
use super::run::{Delivery, LineNumbers, Run, SourceRun, Task, Totals};
use super::watch::{Watch, WrongAnswer};
use super::{CHUNK_BYTES, ChunkJob, Failure, SourceHead};
use crate::engine::{Engine, Entry, Stopwatch, prover_for};
use crate::error::{Error, ErrorKind};
use crate::figures::{Points, Slow, Slowest};
use crate::grid::Rules;
use crate::input::records::MALFORMED_KEPT;
use crate::input::source::Source;
use crate::output::{Extras, Holds, Layout, Outlet};
use crate::parts::{Part, Shard, SolvedInput};
use page::Page;
use serde::Serialize;
use state::SolveSums;
use worker::SolveWorker;

pub use answers::AnswerCounts;
pub use options::SolveOptions;
pub use outcome::SolveOutcome;
pub use selection::{CHOICES, Choice, Selection, choice};

/// A run: its threads are started, its engines made. It takes one source after the other.
///
/// ```
/// use galop_batch::input::Source;
/// use galop_batch::pipeline::{SolveOptions, SolveRun};
/// use galop_engines::{Rules, engine};
///
/// let text = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n";
/// let engine = engine::BITBOARD;
/// let (mut run, mut bytes) = (SolveRun::open(&Rules::default(), engine, SolveOptions::default())?, Vec::new());
/// run.solve(&mut Source::stream("text", text.as_bytes()), &mut bytes, &mut ())?;
/// let outcome = run.finish(&mut bytes)?;
/// assert!(bytes.ends_with(b",417369825632158947958724316825437169791586432346912758289643571573291684164875293\n"));
/// assert_eq!(outcome.tally.puzzles(), 1);
/// # Ok::<(), galop_batch::Error>(())
/// ```
#[must_use = "`finish` writes the last bytes and returns the figures"]
pub struct SolveRun<'a> {
    options: SolveOptions<'a>,
    engine: &'static str,
    run: Run<'a, SolveWorker, Page>,
    task: SolveTask,
    /// The engine to measure single puzzles with after the run, if the workers solve many at once and times are wanted.
    single: Option<Box<dyn Engine>>,
    began: Instant,
}

/// Solves the records of all sources, and adds up what their chunks give.
struct SolveTask {
    header: OutputHeader,
    /// Whether the lines of the records are printed.
    prints_lines: bool,
    /// Whether the output has a place for all fields of the input.
    holds_fields: bool,
    outcome: SolveOutcome,
    slowest: Slowest,
    points: Points,
}

impl<'a> SolveRun<'a> {
    /// Starts the threads and makes an engine for each.
    ///
    /// # Errors
    /// [`Unsupported`](crate::engine::Unsupported), [`NoGrid`](crate::output::NoGrid) or [`ErrorKind::Threads`].
    pub fn open(rules: &Rules, engine: &Entry, options: SolveOptions<'a>) -> Result<Self, Error> {
        options.format.check(rules)?;
        let extras = Extras {
            calls: engine.counts_calls,
            partial: engine.may_be_stuck,
            solution_number: options.all,
            line: options.selection.is_some(),
        };
        let layout = Layout::new(options.format.usual, options.columns, extras);
        let worker = || SolveWorker::new(rules, engine, (&layout, extras), &options);
        let chunk_bytes = |worker: &SolveWorker| options.chunk_bytes_for(worker.is_batched());
        let run = Run::start(options.threads, worker, rules.into(), chunk_bytes, options.stop)?;
        let is_batched = run.first_worker(SolveWorker::is_batched).unwrap_or_default();
        let single = match options.times && is_batched {
            true => Some((prover_for(rules).make)(rules, options.isa).map_err(ErrorKind::from)?),
            false => None,
        };
        // A run without chunks has counted nothing, which is not the same as not counting.
        let (work, crosscheck) = run.first_worker(SolveWorker::totals).unwrap_or_default();
        let (printed, listed) = (options.selection.map(|_| 0), options.all.then_some(0));
        let outcome = SolveOutcome { work, crosscheck, printed, listed, ..SolveOutcome::default() };
        Ok(SolveRun {
            options,
            engine: engine.name,
            run,
            task: SolveTask {
                prints_lines: layout.has_lines(),
                holds_fields: options.format.holds(Holds::Fields),
                header: OutputHeader::new(
                    options.format,
                    layout.behind.headings,
                    Some(layout.alone.headings),
                ),
                outcome,
                slowest: Slowest::with_candidates(options.slowest),
                points: Points::default(),
            },
            single: single.map(|engine| Box::new(Stopwatch(engine)) as Box<dyn Engine>),
            began: Instant::now(),
        })
    }

    /// Solves every record of `source` and writes the answers to `out`, in order.
    ///
    /// # Errors
    /// As [`SourceRun::read`]; [`WrongSolution`](crate::grid::WrongSolution),
    /// [`Disagreement`](crate::pipeline::Disagreement) or [`Unanswered`](crate::pipeline::Unanswered).
    pub fn solve(
        &mut self,
        source: &mut Source,
        out: &mut dyn Outlet,
        watch: &mut dyn Watch,
    ) -> Result<(), Error> {
        self.read(source, Part::WHOLE, &mut [out], watch)
    }

    /// Flushes the output and sums up.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if the last bytes cannot be written.
    pub fn finish(self, out: &mut dyn Outlet) -> Result<SolveOutcome, Error> {
        Box::new(self).finish(&mut [out])
    }
}

impl SourceRun for SolveRun<'_> {
    type Outcome = SolveOutcome;

    fn threads(&self) -> usize {
        self.run.threads()
    }

    fn records(&self) -> u64 {
        self.run.totals.records
    }

    fn cut(&mut self, shard: Shard, sources: &[Source]) -> Result<Vec<Part>, Error> {
        let is_batched = self.run.first_worker(SolveWorker::is_batched).unwrap_or_default();
        let may_be_small = !is_batched && self.options.chunk_bytes.is_none();
        self.run.cut(shard, sources, self.task.line_numbers(), may_be_small.then_some(CHUNK_BYTES))
    }

    fn state(&self) -> String {
        self.run.state(self.task.needs_head(), self.task.sums(&self.run.totals))
    }

    fn restore(&mut self, state: &str, sources: &[Source], watch: &mut dyn Watch) -> Result<(), Error> {
        let sums = self.run.restore(state, sources, watch)?;
        let totals = self.run.first_worker(SolveWorker::totals).unwrap_or_default();
        self.task.restore(sums, totals, sources, watch);
        Ok(())
    }

    fn read(
        &mut self,
        source: &mut Source,
        part: Part,
        outs: &mut [&mut dyn Outlet],
        watch: &mut dyn Watch,
    ) -> Result<(), Error> {
        self.run.read(&mut self.task, source, part, outs, watch)
    }

    fn finish(self: Box<Self>, outs: &mut [&mut dyn Outlet]) -> Result<SolveOutcome, Error> {
        let SolveRun { options, run, task, single, began, .. } = *self;
        let SolveTask { header, mut outcome, slowest, points, .. } = task;
        run.flush(&header, outs)?;
        let elapsed = began.elapsed();
        let (totals, workers) = run.end();
        (outcome.inputs, outcome.malformed) = (totals.inputs, totals.malformed);
        let mut alone = workers.last().map(|worker| worker.into_alone(single, elapsed));
        (outcome.slowest, outcome.most_guesses) = slowest.measured(|slow| match &mut alone {
            Some(alone) if options.times => alone.measure(slow),
            _ => None,
        });
        outcome.points = points.as_slice().to_vec();
        Ok(outcome)
    }
}

impl std::fmt::Debug for SolveRun<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SolveRun")
            .field("engine", &self.engine)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Task for SolveTask {
    type Worker = SolveWorker;
    type Plan = Arc<SourcePlan>;
    type Page = Page;

    fn line_numbers(&self) -> LineNumbers {
        if self.prints_lines { LineNumbers::OfSource } else { LineNumbers::None }
    }

    fn needs_head(&self) -> bool {
        !self.header.is_known()
    }

    fn recognised(
        &mut self,
        head: &SourceHead<'_>,
        _lines_before: u64,
        input: &mut SolvedInput,
        header: &mut Vec<u8>,
    ) -> Result<Arc<SourcePlan>, Error> {
        if self.holds_fields {
            input.left_out = head.format.left_out.clone();
        }
        self.header.keep(head, header).map_err(|error| Error::at(&input.name, error))
    }

    fn work(
        worker: &mut SolveWorker,
        kept: Arc<SourcePlan>,
        chunk: &ChunkJob<'_>,
        page: &mut Page,
        malformed: &mut MalformedLines,
    ) -> Result<(), Failure> {
        worker.answer(chunk, &kept, page, malformed)
    }

    fn deliver(&mut self, page: &mut Page, delivery: Delivery<'_, '_>) -> Result<(), Error> {
        let Delivery { at, input, index, outs, watch, .. } = delivery;
        if let Some(out) = outs.first_mut() {
            out.write_all(&page.out).map_err(ErrorKind::Write)?;
        }
        page.counts.add_to(&mut self.outcome);
        for wrong in page.wrong_answers.drain(..) {
            if self.outcome.wrong_answers.len() < MALFORMED_KEPT {
                let (path, line) = (input.name.clone(), at.line(wrong.line));
                let wrong = WrongAnswer { path, line, column: wrong.column, fault: wrong.fault };
                watch.wrong_answer(&wrong);
                self.outcome.wrong_answers.push(wrong);
            }
        }
        for slow in page.slowest.all().cloned() {
            self.slowest.offer(Slow { line: at.line(slow.line), input: index, ..slow });
        }
        page.points.drain(..).for_each(|point| self.points.add(point));
        Ok(())
    }

    fn sums(&self, totals: &Totals) -> impl Serialize {
        SolveSums::of(self, totals)
    }
}
