//! What an engine is built with, besides the problem.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::{Stop, Unsuitable};
use crate::memory::{Memory, Reservation};
use galop_simd::Isa;

/// How an engine is built: the instruction set, and what stops the building of a large one. An [`Isa`] converts into a
/// `Build` that nothing stops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Build<'a> {
    /// The instruction set, for engines that are compiled for several.
    pub(crate) isa: Isa,
    deadline: Option<Instant>,
    /// The flags for cancelling: any of them stops it.
    cancel: [Option<&'a AtomicBool>; 2],
    /// What grows in the engine may take this; `None` is no limit.
    memory: Option<&'a Memory>,
}

impl From<Isa> for Build<'_> {
    fn from(isa: Isa) -> Self {
        Build::new(isa, None, None)
    }
}

impl<'a> Build<'a> {
    /// Options that are added between two looks at the clock: some milliseconds.
    const OPTIONS: usize = 1 << 12;

    /// A building that stops at `deadline`, or once `cancel` is true.
    pub(crate) fn new(isa: Isa, deadline: Option<Instant>, cancel: Option<&'a AtomicBool>) -> Build<'a> {
        Build::with_flags(isa, deadline, [cancel, None])
    }

    /// A building that stops at `deadline`, or once any of the flags for cancelling is true.
    pub(crate) fn with_flags(
        isa: Isa,
        deadline: Option<Instant>,
        cancel: [Option<&'a AtomicBool>; 2],
    ) -> Build<'a> {
        Build { isa, deadline, cancel, memory: None }
    }

    /// The same building, of an engine whose tables may grow to `memory`.
    pub(crate) fn within(self, memory: &'a Memory) -> Build<'a> {
        Build { memory: Some(memory), ..self }
    }

    /// Nothing so far, for what reserves bytes when it grows.
    pub(crate) fn growing(&self) -> Reservation {
        self.memory.map_or_else(Reservation::default, Memory::growing)
    }

    /// Whether the building must stop, and why.
    pub(crate) fn stop(&self) -> Option<Stop> {
        if self.cancel.into_iter().flatten().any(|cancel| cancel.load(Ordering::Relaxed)) {
            return Some(Stop::Cancelled);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Stop::Deadline)
    }

    /// Called before `option` is added: looks at the clock before the first option and now and then.
    ///
    /// # Errors
    /// [`Unsuitable::Stopped`] if the building must stop.
    #[inline]
    pub(crate) fn check(&self, option: usize) -> Result<(), Unsuitable> {
        if !option.is_multiple_of(Self::OPTIONS) {
            return Ok(());
        }
        self.stop().map_or(Ok(()), |stop| Err(Unsuitable::Stopped(stop)))
    }
}
