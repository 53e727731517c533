//! One search, on any number of threads.
//!
//! Every solution lies in exactly one branch of every choice above it. So branches divide the solutions, and together
//! their searches find what one thread would find.
//!
//! ```text
//!   worker with a task                                      idle worker
//!     start, next, next, .. for a slice of nodes              waits for work; `idle` counts it
//!     idle > 0? split off the last branch of the        ──▶   a task
//!     shallowest choice that has one
//!     the next slice ..
//! ```
//! - The calling thread begins alone. Only a search that is not over after a millisecond starts threads: to start two
//!   takes longer than to solve most problems that come alone.
//! - Nothing is split in advance: a worker splits its task when another worker is idle. It looks between two slices of
//!   about a tenth of a millisecond. The last branch of the shallowest choice is usually the largest branch left.
//! - Nodes are allotted in slices, so that a limit on nodes holds for all threads together.
//! - A task weighs as much as its branch weighed where it was split off, so the sum of what is done never falls.

mod delivery;
mod task;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::engine::{Meter, Restarts};
use crate::error::CoverError;
use crate::solver::limits::{CoverLimits, CoverOutcome, End, Observer, Progress};
use crate::solver::worker::Worker;
use crate::{Assumptions, Natural};
use delivery::Delivery;
use task::{TaskProgress, WorkerState};

/// Time that a search takes on the calling thread before other threads are started. (To start two takes a tenth of it.)
/// In a debug build it is one slice, so that tests of small problems use several threads.
const ALONE: Duration = if cfg!(debug_assertions) { Duration::ZERO } else { Duration::from_millis(1) };
/// Nodes of the smallest slice.
const MIN_SLICE_NODES: u64 = 16;

/// A part of the search.
struct Task {
    /// The assumptions it starts with; `None` for the whole search.
    assumptions: Option<Assumptions>,
    /// Its share of the whole search.
    weight: f64,
    /// Its place in the list of an ordered run.
    place: usize,
}

/// A task that a worker has begun.
struct ActiveTask {
    task: Task,
    done: TaskProgress,
    /// Whether it is a part of the whole search; otherwise it only seeks, with restarts, beside those that are.
    is_part: bool,
}

/// A search that its first worker began and can continue beside others.
#[must_use = "the search is not over"]
pub(super) struct OpenSearch(ActiveTask);

/// Tasks that wait for a worker, and the workers.
struct Queue {
    /// The first task. (It is kept apart so that a search on one thread allocates nothing.)
    whole: Option<Task>,
    tasks: Vec<Task>,
    /// Workers that search.
    running: usize,
    /// Workers that wait for a task.
    waiting: usize,
}

/// What happens to the solutions of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// Every solution is delivered.
    List,
    /// Solutions are only counted.
    Count,
}

/// What to search.
pub(super) struct Request<'a> {
    /// The name of the engine.
    pub(super) engine: &'static str,
    pub(super) limits: CoverLimits<'a>,
    pub(super) assumptions: &'a Assumptions,
    /// The parts to search instead, if there are any: each is a task.
    pub(super) parts: Option<&'a [Assumptions]>,
    pub(super) aim: Aim,
    pub(super) is_ordered: bool,
    /// Whether a count that a limit ends keeps the branches that remain.
    pub(super) keeps_open: bool,
    /// The seed of restarts, if solutions may come in any order and not all are wanted.
    pub(super) seed: Option<u64>,
}

/// A search on several workers.
pub(super) struct Workers<'a> {
    search: Request<'a>,
    queue: Mutex<Queue>,
    work_available: Condvar,
    /// Waiting workers for which the queue has no task.
    idle: AtomicUsize,
    /// Nodes that are not allotted yet.
    nodes_left: AtomicU64,
    /// Solutions that may still be counted.
    solutions_left: AtomicU64,
    is_over: AtomicBool,
    /// Whether all parts of the search are complete. Workers that only seek deliver what they have found, and stop.
    is_searched: AtomicBool,
    end: Mutex<Option<Result<End, CoverError>>>,
    delivery: Mutex<Delivery<'a>>,
    /// Branches that remain after a limit.
    open: Mutex<Vec<Assumptions>>,
    /// Signals that kept solutions of an ordered run were delivered.
    turn_moved: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Workers<'a> {
    /// `depths` is an empty list whose memory is reused.
    pub(super) fn new(search: Request<'a>, observer: &'a mut dyn Observer, depths: Vec<u64>) -> Workers<'a> {
        let CoverLimits { solutions, .. } = search.limits;
        let run = Workers {
            queue: Mutex::new(Queue {
                whole: Some(Task { assumptions: None, weight: 1.0, place: 0 }),
                tasks: Vec::new(),
                running: 0,
                waiting: 0,
            }),
            work_available: Condvar::new(),
            idle: AtomicUsize::new(0),
            nodes_left: AtomicU64::new(search.limits.max_nodes()),
            solutions_left: AtomicU64::new(solutions.unwrap_or(u64::MAX)),
            is_over: AtomicBool::new(false),
            is_searched: AtomicBool::new(false),
            end: Mutex::new(None),
            delivery: Mutex::new(Delivery::new(observer, solutions, search.is_ordered, depths)),
            open: Mutex::new(Vec::new()),
            turn_moved: Condvar::new(),
            search,
        };
        if let Some(parts) = run.search.parts {
            run.queue_parts(parts);
        }
        if solutions == Some(0) {
            run.end(Ok(End::Solutions));
        }
        run
    }

    /// Queues the parts in place of the whole search. The first one is taken first.
    fn queue_parts(&self, parts: &[Assumptions]) {
        let (mut queue, mut delivery) = (lock(&self.queue), lock(&self.delivery));
        let weight = 1.0 / parts.len() as f64;
        queue.whole = None;
        for (place, part) in parts.iter().enumerate() {
            // The first task has place 0 already.
            if place > 0 && self.search.is_ordered {
                delivery.place_behind(place - 1);
            }
            queue.tasks.push(Task { assumptions: Some(part.clone()), weight, place });
        }
        queue.tasks.reverse();
    }

    /// The branches that remain, after all workers have finished: those kept, and the tasks that no worker took.
    pub(super) fn take_open(&mut self) -> Vec<Assumptions> {
        let mut open = std::mem::take(&mut *lock(&self.open));
        let mut queue = lock(&self.queue);
        let Queue { whole, tasks, .. } = &mut *queue;
        let left = whole.take().into_iter().chain(tasks.drain(..).rev());
        open.extend(left.map(|task| task.assumptions.unwrap_or_else(|| self.search.assumptions.clone())));
        open
    }

    /// The outcome and the nodes at each depth, after all workers have finished.
    pub(super) fn finish(self) -> Result<(CoverOutcome, Vec<u64>), CoverError> {
        let end =
            self.end.into_inner().unwrap_or_else(PoisonError::into_inner).unwrap_or(Ok(End::Complete))?;
        let mut delivery = self.delivery.into_inner().unwrap_or_else(PoisonError::into_inner);
        if end == End::Complete {
            delivery.progress.fraction = 1.0;
        }
        delivery.observer.progress(&delivery.progress);
        let Progress { solutions, nodes, .. } = delivery.progress;
        let solutions = match self.search.aim {
            Aim::List => Natural::from(solutions),
            Aim::Count => delivery.counted,
        };
        Ok((CoverOutcome { solutions, nodes, ticks: delivery.ticks, end }, delivery.depths))
    }

    /// Takes tasks and searches them until the run is over.
    pub(super) fn work(&self, worker: &mut Worker<'_>) {
        let _ = self.work_until(None, worker, None);
    }

    /// Searches alone for about [`ALONE`]. `Some` if the run is not over then: the same worker must continue it.
    pub(super) fn work_alone(&self, worker: &mut Worker<'_>) -> Option<OpenSearch> {
        self.work_until(Some(Instant::now() + ALONE), worker, None)
    }

    /// Continues what [`work_alone`](Self::work_alone) began, until the run is over.
    pub(super) fn resume(&self, worker: &mut Worker<'_>, paused: OpenSearch) {
        let _ = self.work_until(None, worker, Some(paused));
    }

    /// Seeks with restarts beside the first worker as long as that is worthwhile, then does as [`work`](Self::work).
    /// `number` is the number of the worker.
    pub(super) fn support(&self, worker: &mut Worker<'_>, number: u64) {
        let part = self.search.seed.map(|seed| Restarts::Seek(seed.wrapping_add(number << 32)));
        let seeking =
            part.filter(|&part| worker.engine.driver().is_some_and(|driver| driver.set_restarts(part)));
        let seeking = seeking.map(|_| {
            worker.engine.start(self.search.assumptions);
            let task = Task { assumptions: None, weight: 0.0, place: 0 };
            let done = TaskProgress { weight: 0.0, split_off: 0.0, reported: 0.0 };
            OpenSearch(ActiveTask { task, done, is_part: false })
        });
        let _ = self.work_until(None, worker, seeking);
    }

    /// Searches until the run is over, or until the first end of a slice at or after `pause`.
    fn work_until(
        &self,
        pause: Option<Instant>,
        worker: &mut Worker<'_>,
        paused: Option<OpenSearch>,
    ) -> Option<OpenSearch> {
        let CoverLimits { deadline, cancel, .. } = self.search.limits;
        let mut meter = Meter::new(0, deadline, cancel);
        meter.depths = std::mem::take(&mut worker.depths);
        meter.depths.clear();
        let mut state = WorkerState {
            meter,
            pause,
            slice_nodes: MIN_SLICE_NODES,
            slice_start: Instant::now(),
            last_report: lock(&self.delivery).last_report,
            counted: Natural::ZERO,
            shown: 0,
            reported: Progress::default(),
        };
        let mut begun = paused.map(|OpenSearch(begun)| begun);
        let mut pausing = None;
        while let Some(mut task) = begun.take().or_else(|| Some(self.begin(self.take_task()?, worker))) {
            let running = Running { run: self, is_part: task.is_part };
            let is_paused = self.search(worker, &mut state, &mut task).unwrap_or_else(|error| {
                self.end(Err(error));
                false
            });
            if self.search.limits.nodes.is_some() {
                self.nodes_left.fetch_add(state.meter.take_unused_nodes(), Ordering::Relaxed);
            }
            if is_paused {
                // The worker counts as running until it continues, so that the others wait for its branches.
                std::mem::forget(running);
                pausing = Some(OpenSearch(task));
                break;
            }
            drop(running);
        }
        let mut delivery = lock(&self.delivery);
        state.report_to(&mut delivery.progress);
        delivery.counted += &state.counted;
        if self.search.aim == Aim::Count {
            delivery.progress.solutions = delivery.counted.to_u128().unwrap_or(u128::MAX);
        }
        delivery.ticks += state.meter.ticks;
        let depths = &mut delivery.depths;
        depths.resize(depths.len().max(state.meter.depths.len()), 0);
        for (sum, count) in depths.iter_mut().zip(&state.meter.depths) {
            *sum += count;
        }
        worker.depths = state.meter.depths;
        pausing
    }

    /// A task. Waits for one as long as a running worker may split one off; `None` if the run is over.
    fn take_task(&self) -> Option<Task> {
        let mut queue = lock(&self.queue);
        loop {
            if self.is_over.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(task) = queue.whole.take().or_else(|| queue.tasks.pop()) {
                queue.running += 1;
                self.count_idle(&queue);
                return Some(task);
            }
            if queue.running == 0 {
                self.wake_waiting(&queue);
                return None;
            }
            queue.waiting += 1;
            self.count_idle(&queue);
            queue = self.work_available.wait(queue).unwrap_or_else(PoisonError::into_inner);
            queue.waiting -= 1;
            self.count_idle(&queue);
        }
    }

    /// Wakes all waiting workers. (Without any, the system call would cost some hundred nanoseconds for nothing.)
    fn wake_waiting(&self, queue: &Queue) {
        if queue.waiting > 0 {
            self.work_available.notify_all();
        }
    }

    fn count_idle(&self, queue: &Queue) {
        self.idle.store(queue.waiting.saturating_sub(queue.tasks.len()), Ordering::Relaxed);
    }

    /// Ends the run. Only the first reason counts.
    fn end(&self, end: Result<End, CoverError>) {
        lock(&self.end).get_or_insert(end);
        self.is_over.store(true, Ordering::Relaxed);
        // With the lock held no worker is between its look at `is_over` and its wait.
        let queue = lock(&self.queue);
        self.wake_waiting(&queue);
        self.turn_moved.notify_all();
    }

    /// Starts the worker's engine with a task.
    fn begin(&self, task: Task, worker: &mut Worker<'_>) -> ActiveTask {
        let assumptions = self.search.assumptions;
        let restarts = match (self.search.seed, &task.assumptions) {
            (None, _) => Restarts::Off,
            (Some(seed), None) => Restarts::Race(seed),
            (Some(_), Some(_)) => Restarts::Branch,
        };
        if let Some(driver) = worker.engine.driver() {
            driver.set_restarts(restarts);
        }
        worker.engine.start(task.assumptions.as_ref().unwrap_or(assumptions));
        let done = TaskProgress { weight: task.weight, split_off: 0.0, reported: 0.0 };
        ActiveTask { task, done, is_part: true }
    }
}

/// A worker that searches a task. Dropping it, even in a panic, counts the worker as not running.
struct Running<'r, 'a> {
    run: &'r Workers<'a>,
    /// Whether the task is a part of the whole search. The others do not count.
    is_part: bool,
}

impl Drop for Running<'_, '_> {
    fn drop(&mut self) {
        let run = self.run;
        if std::thread::panicking() {
            run.end(Ok(End::Refused));
        }
        if !self.is_part {
            return;
        }
        let mut queue = lock(&run.queue);
        queue.running -= 1;
        if queue.running == 0 && queue.tasks.is_empty() {
            run.is_searched.store(true, Ordering::Relaxed);
            run.wake_waiting(&queue);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use crate::tests::made;
    use crate::{CoverLimits, ExactCover};

    /// A search that is over at once starts no threads; a longer one does, and they stay.
    #[test]
    fn threads_start_when_a_search_needs_them() {
        let queens = made("queens 8");
        let contradictory: ExactCover = "a b\na\n".parse().unwrap();
        for (problem, count, are_started) in [(contradictory, 0_u32, false), (queens, 92, true)] {
            let mut solver = problem.solver().unwrap();
            solver.set_threads(NonZero::new(3)).unwrap();
            assert!(solver.pool.is_none());
            assert_eq!(solver.search(&CoverLimits::NONE).count().unwrap().solutions, u128::from(count));
            assert_eq!((solver.pool.is_some(), solver.threads()), (are_started, 3));
            solver.set_threads(NonZero::new(3)).unwrap();
            assert_eq!(solver.pool.is_some(), are_started, "the same number: the threads stay");
            solver.set_threads(NonZero::new(2)).unwrap();
            assert!(solver.pool.is_none());
        }
    }
}
