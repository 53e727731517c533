//! Jobs through the workers on all cores, and the results back in order.
//!
//! ```text
//!   caller's thread                       workers (rayon)
//!   ---------------                       ---------------
//!   next job, with a free slot    ----->  work: it becomes the slot's page
//!   the oldest slot, when done    <-----
//!   deliver its page, free the slot
//! ```
//! There are a few slots a thread, so memory is bounded whatever the number of jobs. A page waits in its slot until all
//! earlier ones are delivered. The caller's thread makes jobs and delivers but does not work: it may block without
//! stopping a worker. (Windows of jobs with a barrier between them keep the order too, but at every barrier the workers
//! wait for the slowest job of the window.)

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use galop_cover::threads;
use rayon::ThreadPool;

use crate::error::Error;

/// Time between two calls of [`Steps::wait`] while no page is finished.
const TICK: Duration = Duration::from_millis(100);

/// Threads, and a worker for each.
#[derive(Debug)]
pub struct Workers<W, S> {
    pool: ThreadPool,
    /// One for each thread of the pool. Only that thread locks it.
    workers: Vec<Mutex<W>>,
    /// The slots that are free. They are used again and again, also by a later run.
    free: Vec<S>,
}

/// What is done in a run of [`Workers`]. All but `work` runs on the caller's thread, and shares the state `C`.
#[derive(Clone, Copy, Debug)]
pub struct Steps<N, K, D, T> {
    /// Makes the next job, and prepares its slot, which holds an old page. If the work panics, the slot is delivered as
    /// it is left here. `None`: there is no job, unless pages that are delivered later give one.
    pub next: N,
    /// Makes the page of a job. The flag becomes true once the page is not needed any more.
    pub work: K,
    /// Takes over a page. Pages come in the order of their jobs.
    pub deliver: D,
    /// Called from time to time while pages are awaited.
    pub wait: T,
}

impl<W: Send, S: Default + Send> Workers<W, S> {
    /// Starts the threads (`None`: one a core) and makes a worker for each.
    ///
    /// # Errors
    /// [`ErrorKind::Threads`](crate::ErrorKind::Threads), and what `worker` fails with.
    pub fn start(
        threads: Option<NonZero<usize>>,
        worker: impl Fn() -> Result<W, Error>,
    ) -> Result<Self, Error> {
        let worker = |_| Ok(Mutex::new(worker()?));
        let workers = (0..threads::count(threads).get()).map(worker).collect::<Result<_, Error>>()?;
        Ok(Workers { pool: threads::start(threads)?, workers, free: Vec::new() })
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Sends jobs through the workers until there is no other one, with this many slots.
    ///
    /// # Errors
    /// What `next` and `deliver` fail with. The pages of the jobs before an error of `next` are delivered before it.
    pub fn run<C, J: Send>(
        &mut self,
        slots: usize,
        state: &mut C,
        mut steps: Steps<
            impl FnMut(&mut C, &mut S) -> Result<Option<J>, Error>,
            impl Fn(&mut W, J, &mut S, &AtomicBool) + Sync,
            impl FnMut(&mut C, &mut S) -> Result<(), Error>,
            impl FnMut(&mut C),
        >,
    ) -> Result<(), Error> {
        let Workers { pool, workers, free } = self;
        // The first run makes all of them; a later one those that an earlier run lost with an error.
        free.resize_with(slots, S::default);
        let (workers, work) = (&*workers, &steps.work);
        let mut queue = Queue::default();
        let finished = Replies::default();
        let abandoned = AtomicBool::new(false);
        pool.in_place_scope_fifo(|scope| {
            // However this closure ends, the pages of jobs that still run are not needed any more.
            let _guard = SetOnDrop(&abandoned);
            let mut failed = Ok(());
            loop {
                while failed.is_ok()
                    && let Some(mut slot) = free.pop()
                {
                    let job = (steps.next)(state, &mut slot).unwrap_or_else(|error| {
                        failed = Err(error);
                        None
                    });
                    let Some(job) = job else {
                        free.push(slot);
                        break;
                    };
                    let (mut reply, abandoned) = (Reply::new(queue.enter(), slot, &finished), &abandoned);
                    scope.spawn_fifo(move |_| {
                        let index = rayon::current_thread_index().unwrap_or(0);
                        let mut worker = workers[index].lock().unwrap_or_else(PoisonError::into_inner);
                        reply.fill(|slot| work(&mut worker, job, slot, abandoned));
                    });
                }
                if queue.is_empty() {
                    return failed;
                }
                while !queue.receive(&finished, TICK) {
                    (steps.wait)(state);
                }
                while let Some(mut slot) = queue.leave() {
                    (steps.deliver)(state, &mut slot)?;
                    free.push(slot);
                }
            }
        })
    }

    /// The worker of the first thread, to ask what all of them have in common.
    pub fn first<T>(&self, ask: impl Fn(&W) -> T) -> Option<T> {
        self.workers.first().map(|worker| ask(&worker.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// What the threads kept.
    pub fn into_workers(self) -> impl Iterator<Item = W> {
        self.workers.into_iter().map(|worker| worker.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The slots that workers are done with and the caller's thread has not taken yet, with their numbers.
///
/// A channel of the standard library does the same. It is compiled in three kinds for every type of page, 7,000 lines
/// of intermediate code each: 4 % of the package.
struct Replies<S> {
    slots: Mutex<Vec<(u64, S)>>,
    is_any: Condvar,
}

impl<S> Default for Replies<S> {
    fn default() -> Self {
        Replies { slots: Mutex::default(), is_any: Condvar::new() }
    }
}

/// A slot in the hands of a worker. It goes back to the caller's thread when this is dropped, so also when the work
/// panics.
struct Reply<'a, S> {
    number: u64,
    slot: Option<S>,
    finished: &'a Replies<S>,
}

impl<'a, S> Reply<'a, S> {
    fn new(number: u64, slot: S, finished: &'a Replies<S>) -> Reply<'a, S> {
        Reply { number, slot: Some(slot), finished }
    }

    fn fill(&mut self, fill: impl FnOnce(&mut S)) {
        if let Some(slot) = &mut self.slot {
            fill(slot);
        }
    }
}

impl<S> Drop for Reply<'_, S> {
    fn drop(&mut self) {
        if let Some(slot) = self.slot.take() {
            let mut slots = self.finished.slots.lock().unwrap_or_else(PoisonError::into_inner);
            slots.push((self.number, slot));
            drop(slots);
            self.finished.is_any.notify_one();
        }
    }
}

/// The jobs that are being worked on, in order.
struct Queue<S> {
    /// The number of the job at the front of `done`.
    front: u64,
    done: VecDeque<Option<S>>,
}

impl<S> Default for Queue<S> {
    fn default() -> Self {
        Queue { front: 0, done: VecDeque::new() }
    }
}

impl<S> Queue<S> {
    fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// Adds a place at the end; returns its number.
    fn enter(&mut self) -> u64 {
        self.done.push_back(None);
        self.front + self.done.len() as u64 - 1
    }

    /// Waits for `patience` until any job is done; false if none is.
    fn receive(&mut self, finished: &Replies<S>, patience: Duration) -> bool {
        let slots = finished.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut slots, _) = finished
            .is_any
            .wait_timeout_while(slots, patience, |slots| slots.is_empty())
            .unwrap_or_else(PoisonError::into_inner);
        let is_any = !slots.is_empty();
        for (number, slot) in slots.drain(..) {
            if let Some(place) = self.done.get_mut((number - self.front) as usize) {
                *place = Some(slot);
            }
        }
        is_any
    }

    /// Removes the job at the front, if it is done.
    fn leave(&mut self) -> Option<S> {
        self.done.front()?.as_ref()?;
        self.front += 1;
        self.done.pop_front()?
    }
}
