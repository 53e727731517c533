//! Counting instead of finding: the numbers of the levels under way, and what was counted before.

use super::memo::Memo;
use crate::Natural;

/// Of the ends of branches that are only counted so many are shown at first, and then every 64th.
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
    /// Whether nothing of it was given away.
    is_whole: bool,
}

/// What a search counts.
#[derive(Clone, Debug)]
pub(super) struct Counting<const W: usize> {
    memo: Memo<W>,
    policy: Policy,
    is_remembering: bool,
    /// Whether nothing was searched since the start.
    is_fresh: bool,
    /// Whether what was remembered holds for this search.
    holds: bool,
    /// One for every level, while it remembers.
    frames: Vec<Frame<W>>,
    /// Solutions that nobody was told of yet.
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

    /// The same with nothing counted.
    pub(super) fn fork(&self) -> Counting<W> {
        Counting { policy: self.policy, ..Counting::new() }
    }

    /// A search begins: a branch of the last one, or another one. (What was remembered before another one never holds
    /// again, though nothing be counted in it.)
    pub(super) fn start(&mut self, is_branch: bool) {
        self.forget();
        self.holds &= is_branch;
        (self.is_fresh, self.fresh, self.ends) = (true, Natural::ZERO, 0);
    }

    /// The search goes on, to count or to find: only one that counts from the beginning can remember.
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

    /// Whether the end of a branch is to be shown, one solution after the other.
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

    /// Takes what was counted since the last call.
    pub(super) fn take_fresh(&mut self) -> Natural {
        std::mem::take(&mut self.fresh)
    }

    /// Stops remembering where it does not pay; `false` if the search is to be given up then.
    #[inline(always)]
    pub(super) fn pays(&mut self) -> bool {
        if self.memo.pays() {
            return true;
        }
        self.forget();
        self.policy != Policy::OrGiveUp
    }

    /// Adds the solutions of what is left, if they were counted before; otherwise a level for it is begun.
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

    /// The last level is left.
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

    /// A branch of `level` is given away: neither it nor those above it will be whole.
    pub(super) fn split(&mut self, level: usize) {
        self.frames.iter_mut().take(level + 1).for_each(|frame| frame.is_whole = false);
    }
}
