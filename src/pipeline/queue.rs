//! Slots on their way through the workers, and back in order.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender};

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

/// A slot in the hands of a worker. It goes back to the caller's thread when this is dropped, so also when the task
/// panics.
pub(super) struct Reply<P> {
    number: u64,
    slot: Option<Slot<P>>,
    sender: Sender<(u64, Slot<P>)>,
}

impl<P> Reply<P> {
    pub(super) fn new(number: u64, slot: Slot<P>, sender: Sender<(u64, Slot<P>)>) -> Reply<P> {
        Reply { number, slot: Some(slot), sender }
    }

    pub(super) fn fill(&mut self, fill: impl FnOnce(&mut Slot<P>)) {
        if let Some(slot) = &mut self.slot {
            fill(slot);
        }
    }
}

impl<P> Drop for Reply<P> {
    fn drop(&mut self) {
        if let Some(slot) = self.slot.take() {
            // After an error the receiver is gone.
            self.sender.send((self.number, slot)).ok();
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

    /// Waits until any chunk is done.
    pub(super) fn receive(&mut self, receiver: &Receiver<(u64, Slot<P>)>) {
        // The caller's thread has a sender itself, so the channel cannot close.
        if let Ok((number, slot)) = receiver.recv()
            && let Some(place) = self.done.get_mut((number - self.front) as usize)
        {
            *place = Some(slot);
        }
    }

    /// Removes the chunk at the front, if it is done.
    pub(super) fn leave(&mut self) -> Option<Slot<P>> {
        self.done.front()?.as_ref()?;
        self.front += 1;
        self.done.pop_front()?
    }
}
