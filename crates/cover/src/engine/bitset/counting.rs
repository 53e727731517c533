//! Counting instead of finding: the numbers of the levels under way, and what was counted before.

use super::memo::{BYTES, Memo};
use super::record::Recorder;
use crate::memory::Reservation;
use crate::{Natural, OptionId};

/// Ends of counted branches that are shown at first; after them every 64th is shown.
const SHOWN: u64 = 64;

/// Lookups before it is checked whether remembering pays, where states fall apart: most have a part without a solution.
const SPLIT_TRIAL: u64 = 16_000;

/// Whether to remember what was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    /// As long as it pays.
    WhileItPays,
    /// As long as it pays; then the search gives up.
    OrGiveUp,
    /// Always: a diagram is recorded.
    Always,
    /// Never.
    #[cfg(test)]
    Never,
}

/// A level of the search, and its solutions so far.
#[derive(Clone, Debug)]
struct Frame<const W: usize> {
    key: [u64; W],
    number: Natural,
    /// Nodes below it in a search that remembers nothing, so far.
    tree: f64,
    /// Whether no branch of it was given away.
    is_whole: bool,
}

/// What a search counts.
#[derive(Debug)]
pub(super) struct Counter<const W: usize> {
    memo: Memo<W>,
    policy: Policy,
    is_remembering: bool,
    /// Whether the search has only started.
    is_fresh: bool,
    /// Whether the remembered numbers are valid for this search.
    holds: bool,
    /// One frame for every level, while it remembers.
    frames: Vec<Frame<W>>,
    /// Whether the search is in a part of a state, and whether any state of this search was split.
    is_inside: bool,
    has_split: bool,
    /// Solutions counted since the last [`take_fresh`](Self::take_fresh).
    fresh: Natural,
    ends: u64,
    /// Records a diagram: remembered numbers are then nodes of it.
    pub(super) recorder: Option<Box<Recorder>>,
}

impl<const W: usize> Counter<W> {
    pub(super) fn new() -> Counter<W> {
        Counter {
            memo: Memo::within(BYTES, Reservation::default()),
            policy: Policy::WhileItPays,
            is_remembering: false,
            is_fresh: false,
            holds: false,
            frames: Vec::new(),
            is_inside: false,
            has_split: false,
            fresh: Natural::ZERO,
            ends: 0,
            recorder: None,
        }
    }

    pub(super) fn set(&mut self, policy: Policy, memo: Memo<W>) {
        (self.policy, self.memo, self.holds) = (policy, memo, false);
    }

    /// The same policy and size of the table, with nothing counted.
    pub(super) fn fork(&self) -> Counter<W> {
        Counter { policy: self.policy, memo: self.memo.like(), ..Counter::new() }
    }

    /// Starts a search: a branch of the last one, or another one. (Numbers that were remembered before another search
    /// are never valid again, even if that search counts nothing.)
    pub(super) fn start(&mut self, is_branch: bool) {
        self.forget();
        self.holds &= is_branch;
        (self.is_fresh, self.fresh, self.ends) = (true, Natural::ZERO, 0);
        self.has_split &= is_branch;
    }

    /// Continues the search, to count or to find. Only a search that counts from the beginning can remember.
    pub(super) fn go_on(&mut self, is_counted: bool) {
        if !is_counted {
            self.forget();
        } else if self.is_fresh {
            self.is_remembering =
                matches!(self.policy, Policy::WhileItPays | Policy::OrGiveUp | Policy::Always);
            if self.is_remembering && !self.holds {
                self.memo.clear();
                self.holds = true;
            }
        }
        self.is_fresh = false;
    }

    fn forget(&mut self) {
        (self.is_remembering, self.is_inside) = (false, false);
        self.frames.clear();
    }

    /// Whether states that fall apart are split: a search whose branches are shared does not, and none that records.
    #[inline(always)]
    pub(super) fn splits(&self) -> bool {
        self.policy == Policy::OrGiveUp && self.recorder.is_none()
    }

    pub(super) fn set_inside(&mut self, is_inside: bool) {
        self.is_inside = is_inside;
        self.has_split |= is_inside;
    }

    /// Returns the solutions of the part counted last, of the last level, and the nodes below it.
    pub(super) fn take_part(&mut self) -> (Natural, f64) {
        self.frames.last_mut().map_or((Natural::ZERO, 0.0), |frame| {
            (std::mem::take(&mut frame.number), std::mem::take(&mut frame.tree))
        })
    }

    /// Sets the solutions of the last level to the product of its parts. A search that does not split has `tree` nodes
    /// below it, one that does `searched`.
    pub(super) fn put_product(&mut self, product: Natural, tree: f64, searched: f64) {
        self.memo.save(tree - searched);
        if !self.is_inside {
            self.fresh += &product;
        }
        if let Some(frame) = self.frames.last_mut() {
            (frame.number, frame.tree) = (product, tree);
        }
    }

    /// Begins the level with this number again.
    pub(super) fn restart(&mut self, level: usize) {
        self.frames.truncate(level + 1);
        if let Some(frame) = self.frames.last_mut() {
            (frame.number, frame.tree) = (Natural::ZERO, 1.0);
        }
    }

    #[inline(always)]
    pub(super) fn is_remembering(&self) -> bool {
        self.is_remembering
    }

    /// Whether the solutions at the end of this branch must be shown, one after the other.
    #[inline(always)]
    pub(super) fn is_shown(&mut self) -> bool {
        if self.is_inside {
            return false;
        }
        let is_shown = self.ends < SHOWN || self.ends.is_multiple_of(SHOWN) || self.recorder.is_some();
        self.ends += 1;
        is_shown
    }

    /// Adds solutions.
    #[inline(always)]
    pub(super) fn add(&mut self, number: u64) {
        if !self.is_inside {
            self.fresh += number;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.number += number;
        }
    }

    /// Whether numbers were lost because the table may not grow.
    pub(super) fn is_forgetting(&self) -> bool {
        self.memo.is_full()
    }

    /// Returns the number of solutions counted since the last call.
    pub(super) fn take_fresh(&mut self) -> Natural {
        std::mem::take(&mut self.fresh)
    }

    /// Stops remembering if it does not pay. `false` if the search should then give up.
    #[inline(always)]
    pub(super) fn pays(&mut self) -> bool {
        let is_split_tried = self.has_split && self.memo.lookups() < SPLIT_TRIAL;
        if self.memo.pays() || self.is_inside || is_split_tried || self.policy == Policy::Always {
            return true;
        }
        self.forget();
        self.policy != Policy::OrGiveUp
    }

    /// Records a solution: the options chosen since the last level.
    #[inline(always)]
    pub(super) fn record(&mut self, options: &[OptionId]) {
        if let Some(recorder) = &mut self.recorder {
            recorder.end(options);
        }
    }

    /// Adds the solutions of the state with this key, if they were counted before, and returns true; else begins a
    /// level for it. `options` are those chosen since the last level.
    #[inline(always)]
    pub(super) fn recall(&mut self, key: &[u64; W], options: &[OptionId]) -> bool {
        if !self.is_remembering {
            return false;
        }
        if let Some((number, tree)) = self.memo.get(key) {
            if let Some(recorder) = &mut self.recorder {
                recorder.branch(options, number);
                return true;
            }
            if !self.is_inside {
                self.fresh += number;
            }
            if let Some(frame) = self.frames.last_mut() {
                frame.number += number;
                frame.tree += tree;
            }
            return true;
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.begin();
        }
        self.frames.push(Frame { key: *key, number: Natural::ZERO, tree: 1.0, is_whole: true });
        false
    }

    /// Leaves the last level. `options` are those that led to it from the level above.
    #[inline(always)]
    pub(super) fn leave(&mut self, options: &[OptionId]) {
        if let Some(mut frame) = self.frames.pop() {
            if let Some(recorder) = &mut self.recorder {
                frame.number = recorder.leave(options, self.memo.bytes());
            } else if let Some(above) = self.frames.last_mut() {
                above.number += &frame.number;
                above.tree += frame.tree;
            }
            if frame.is_whole {
                self.memo.put(&frame.key, frame.number, frame.tree);
            }
        }
    }

    /// Notes that a branch of `level` is given away: neither this level nor those above it are whole any more.
    pub(super) fn split(&mut self, level: usize) {
        self.frames.iter_mut().take(level + 1).for_each(|frame| frame.is_whole = false);
    }
}
