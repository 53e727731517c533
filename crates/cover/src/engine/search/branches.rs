//! Levels that try the options of one item, one after the other.
//!
//! ```text
//! options  | of level 0: tried, the next, .., given away | of level 1: .. | ..
//!            from              next       end
//! ```
//! A level keeps what its engine needs to go back to the state that the level began in: a [mark](Position::Mark). The
//! engine goes back before the second branch and every later one, so it need not go back after the last.

use super::Step;
use crate::engine::{Event, Meter};

/// What an engine finds at a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict<M> {
    /// An item has no option left.
    Contradiction,
    /// Everything is covered.
    Solution,
    /// An item to branch on: its options were listed. The mark leads back to this state.
    Open(M),
}

/// An engine's state during a search.
pub(crate) trait Position {
    /// What leads back to a state: how much was chosen there, as a rule.
    type Mark: Copy;

    /// Chooses an option, if there is one, and what it forces. Appends the options of the item to branch on to
    /// `options`, as the engine's numbers. `depth` is the number of levels.
    fn enter(&mut self, option: Option<u32>, depth: usize, options: &mut Vec<u32>) -> Verdict<Self::Mark>;

    /// Goes back to the state in which level `depth` began.
    fn go_back(&mut self, depth: usize, mark: Self::Mark);
}

/// An item that is branched on.
#[derive(Clone, Copy, Debug)]
struct BranchLevel<M> {
    /// Its options: the first, the next to try, and the end of those to try.
    from: usize,
    next: usize,
    end: usize,
    /// The number of options when the level began.
    degree: usize,
    mark: M,
}

impl<M> BranchLevel<M> {
    /// The number of branches that were tried or given away.
    fn done(&self) -> f64 {
        (self.degree - (self.end - self.next)) as f64
    }
}

/// A search: its levels and where it continues.
#[derive(Clone, Debug)]
pub(crate) struct Branches<M> {
    levels: Vec<BranchLevel<M>>,
    options: Vec<u32>,
    step: Step,
}

impl<M> Default for Branches<M> {
    /// A search that is complete.
    fn default() -> Branches<M> {
        Branches { levels: Vec::new(), options: Vec::new(), step: Step::Done }
    }
}

impl<M: Copy> Branches<M> {
    /// Begins a new search at the engine's state; it is complete at once if the assumptions are not possible.
    pub(crate) fn start(&mut self, is_possible: bool) {
        self.levels.clear();
        self.options.clear();
        self.step = if is_possible { Step::Enter } else { Step::Done };
    }

    /// Searches to the next event.
    #[inline(always)]
    pub(crate) fn run(&mut self, position: &mut impl Position<Mark = M>, meter: &mut Meter<'_>) -> Event {
        loop {
            let option = match self.branch(meter) {
                Ok(option) => option,
                Err(event) => return event,
            };
            if let Some(level) = self.levels.last()
                && level.next > level.from + 1
            {
                position.go_back(self.levels.len() - 1, level.mark);
            }
            let from = self.options.len();
            match position.enter(option, self.levels.len(), &mut self.options) {
                Verdict::Contradiction => {}
                Verdict::Solution => return Event::Solution,
                Verdict::Open(mark) => {
                    let end = self.options.len();
                    self.levels.push(BranchLevel { from, next: from, end, degree: end - from, mark });
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

    /// Gives away the last untried branch of the shallowest level that has one: the mark of the level, and the option.
    /// See [`CoverEngine::split`](crate::engine::CoverEngine::split).
    pub(crate) fn split(&mut self) -> Option<(M, u32)> {
        let level = self.levels.iter_mut().find(|level| level.next < level.end)?;
        level.end -= 1;
        Some((level.mark, self.options[level.end]))
    }

    /// The share of the search that is done, if all branches of a level count alike. Branches given away are done.
    pub(crate) fn progress(&self) -> f64 {
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
