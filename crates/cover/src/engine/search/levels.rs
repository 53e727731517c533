//! The levels of a search that chooses an option of an item and then forbids it in place:
//! [`planes`](crate::engine::planes) draw it.

use super::Step;
use crate::OptionId;

/// A choice: its option is chosen on the next level and then forbidden on this one.
#[derive(Clone, Copy, Debug)]
struct ChoiceLevel {
    option: u32,
    /// Options chosen, and options forbidden, before this choice.
    chosen: usize,
    forbidden: usize,
    /// The share of the search in which the option is forbidden; `None` if that branch was split off.
    rest: Option<f64>,
}

/// The levels in use. An engine has numbers of its own for the options.
#[derive(Clone, Debug, Default)]
pub(crate) struct Levels {
    levels: Vec<ChoiceLevel>,
    /// The options that are forbidden in the current branch: assumed ones first.
    pub(crate) forbidden: Vec<OptionId>,
    pub(crate) step: Step,
    /// The share of the search below the current state, and the share that is done.
    weight: f64,
    done: f64,
}

impl Levels {
    /// Begins a new search, which is complete unless [`step`](Self::step) says otherwise.
    pub(crate) fn start(&mut self) {
        self.levels.clear();
        self.forbidden.clear();
        (self.step, self.weight, self.done) = (Step::Done, 1.0, 0.0);
    }

    /// The number of levels.
    #[inline(always)]
    pub(crate) fn depth(&self) -> usize {
        self.levels.len()
    }

    /// The option of the last level.
    #[inline(always)]
    pub(crate) fn option(&self) -> Option<u32> {
        self.levels.last().map(|level| level.option)
    }

    /// Starts a level, on which `option` will be chosen. Its item can lose `slack` options; `chosen` are chosen before.
    #[inline(always)]
    pub(crate) fn push(&mut self, option: u32, slack: impl Into<f64>, chosen: usize) {
        let first = self.weight / (slack.into() + 1.0);
        let rest = Some(self.weight - first);
        self.weight = first;
        self.levels.push(ChoiceLevel { option, chosen, forbidden: self.forbidden.len(), rest });
        self.step = Step::Enter;
    }

    /// Backtracks to the last level: its option, which is forbidden now, and how many were chosen before it. `None` if
    /// that branch was split off, or if there is no level: then the search is complete.
    #[inline(always)]
    pub(crate) fn pop(&mut self, option_of: impl Fn(u32) -> OptionId) -> Option<(u32, usize)> {
        self.done += self.weight;
        self.weight = 0.0;
        let Some(ChoiceLevel { option, chosen, forbidden, rest }) = self.levels.pop() else {
            self.step = Step::Done;
            return None;
        };
        self.weight = rest?;
        self.forbidden.truncate(forbidden);
        self.forbidden.push(option_of(option));
        Some((option, chosen))
    }

    /// Splits the rest of the shallowest level off: the number of options chosen before it, and the forbidden options.
    /// See [`CoverEngine::split`](crate::engine::CoverEngine::split).
    pub(crate) fn split(&mut self, option_of: impl Fn(u32) -> OptionId) -> Option<(usize, Vec<OptionId>)> {
        let shallowest = self.levels.iter_mut().find(|level| level.rest.is_some())?;
        self.done += shallowest.rest.take().unwrap_or(0.0);
        let mut forbidden = self.forbidden[..shallowest.forbidden].to_vec();
        forbidden.push(option_of(shallowest.option));
        Some((shallowest.chosen, forbidden))
    }

    /// The share of the search that is done.
    pub(crate) fn progress(&self) -> f64 {
        if self.step == Step::Done { 1.0 } else { self.done.min(1.0) }
    }
}
