//! The processor time that a pass may take, and how its threads keep to it.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::clock::{Clock, TimeSpent};

/// The budget of one pass, shared by its threads.
pub(super) struct Budget<'a> {
    /// Processor time of all threads; `None` for no limit.
    limit: Option<Duration>,
    threads: u32,
    stop: &'a AtomicBool,
    /// Nanoseconds of processor time that the threads have reported.
    spent: AtomicU64,
    /// Puzzles that they have answered.
    answered: AtomicU64,
}

impl<'a> Budget<'a> {
    /// A budget of which nothing is spent. Setting `stop` ends it.
    pub(super) fn new(limit: Option<Duration>, threads: usize, stop: &'a AtomicBool) -> Budget<'a> {
        let (spent, answered) = (AtomicU64::new(0), AtomicU64::new(0));
        Budget { limit, threads: threads as u32, stop, spent, answered }
    }

    /// Puzzles that were answered so far.
    pub(super) fn answered(&self) -> u64 {
        self.answered.load(Ordering::Relaxed)
    }

    /// Whether the time budget is spent or the run was cancelled.
    pub(super) fn is_over(&self) -> bool {
        let is_spent = |limit: Duration| u128::from(self.spent.load(Ordering::Relaxed)) >= limit.as_nanos();
        self.stop.load(Ordering::Relaxed) || self.limit.is_some_and(is_spent)
    }
}

/// Measures the time of one batch and charges it to the budget.
pub(super) struct Meter<'a> {
    budget: &'a Budget<'a>,
    clock: Clock,
    /// The part of this batch's time that is already charged.
    charged: Cell<TimeSpent>,
}

impl<'a> Meter<'a> {
    /// Starts the clock of a batch.
    pub(super) fn start(budget: &'a Budget<'a>) -> Meter<'a> {
        Meter { budget, clock: Clock::start(), charged: Cell::default() }
    }

    /// Whether the engine must stop.
    ///
    /// A thread uses no more processor time than elapsed time. So only the cheap clock is read until the budget might
    /// be spent, or until a sixteenth of this thread's share of the budget is not yet charged.
    pub(super) fn is_over(&self) -> bool {
        let Some(limit) = self.budget.limit else { return self.budget.is_over() };
        let uncharged = self.clock.wall().saturating_sub(self.charged.get().wall);
        let spent = Duration::from_nanos(self.budget.spent.load(Ordering::Relaxed));
        if spent + uncharged >= limit || uncharged >= limit / (16 * self.budget.threads) {
            self.charge();
        }
        self.budget.is_over()
    }

    /// Whether another program must end. Its processor time is known only when it has ended, so the budget limits its
    /// elapsed time.
    pub(super) fn is_late(&self) -> bool {
        let Budget { limit, stop, .. } = *self.budget;
        stop.load(Ordering::Relaxed) || limit.is_some_and(|limit| self.clock.wall() >= limit)
    }

    /// Counts puzzles that were answered.
    pub(super) fn count(&self, puzzles: usize) {
        self.budget.answered.fetch_add(puzzles as u64, Ordering::Relaxed);
    }

    /// Whether the budget has a limit.
    pub(super) fn has_limit(&self) -> bool {
        self.budget.limit.is_some()
    }

    /// What is left of the budget, as of the last charge; nothing without a limit.
    pub(super) fn left(&self) -> Duration {
        let spent = Duration::from_nanos(self.budget.spent.load(Ordering::Relaxed));
        self.budget.limit.unwrap_or_default().saturating_sub(spent)
    }

    /// Charges the time since the last charge; returns the time since the start of the batch.
    pub(super) fn charge(&self) -> TimeSpent {
        let spent = self.clock.spent();
        let uncharged = spent.cpu.saturating_sub(self.charged.get().cpu);
        self.budget.spent.fetch_add(uncharged.as_nanos() as u64, Ordering::Relaxed);
        self.charged.set(spent);
        spent
    }
}
