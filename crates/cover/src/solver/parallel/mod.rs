//! One search, on any number of threads.
//!
//! Every solution has exactly one branch of every choice on its way, so branches part the solutions among them: what
//! is searched in them together is what one thread would find.
//!
//! ```text
//!   worker: a task                                          worker that has nothing to do
//!     start, next, next, .. a slice of nodes                  waits at the queue; `hungry` counts it
//!     hungry? split: the last branch of the shallowest  ──▶   a task
//!     choice that has one
//!     the next slice ..
//! ```
//! - Nothing is split in advance: a task is given away when somebody waits for it, looked at between two slices of
//!   about a tenth of a millisecond. The last branch of the shallowest choice is the largest piece there is, most of
//!   the time.
//! - Nodes are dealt out in slices, so that a budget holds for all threads together.
//! - A task weighs what its branch weighed where it was given away; so the sum of what is done only grows.

mod delivery;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::solver::Worker;
use crate::{Assumptions, End, Engine, Entry, Event, Limits, Meter, Natural, Outcome, Progress, Stop, Watch};
use delivery::Delivery;

/// How long a slice takes, about: so long somebody may wait for a branch. (Two threads on pentominoes 6x10 and 14 queens
/// are 1.96 and 1.87 times as fast as one; with slices of a millisecond it was 1.83 and 1.80.)
const SLICE: Duration = Duration::from_micros(100);
/// The fewest and the most nodes of a slice.
const SLICE_NODES: (u64, u64) = (16, 1 << 16);
/// Between two reports of progress.
const REPORT: Duration = Duration::from_millis(50);
/// Of the solutions that are only counted so many are checked, and of the rest every 64th. (Where the engine counts
/// without finding each of them, those that it shows.)
const CHECKED: u64 = 1000;

/// A part of the search.
struct Task {
    /// Where it begins; none for the whole.
    given: Option<Assumptions>,
    /// Its part of the whole.
    weight: f64,
    /// Its place in the list of an ordered run.
    place: usize,
}

/// Tasks nobody works on yet, and who waits for one.
struct Queue {
    /// The first task. (Not among the others: a search on one thread allocates nothing.)
    whole: Option<Task>,
    tasks: Vec<Task>,
    running: usize,
    waiting: usize,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// Every solution is handed out.
    List,
    /// They are only counted.
    Count,
}

/// A search under way.
pub(crate) struct Run<'a> {
    entry: &'static Entry,
    limits: Limits<'a>,
    assumptions: &'a Assumptions,
    aim: Aim,
    is_ordered: bool,
    queue: Mutex<Queue>,
    bell: Condvar,
    /// Workers that wait beyond the tasks there are.
    hungry: AtomicUsize,
    /// Nodes that were not dealt out yet.
    budget: AtomicU64,
    /// Solutions that may still be counted.
    left: AtomicU64,
    is_over: AtomicBool,
    end: Mutex<Option<Result<End, Error>>>,
    delivery: Mutex<Delivery<'a>>,
    room: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        entry: &'static Entry,
        limits: Limits<'a>,
        assumptions: &'a Assumptions,
        watch: &'a mut dyn Watch,
        aim: Aim,
        is_ordered: bool,
        depths: Vec<u64>,
    ) -> Run<'a> {
        let run = Run {
            entry,
            limits,
            assumptions,
            aim,
            is_ordered,
            queue: Mutex::new(Queue {
                whole: Some(Task { given: None, weight: 1.0, place: 0 }),
                tasks: Vec::new(),
                running: 0,
                waiting: 0,
            }),
            bell: Condvar::new(),
            hungry: AtomicUsize::new(0),
            budget: AtomicU64::new(limits.nodes),
            left: AtomicU64::new(limits.solutions),
            is_over: AtomicBool::new(false),
            end: Mutex::new(None),
            delivery: Mutex::new(Delivery::new(watch, limits.solutions, is_ordered, depths)),
            room: Condvar::new(),
        };
        if limits.solutions == 0 {
            run.end(Ok(End::Solutions));
        }
        run
    }

    /// What came of it, after all workers have left.
    pub(crate) fn finish(self) -> Result<Outcome, Error> {
        let end =
            self.end.into_inner().unwrap_or_else(PoisonError::into_inner).unwrap_or(Ok(End::Complete))?;
        let mut delivery = self.delivery.into_inner().unwrap_or_else(PoisonError::into_inner);
        if end == End::Complete {
            delivery.progress.fraction = 1.0;
        }
        delivery.watch.progress(&delivery.progress);
        let Progress { solutions, nodes, .. } = delivery.progress;
        let beyond = delivery.counted.to_u128().is_none().then_some(delivery.counted);
        Ok(Outcome { solutions, beyond, nodes, updates: delivery.updates, depths: delivery.depths, end })
    }

    /// Works until there is nothing left to do.
    pub(crate) fn work(&self, worker: &mut Worker<'_>) {
        let mut meter = Meter::new(0, self.limits.deadline, self.limits.cancel);
        meter.depths = std::mem::take(&mut worker.depths);
        meter.depths.clear();
        let mut at_work = AtWork {
            meter,
            slice: SLICE_NODES.0,
            began: Instant::now(),
            reported: self.began_reports(),
            counted: Natural::ZERO,
            checked: 0,
            told: Progress::default(),
        };
        while let Some(task) = self.take() {
            let running = Running(self);
            if let Err(error) = self.search(worker, &mut at_work, &task) {
                self.end(Err(error));
            }
            if self.limits.nodes != u64::MAX {
                self.budget.fetch_add(at_work.meter.give_back(), Ordering::Relaxed);
            }
            drop(running);
        }
        let mut delivery = lock(&self.delivery);
        at_work.tell(&mut delivery.progress);
        delivery.counted += &at_work.counted;
        if self.aim != Aim::List {
            delivery.progress.solutions = delivery.counted.to_u128().unwrap_or(u128::MAX);
        }
        delivery.updates += at_work.meter.updates;
        let depths = &mut delivery.depths;
        depths.resize(depths.len().max(at_work.meter.depths.len()), 0);
        for (sum, count) in depths.iter_mut().zip(&at_work.meter.depths) {
            *sum += count;
        }
        worker.depths = at_work.meter.depths;
    }

    fn began_reports(&self) -> Instant {
        lock(&self.delivery).reported
    }

    /// A task; waits for one as long as somebody may give one away.
    fn take(&self) -> Option<Task> {
        let mut queue = lock(&self.queue);
        loop {
            if self.is_over.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(task) = queue.whole.take().or_else(|| queue.tasks.pop()) {
                queue.running += 1;
                self.count_hungry(&queue);
                return Some(task);
            }
            if queue.running == 0 {
                self.ring(&queue);
                return None;
            }
            queue.waiting += 1;
            self.count_hungry(&queue);
            queue = self.bell.wait(queue).unwrap_or_else(PoisonError::into_inner);
            queue.waiting -= 1;
            self.count_hungry(&queue);
        }
    }

    /// Wakes all who wait. (To ring for nobody is a call of the system, some hundred nanoseconds.)
    fn ring(&self, queue: &Queue) {
        if queue.waiting > 0 {
            self.bell.notify_all();
        }
    }

    fn count_hungry(&self, queue: &Queue) {
        self.hungry.store(queue.waiting.saturating_sub(queue.tasks.len()), Ordering::Relaxed);
    }

    /// Ends the run; the first reason counts.
    fn end(&self, end: Result<End, Error>) {
        lock(&self.end).get_or_insert(end);
        self.is_over.store(true, Ordering::Relaxed);
        // Under the lock: nobody is between the look at `is_over` and the wait.
        let queue = lock(&self.queue);
        self.ring(&queue);
        self.room.notify_all();
    }

    /// Searches a task to its end, or the run's.
    fn search(&self, worker: &mut Worker<'_>, at_work: &mut AtWork<'_>, task: &Task) -> Result<(), Error> {
        worker.engine.start(task.given.as_ref().unwrap_or(self.assumptions));
        let mut share = Share { weight: task.weight, given: 0.0, told: 0.0 };
        // A limit on solutions would need each of them.
        let mut can_count = self.aim != Aim::List && self.limits.solutions == u64::MAX;
        while !self.is_over.load(Ordering::Relaxed) {
            let counted = match can_count {
                true => worker.engine.count(&mut at_work.meter, &mut at_work.counted),
                false => None,
            };
            can_count = counted.is_some();
            match counted.unwrap_or_else(|| worker.engine.next(&mut at_work.meter)) {
                Event::Solution if can_count => worker.check_solution(self.entry, self.assumptions)?,
                Event::Solution => self.solution(worker, at_work, task)?,
                Event::Stopped(Stop::Nodes) => {
                    if !self.deal(at_work) {
                        self.end(Ok(End::Nodes));
                    }
                    if self.hungry.load(Ordering::Relaxed) > 0 {
                        self.give(&mut *worker.engine, task, &mut share);
                    }
                    if at_work.began.duration_since(at_work.reported) >= REPORT {
                        self.report(at_work, share.news(worker.engine.progress()));
                    }
                }
                Event::Stopped(stop) => self.end(Ok(stop.into())),
                Event::End => {
                    let mut delivery = lock(&self.delivery);
                    delivery.progress.fraction += share.news(1.0);
                    self.close(&mut delivery, task.place);
                    return Ok(());
                }
            }
        }
        let mut delivery = lock(&self.delivery);
        delivery.progress.fraction += share.news(worker.engine.progress());
        Ok(())
    }

    /// Deals out the next slice; `false` if the budget is used up.
    fn deal(&self, at_work: &mut AtWork<'_>) -> bool {
        let now = Instant::now();
        let passed = now - at_work.began;
        at_work.began = now;
        let (fewest, most) = SLICE_NODES;
        if passed < SLICE / 2 {
            at_work.slice = (at_work.slice * 2).min(most);
        } else if passed > SLICE * 2 {
            at_work.slice = (at_work.slice / 2).max(fewest);
        }
        let mut slice = at_work.slice;
        if self.limits.nodes != u64::MAX {
            let take = |left: u64| (left > 0).then(|| left.saturating_sub(at_work.slice));
            match self.budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
                Ok(left) => slice = slice.min(left),
                Err(_) => return false,
            }
        }
        at_work.meter.set_max_nodes(at_work.meter.nodes.saturating_add(slice));
        true
    }

    /// Gives a branch away, if the engine has one.
    fn give(&self, engine: &mut dyn Engine, task: &Task, share: &mut Share) {
        let before = engine.progress();
        let Some(given) = engine.split() else { return };
        let part = (engine.progress() - before).max(0.0);
        share.given += part;
        let place = if self.is_ordered { lock(&self.delivery).place_behind(task.place) } else { 0 };
        let mut queue = lock(&self.queue);
        queue.tasks.push(Task { given: Some(given), weight: task.weight * part, place });
        self.count_hungry(&queue);
        self.bell.notify_one();
    }

    /// Counts a solution, or hands it out.
    fn solution(&self, worker: &mut Worker<'_>, at_work: &mut AtWork<'_>, task: &Task) -> Result<(), Error> {
        if self.aim == Aim::List {
            worker.take_solution(self.entry, self.assumptions)?;
            self.list(&worker.solution, task.place);
            return Ok(());
        }
        if self.limits.solutions != u64::MAX {
            let taken =
                self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
            if taken.is_err() || taken == Ok(1) {
                self.end(Ok(End::Solutions));
            }
            if taken.is_err() {
                return Ok(());
            }
        }
        if at_work.checked < CHECKED || at_work.checked.is_multiple_of(64) {
            worker.check_solution(self.entry, self.assumptions)?;
        }
        at_work.checked += 1;
        at_work.counted += 1;
        Ok(())
    }

    /// Tells whoever watches how far it is.
    fn report(&self, at_work: &mut AtWork<'_>, fraction: f64) {
        let mut delivery = lock(&self.delivery);
        let delivery = &mut *delivery;
        delivery.progress.fraction += fraction;
        at_work.tell(&mut delivery.progress);
        at_work.reported = at_work.began;
        if at_work.began.saturating_duration_since(delivery.reported) >= REPORT {
            delivery.reported = at_work.began;
            delivery.watch.progress(&delivery.progress);
        }
    }
}

/// What a worker counts while it works.
struct AtWork<'l> {
    meter: Meter<'l>,
    /// Nodes of the next slice, and when this one began.
    slice: u64,
    began: Instant,
    reported: Instant,
    /// Solutions, if they are only counted, and how many of them were found one by one.
    counted: Natural,
    checked: u64,
    /// What of it is in the run's progress.
    told: Progress,
}

impl AtWork<'_> {
    /// Adds to the run's progress what is new.
    fn tell(&mut self, progress: &mut Progress) {
        let (solutions, nodes) = (self.counted.to_u128().unwrap_or(u128::MAX), self.meter.nodes);
        progress.solutions = progress.solutions.saturating_add(solutions - self.told.solutions);
        progress.nodes += nodes - self.told.nodes;
        (self.told.solutions, self.told.nodes) = (solutions, nodes);
    }
}

/// What a task has done of the whole.
struct Share {
    weight: f64,
    /// What of it was given away: the engine counts that as done.
    given: f64,
    told: f64,
}

impl Share {
    /// What is new since the last call, of the whole.
    fn news(&mut self, progress: f64) -> f64 {
        let done = ((progress - self.given) * self.weight).max(self.told);
        done - std::mem::replace(&mut self.told, done)
    }
}

/// A task somebody works on; it is one less when this is dropped, be it by a panic.
struct Running<'r, 'a>(&'r Run<'a>);

impl Drop for Running<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end(Ok(End::Refused));
        }
        let mut queue = lock(&self.0.queue);
        queue.running -= 1;
        if queue.running == 0 && queue.tasks.is_empty() {
            self.0.ring(&queue);
        }
    }
}
