//! The search of one task, slice by slice: what a worker does between two tasks of the queue.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::{ActiveTask, Aim, MIN_SLICE_NODES, Request, Task, Workers, lock};
use crate::engine::{CoverEngine, Event, Meter, Stop, is_checked};
use crate::error::CoverError;
use crate::solver::limits::{End, Progress};
use crate::solver::worker::Worker;
use crate::{Assumptions, Natural};

/// Time that a slice should take: an idle worker waits about this long for a branch. (Two threads on pentominoes 6x10
/// and 14 queens are 1.96 and 1.87 times as fast as one; with slices of a millisecond it was 1.83 and 1.80.)
const SLICE: Duration = Duration::from_micros(100);
/// Nodes of the largest slice.
const MAX_SLICE_NODES: u64 = 1 << 16;
/// Time between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_millis(50);
/// Time after which a task that waits for its turn looks whether the run is over.
const TURN_CHECK_INTERVAL: Duration = Duration::from_millis(10);

impl Workers<'_> {
    /// Searches a task until it ends, the run is over, or it is time to pause; returns whether it paused.
    pub(super) fn search(
        &self,
        worker: &mut Worker<'_>,
        state: &mut WorkerState<'_>,
        ActiveTask { task, done, is_part }: &mut ActiveTask,
    ) -> Result<bool, CoverError> {
        let Request { engine, assumptions, aim, .. } = self.search;
        // With a limit on solutions each of them must be found.
        let is_counted = aim == Aim::Count && self.search.limits.solutions.is_none();
        while !self.is_over.load(Ordering::Relaxed) && (*is_part || !self.is_searched.load(Ordering::Relaxed))
        {
            let event = match is_counted {
                true => worker.engine.count(&mut state.meter, &mut state.counted).unwrap_or(Event::End),
                false => worker.engine.next(&mut state.meter),
            };
            match event {
                Event::Solution if is_counted => state.check_some(worker, engine, assumptions)?,
                Event::Solution if aim == Aim::List => {
                    worker.take_solution(engine, assumptions)?;
                    self.deliver(worker, task);
                }
                Event::Solution => self.count_solution(worker, state)?,
                Event::Stopped(Stop::Nodes) => {
                    if !self.allot_slice(state) {
                        self.end(Ok(End::Nodes));
                    }
                    if self.idle.load(Ordering::Relaxed) > 0 {
                        self.split_task(&mut *worker.engine, task, done);
                    }
                    if state.slice_start.duration_since(state.last_report) >= REPORT_INTERVAL {
                        self.report(state, done.delta(worker.engine.progress()));
                    }
                    if state.pause.is_some_and(|pause| state.slice_start >= pause) {
                        return Ok(true);
                    }
                }
                Event::Stopped(stop) => self.end(Ok(stop.into())),
                Event::End => {
                    self.close_task(task, done.delta(1.0));
                    return Ok(false);
                }
            }
        }
        lock(&self.delivery).progress.fraction += done.delta(worker.engine.progress());
        if self.search.keeps_open && is_counted {
            self.keep_open(worker, state);
        }
        Ok(false)
    }

    /// Turns what remains of a worker's task into branches. It splits off all untried branches, takes a step into the
    /// one under way, splits again, and so on to the end of that branch: as many steps as the search is deep.
    #[cold]
    fn keep_open(&self, worker: &mut Worker<'_>, state: &mut WorkerState<'_>) {
        let mut meter = Meter::new(0, None, None);
        meter.depths = std::mem::take(&mut state.meter.depths);
        if let Some(driver) = worker.engine.driver() {
            driver.give_away();
        }
        loop {
            while let Some(branch) = worker.engine.split() {
                lock(&self.open).push(branch);
            }
            meter.set_max_nodes(meter.nodes + 1);
            if matches!(worker.engine.count(&mut meter, &mut state.counted), Some(Event::End) | None) {
                break;
            }
        }
        state.meter.nodes += meter.nodes;
        state.meter.ticks += meter.ticks;
        state.meter.depths = meter.depths;
    }

    /// Allots the next slice of nodes; `false` if the limit on nodes is reached.
    fn allot_slice(&self, state: &mut WorkerState<'_>) -> bool {
        let now = Instant::now();
        let passed = now - state.slice_start;
        state.slice_start = now;
        if passed < SLICE / 2 {
            state.slice_nodes = (state.slice_nodes * 2).min(MAX_SLICE_NODES);
        } else if passed > SLICE * 2 {
            state.slice_nodes = (state.slice_nodes / 2).max(MIN_SLICE_NODES);
        }
        let mut slice = state.slice_nodes;
        if self.search.limits.nodes.is_some() {
            let take = |left: u64| (left > 0).then(|| left.saturating_sub(state.slice_nodes));
            match self.nodes_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
                Ok(left) => slice = slice.min(left),
                Err(_) => return false,
            }
        }
        state.meter.set_max_nodes(state.meter.nodes.saturating_add(slice));
        true
    }

    /// Splits a branch off the task and queues it, if the engine has one.
    fn split_task(&self, engine: &mut dyn CoverEngine, task: &Task, done: &mut TaskProgress) {
        let before = engine.progress();
        let Some(assumptions) = engine.split() else { return };
        let share = (engine.progress() - before).max(0.0);
        done.split_off += share;
        let place = if self.search.is_ordered { lock(&self.delivery).place_behind(task.place) } else { 0 };
        let mut queue = lock(&self.queue);
        queue.tasks.push(Task { assumptions: Some(assumptions), weight: task.weight * share, place });
        self.count_idle(&queue);
        self.work_available.notify_one();
    }

    /// Delivers the worker's solution. In an ordered run it may have to wait for the task's turn first.
    fn deliver(&self, worker: &Worker<'_>, task: &Task) {
        let mut delivery = lock(&self.delivery);
        while delivery.must_wait(task.place) {
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            let waited = self.turn_moved.wait_timeout(delivery, TURN_CHECK_INTERVAL);
            delivery = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if let Some(end) = delivery.add(&worker.solution, task.place, &self.is_over) {
            self.end(Ok(end));
        }
    }

    /// Adds the last part of a task's progress, and passes its turn on in an ordered run.
    fn close_task(&self, task: &Task, fraction: f64) {
        let mut delivery = lock(&self.delivery);
        delivery.progress.fraction += fraction;
        if self.search.is_ordered {
            if let Some(end) = delivery.close(task.place, &self.is_over) {
                self.end(Ok(end));
            }
            self.turn_moved.notify_all();
        }
    }

    /// Counts a solution that a limit allows, and checks some of them.
    fn count_solution(&self, worker: &mut Worker<'_>, state: &mut WorkerState<'_>) -> Result<(), CoverError> {
        if self.search.limits.solutions.is_some() {
            let take = |left: u64| left.checked_sub(1);
            let before = self.solutions_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
            if before.is_err() || before == Ok(1) {
                self.end(Ok(End::Solutions));
            }
            if before.is_err() {
                return Ok(());
            }
        }
        state.counted += 1;
        state.check_some(worker, self.search.engine, self.search.assumptions)
    }

    /// Reports the progress of a worker, whose tasks have done `fraction` more of the whole search.
    fn report(&self, state: &mut WorkerState<'_>, fraction: f64) {
        let mut delivery = lock(&self.delivery);
        let delivery = &mut *delivery;
        delivery.progress.fraction += fraction;
        state.report_to(&mut delivery.progress);
        state.last_report = state.slice_start;
        if state.slice_start.saturating_duration_since(delivery.last_report) >= REPORT_INTERVAL {
            delivery.last_report = state.slice_start;
            delivery.observer.progress(&delivery.progress);
        }
    }
}

/// What a worker counts during a run.
pub(super) struct WorkerState<'l> {
    pub(super) meter: Meter<'l>,
    /// When to pause.
    pub(super) pause: Option<Instant>,
    pub(super) slice_nodes: u64,
    pub(super) slice_start: Instant,
    pub(super) last_report: Instant,
    /// Solutions that are only counted.
    pub(super) counted: Natural,
    /// Those among them that were shown.
    pub(super) shown: u64,
    /// The part of the counts that the run's progress includes.
    pub(super) reported: Progress,
}

impl WorkerState<'_> {
    /// Checks some of the solutions that are counted.
    fn check_some(
        &mut self,
        worker: &mut Worker<'_>,
        engine: &'static str,
        assumptions: &Assumptions,
    ) -> Result<(), CoverError> {
        self.shown += 1;
        if is_checked(self.shown - 1) { worker.check_solution(engine, assumptions) } else { Ok(()) }
    }

    /// Adds everything new to the run's progress.
    pub(super) fn report_to(&mut self, progress: &mut Progress) {
        let (solutions, nodes) = (self.counted.to_u128().unwrap_or(u128::MAX), self.meter.nodes);
        progress.solutions = progress.solutions.saturating_add(solutions - self.reported.solutions);
        progress.nodes += nodes - self.reported.nodes;
        (self.reported.solutions, self.reported.nodes) = (solutions, nodes);
    }
}

/// How much of the whole search a task has done.
pub(super) struct TaskProgress {
    /// The task's share of the whole search.
    pub(super) weight: f64,
    /// The share of the task that was split off, which the engine counts as done.
    pub(super) split_off: f64,
    /// The part that the run's progress includes.
    pub(super) reported: f64,
}

impl TaskProgress {
    /// What is new since the last call, as a share of the whole search; `progress` is the engine's.
    pub(super) fn delta(&mut self, progress: f64) -> f64 {
        let done = ((progress - self.split_off) * self.weight).max(self.reported);
        done - std::mem::replace(&mut self.reported, done)
    }
}
