//! One engine over all puzzles of a run, on some threads, with both clocks.
//!
//! ```text
//! place      0        size      2 size
//! batches    |--------|---------|-------- ...       claimed in order by whichever thread is free
//! a batch    | clock: the engine | verify, compare, note: no clock |
//! ```
//! Where batches end is fixed by the number of puzzles and the engine: so guesses do not depend on threads.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::Plan;
use super::clock::{Clock, Taken};
use super::known::Said;
use super::puzzles::Set;
use crate::engine::{Engine, Timed, WrongStride};
use crate::error::{Error, ErrorKind};
use crate::figures::Histogram;
use crate::grid::{Rules, Verifier};
use crate::pipeline::BATCH_CHUNK_BYTES;
use crate::pipeline::crosscheck::digits;
use crate::pipeline::{Disagreement, WrongSolution};
use crate::puzzle::{Answer, Answers, Limits, Puzzles, Status};

/// Puzzles of a batch for engines that solve one at a time: two readings of the processor's clock, 500 ns, are
/// then less than 1 % of what the fastest of them takes.
const FEW: usize = 256;

/// Threads with an engine of each kind.
pub(super) struct Crew<'a> {
    pool: ThreadPool,
    /// One for each thread of the pool, which alone locks it.
    workers: Vec<Mutex<Worker>>,
    budget: Option<Duration>,
    stop: &'a AtomicBool,
}

/// What one thread keeps.
struct Worker {
    engines: Vec<(&'static str, Timed<Box<dyn Engine>>)>,
    verifier: Verifier,
    solutions: Vec<u8>,
    answers: Vec<Answer>,
}

/// What one engine did with the puzzles of a run, in the order of the run. Places from `done` on hold anything.
#[derive(Debug)]
pub(super) struct Pass {
    /// Elapsed nanoseconds a puzzle.
    pub(super) nanos: Vec<f32>,
    /// Guesses a puzzle.
    pub(super) guesses: Vec<u32>,
    /// What became of each puzzle.
    pub(super) statuses: Vec<Status>,
    /// Calls a puzzle.
    pub(super) calls: Histogram,
    /// Solved without a guess.
    pub(super) unguessed: u64,
    /// The first so many were answered.
    pub(super) done: usize,
    /// How long they took, summed over the threads.
    pub(super) taken: Taken,
}

impl Pass {
    /// The same with less memory.
    pub(super) fn without_statuses(self) -> Pass {
        Pass { statuses: Vec::new(), ..self }
    }
}

/// An answer that ends the comparison.
#[derive(Debug)]
pub(super) struct Failure {
    /// The place of the puzzle in the pass.
    place: usize,
    kind: ErrorKind,
}

impl Failure {
    /// The same of a pass that had the puzzles in this order.
    pub(super) fn in_order(self, order: &[u32]) -> Failure {
        Failure { place: order.get(self.place).map_or(self.place, |&place| place as usize), ..self }
    }

    /// The error with the place of its puzzle.
    pub(super) fn at(self, puzzles: &Set) -> Error {
        let (input, line) = puzzles.source(self.place);
        Error::at(input, self.kind).in_line(line)
    }
}

/// A batch and the places for what comes of it.
struct Batch<'a, T> {
    start: usize,
    nanos: &'a mut [f32],
    guesses: &'a mut [u32],
    statuses: &'a mut [Status],
    calls: &'a mut [u64],
    notes: &'a mut [T],
    done: usize,
    taken: Taken,
    failure: Option<Failure>,
}

impl<'a> Crew<'a> {
    /// Starts the threads and makes the engines.
    pub(super) fn new(rules: &Rules, plan: &Plan<'a>) -> Result<Self, Error> {
        let threads = match plan.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let workers = (0..threads).map(|_| Worker::new(rules, plan).map(Mutex::new));
        let workers = workers.collect::<Result<_, Error>>()?;
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("galop-{index}"))
            .build()
            .map_err(|error| ErrorKind::Threads { threads, reason: error.to_string() })?;
        Ok(Crew { pool, workers, budget: plan.budget, stop: plan.stop })
    }

    /// How many threads there are.
    pub(super) fn threads(&self) -> usize {
        self.workers.len()
    }

    /// The instruction set that the engine `index` was compiled for, if it is compiled for several.
    pub(super) fn isa(&self, index: usize) -> Option<&'static str> {
        let worker = self.workers.first()?.lock().unwrap_or_else(PoisonError::into_inner);
        Some(worker.engines.get(index)?.1.work()?.isa.name())
    }

    /// The engine `index` answers `puzzles`. Every solution is verified; `judge` hears of every answer, with the
    /// note that belongs to its place.
    pub(super) fn pass<T: Send>(
        &self,
        index: usize,
        puzzles: Puzzles<'_>,
        limits: Limits,
        notes: &mut [T],
        judge: impl Fn(&Said<'_>, &mut T) -> Result<(), Box<Disagreement>> + Sync,
    ) -> Result<Pass, Failure> {
        let count = puzzles.len();
        let mut pass = Pass {
            nanos: vec![0.0; count],
            guesses: vec![0; count],
            statuses: vec![Status::Limit; count],
            calls: Histogram::default(),
            unguessed: 0,
            done: 0,
            taken: Taken::default(),
        };
        let mut calls = vec![0; count];
        let size = self.batch_size(index, puzzles.stride());
        let notes = notes.chunks_mut(size);
        let figures = pass.nanos.chunks_mut(size).zip(pass.guesses.chunks_mut(size));
        let figures = figures.zip(pass.statuses.chunks_mut(size).zip(calls.chunks_mut(size)));
        let batch = |(number, (((nanos, guesses), (statuses, calls)), notes))| {
            let (start, done, taken) = (number * size, 0, Taken::default());
            Batch { start, nanos, guesses, statuses, calls, notes, done, taken, failure: None }
        };
        let mut batches: Vec<Batch<'_, T>> = figures.zip(notes).enumerate().map(batch).collect();

        let spent = AtomicU64::new(0);
        let is_failed = AtomicBool::new(false);
        let queue = Mutex::new(batches.iter_mut());
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        self.pool.broadcast(|context| {
            let mut worker = self.workers[context.index()].lock().unwrap_or_else(PoisonError::into_inner);
            let is_wanted = || !is_failed.load(Ordering::Relaxed) && !self.is_over(&spent);
            while is_wanted()
                && let Some(batch) = next()
            {
                let whole = puzzles.slice(batch.start..batch.start + size);
                let meter = Meter { crew: self, clock: Clock::start(), spent: &spent, told: Cell::default() };
                let solved = worker.solve(index, whole, limits, &meter);
                batch.taken = meter.close();
                batch.done = *solved.as_ref().unwrap_or(&0);
                let looked = solved.map_err(|error| Failure { place: batch.start, kind: error.into() });
                batch.failure = looked.and_then(|_| worker.look(index, whole, limits, batch, &judge)).err();
                if batch.failure.is_some() {
                    is_failed.store(true, Ordering::Relaxed);
                }
            }
        });

        let mut is_whole = true;
        let mut failure = None;
        for batch in batches {
            // Batches are claimed in order: whatever is before the first failure was looked at.
            failure = failure.or(batch.failure);
            if is_whole {
                pass.done += batch.done;
                pass.taken.cpu += batch.taken.cpu;
                pass.taken.wall += batch.taken.wall;
                is_whole = batch.done == batch.nanos.len();
            }
        }
        calls[..pass.done].iter().for_each(|&calls| pass.calls.add(calls));
        let solved = pass.statuses.iter().zip(&pass.guesses).take(pass.done);
        pass.unguessed =
            solved.filter(|&(&status, &guesses)| status == Status::Solved && guesses == 0).count() as u64;
        failure.map_or(Ok(pass), Err)
    }

    /// Puzzles of a batch: as many as a chunk of the road has for engines that solve many at once.
    fn batch_size(&self, index: usize, stride: usize) -> usize {
        let worker = self.workers.first().map(|worker| worker.lock().unwrap_or_else(PoisonError::into_inner));
        let is_batched = worker
            .is_some_and(|worker| worker.engines.get(index).is_some_and(|(_, engine)| engine.is_batched()));
        if is_batched { (BATCH_CHUNK_BYTES / (stride + 1)).max(1) } else { FEW }
    }

    /// Whether so many nanoseconds are too many, or nothing is wanted any more.
    fn is_over(&self, spent: &AtomicU64) -> bool {
        let is_spent = |budget: Duration| u128::from(spent.load(Ordering::Relaxed)) >= budget.as_nanos();
        self.stop.load(Ordering::Relaxed) || self.budget.is_some_and(is_spent)
    }
}

/// The time of one batch, and whether the budget allows more of it.
struct Meter<'a> {
    crew: &'a Crew<'a>,
    clock: Clock,
    /// Nanoseconds of processor time, of all threads in this pass.
    spent: &'a AtomicU64,
    /// What of this batch is among them, and the elapsed time up to then.
    told: Cell<Taken>,
}

impl Meter<'_> {
    /// Whether the engine is to leave off.
    ///
    /// A thread uses no more processor time than time goes by: the cheap clock alone is read until it says that the
    /// budget might be spent, or a sixteenth of this thread's share is to be told to the others.
    fn is_over(&self) -> bool {
        let Some(budget) = self.crew.budget else { return self.crew.stop.load(Ordering::Relaxed) };
        let untold = self.clock.wall().saturating_sub(self.told.get().wall);
        let spent = Duration::from_nanos(self.spent.load(Ordering::Relaxed));
        if spent + untold >= budget || untold >= budget / (16 * self.crew.threads() as u32) {
            self.tell();
        }
        self.crew.is_over(self.spent)
    }

    fn tell(&self) -> Taken {
        let taken = self.clock.taken();
        let news = taken.cpu.saturating_sub(self.told.get().cpu);
        self.spent.fetch_add(news.as_nanos() as u64, Ordering::Relaxed);
        self.told.set(taken);
        taken
    }

    /// The time of the whole batch.
    fn close(&self) -> Taken {
        self.tell()
    }
}

impl Worker {
    fn new(rules: &Rules, plan: &Plan<'_>) -> Result<Worker, Error> {
        let engines = plan.engines.iter().map(|entry| {
            let made = (entry.make)(rules, plan.isa).map_err(ErrorKind::Unsupported)?;
            Ok((entry.name, Timed(made)))
        });
        Ok(Worker {
            engines: engines.collect::<Result<_, ErrorKind>>()?,
            verifier: Verifier::new(rules),
            solutions: Vec::new(),
            answers: Vec::new(),
        })
    }

    /// Solves `puzzles` until they or the budget are at an end; says how many of the first were answered.
    fn solve(
        &mut self,
        index: usize,
        puzzles: Puzzles<'_>,
        limits: Limits,
        meter: &Meter<'_>,
    ) -> Result<usize, WrongStride> {
        let Some((_, engine)) = self.engines.get_mut(index) else { return Ok(0) };
        self.solutions.resize(puzzles.len() * puzzles.stride(), 0);
        self.answers.clear();
        self.answers.resize(puzzles.len(), Answer::default());
        let mut answers = Answers::new(&mut self.solutions, &mut self.answers, puzzles.stride());
        if engine.is_batched() {
            // What it leaves unfinished cannot be told from what it finished.
            let is_cut = Cell::new(false);
            engine.solve_until(puzzles, limits, &mut answers, &|| {
                is_cut.set(is_cut.get() || meter.is_over());
                is_cut.get()
            })?;
            return Ok(if is_cut.get() { 0 } else { puzzles.len() });
        }
        let (mut done, mut at_once) = (0, 1);
        while done < puzzles.len() && !meter.is_over() {
            let places = done..(done + at_once).min(puzzles.len());
            let mut some = answers.slice(places.clone());
            engine.solve(puzzles.slice(places.clone()), limits, &mut some)?;
            let nanos: u64 = some.iter_mut().map(|(_, answer)| answer.effort.nanos).sum();
            done = places.end;
            at_once =
                if nanos < BETWEEN_LOOKS { (2 * at_once).min(MOST_AT_ONCE) } else { at_once.div_ceil(2) };
        }
        Ok(done)
    }

    /// Verifies the solutions of a batch, has the answers judged, and notes their figures.
    fn look<T>(
        &self,
        index: usize,
        puzzles: Puzzles<'_>,
        limits: Limits,
        batch: &mut Batch<'_, T>,
        judge: impl Fn(&Said<'_>, &mut T) -> Result<(), Box<Disagreement>>,
    ) -> Result<(), Failure> {
        let Some(&(engine, _)) = self.engines.get(index) else { return Ok(()) };
        let solutions = Puzzles::new(&self.solutions, puzzles.stride());
        let answered = puzzles.iter().zip(solutions.iter()).zip(&self.answers).take(batch.done);
        for (at, ((puzzle, solution), &answer)) in answered.enumerate() {
            let place = batch.start + at;
            if answer.solutions > 0
                && let Err(violation) = self.verifier.check(puzzle, solution)
            {
                let (puzzle, solution) = (digits(puzzle), digits(solution));
                let wrong = WrongSolution { engine, puzzle, solution, violation };
                let kind = Box::new(wrong).into();
                return Err(Failure { place, kind });
            }
            let said = Said { place, engine, puzzle, solution, answer };
            judge(&said, &mut batch.notes[at])
                .map_err(|disagreement| Failure { place, kind: ErrorKind::Disagreement(disagreement) })?;
            let effort = answer.effort;
            batch.nanos[at] = effort.nanos as f32;
            batch.guesses[at] = u32::try_from(effort.guesses).unwrap_or(u32::MAX);
            batch.statuses[at] = answer.status(limits);
            batch.calls[at] = effort.calls;
        }
        Ok(())
    }
}

/// Nanoseconds after which an engine that solves one puzzle at a time is to look at its budget.
const BETWEEN_LOOKS: u64 = 100_000;

/// The most puzzles between two such looks, so that looking costs nothing.
const MOST_AT_ONCE: usize = 64;
