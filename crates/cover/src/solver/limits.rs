//! Where a search stops, and what it found.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::engine::Stop;
use crate::{Natural, OptionId};

/// Where a search stops. `None` is no limit.
///
/// ```
/// use galop_cover::CoverLimits;
///
/// let limits = CoverLimits::first(10).with_nodes(1_000_000);
/// assert_eq!((limits.solutions, limits.deadline), (Some(10), None));
/// let a_minute = limits.within(std::time::Duration::from_secs(60));
/// assert!(a_minute.deadline.is_some());
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct CoverLimits<'a> {
    /// The number of solutions after which the search stops: exact on any number of threads.
    pub solutions: Option<u64>,
    /// The number of nodes after which the search stops. On several threads it may stop slightly earlier.
    pub nodes: Option<u64>,
    /// The time at which the search stops.
    pub deadline: Option<Instant>,
    /// The search stops once this flag is true.
    pub cancel: Option<&'a AtomicBool>,
}

impl<'a> CoverLimits<'a> {
    /// No limits.
    pub const NONE: CoverLimits<'static> =
        CoverLimits { solutions: None, nodes: None, deadline: None, cancel: None };

    /// At most `count` solutions.
    #[must_use]
    pub const fn first(count: u64) -> CoverLimits<'static> {
        CoverLimits { solutions: Some(count), ..CoverLimits::NONE }
    }

    /// These limits, and at most this number of solutions; `None` is no limit.
    #[must_use]
    pub fn with_solutions(self, solutions: impl Into<Option<u64>>) -> CoverLimits<'a> {
        CoverLimits { solutions: solutions.into(), ..self }
    }

    /// These limits, and at most this number of nodes; `None` is no limit.
    #[must_use]
    pub fn with_nodes(self, nodes: impl Into<Option<u64>>) -> CoverLimits<'a> {
        CoverLimits { nodes: nodes.into(), ..self }
    }

    /// These limits, with the deadline at this time; `None` is no deadline.
    #[must_use]
    pub fn with_deadline(self, deadline: impl Into<Option<Instant>>) -> CoverLimits<'a> {
        CoverLimits { deadline: deadline.into(), ..self }
    }

    /// These limits, and a flag that stops the search once it is true.
    #[must_use]
    pub fn with_cancel<'b>(self, cancel: &'b AtomicBool) -> CoverLimits<'b> {
        CoverLimits { cancel: Some(cancel), ..self }
    }

    /// These limits, and a deadline at `time` from now. The clock runs from this call: make the limits just before the
    /// search. An earlier deadline stays.
    #[must_use]
    pub fn within(self, time: Duration) -> CoverLimits<'a> {
        let deadline = Instant::now().checked_add(time).into_iter().chain(self.deadline).min();
        CoverLimits { deadline, ..self }
    }

    /// The limit on nodes for a meter, which has no `Option`.
    pub(crate) fn max_nodes(&self) -> u64 {
        self.nodes.unwrap_or(u64::MAX)
    }
}

/// What ended a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// The search is complete: all solutions were found.
    #[default]
    Complete,
    /// The limit on solutions.
    Solutions,
    /// The limit on nodes.
    Nodes,
    /// The deadline.
    Deadline,
    /// The flag for cancelling.
    Cancelled,
    /// The receiver of the solutions wants no more of them.
    Refused,
}

impl End {
    /// One word for reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            End::Complete => "complete",
            End::Solutions => "solutions",
            End::Nodes => "nodes",
            End::Deadline => "deadline",
            End::Cancelled => "cancelled",
            End::Refused => "refused",
        }
    }
}

impl From<Stop> for End {
    fn from(stop: Stop) -> End {
        match stop {
            Stop::Nodes => End::Nodes,
            Stop::Deadline => End::Deadline,
            Stop::Cancelled => End::Cancelled,
        }
    }
}

/// What a search found, and what it took. (A copy allocates nothing, unless there are 2^128 solutions or more.)
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoverOutcome {
    /// The number of solutions found: of all solutions if `end` is [`Complete`](End::Complete).
    pub solutions: Natural,
    /// States examined. Several threads examine slightly more than one thread: every branch that is split off has a
    /// root.
    pub nodes: u64,
    /// Work: about as many cache lines as the engines touched, which is the same on every machine.
    pub ticks: u64,
    /// What ended the search.
    pub end: End,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The share that is done, 0 to 1; it never falls. All branches of a choice count alike (Knuth's estimate).
    pub fraction: f64,
    /// Solutions found, at most `u128::MAX`.
    pub solutions: u128,
    /// States examined.
    pub nodes: u64,
}

/// Receives solutions and progress while a search runs. On several threads any of them calls it, one at a time.
pub trait Observer: Send {
    /// Receives a solution that was checked, its options ascending. `Break` stops the search.
    fn solution(&mut self, options: &[OptionId]) -> ControlFlow<()> {
        let _ = options;
        ControlFlow::Continue(())
    }

    /// Receives the progress, about twenty times a second.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }
}

impl<F: FnMut(&Progress) + Send> Observer for F {
    fn progress(&mut self, progress: &Progress) {
        self(progress);
    }
}
