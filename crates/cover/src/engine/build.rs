//! What an engine is built with, besides the problem.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::{Stop, Unsuitable};
use galop_simd::Isa;

/// How an engine is built: the instruction set, and what stops the building of a large one. An [`Isa`] converts into a
/// `Build` that nothing stops.
#[derive(Clone, Copy, Debug)]
pub struct Build<'a> {
    /// The instruction set, for engines that are compiled for several.
    pub isa: Isa,
    deadline: Option<Instant>,
    cancel: Option<&'a AtomicBool>,
    /// Whether items whose names begin with `#` are branched on first.
    pub(crate) prefers_sharp: bool,
}

impl From<Isa> for Build<'_> {
    fn from(isa: Isa) -> Self {
        Build { isa, deadline: None, cancel: None, prefers_sharp: false }
    }
}

impl<'a> Build<'a> {
    /// Options that are added between two looks at the clock: some milliseconds.
    const OPTIONS: usize = 1 << 12;

    /// A building that stops at `deadline`, or once `cancel` is true.
    pub fn new(isa: Isa, deadline: Option<Instant>, cancel: Option<&'a AtomicBool>) -> Build<'a> {
        Build { isa, deadline, cancel, prefers_sharp: false }
    }

    /// Whether the building must stop, and why.
    pub fn stop(&self) -> Option<Stop> {
        if self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Some(Stop::Cancelled);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Stop::Deadline)
    }

    /// Called before `option` is added: looks at the clock before the first option and now and then.
    ///
    /// # Errors
    /// [`Unsuitable::Stopped`] if the building must stop.
    #[inline]
    pub fn check(&self, option: usize) -> Result<(), Unsuitable> {
        if !option.is_multiple_of(Self::OPTIONS) {
            return Ok(());
        }
        self.stop().map_or(Ok(()), |stop| Err(Unsuitable::Stopped(stop)))
    }
}
