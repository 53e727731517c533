//! Levels that try the options of one item, one after the other.
//!
//! ```text
//! options  | of level 0: tried, the next, .., given away | of level 1: .. | ..
//!            from              next       end
//! ```
//! A level keeps the number of options that were chosen when it began. The search goes back before the second branch and
//! every later one, so it need not go back after the last.

use super::Walk;
use super::sizes::Size;
use crate::engine::search::Step;
use crate::engine::{Event, Meter};

/// What is found at a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// An item has no option left.
    Contradiction,
    /// Everything is covered.
    Solution,
    /// An item to branch on: its options were listed, when this number of options was chosen.
    Open(usize),
}

/// An item that is branched on.
#[derive(Clone, Copy, Debug)]
struct BranchLevel {
    /// Its options: the first, the next to try, and the end of those to try.
    from: usize,
    next: usize,
    end: usize,
    /// The number of options when the level began.
    degree: usize,
    /// Options chosen before.
    chosen: usize,
}

impl BranchLevel {
    /// The number of branches that were tried or given away.
    fn done(&self) -> f64 {
        (self.degree - (self.end - self.next)) as f64
    }
}

/// A search: its levels and where it continues.
#[derive(Clone, Debug, Default)]
pub(super) struct Branches {
    levels: Vec<BranchLevel>,
    options: Vec<u32>,
    step: Step,
}

impl Branches {
    /// Begins a new search at the engine's state; it is complete at once if the assumptions are not possible.
    pub(super) fn start(&mut self, is_possible: bool) {
        self.levels.clear();
        self.options.clear();
        self.step = if is_possible { Step::Enter } else { Step::Done };
    }

    /// Searches to the next event.
    #[inline(always)]
    pub(super) fn run<N: Size, const COLOURS: bool>(
        &mut self,
        walk: &mut Walk<'_, '_, N, COLOURS>,
        meter: &mut Meter<'_>,
    ) -> Event {
        loop {
            let option = match self.branch(meter) {
                Ok(option) => option,
                Err(event) => return event,
            };
            if let Some(level) = self.levels.last()
                && level.next > level.from + 1
            {
                walk.go_back(self.levels.len() - 1, level.chosen);
            }
            let from = self.options.len();
            match walk.enter(option, self.levels.len(), &mut self.options) {
                Verdict::Contradiction => {}
                Verdict::Solution => return Event::Solution,
                Verdict::Open(chosen) => {
                    let end = self.options.len();
                    self.levels.push(BranchLevel { from, next: from, end, degree: end - from, chosen });
                }
            }
        }
    }

    /// Takes the next branch, after it has left all levels that have none: the option to try, or `None` at the root.
    /// `Err` is the event that ends the search or stops it.
    ///
    /// It is never inlined, so that the loops of the engine have more registers (inlined, `sparse` runs 4 % more
    /// instructions).
    #[inline(never)]
    fn branch(&mut self, meter: &mut Meter<'_>) -> Result<Option<u32>, Event> {
        // A branch is counted before it is taken: a search that stops there can still give it away.
        if self.step == Step::Done {
            return Err(Event::End);
        }
        if self.step != Step::Leave {
            if let Some(stop) = meter.node(0) {
                return Err(Event::Stopped(stop));
            }
            self.step = Step::Leave;
            return Ok(None);
        }
        loop {
            let depth = self.levels.len();
            let Some(level) = self.levels.last_mut() else {
                self.step = Step::Done;
                return Err(Event::End);
            };
            if level.next == level.end {
                self.options.truncate(level.from);
                self.levels.pop();
                continue;
            }
            if let Some(stop) = meter.branch(depth, level.next + 1 < level.end) {
                return Err(Event::Stopped(stop));
            }
            level.next += 1;
            return Ok(Some(self.options[level.next - 1]));
        }
    }

    /// Gives away the last untried branch of the shallowest level that has one: the number of options chosen before it,
    /// and its option.
    /// See [`CoverEngine::split`](crate::engine::CoverEngine::split).
    pub(super) fn split(&mut self) -> Option<(usize, u32)> {
        let level = self.levels.iter_mut().find(|level| level.next < level.end)?;
        level.end -= 1;
        Some((level.chosen, self.options[level.end]))
    }

    /// The share of the search that is done, if all branches of a level count alike. Branches given away are done.
    pub(super) fn progress(&self) -> f64 {
        if self.step == Step::Done {
            return 1.0;
        }
        let (mut done, mut weight) = (0.0, 1.0);
        for (depth, level) in (1..).zip(&self.levels) {
            weight /= level.degree as f64;
            // The branch tried last is under way, unless the search is between two branches.
            let is_between = self.step == Step::Leave && depth == self.levels.len();
            done += weight * (level.done() - if is_between { 0.0 } else { 1.0 });
        }
        done
    }
}
