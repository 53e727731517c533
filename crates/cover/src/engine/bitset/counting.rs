//! Counting instead of finding: the numbers of the levels under way, and what was counted before.

use super::memo::Memo;
use super::record::Recorder;
use crate::{Natural, OptionId};

/// Ends of counted branches that are shown at first; after them every 64th is shown.
const SHOWN: u64 = 64;

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
    /// Whether the search gives up if remembering does not pay.
    pub(super) gives_up: bool,
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
    /// Records a diagram: remembered numbers are then nodes of it.
    pub(super) recorder: Option<Box<Recorder>>,
}

impl<const W: usize> Counter<W> {
    /// Counts with an empty `memo`.
    pub(super) fn new(memo: Memo<W>, gives_up: bool) -> Counter<W> {
        Counter {
            memo,
            gives_up,
            is_remembering: false,
            is_fresh: false,
            holds: false,
            frames: Vec::new(),
            fresh: Natural::ZERO,
            ends: 0,
            recorder: None,
        }
    }

    /// The same counter and size of the table, with nothing counted.
    pub(super) fn fork(&self) -> Counter<W> {
        Counter::new(self.memo.like(), self.gives_up)
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
            self.is_remembering = true;
            if !self.holds {
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

    /// Whether a solution at the end of this branch must be shown.
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

    /// Whether numbers were lost because the table may not grow.
    pub(super) fn is_forgetting(&self) -> bool {
        self.memo.is_full()
    }

    /// Returns the number of solutions counted since the last call.
    pub(super) fn take_fresh(&mut self) -> Natural {
        std::mem::take(&mut self.fresh)
    }

    /// Stops remembering if it does not pay: `false` if the search should give up.
    #[inline(always)]
    pub(super) fn pays(&mut self) -> bool {
        let pays = !self.gives_up || self.memo.pays();
        if !pays {
            self.forget();
        }
        pays
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
        if let Some((number, tree)) = self.memo.get(key) {
            if let Some(recorder) = &mut self.recorder {
                recorder.branch(options, number);
                return true;
            }
            self.fresh += number;
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
