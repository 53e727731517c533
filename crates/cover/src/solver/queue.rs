//! A queue of limited length from a search to the reader of its solutions. Both sides can leave it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

/// Time after which a search that waits for its reader looks whether it is cancelled.
const CANCEL_CHECK_INTERVAL: Duration = Duration::from_millis(10);

/// The queue.
#[derive(Debug)]
pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    /// The most items that wait for the reader.
    most: usize,
    item_added: Condvar,
    item_taken: Condvar,
}

#[derive(Debug)]
struct State<T> {
    items: VecDeque<T>,
    /// Whether the reader wants no more items.
    is_left: bool,
    /// Whether no more items come.
    is_over: bool,
}

/// What became of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PushOutcome {
    /// It is in the queue.
    Queued,
    /// The reader has left.
    Left,
    /// The queue is full, and the flag for cancelling is set.
    Cancelled,
}

impl<T> Queue<T> {
    /// An empty queue for `most` items.
    pub(super) fn new(most: usize) -> Queue<T> {
        let state = State { items: VecDeque::new(), is_left: false, is_over: false };
        Queue { state: Mutex::new(state), most, item_added: Condvar::new(), item_taken: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an item. Waits while the queue is full, but no longer than until `cancel` is true.
    pub(super) fn add(&self, item: T, cancel: Option<&AtomicBool>) -> PushOutcome {
        let mut state = self.state();
        loop {
            if state.is_left {
                return PushOutcome::Left;
            }
            if state.items.len() < self.most {
                state.items.push_back(item);
                drop(state);
                self.item_added.notify_one();
                return PushOutcome::Queued;
            }
            if cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return PushOutcome::Cancelled;
            }
            state = match cancel {
                None => self.item_taken.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(_) => {
                    let waited = self.item_taken.wait_timeout(state, CANCEL_CHECK_INTERVAL);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Says that no more items come.
    pub(super) fn end(&self) {
        self.state().is_over = true;
        self.item_added.notify_all();
    }

    /// Says that the reader wants no more items.
    pub(super) fn leave(&self) {
        self.state().is_left = true;
        self.item_taken.notify_all();
    }

    /// Waits for the next item, but at most `time` (`None` is no limit). `Ready(None)` after the last one.
    pub(super) fn take(&self, time: Option<Duration>) -> Poll<Option<T>> {
        let has_none = |state: &mut State<T>| state.items.is_empty() && !state.is_over;
        let (mut state, is_late) = match time {
            None => {
                let waited = self.item_added.wait_while(self.state(), has_none);
                (waited.unwrap_or_else(PoisonError::into_inner), false)
            }
            Some(time) => {
                let waited = self.item_added.wait_timeout_while(self.state(), time, has_none);
                let (state, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                (state, timeout.timed_out())
            }
        };
        let item = state.items.pop_front();
        drop(state);
        if item.is_none() && is_late {
            return Poll::Pending;
        }
        self.item_taken.notify_all();
        Poll::Ready(item)
    }
}
