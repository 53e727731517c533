//! Solutions from a search that runs on threads of its own.
//!
//! ```text
//!   SolutionStream             queue of AHEAD solutions             thread
//!     next         ◀──  | .. | .. | .. | .. |  ◀──   a search, on any number of threads
//!     drop, stop   ──▶  cancel: the search ends, the thread is joined
//! ```
//! The caller's flag for cancelling ends it, too: it is looked at while the solver is built, between nodes, and while
//! the search waits for its reader.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::thread::JoinHandle;
use std::time::Duration;

use super::queue::{PushOutcome, Queue};
use super::{CoverLimits, CoverOutcome, End, Observer, Progress, Setup, Solver};
use crate::error::CoverError;
use crate::threads::{self, ThreadsError};
use crate::{ExactCover, OptionId};

/// Solutions that are found before they are asked for; then the search waits.
const AHEAD: usize = 64;

/// What goes through the queue.
type Item = Result<Vec<OptionId>, CoverError>;

/// Iterates over the solutions of a problem that threads of its own find, some ahead of the reader. It owns everything
/// that it needs, so it can be returned, stored and sent to other threads. The search ends when the stream is dropped.
///
/// ```
/// use galop_cover::models::{self, ModelError};
/// use galop_cover::{Choice, CoverLimits, OptionId, SolutionStream};
///
/// fn queens() -> Result<SolutionStream, ModelError> {
///     let problem = models::queens(20)?;
///     // The solver is set up on the new thread: one thread a core, and option 0 in every solution.
///     Ok(SolutionStream::new(problem, Choice::Auto, CoverLimits::NONE, |solver| {
///         solver.set_threads(None)?;
///         solver.assume(&[OptionId(0)], &[])
///     }))
/// }
///
/// let mut stream = queens()?;
/// for solution in stream.by_ref().take(5) {
///     assert_eq!(solution?.len(), 20);
/// }
/// let outcome = stream.stop();
/// assert!(outcome.is_some_and(|outcome| outcome.nodes > 0));
/// # Ok::<(), galop_cover::CoverError>(())
/// ```
///
/// (A [`Solver`] and its [`search`](Solver::search) run on the thread that asks, and only when it asks.)
#[derive(Debug)]
#[must_use = "dropping the stream ends its search"]
pub struct SolutionStream {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What the stream and its search have in common.
#[derive(Debug)]
struct Shared {
    queue: Queue<Item>,
    cancel: AtomicBool,
    outcome: Mutex<Option<CoverOutcome>>,
}

impl SolutionStream {
    /// Starts a search of `problem`, an [`ExactCover`] or an `Arc` of one. `prepare` sets up the solver: its threads,
    /// its order and its assumptions. An error while the solver is built or prepared is the first item of the stream.
    pub fn new(
        problem: impl Into<Arc<ExactCover>>,
        setup: impl Into<Setup>,
        limits: CoverLimits<'static>,
        prepare: impl FnOnce(&mut Solver<'_>) -> Result<(), CoverError> + Send + 'static,
    ) -> SolutionStream {
        let (problem, setup) = (problem.into(), setup.into());
        let shared = Arc::new(Shared {
            queue: Queue::new(AHEAD),
            cancel: AtomicBool::new(false),
            outcome: Mutex::default(),
        });
        let for_search = Arc::clone(&shared);
        let search = move || {
            let mut sending = Sending { shared: &for_search, cancel: limits.cancel, is_cancelled: false };
            if let Err(error) = search(&problem, setup, &limits, prepare, &mut sending) {
                for_search.queue.add(Err(error), limits.cancel);
            }
        };
        let started = threads::spawn("galop cover", search);
        let thread = started
            .map_err(|error| {
                // The queue is empty, so this does not wait.
                let reason = error.to_string();
                shared.queue.add(Err(CoverError::Threads(ThreadsError { threads: 1, reason })), None);
                shared.queue.end();
            })
            .ok();
        SolutionStream { shared, thread }
    }

    /// Waits for the next solution, but at most `time`: [`Pending`](Poll::Pending) if none came. For readers that have
    /// other things to look at.
    ///
    /// ```
    /// use std::task::Poll;
    /// use std::time::Duration;
    /// use galop_cover::{Choice, CoverLimits, SolutionStream, models};
    ///
    /// let queens = models::queens(6)?;
    /// let mut stream = SolutionStream::new(queens, Choice::Auto, CoverLimits::NONE, |_| Ok(()));
    /// let mut found = 0;
    /// loop {
    ///     match stream.next_within(Duration::from_millis(10)) {
    ///         Poll::Ready(Some(solution)) => found += usize::from(solution?.len() == 6),
    ///         Poll::Ready(None) => break,
    ///         Poll::Pending => {} // Nothing yet.
    ///     }
    /// }
    /// assert_eq!(found, 4);
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    pub fn next_within(&mut self, time: Duration) -> Poll<Option<Result<Vec<OptionId>, CoverError>>> {
        self.shared.queue.take(Some(time))
    }

    /// Ends the search, and returns its outcome; `None` if there was an error. The outcome counts all solutions that
    /// were found, also those that were not received.
    pub fn stop(mut self) -> Option<CoverOutcome> {
        self.end();
        self.shared.outcome.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn end(&mut self) {
        self.shared.cancel.store(true, Ordering::Relaxed);
        self.shared.queue.leave();
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}

/// Searches on the thread of the stream.
fn search(
    problem: &ExactCover,
    setup: Setup,
    limits: &CoverLimits<'static>,
    prepare: impl FnOnce(&mut Solver<'_>) -> Result<(), CoverError>,
    sending: &mut Sending<'_>,
) -> Result<(), CoverError> {
    let shared = sending.shared;
    let build = [Some(&shared.cancel), limits.cancel];
    let limits = CoverLimits { cancel: Some(&shared.cancel), ..*limits };
    let mut solver = Solver::new_until(problem, setup, limits.deadline, build)?;
    prepare(&mut solver)?;
    let mut outcome = solver.search(&limits).observe(sending).list()?;
    if sending.is_cancelled && outcome.end == End::Refused {
        outcome.end = End::Cancelled;
    }
    *shared.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
    Ok(())
}

/// Sends the solutions to the reader. Dropping it, even in a panic, ends the queue.
struct Sending<'a> {
    shared: &'a Shared,
    /// The flag of the user's limits, and whether it has ended the search.
    cancel: Option<&'static AtomicBool>,
    is_cancelled: bool,
}

impl Observer for Sending<'_> {
    fn solution(&mut self, options: &[OptionId]) -> ControlFlow<()> {
        let is_set = |cancel: &AtomicBool| cancel.load(Ordering::Relaxed);
        let added = match self.cancel.is_some_and(is_set) {
            true => PushOutcome::Cancelled,
            false => self.shared.queue.add(Ok(options.to_vec()), self.cancel),
        };
        // A reader that leaves after it has set the flag has cancelled the search.
        self.is_cancelled = added != PushOutcome::Queued && self.cancel.is_some_and(is_set);
        if added == PushOutcome::Queued { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn progress(&mut self, _: &Progress) {
        if self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            self.shared.cancel.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Sending<'_> {
    fn drop(&mut self) {
        self.shared.queue.end();
    }
}

impl Iterator for SolutionStream {
    type Item = Result<Vec<OptionId>, CoverError>;

    /// Waits for the next solution.
    fn next(&mut self) -> Option<Self::Item> {
        match self.shared.queue.take(None) {
            Poll::Ready(item) => item,
            Poll::Pending => None,
        }
    }
}

impl Drop for SolutionStream {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use super::*;
    use crate::tests::made;
    use crate::{Choice, End};

    #[test]
    fn a_stream_has_all_solutions_in_order() {
        let problem = Arc::new(made("langford 8"));
        let expected: Vec<_> =
            problem.solver().unwrap().search(&CoverLimits::NONE).into_iter().map(Result::unwrap).collect();
        for threads in [1, 4] {
            let stream =
                SolutionStream::new(Arc::clone(&problem), Choice::Auto, CoverLimits::NONE, move |solver| {
                    solver.set_ordered(true);
                    solver.set_threads(NonZero::new(threads))
                });
            let mut stream = std::thread::spawn(move || stream).join().unwrap();
            assert_eq!(stream.by_ref().map(Result::unwrap).collect::<Vec<_>>(), expected);
            assert!(stream.next().is_none());
            let outcome = stream.stop().unwrap();
            assert_eq!((outcome.end, outcome.solutions.to_u128()), (End::Complete, Some(300)));
        }
    }

    /// Whether it waits for its reader or searches in vain, a search ends with its stream.
    #[test]
    fn a_stream_that_is_left_ends_its_search() {
        let full = Arc::new(made("matching 30"));
        let long = Arc::new(made("pentominoes 6x10"));
        for threads in [1, 2] {
            for problem in [&full, &long] {
                let stream = |limits| {
                    SolutionStream::new(Arc::clone(problem), Choice::Auto, limits, move |solver| {
                        solver.set_threads(NonZero::new(threads))
                    })
                };
                drop(stream(CoverLimits::NONE));
                let mut read = stream(CoverLimits::NONE);
                assert!(read.next().is_some());
                assert_ne!(read.stop().unwrap().end, End::Complete);
                let limited = stream(CoverLimits::first(2));
                assert_eq!(limited.map(Result::unwrap).count(), 2);
            }
        }
    }

    /// A Langford sequence of 41 numbers does not exist, and to prove it takes for ever.
    #[test]
    fn a_reader_need_not_wait() {
        let mut none = SolutionStream::new(made("langford 41"), Choice::Auto, CoverLimits::NONE, |_| Ok(()));
        assert!(none.next_within(Duration::from_millis(20)).is_pending());
        drop(none);
        let mut all = SolutionStream::new(made("langford 8"), Choice::Auto, CoverLimits::NONE, |_| Ok(()));
        let mut found = 0;
        loop {
            match all.next_within(Duration::from_millis(1)) {
                Poll::Pending => {}
                Poll::Ready(Some(solution)) => found += usize::from(solution.is_ok()),
                Poll::Ready(None) => break,
            }
        }
        assert!(found == 300 && matches!(all.next_within(Duration::ZERO), Poll::Ready(None)));
    }

    /// The flag is set when the search begins, and nothing is read before it ends.
    #[test]
    fn the_flag_of_the_caller_stops_a_search_at_its_first_solution() {
        static CANCEL: AtomicBool = AtomicBool::new(false);
        let limits = CoverLimits { cancel: Some(&CANCEL), ..CoverLimits::NONE };
        let mut stream = SolutionStream::new(made("matching 30"), Choice::Auto, limits, |_| {
            CANCEL.store(true, Ordering::Relaxed);
            Ok(())
        });
        assert!(stream.next().is_none());
        assert_eq!(stream.stop().unwrap().end, End::Cancelled);
    }

    /// Nothing is read after the flag is set. (If the search went on waiting, `join` would wait with it.)
    #[test]
    fn the_flag_of_the_caller_stops_a_search_that_waits_for_its_reader() {
        static CANCEL: AtomicBool = AtomicBool::new(false);
        let limits = CoverLimits { cancel: Some(&CANCEL), ..CoverLimits::NONE };
        let mut stream = SolutionStream::new(made("matching 30"), Choice::Auto, limits, |_| Ok(()));
        assert!(stream.next().is_some());
        CANCEL.store(true, Ordering::Relaxed);
        stream.thread.take().unwrap().join().unwrap();
        assert!(stream.by_ref().count() <= AHEAD);
        assert_eq!(stream.stop().unwrap().end, End::Cancelled);
    }

    #[test]
    fn the_flag_of_the_caller_stops_the_building_of_the_solver() {
        static CANCEL: AtomicBool = AtomicBool::new(true);
        let limits = CoverLimits { cancel: Some(&CANCEL), ..CoverLimits::NONE };
        let unreached = |_: &mut Solver<'_>| Err(CoverError::Stopped { end: End::Nodes });
        let mut stream = SolutionStream::new(made("queens 8"), Choice::Auto, limits, unreached);
        assert!(matches!(stream.next(), Some(Err(CoverError::Stopped { end: End::Cancelled }))));
    }

    #[test]
    fn errors_are_items() {
        let problem = made("queen-domination 5 3");
        let masks = Choice::Engine(&crate::engine::MASKS);
        let mut stream = SolutionStream::new(problem, masks, CoverLimits::NONE, |_| Ok(()));
        assert!(matches!(stream.next(), Some(Err(CoverError::Unsuitable { engine: "masks", .. }))));
        assert!(stream.next().is_none() && stream.stop().is_none());
        let wrong = |solver: &mut Solver<'_>| solver.assume(&[OptionId(99)], &[]);
        let mut stream = SolutionStream::new(made("queens 4"), Choice::Auto, CoverLimits::NONE, wrong);
        assert!(matches!(
            stream.next(),
            Some(Err(CoverError::UnknownOption { option: OptionId(99), count: 16 }))
        ));
    }
}
