//! Counting instead of finding: the numbers of the levels under way, and what was counted before.

use super::memo::Memo;
use crate::Natural;

/// Ends of counted branches that are shown at first; after them every 64th is shown.
const SHOWN: u64 = 64;

/// Whether to remember what was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    /// As long as it pays.
    WhileItPays,
    /// As long as it pays; then the search gives up.
    OrGiveUp,
    /// Never.
    #[cfg(test)]
    Never,
}

/// A level of the search, and its solutions so far.
#[derive(Clone, Debug)]
struct Frame<const W: usize> {
    key: [u64; W],
    number: Natural,
    /// Whether no branch of it was given away.
    is_whole: bool,
}

/// What a search counts.
#[derive(Clone, Debug)]
pub(super) struct Counting<const W: usize> {
    memo: Memo<W>,
    policy: Policy,
    is_remembering: bool,
    /// Whether the search has only started.
    is_fresh: bool,
    /// Whether the remembered numbers are valid for this search.
    holds: bool,
    /// One frame for every level, while it remembers.
    frames: Vec<Frame<W>>,
    /// Solutions counted since the last [`take_fresh`](Self::take_fresh).
    fresh: Natural,
    ends: u64,
}

impl<const W: usize> Counting<W> {
    pub(super) fn new() -> Counting<W> {
        Counting {
            memo: Memo::largest(),
            policy: Policy::WhileItPays,
            is_remembering: false,
            is_fresh: false,
            holds: false,
            frames: Vec::new(),
            fresh: Natural::ZERO,
            ends: 0,
        }
    }

    pub(super) fn set(&mut self, policy: Policy, memo: Memo<W>) {
        (self.policy, self.memo, self.holds) = (policy, memo, false);
    }

    /// The same policy and size of the table, with nothing counted.
    pub(super) fn fork(&self) -> Counting<W> {
        Counting { policy: self.policy, ..Counting::new() }
    }

    /// Starts a search: a branch of the last one, or another one. (Numbers that were remembered before another search
    /// are never valid again, even if that search counts nothing.)
    pub(super) fn start(&mut self, is_branch: bool) {
        self.forget();
        self.holds &= is_branch;
        (self.is_fresh, self.fresh, self.ends) = (true, Natural::ZERO, 0);
    }

    /// Continues the search, to count or to find. Only a search that counts from the beginning can remember.
    pub(super) fn go_on(&mut self, is_counted: bool) {
        if !is_counted {
            self.forget();
        } else if self.is_fresh {
            self.is_remembering = matches!(self.policy, Policy::WhileItPays | Policy::OrGiveUp);
            if self.is_remembering && !self.holds {
                self.memo.clear();
                self.holds = true;
            }
        }
        self.is_fresh = false;
    }

    fn forget(&mut self) {
        self.is_remembering = false;
        self.frames.clear();
    }

    #[inline(always)]
    pub(super) fn is_remembering(&self) -> bool {
        self.is_remembering
    }

    /// Whether the solutions at the end of this branch must be shown, one after the other.
    #[inline(always)]
    pub(super) fn is_shown(&mut self) -> bool {
        let is_shown = self.ends < SHOWN || self.ends.is_multiple_of(SHOWN);
        self.ends += 1;
        is_shown
    }

    /// Adds solutions.
    #[inline(always)]
    pub(super) fn add(&mut self, number: u64) {
        self.fresh += number;
        if let Some(frame) = self.frames.last_mut() {
            frame.number += number;
        }
    }

    /// Returns the number of solutions counted since the last call.
    pub(super) fn take_fresh(&mut self) -> Natural {
        std::mem::take(&mut self.fresh)
    }

    /// Stops remembering if it does not pay. `false` if the search should then give up.
    #[inline(always)]
    pub(super) fn pays(&mut self) -> bool {
        if self.memo.pays() {
            return true;
        }
        self.forget();
        self.policy != Policy::OrGiveUp
    }

    /// Adds the solutions of the state with this key, if they were counted before, and returns true; else begins a
    /// level for it.
    #[inline(always)]
    pub(super) fn recall(&mut self, key: &[u64; W]) -> bool {
        if !self.is_remembering {
            return false;
        }
        if let Some(number) = self.memo.get(key) {
            self.fresh += number;
            if let Some(frame) = self.frames.last_mut() {
                frame.number += number;
            }
            return true;
        }
        self.frames.push(Frame { key: *key, number: Natural::ZERO, is_whole: true });
        false
    }

    /// Leaves the last level.
    #[inline(always)]
    pub(super) fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            if let Some(above) = self.frames.last_mut() {
                above.number += &frame.number;
            }
            if frame.is_whole {
                self.memo.put(&frame.key, frame.number);
            }
        }
    }

    /// Notes that a branch of `level` is given away: neither this level nor those above it are whole any more.
    pub(super) fn split(&mut self, level: usize) {
        self.frames.iter_mut().take(level + 1).for_each(|frame| frame.is_whole = false);
    }
}
