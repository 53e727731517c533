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
    /// Whether anything was counted with the memory.
    is_used: bool,
    /// One frame for every level.
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
            is_used: false,
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

    /// Starts a search: a branch of the last one, in which the remembered numbers are valid, or another one.
    pub(super) fn start(&mut self, is_branch: bool) {
        self.frames.clear();
        (self.fresh, self.ends) = (Natural::ZERO, 0);
        if !std::mem::replace(&mut self.is_used, true) || !is_branch {
            self.memo.clear();
        }
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

    /// `false` if the search should give up because remembering does not pay.
    #[inline(always)]
    pub(super) fn pays(&self) -> bool {
        !self.gives_up || self.memo.pays()
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
