//! What a signal leaves for the run to see.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// True after a signal told the program to stop.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);

/// The number of the last signal that was handled, or 0. The handler itself sets it: the write that SIGXFSZ ends finds
/// it.
pub(super) static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// The number of the signal that stopped the program, if any.
pub(super) fn received() -> Option<i32> {
    Some(SIGNAL.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
}
