//! What a search assumes about the options of a problem.

use crate::{CoverError, ExactCover, OptionId};

/// Options that a search takes as chosen or as forbidden. A solver that was built once answers thousands of related
/// problems in this way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumptions {
    /// Every solution contains these options.
    pub chosen: Vec<OptionId>,
    /// No solution contains any of these options.
    pub forbidden: Vec<OptionId>,
}

impl Assumptions {
    /// Checks that `problem` has these options.
    pub(crate) fn check(&self, problem: &ExactCover) -> Result<(), CoverError> {
        let count = problem.option_count();
        match self.chosen.iter().chain(&self.forbidden).find(|&&option| option.index() >= count) {
            Some(&option) => Err(CoverError::UnknownOption { option, count }),
            None => Ok(()),
        }
    }

    /// Replaces all assumptions; the memory is reused.
    pub(crate) fn replace(&mut self, chosen: &[OptionId], forbidden: &[OptionId]) {
        self.chosen.clear();
        self.chosen.extend_from_slice(chosen);
        self.forbidden.clear();
        self.forbidden.extend_from_slice(forbidden);
    }
}
