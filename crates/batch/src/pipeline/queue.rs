//! Slots on their way through the workers, and back in order.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::{Failure, PagePlace};

/// A chunk's page, and the buffer its bytes were read into. Used again and again.
pub(super) struct Slot<P> {
    pub(super) page: P,
    /// Whether the page was made, or why it was not.
    pub(super) result: Result<(), Failure>,
    pub(super) spare: Vec<u8>,
    /// The place of the page. Of the lines before it, those that were skipped right before.
    pub(super) place: PagePlace,
}

impl<P: Default> Default for Slot<P> {
    fn default() -> Slot<P> {
        Slot { page: P::default(), result: Ok(()), spare: Vec::new(), place: PagePlace::default() }
    }
}

/// The slots that workers are done with and the caller's thread has not taken yet, with their numbers.
///
/// A channel of the standard library does the same. It is compiled in three kinds for every type of page, 7,000 lines
/// of intermediate code each: 4 % of the package.
pub(super) struct Replies<P> {
    slots: Mutex<Vec<(u64, Slot<P>)>>,
    is_any: Condvar,
}

impl<P> Default for Replies<P> {
    fn default() -> Self {
        Replies { slots: Mutex::default(), is_any: Condvar::new() }
    }
}

/// A slot in the hands of a worker. It goes back to the caller's thread when this is dropped, so also when the task
/// panics.
pub(super) struct Reply<'a, P> {
    number: u64,
    slot: Option<Slot<P>>,
    finished: &'a Replies<P>,
}

impl<'a, P> Reply<'a, P> {
    pub(super) fn new(number: u64, slot: Slot<P>, finished: &'a Replies<P>) -> Reply<'a, P> {
        Reply { number, slot: Some(slot), finished }
    }

    pub(super) fn fill(&mut self, fill: impl FnOnce(&mut Slot<P>)) {
        if let Some(slot) = &mut self.slot {
            fill(slot);
        }
    }
}

impl<P> Drop for Reply<'_, P> {
    fn drop(&mut self) {
        if let Some(slot) = self.slot.take() {
            let mut slots = self.finished.slots.lock().unwrap_or_else(PoisonError::into_inner);
            slots.push((self.number, slot));
            drop(slots);
            self.finished.is_any.notify_one();
        }
    }
}

/// The chunks that are being worked on, in order.
pub(super) struct Queue<P> {
    /// The number of the chunk at the front of `done`.
    front: u64,
    done: VecDeque<Option<Slot<P>>>,
}

impl<P> Default for Queue<P> {
    fn default() -> Self {
        Queue { front: 0, done: VecDeque::new() }
    }
}

impl<P> Queue<P> {
    pub(super) fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// Adds a place at the end; returns its number.
    pub(super) fn enter(&mut self) -> u64 {
        self.done.push_back(None);
        self.front + self.done.len() as u64 - 1
    }

    /// Waits for `patience` until any chunk is done; false if none is.
    pub(super) fn receive(&mut self, finished: &Replies<P>, patience: Duration) -> bool {
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

    /// Removes the chunk at the front, if it is done.
    pub(super) fn leave(&mut self) -> Option<Slot<P>> {
        self.done.front()?.as_ref()?;
        self.front += 1;
        self.done.pop_front()?
    }
}
