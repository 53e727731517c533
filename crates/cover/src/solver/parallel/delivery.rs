//! Delivers solutions: one at a time, and if requested in the order in which one thread finds them.
//!
//! Order: the solutions of a branch that a task splits off come after all solutions that the task keeps, and before
//! the solutions of branches that it split off earlier. So the tasks form a list. The head of the list delivers its
//! solutions, the others keep theirs until they are the head. A task that has kept too many waits. (The head is always
//! being worked on, so the wait ends: a task lies in the queue only while a worker waits there for it.)

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::solver::limits::{End, Observer, Progress};
use crate::{Natural, OptionId};

/// Numbers of options that all tasks of an ordered run together may keep; beyond this they wait.
const MAX_KEPT: usize = 1 << 22;

/// The receiver of solutions, and the sums over all workers. One thread at a time uses it.
pub(super) struct Delivery<'a> {
    pub(super) observer: &'a mut dyn Observer,
    pub(super) progress: Progress,
    /// Solutions that are only counted.
    pub(super) counted: Natural,
    pub(super) ticks: u64,
    pub(super) depths: Vec<u64>,
    pub(super) last_report: Instant,
    /// Solutions that may still be delivered; `None` is no limit.
    left: Option<u64>,
    is_ordered: bool,
    /// The tasks of an ordered run.
    places: Vec<TaskSolutions>,
    /// The place whose task delivers its solutions.
    head: usize,
    /// Numbers kept in all places.
    kept: usize,
}

/// A task of an ordered run, and the solutions it found before its turn: for each its length, then its options.
#[derive(Default)]
struct TaskSolutions {
    next: Option<usize>,
    kept: Vec<OptionId>,
    is_done: bool,
}

impl<'a> Delivery<'a> {
    /// Delivers at most `limit` solutions. `depths` is an empty list whose memory is reused.
    pub(super) fn new(
        observer: &'a mut dyn Observer,
        limit: Option<u64>,
        is_ordered: bool,
        depths: Vec<u64>,
    ) -> Delivery<'a> {
        Delivery {
            observer,
            progress: Progress::default(),
            counted: Natural::ZERO,
            ticks: 0,
            depths,
            last_report: Instant::now(),
            left: limit,
            is_ordered,
            places: if is_ordered { vec![TaskSolutions::default()] } else { Vec::new() },
            head: 0,
            kept: 0,
        }
    }

    /// Whether the task at `place` must wait before it delivers another solution.
    pub(super) fn must_wait(&self, place: usize) -> bool {
        self.is_ordered && self.head != place && self.kept > MAX_KEPT
    }

    /// Delivers a solution of the task at `place`, or keeps it until that task's turn. The reason if this ends the
    /// run. Nothing is delivered once `is_over` is true.
    pub(super) fn add(&mut self, options: &[OptionId], place: usize, is_over: &AtomicBool) -> Option<End> {
        if !self.is_ordered || self.head == place {
            return self.deliver(options, is_over);
        }
        let kept = &mut self.places[place].kept;
        kept.push(OptionId(options.len() as u32));
        kept.extend_from_slice(options);
        self.kept += options.len() + 1;
        None
    }

    fn deliver(&mut self, options: &[OptionId], is_over: &AtomicBool) -> Option<End> {
        if self.left == Some(0) || is_over.load(Ordering::Relaxed) {
            return None;
        }
        self.left = self.left.map(|left| left - 1);
        self.progress.solutions += 1;
        if self.observer.solution(options).is_break() {
            self.left = Some(0);
            return Some(End::Refused);
        }
        (self.left == Some(0)).then_some(End::Solutions)
    }

    /// Closes the task at `place` of an ordered run. If it is the head, the tasks after it deliver what they kept, up
    /// to and including the first unfinished one. The reason if this ends the run.
    pub(super) fn close(&mut self, place: usize, is_over: &AtomicBool) -> Option<End> {
        let mut end = None;
        self.places[place].is_done = true;
        while self.places[self.head].is_done {
            let Some(next) = self.places[self.head].next else { break };
            self.head = next;
            let kept = std::mem::take(&mut self.places[next].kept);
            self.kept -= kept.len();
            let mut rest = &kept[..];
            while let [len, options @ ..] = rest {
                let (options, behind) = options.split_at((*len).index().min(options.len()));
                end = end.or(self.deliver(options, is_over));
                rest = behind;
            }
        }
        end
    }

    /// A new place directly behind `place`, for a branch that its task splits off.
    pub(super) fn place_behind(&mut self, place: usize) -> usize {
        let new = self.places.len();
        let next = self.places[place].next.replace(new);
        self.places.push(TaskSolutions { next, ..TaskSolutions::default() });
        new
    }
}
