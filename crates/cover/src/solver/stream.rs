//! Solutions from a search that runs on threads of its own.
//!
//! ```text
//!   SolutionStream             channel of AHEAD solutions            thread
//!     next         ◀──  | .. | .. | .. | .. |  ◀──   Solver::watch, on any number of threads
//!     drop, stop   ──▶  cancel: the search ends, the thread is joined
//! ```

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::{CoverLimits, CoverOutcome, Observer, Progress, Setup, Solver};
use crate::error::CoverError;
use crate::threads::ThreadsError;
use crate::{ExactCover, OptionId};

/// Solutions that are found before they are asked for; then the search waits.
const AHEAD: usize = 64;

/// What goes through the channel.
type Item = Result<Vec<OptionId>, CoverError>;

/// Iterates over the solutions of a problem that threads of its own find, some ahead of the reader. It owns everything
/// that it needs, so it can be returned, stored and sent to other threads. The search ends when the stream is dropped.
///
/// ```
/// use galop_cover::{Choice, CoverLimits, ExactCover, SolutionStream, models};
///
/// fn queens() -> SolutionStream {
///     let queens = models::model("queens").expect("a row of MODELS");
///     let problem = (queens.make)(&["20"]).expect("a board");
///     // The solver is set up on the new thread: one thread a core, and option 0 in every solution.
///     SolutionStream::new(problem, Choice::Auto, CoverLimits::NONE, |solver| {
///         solver.set_threads(None)?;
///         solver.assume(&[0], &[])
///     })
/// }
///
/// let mut stream = queens();
/// for solution in stream.by_ref().take(5) {
///     assert_eq!(solution?.len(), 20);
/// }
/// let outcome = stream.stop();
/// assert!(outcome.is_some_and(|outcome| outcome.nodes > 0));
/// # Ok::<(), galop_cover::CoverError>(())
/// ```
///
/// (A [`Solver`] and its [`solutions`](Solver::solutions) search on the thread that asks, and only when it asks.)
#[derive(Debug)]
#[must_use = "dropping the stream ends its search"]
pub struct SolutionStream {
    receiver: Option<Receiver<Item>>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What the stream and its search have in common.
#[derive(Debug, Default)]
struct Shared {
    cancel: AtomicBool,
    progress: Mutex<Progress>,
    outcome: Mutex<Option<CoverOutcome>>,
}

impl SolutionStream {
    /// Starts a search of `problem`, an [`ExactCover`] or an `Arc` of one. `prepare` sets up the solver: its threads, its
    /// order and its assumptions. An error while the solver is built or prepared is the first item of the stream.
    pub fn new(
        problem: impl Into<Arc<ExactCover>>,
        setup: impl Into<Setup>,
        limits: CoverLimits<'static>,
        prepare: impl FnOnce(&mut Solver<'_>) -> Result<(), CoverError> + Send + 'static,
    ) -> SolutionStream {
        let (problem, setup, shared) = (problem.into(), setup.into(), Arc::new(Shared::default()));
        let (sender, receiver) = sync_channel(AHEAD);
        let (refused, for_search) = (sender.clone(), Arc::clone(&shared));
        let search = move || {
            let mut sending = Sending { sender, shared: &for_search, cancel: limits.cancel };
            if let Err(error) = search(&problem, setup, &limits, prepare, &mut sending) {
                sending.sender.send(Err(error)).ok();
            }
        };
        let started = Builder::new().name("galop cover".to_owned()).spawn(search);
        let thread = started
            .map_err(|error| {
                // The channel is empty, so this does not wait.
                let reason = error.to_string();
                refused.send(Err(CoverError::Threads(ThreadsError { threads: 1, reason }))).ok();
            })
            .ok();
        SolutionStream { receiver: Some(receiver), shared, thread }
    }

    /// Waits for the next solution, but at most `time`: [`Pending`](Poll::Pending) if none came. For readers that have
    /// other things to look at.
    ///
    /// ```
    /// use std::task::Poll;
    /// use std::time::Duration;
    /// use galop_cover::{Choice, CoverLimits, SolutionStream, models};
    ///
    /// let queens = models::model("queens").map(|queens| (queens.make)(&["6"])).expect("a row of MODELS")?;
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
        match self.receiver.as_ref().map(|receiver| receiver.recv_timeout(time)) {
            Some(Ok(item)) => Poll::Ready(Some(item)),
            Some(Err(RecvTimeoutError::Timeout)) => Poll::Pending,
            Some(Err(RecvTimeoutError::Disconnected)) | None => Poll::Ready(None),
        }
    }

    /// How far the search is; it is ahead of the solutions that were received.
    #[must_use]
    pub fn progress(&self) -> Progress {
        *self.shared.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the search, and returns its outcome; `None` if there was an error. The outcome counts all solutions that were
    /// found, also those that were not received.
    pub fn stop(mut self) -> Option<CoverOutcome> {
        self.end();
        self.shared.outcome.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn end(&mut self) {
        self.shared.cancel.store(true, Ordering::Relaxed);
        // A search that waits for the reader finds that there is none.
        self.receiver = None;
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
    let limits = CoverLimits { cancel: Some(&shared.cancel), ..*limits };
    let mut solver = Solver::new_within(problem, setup, &limits)?;
    prepare(&mut solver)?;
    let outcome = solver.watch(&limits, sending)?;
    *shared.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
    Ok(())
}

/// Sends the solutions to the reader.
struct Sending<'a> {
    sender: SyncSender<Item>,
    shared: &'a Shared,
    /// The flag of the user's limits.
    cancel: Option<&'static AtomicBool>,
}

impl Observer for Sending<'_> {
    fn solution(&mut self, options: &[OptionId]) -> ControlFlow<()> {
        match self.sender.send(Ok(options.to_vec())) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn progress(&mut self, progress: &Progress) {
        *self.shared.progress.lock().unwrap_or_else(PoisonError::into_inner) = *progress;
        if self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            self.shared.cancel.store(true, Ordering::Relaxed);
        }
    }
}

impl Iterator for SolutionStream {
    type Item = Result<Vec<OptionId>, CoverError>;

    /// Waits for the next solution.
    fn next(&mut self) -> Option<Self::Item> {
        self.receiver.as_ref()?.recv().ok()
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
    use std::time::Instant;

    use super::*;
    use crate::{Choice, End, models};

    fn make(words: &str) -> ExactCover {
        let words: Vec<&str> = words.split(' ').collect();
        (models::model(words[0]).unwrap().make)(&words[1..]).unwrap()
    }

    #[test]
    fn a_stream_has_all_solutions_in_order() {
        let problem = Arc::new(make("langford 8"));
        let expected: Vec<_> =
            problem.solver().unwrap().solutions(&CoverLimits::NONE).map(Result::unwrap).collect();
        for threads in [1, 4] {
            let stream =
                SolutionStream::new(Arc::clone(&problem), Choice::Auto, CoverLimits::NONE, move |solver| {
                    solver.set_ordered(true);
                    solver.set_threads(NonZero::new(threads))
                });
            let mut stream = std::thread::spawn(move || stream).join().unwrap();
            assert_eq!(stream.by_ref().map(Result::unwrap).collect::<Vec<_>>(), expected);
            assert!(stream.next().is_none());
            assert_eq!((stream.progress().fraction, stream.progress().solutions), (1.0, 300));
            let outcome = stream.stop().unwrap();
            assert_eq!((outcome.end, outcome.solutions.to_u128()), (End::Complete, Some(300)));
        }
    }

    /// Whether it waits for its reader or searches in vain, a search ends with its stream.
    #[test]
    fn a_stream_that_is_left_ends_its_search() {
        static CANCEL: AtomicBool = AtomicBool::new(false);
        let began = Instant::now();
        let full = Arc::new(make("matching 30"));
        let long = Arc::new(make("pentominoes 6x10"));
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
        let cancelled = SolutionStream::new(
            Arc::clone(&full),
            Choice::Auto,
            CoverLimits { cancel: Some(&CANCEL), ..CoverLimits::NONE },
            |_| Ok(()),
        );
        assert!(cancelled.map(Result::unwrap).inspect(|_| CANCEL.store(true, Ordering::Relaxed)).count() > 0);
        assert!(began.elapsed() < Duration::from_secs(60));
    }

    /// A Langford sequence of 41 numbers does not exist, and to prove it takes for ever.
    #[test]
    fn a_reader_need_not_wait() {
        let mut none = SolutionStream::new(make("langford 41"), Choice::Auto, CoverLimits::NONE, |_| Ok(()));
        assert!(none.next_within(Duration::from_millis(20)).is_pending());
        drop(none);
        let mut all = SolutionStream::new(make("langford 8"), Choice::Auto, CoverLimits::NONE, |_| Ok(()));
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

    #[test]
    fn errors_are_items() {
        let problem = make("queen-domination 5 3");
        let masks = Choice::Engine(&crate::engine::MASKS);
        let mut stream = SolutionStream::new(problem, masks, CoverLimits::NONE, |_| Ok(()));
        assert!(matches!(stream.next(), Some(Err(CoverError::Unsuitable { engine: "masks", .. }))));
        assert!(stream.next().is_none() && stream.stop().is_none());
        let wrong = |solver: &mut Solver<'_>| solver.assume(&[99], &[]);
        let mut stream = SolutionStream::new(make("queens 4"), Choice::Auto, CoverLimits::NONE, wrong);
        assert!(matches!(stream.next(), Some(Err(CoverError::UnknownOption { option: 99, count: 16 }))));
    }
}
