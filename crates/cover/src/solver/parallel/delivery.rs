//! Handing solutions out: one at a time, and in the order of one thread if that is wished.
//!
//! In order: what a task gives away comes after all it keeps, and before what it gave away earlier. So the tasks
//! form a list; the head hands its solutions out, the others keep theirs until they are the head. A task too far
//! ahead waits. (It waits for a task that somebody works on: no task is in the queue unless a worker waits there.)

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::{Run, lock};
use crate::{End, Natural, OptionId, Progress, Watch};

/// Numbers of options that may wait for their turn, in an ordered run.
const AHEAD: usize = 1 << 22;

/// What goes out: one thread at a time.
pub(super) struct Delivery<'a> {
    pub(super) watch: &'a mut dyn Watch,
    pub(super) progress: Progress,
    /// Solutions, if they are only counted.
    pub(super) counted: Natural,
    pub(super) updates: u64,
    pub(super) depths: Vec<u64>,
    pub(super) reported: Instant,
    /// Solutions that may still be handed out.
    left: u64,
    /// The tasks of an ordered run.
    order: Vec<Place>,
    head: usize,
    /// Numbers that wait in all places.
    kept: usize,
}

/// A task of an ordered run, and the solutions it found before its turn: each its length and its options.
#[derive(Default)]
struct Place {
    next: Option<usize>,
    kept: Vec<OptionId>,
    is_done: bool,
}

impl Run<'_> {
    /// Hands a solution out, or keeps it until it is its turn.
    pub(super) fn list(&self, options: &[OptionId], place: usize) {
        let mut delivery = lock(&self.delivery);
        while self.is_ordered && delivery.head != place && delivery.kept > AHEAD {
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            let waited = self.room.wait_timeout(delivery, Duration::from_millis(10));
            delivery = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if !self.is_ordered || delivery.head == place {
            self.hand_out(&mut delivery, options);
        } else {
            let delivery = &mut *delivery;
            let kept = &mut delivery.order[place].kept;
            kept.push(options.len() as OptionId);
            kept.extend_from_slice(options);
            delivery.kept += options.len() + 1;
        }
    }

    fn hand_out(&self, delivery: &mut Delivery<'_>, options: &[OptionId]) {
        if delivery.left == 0 || self.is_over.load(Ordering::Relaxed) {
            return;
        }
        delivery.left -= 1;
        delivery.progress.solutions += 1;
        if delivery.watch.solution(options).is_break() {
            self.end(Ok(End::Refused));
        } else if delivery.left == 0 {
            self.end(Ok(End::Solutions));
        }
    }

    /// A task of an ordered run is done: if it is the head, the turn goes on.
    pub(super) fn close(&self, delivery: &mut Delivery<'_>, place: usize) {
        if !self.is_ordered {
            return;
        }
        delivery.order[place].is_done = true;
        while delivery.order[delivery.head].is_done {
            let Some(next) = delivery.order[delivery.head].next else { return };
            delivery.head = next;
            let kept = std::mem::take(&mut delivery.order[next].kept);
            delivery.kept -= kept.len();
            let mut rest = &kept[..];
            while let [len, options @ ..] = rest {
                let (options, behind) = options.split_at((*len as usize).min(options.len()));
                self.hand_out(delivery, options);
                rest = behind;
            }
            self.room.notify_all();
        }
    }
}

impl<'a> Delivery<'a> {
    /// Hands out at most `limit` solutions; `depths` is an empty list that is used again.
    pub(super) fn new(
        watch: &'a mut dyn Watch,
        limit: u64,
        is_ordered: bool,
        depths: Vec<u64>,
    ) -> Delivery<'a> {
        Delivery {
            watch,
            progress: Progress::default(),
            counted: Natural::ZERO,
            updates: 0,
            depths,
            reported: Instant::now(),
            left: limit,
            order: if is_ordered { vec![Place::default()] } else { Vec::new() },
            head: 0,
            kept: 0,
        }
    }

    /// A place right behind that of the task which gives a branch away.
    pub(super) fn place_behind(&mut self, place: usize) -> usize {
        let new = self.order.len();
        let next = self.order[place].next.replace(new);
        self.order.push(Place { next, ..Place::default() });
        new
    }
}
