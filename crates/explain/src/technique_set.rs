//! A set of techniques: a bit for each row of the table.

use crate::technique::Technique;
use crate::techniques::{TECHNIQUES, rank};

/// A set of techniques of the table [`TECHNIQUES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TechniqueSet(u64);

const _: () = assert!(TECHNIQUES.len() <= u64::BITS as usize);

impl TechniqueSet {
    /// All techniques.
    pub(crate) fn all() -> TechniqueSet {
        TechniqueSet(u64::MAX >> (u64::BITS as usize - TECHNIQUES.len()))
    }

    /// The techniques by which puzzles are rated.
    pub(crate) fn rated() -> TechniqueSet {
        let others = TECHNIQUES.iter().filter(|technique| !technique.is_rated);
        others.fold(TechniqueSet::all(), TechniqueSet::without)
    }

    /// The techniques of the set up to `hardest`, in the order of the table.
    #[must_use]
    pub(crate) fn up_to(self, hardest: &'static Technique) -> TechniqueSet {
        TechniqueSet(self.0 & (u64::MAX >> (u64::BITS as usize - 1 - rank(hardest))))
    }

    /// The techniques of the set, but not `technique`.
    #[must_use]
    pub(crate) fn without(self, technique: &'static Technique) -> TechniqueSet {
        TechniqueSet(self.0 & !(1 << rank(technique)))
    }

    /// Whether `technique` is in the set.
    pub(crate) fn has(self, technique: &'static Technique) -> bool {
        self.0 >> rank(technique) & 1 == 1
    }

    /// The techniques of the set, the easiest first.
    pub(crate) fn iter(self) -> impl Iterator<Item = &'static Technique> {
        TECHNIQUES
            .iter()
            .enumerate()
            .filter(move |(at, _)| self.0 >> at & 1 == 1)
            .map(|(_, technique)| technique)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_their_techniques() {
        assert!(TechniqueSet::all().iter().eq(&TECHNIQUES));
        for (at, technique) in TECHNIQUES.iter().enumerate() {
            assert!(TechniqueSet::all().up_to(technique).iter().eq(&TECHNIQUES[..=at]));
            let without = TechniqueSet::all().without(technique);
            assert!(!without.has(technique) && without.iter().count() == TECHNIQUES.len() - 1);
        }
    }
}
