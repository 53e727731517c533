//! One engine over all puzzles of a run, on several threads, with both clocks.
//!
//! ```text
//! place      0        size      2 size
//! batches    |--------|---------|-------- ...       a free thread claims the next batch
//! a batch    | clock: the engine | verify, compare, note: no clock |
//! ```
//! The ends of the batches depend on the number of puzzles and on the engine only. So guesses do not depend on the
//! threads.

use std::cell::Cell;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use galop_cover::threads;
use rayon::{BroadcastContext, ThreadPool};

use super::best_known::EngineAnswer;
use super::budget::{Budget, Meter};
use super::failure::Failure;
use super::program::{Program, ProgramFigures};
use crate::clock::{Clock, TimeSpent, step};
use crate::contestant::By;
use crate::error::{PlanError, PrintedWrong};
use crate::pass::Pass;
use crate::plan::Plan;
use galop_batch::error::{Error, ErrorKind};
use galop_batch::input::Notation;
use galop_batch::pipeline::BATCH_CHUNK_BYTES;
use galop_batch::pipeline::in_words;
use galop_engines::engine::{Engine, Stopwatch, WrongLength};
use galop_engines::grid::{Rules, Verifier, WrongSolution};
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles, Status};

/// Puzzles of a batch for engines that solve one at a time. Two readings of the processor's clock, 500 ns, then take
/// less than 1 % of the time of the fastest engine.
const BATCH_PUZZLES: usize = 256;

/// Nanoseconds after which an engine that solves one puzzle at a time should look at its budget.
const BUDGET_CHECK_NANOS: u64 = 100_000;

/// Puzzles solved between two looks at the budget, at most; the looks then cost nothing measurable.
const BUDGET_CHECK_PUZZLES: usize = 64;

/// Threads, each with an engine of each kind.
pub(super) struct Workers<'a> {
    pool: ThreadPool,
    /// One for each thread of the pool. Only that thread locks it during a pass.
    workers: Vec<Mutex<Worker>>,
    /// How many of them each engine uses.
    threads: Vec<usize>,
    budget: Option<Duration>,
    stop: &'a AtomicBool,
}

/// What one thread keeps.
struct Worker {
    engines: Vec<(String, Contender)>,
    verifier: Verifier,
    notation: Notation,
    solutions: Vec<u8>,
    answers: Vec<Answer>,
}

/// What solves puzzles in a comparison.
enum Contender {
    Engine(Stopwatch),
    Program(Box<Program>),
}

impl Contender {
    fn engine(&self) -> Option<&Stopwatch> {
        match self {
            Contender::Engine(engine) => Some(engine),
            Contender::Program(_) => None,
        }
    }
}

/// What was solved of a batch.
#[derive(Clone, Copy, Default)]
struct Solved {
    /// The first puzzles that were answered.
    done: usize,
    /// What they took, if that is not the time of the batch: of another program.
    spent: Option<TimeSpent>,
    /// What the program took for an empty input.
    start: Option<TimeSpent>,
    /// Its guesses, if it prints them.
    guesses: Option<u64>,
}

/// A batch, and the places for its results.
struct Batch<'a, T> {
    first: usize,
    nanos: &'a mut [f32],
    guesses: &'a mut [u32],
    statuses: &'a mut [Status],
    calls: &'a mut [u64],
    notes: &'a mut [T],
    solved: Solved,
    spent: TimeSpent,
    failure: Option<Failure>,
}

impl<'a> Workers<'a> {
    /// Starts the threads and makes the engines.
    ///
    /// # Errors
    /// [`Unsupported`](galop_engines::engine::Unsupported) or [`ErrorKind::Threads`].
    pub(super) fn start(rules: &Rules, plan: &Plan<'a>) -> Result<Self, Error> {
        // As many as the engine with the most threads has; no number means one for each core.
        let most = (plan.contestants.iter())
            .map(|contestant| plan.threads_of(contestant))
            .reduce(|one, other| Some(one?.max(other?)));
        let pool = threads::start(most.unwrap_or(plan.threads))?;
        let workers = (0..pool.current_num_threads()).map(|_| Worker::new(rules, plan).map(Mutex::new));
        let workers = workers.collect::<Result<_, Error>>()?;
        let each = plan.contestants.iter().map(|contestant| plan.threads_of(contestant));
        let threads = each.map(|threads| threads.map_or(pool.current_num_threads(), NonZero::get)).collect();
        Ok(Workers { pool, workers, threads, budget: plan.budget, stop: plan.stop })
    }

    /// Number of threads that the engine `index` uses.
    pub(super) fn threads(&self, index: usize) -> usize {
        self.threads.get(index).copied().unwrap_or(1)
    }

    /// The instruction set that the engine `index` was compiled for, if it is compiled for several.
    pub(super) fn isa(&self, index: usize) -> Option<&'static str> {
        Some(self.first()?.engines.get(index)?.1.engine()?.work()?.isa.name())
    }

    /// Lets the engine `index` answer `puzzles`. Every solution is verified. Every answer is passed to `judge`, with
    /// the note that belongs to its place. `advanced` is called several times a second with the number of puzzles that
    /// are answered.
    pub(super) fn pass<T: Send>(
        &self,
        index: usize,
        puzzles: Puzzles<'_>,
        limits: Limits,
        notes: &mut [T],
        judge: impl Fn(&EngineAnswer<'_>, &mut T) -> Result<(), ErrorKind> + Sync,
        advanced: &mut dyn FnMut(u64),
    ) -> Result<Pass, Failure> {
        let has_each = !self.is_program(index);
        let mut pass = Pass { has_each, has_guesses: has_each, ..Pass::new(puzzles.len()) };
        let mut calls = vec![0; puzzles.len()];
        let size = self.batch_size(index, puzzles.stride());
        let mut batches = batches(&mut pass, &mut calls, notes, size);

        let budget = Budget::new(self.budget, self.threads(index), self.stop);
        let is_failed = AtomicBool::new(false);
        let queue = Mutex::new(batches.iter_mut());
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let at_work = AtWork::new(self.pool.current_num_threads());
        let work = |context: BroadcastContext<'_>| {
            let _member = at_work.leave_on_drop();
            let mut worker = lock(&self.workers[context.index()]);
            let is_member = context.index() < self.threads(index);
            let is_wanted = || is_member && !is_failed.load(Ordering::Relaxed) && !budget.is_over();
            while is_wanted()
                && let Some(batch) = next()
            {
                let whole = puzzles.slice(batch.first..batch.first.saturating_add(size));
                let meter = Meter::start(&budget);
                let solved = worker.solve(index, whole, limits, &meter);
                batch.spent = meter.charge();
                batch.solved = solved.as_ref().copied().unwrap_or_default();
                match batch.solved.spent {
                    Some(spent) => batch.spent = spent,
                    None => batch.spent.cpu = worker.time_of_first(batch.solved.done),
                }
                let solved = solved.map_err(|kind| Failure { place: batch.first, kind });
                batch.failure = solved.and_then(|_| worker.look(index, whole, limits, batch, &judge)).err();
                if batch.failure.is_some() {
                    is_failed.store(true, Ordering::Relaxed);
                }
            }
        };
        self.pool.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, context| work(context));
            while !at_work.wait(TICK) {
                advanced(budget.answered());
            }
        });

        let (start, guesses) =
            batches.first().map_or((None, None), |batch| (batch.solved.start, batch.solved.guesses));
        let (done, spent) = join(batches)?;
        calls[..done].iter().for_each(|&calls| pass.calls.add(calls));
        let answered = pass.statuses.iter().zip(&pass.guesses).take(done);
        let unguessed = answered.filter(|&(&status, &guesses)| status == Status::Solved && guesses == 0);
        pass.unguessed = unguessed.count() as u64;
        (pass.done, pass.spent, pass.start) = (done, spent, start);
        pass.guesses_of_all = guesses;
        Ok(pass)
    }

    /// Puzzles of a batch. Engines that solve many at once get as many as a chunk of the pipeline has.
    fn batch_size(&self, index: usize, stride: usize) -> usize {
        match self.first().as_ref().and_then(|worker| worker.engines.get(index)) {
            // It is started once for all.
            Some((_, Contender::Program(_))) => usize::MAX,
            Some((_, Contender::Engine(engine))) if engine.is_batched() => {
                (BATCH_CHUNK_BYTES / (stride + 1)).max(1)
            }
            _ => BATCH_PUZZLES,
        }
    }

    fn is_program(&self, index: usize) -> bool {
        let first = self.first();
        let contender = first.as_ref().and_then(|worker| worker.engines.get(index));
        contender.is_some_and(|(_, contender)| contender.engine().is_none())
    }

    /// The first worker: all of them have the same engines.
    fn first(&self) -> Option<MutexGuard<'_, Worker>> {
        self.workers.first().map(lock)
    }
}

/// Time between two reports of the puzzles that are answered.
const TICK: Duration = Duration::from_millis(100);

/// Threads that are at work.
struct AtWork {
    threads: Mutex<usize>,
    is_over: Condvar,
}

impl AtWork {
    fn new(threads: usize) -> AtWork {
        AtWork { threads: Mutex::new(threads), is_over: Condvar::new() }
    }

    /// A thread is at work until this is dropped, also by a panic.
    fn leave_on_drop(&self) -> impl Drop + '_ {
        struct Member<'w>(&'w AtWork);
        impl Drop for Member<'_> {
            fn drop(&mut self) {
                *self.0.threads.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
                self.0.is_over.notify_one();
            }
        }
        Member(self)
    }

    /// Waits for `patience` until all threads are done; false if they are not.
    fn wait(&self, patience: Duration) -> bool {
        let threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.is_over.wait_timeout_while(threads, patience, |threads| *threads > 0);
        *waited.unwrap_or_else(PoisonError::into_inner).0 == 0
    }
}

/// Guesses of the first attempt at a puzzle, which may take longer than the budget allows.
const FIRST_GUESSES: u64 = 100_000;

/// Whether the search ended at a limit on guesses.
fn is_limited(answer: &Answer) -> bool {
    answer.gave_up() && !answer.is_stuck()
}

/// Solves a puzzle that takes more than [`FIRST_GUESSES`], unless the budget ends before. An engine for single puzzles
/// cannot be stopped within one. So the search is cut short, and begun again with four times as many guesses, or with
/// as many as the rest of the budget may suffice for.
fn solve_one(
    engine: &mut Stopwatch,
    puzzle: Puzzles<'_>,
    limits: Limits,
    answers: &mut Answers<'_>,
    meter: &Meter<'_>,
) -> Result<bool, WrongLength> {
    let mut guesses = 4 * FIRST_GUESSES;
    loop {
        let is_last = limits.guesses().is_some_and(|most| most <= guesses);
        let clock = Clock::start();
        let cut = if is_last { limits } else { limits.with_guesses(guesses) };
        engine.solve(puzzle, cut, answers)?;
        let spent = clock.spent().cpu;
        processor_time(answers, spent);
        if is_last || !answers.iter_mut().any(|(_, answer)| is_limited(answer)) {
            return Ok(true);
        }
        if meter.is_over() {
            return Ok(false);
        }
        let rate = guesses as f64 / spent.as_secs_f64().max(1e-9);
        let affordable = meter.left().as_secs_f64() * rate * 1.1;
        guesses = (4 * guesses).min((affordable as u64).max(guesses + FIRST_GUESSES));
    }
}

/// Nanoseconds by which the elapsed times of a few puzzles may exceed their processor time without an interruption.
const TOLERANCE: u64 = 1_000;

/// Makes the elapsed times of `answers`, which took `cpu` of processor time together, processor times.
///
/// To read the processor's clock takes longer than many puzzles, so it was read for a few puzzles together. If another
/// program had the core in between, nearly always it interrupted one puzzle: that with the longest time, from which the
/// difference is taken. What is left of it is shared out.
fn processor_time(answers: &mut Answers<'_>, cpu: Duration) {
    let cpu = cpu.as_nanos() as u64;
    let sum: u64 = answers.iter_mut().map(|(_, answer)| answer.effort.nanos).sum();
    if sum <= cpu + TOLERANCE {
        return;
    }
    let Some(longest) = answers.iter_mut().map(|(_, answer)| &mut answer.effort.nanos).max() else { return };
    let rest = (sum - *longest).min(cpu);
    // It took what the others did not, if their times are without an interruption.
    *longest = (*longest).min(cpu - rest).max(1);
    scale(answers, cpu);
}

/// Makes the times of `answers` smaller in proportion, so that their sum is `nanos` at most.
fn scale(answers: &mut Answers<'_>, nanos: u64) {
    let sum: u64 = answers.iter_mut().map(|(_, answer)| answer.effort.nanos).sum();
    if sum > nanos {
        let factor = nanos as f64 / sum as f64;
        for (_, answer) in answers.iter_mut() {
            answer.effort.nanos = (answer.effort.nanos as f64 * factor) as u64;
        }
    }
}

fn lock(worker: &Mutex<Worker>) -> MutexGuard<'_, Worker> {
    worker.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The batches of a pass, of `size` puzzles each.
fn batches<'a, T>(
    pass: &'a mut Pass,
    calls: &'a mut [u64],
    notes: &'a mut [T],
    size: usize,
) -> Vec<Batch<'a, T>> {
    let figures = pass.nanos.chunks_mut(size).zip(pass.guesses.chunks_mut(size));
    let figures = figures.zip(pass.statuses.chunks_mut(size).zip(calls.chunks_mut(size)));
    let batch = |(number, (((nanos, guesses), (statuses, calls)), notes))| {
        let (first, solved, spent) = (number * size, Solved::default(), TimeSpent::default());
        Batch { first, nanos, guesses, statuses, calls, notes, solved, spent, failure: None }
    };
    figures.zip(notes.chunks_mut(size)).enumerate().map(batch).collect()
}

/// The number of puzzles answered without a gap from the first on, and their time.
///
/// # Errors
/// The first failure. Threads claim the batches in order, so every puzzle before it was checked.
fn join<T>(batches: Vec<Batch<'_, T>>) -> Result<(usize, TimeSpent), Failure> {
    let (mut done, mut spent, mut is_whole) = (0, TimeSpent::default(), true);
    for batch in batches {
        if let Some(failure) = batch.failure {
            return Err(failure);
        }
        if is_whole {
            done += batch.solved.done;
            spent.cpu += batch.spent.cpu;
            spent.wall += batch.spent.wall;
            is_whole = batch.solved.done == batch.nanos.len();
        }
    }
    Ok((done, spent))
}

impl Worker {
    fn new(rules: &Rules, plan: &Plan<'_>) -> Result<Worker, Error> {
        let engines = plan.contestants.iter().map(|contestant| {
            let name = contestant.name.clone();
            let contender = match &contestant.by {
                By::Program(command) => {
                    Contender::Program(Box::new(Program::new(command, &plan.patterns, rules)))
                }
                By::Engine(entry) => {
                    Contender::Engine(Stopwatch((entry.make)(rules, plan.isa_of(contestant))?))
                }
                By::Cover(_) | By::Cheapest => return Err(PlanError::OtherTasks(name).into()),
            };
            Ok((name, contender))
        });
        Ok(Worker {
            engines: engines.collect::<Result<_, ErrorKind>>()?,
            verifier: Verifier::new(rules),
            notation: rules.into(),
            solutions: Vec::new(),
            answers: Vec::new(),
        })
    }

    /// The processor time of the first `count` puzzles of the last batch.
    fn time_of_first(&self, count: usize) -> Duration {
        Duration::from_nanos(self.answers.iter().take(count).map(|answer| answer.effort.nanos).sum())
    }

    /// Solves `puzzles` until the end of them or of the budget. The time of each answer of an engine is processor time.
    fn solve(
        &mut self,
        index: usize,
        puzzles: Puzzles<'_>,
        limits: Limits,
        meter: &Meter<'_>,
    ) -> Result<Solved, ErrorKind> {
        let Some((name, contender)) = self.engines.get_mut(index) else { return Ok(Solved::default()) };
        self.solutions.resize(puzzles.len() * puzzles.stride(), 0);
        self.answers.clear();
        self.answers.resize(puzzles.len(), Answer::default());
        let mut answers = Answers::new(&mut self.solutions, &mut self.answers, puzzles.stride())?;
        let engine = match contender {
            Contender::Engine(engine) => engine,
            Contender::Program(program) => {
                let figures = program.solve(puzzles, &mut answers, &|| meter.is_late()).map_err(|error| {
                    ErrorKind::from(PlanError::Program { command: name.clone(), reason: error.to_string() })
                })?;
                let of_all = |figures: ProgramFigures| Solved {
                    done: puzzles.len(),
                    spent: Some(figures.spent),
                    start: figures.start,
                    guesses: figures.guesses,
                };
                return Ok(figures.map_or(Solved::default(), of_all));
            }
        };
        if engine.is_batched() {
            // A batch that was cut short does not show which puzzles the engine finished.
            let is_cut = Cell::new(false);
            engine.solve_until(puzzles, limits, &mut answers, &|| {
                is_cut.set(is_cut.get() || meter.is_over());
                is_cut.get()
            })?;
            // Their times are shares of the batch's, so an interruption is in all of them.
            scale(&mut answers, meter.charge().cpu.as_nanos() as u64);
            let done = if is_cut.get() { 0 } else { puzzles.len() };
            meter.count(done);
            return Ok(Solved { done, ..Solved::default() });
        }
        let (mut done, mut at_once) = (0, 1);
        while done < puzzles.len() && !meter.is_over() {
            let places = done..(done + at_once).min(puzzles.len());
            let mut some = answers.slice(places.clone());
            let cut = limits.with_guesses(FIRST_GUESSES);
            let is_cut = meter.has_limit() && limits.guesses().is_none_or(|most| most > FIRST_GUESSES);
            let clock = Clock::start();
            engine.solve(puzzles.slice(places.clone()), if is_cut { cut } else { limits }, &mut some)?;
            processor_time(&mut some, clock.spent().cpu);
            let nanos: u64 = some.iter_mut().map(|(_, answer)| answer.effort.nanos).sum();
            let finished = some.iter_mut().take_while(|(_, answer)| !is_cut || !is_limited(answer)).count();
            done += finished;
            meter.count(finished);
            if done < places.end {
                let mut one = answers.slice(done..done + 1);
                if !solve_one(engine, puzzles.slice(done..done + 1), limits, &mut one, meter)? {
                    break;
                }
                done += 1;
                meter.count(1);
            }
            let is_early = nanos < BUDGET_CHECK_NANOS;
            at_once = if is_early { (2 * at_once).min(BUDGET_CHECK_PUZZLES) } else { at_once.div_ceil(2) };
        }
        Ok(Solved { done, ..Solved::default() })
    }

    /// Verifies the solutions of a batch, passes the answers to `judge`, and notes their figures.
    fn look<T>(
        &self,
        index: usize,
        puzzles: Puzzles<'_>,
        limits: Limits,
        batch: &mut Batch<'_, T>,
        judge: impl Fn(&EngineAnswer<'_>, &mut T) -> Result<(), ErrorKind>,
    ) -> Result<(), Failure> {
        let Some((engine, contender)) = self.engines.get(index) else { return Ok(()) };
        let answered = puzzles
            .iter()
            .zip(self.solutions.chunks_exact(puzzles.stride()))
            .zip(&self.answers)
            .take(batch.solved.done);
        for (at, ((puzzle, solution), &answer)) in answered.enumerate() {
            let place = batch.first + at;
            if answer.solutions > 0
                && let Err(violation) = self.verifier.check(puzzle, solution)
            {
                let [puzzle, solution] = [puzzle, solution].map(|cells| in_words(cells, &self.notation));
                let name = engine.clone();
                let kind = match contender {
                    Contender::Engine(_) => {
                        WrongSolution { engine: name, puzzle, solution, violation }.into()
                    }
                    Contender::Program(_) => {
                        PrintedWrong { program: name, puzzle, solution, violation }.into()
                    }
                };
                return Err(Failure { place, kind });
            }
            let notation = &self.notation;
            let said = EngineAnswer { place, engine, notation, puzzle, solution, answer };
            judge(&said, &mut batch.notes[at]).map_err(|kind| Failure { place, kind })?;
            let effort = answer.effort;
            batch.nanos[at] = effort.nanos.max(step()) as f32;
            batch.guesses[at] = u32::try_from(effort.guesses).unwrap_or(u32::MAX);
            batch.statuses[at] = answer.status(limits);
            batch.calls[at] = effort.calls;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(elapsed: &[u64], cpu: u64) -> Vec<u64> {
        let (mut solutions, mut answers) = (vec![0; elapsed.len()], vec![Answer::default(); elapsed.len()]);
        for (answer, &nanos) in answers.iter_mut().zip(elapsed) {
            answer.effort.nanos = nanos;
        }
        processor_time(
            &mut Answers::new(&mut solutions, &mut answers, 1).unwrap(),
            Duration::from_nanos(cpu),
        );
        answers.iter().map(|answer| answer.effort.nanos).collect()
    }

    /// A time slice of another program does not belong to the puzzle during which it fell.
    #[test]
    fn an_interruption_is_taken_from_the_puzzle_that_it_hit() {
        assert_eq!(times(&[3_000, 4_000_500, 5_000], 13_000), [3_000, 5_000, 5_000]);
        assert_eq!(times(&[8_000_000], 2_000_000), [2_000_000]);
        // The clock is read a little later than the last puzzle ends.
        assert_eq!(times(&[3_000, 4_000], 7_200), [3_000, 4_000]);
        assert_eq!(times(&[3_000, 4_000], 6_500), [3_000, 4_000]);
        // Two interruptions: the sum is right.
        let both = times(&[4_000_000, 2_000, 6_000_000], 10_000);
        assert!((9_990..=10_000).contains(&both.iter().sum::<u64>()), "{both:?}");
        assert_eq!(times(&[], 5), [0; 0]);
    }
}
