//! How another thread stops a long call and sees how far it is.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Stops a call from another thread, and shows how far it is.
#[derive(Debug, Default)]
pub struct Control {
    is_stopped: AtomicBool,
    done: AtomicUsize,
}

impl Control {
    /// Ends the call soon, with an error that says so.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether [`stop`](Self::stop) was called.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// The flag that [`stop`](Self::stop) sets, for runs that take one.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.is_stopped
    }

    /// Puzzles done so far.
    pub fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// Counts `puzzles` that were done.
    pub fn add(&self, puzzles: usize) {
        self.done.fetch_add(puzzles, Ordering::Relaxed);
    }
}
