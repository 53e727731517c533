//! The solutions that the runners have found, so that none is delivered twice.

use super::beside::Who;
use crate::OptionId;
use crate::lists::{Lists, Slots};

/// Solutions in order after which no restarts are needed: the search in order finds enough of them.
const ENOUGH: usize = 1000;
/// Options that are remembered, 64 MB of them. After that only the search in order goes on.
const MOST_OPTIONS: usize = if cfg!(test) { 1 << 14 } else { 1 << 24 };

/// The solutions.
#[derive(Debug, Default)]
pub(super) struct SolutionSet {
    /// The options of all solutions, ascending in each solution.
    solutions: Lists,
    slots: Slots,
    sorted: Vec<u32>,
    /// Whether all of them were found in order, so that the search in order finds none of them again.
    are_in_order: bool,
}

/// What is done with a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    New,
    /// It was delivered before.
    Old,
    /// It may be new, but cannot be remembered. The search in order finds it, too.
    Lost,
    /// It is new, and from now on only the search in order goes on, whose solutions are all new.
    NewAndOrderly,
}

impl SolutionSet {
    pub(super) fn clear(&mut self) {
        self.solutions.words.clear();
        self.solutions.ends.clear();
        self.slots.clear();
        self.are_in_order = true;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.solutions.len() == 0
    }

    /// Takes note of a solution.
    pub(super) fn add(&mut self, solution: &[OptionId], who: Who) -> Verdict {
        let SolutionSet { solutions, slots, sorted, are_in_order } = self;
        sorted.clear();
        sorted.extend(solution.iter().map(|option| option.0));
        sorted.sort_unstable();
        let Err(slot) = slots.find(solutions, sorted) else { return Verdict::Old };
        if solutions.words.len() + sorted.len() > MOST_OPTIONS {
            return if who == Who::Order { Verdict::New } else { Verdict::Lost };
        }
        slots.set(slot, solutions.len() as u32);
        solutions.words.extend_from_slice(sorted);
        solutions.ends.push(solutions.words.len());
        *are_in_order &= who == Who::Order;
        if *are_in_order && solutions.len() >= ENOUGH { Verdict::NewAndOrderly } else { Verdict::New }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is remembered stays known. Of the others only those in order are new.
    #[test]
    fn too_many_solutions_are_lost() {
        let mut known = SolutionSet::default();
        known.clear();
        let first_lost =
            (0..).find(|&option| known.add(&[OptionId(option); 100], Who::Restarts) == Verdict::Lost);
        assert_eq!(first_lost, Some(MOST_OPTIONS as u32 / 100));
        for turn in [Who::Restarts, Who::Order] {
            assert_eq!(known.add(&[OptionId(0); 100], turn), Verdict::Old);
        }
        assert_eq!(known.add(&[OptionId(first_lost.unwrap()); 100], Who::Order), Verdict::New);
    }

    #[test]
    fn every_solution_is_new_once() {
        let mut known = SolutionSet::default();
        for _ in 0..2 {
            known.clear();
            assert!(known.is_empty());
            for round in [Verdict::New, Verdict::Old] {
                for one in 0..60 {
                    for other in 0..one {
                        assert_eq!(known.add(&[one, 1000, other].map(OptionId), Who::Restarts), round);
                    }
                    assert_eq!(known.add(&[1000, one].map(OptionId), Who::Order), round);
                }
            }
            assert_eq!(known.add(&[], Who::Order), Verdict::New);
            assert_eq!(known.add(&[], Who::Order), Verdict::Old);
        }
        known.clear();
        for option in 0..ENOUGH as u32 {
            let verdict = known.add(&[OptionId(option)], Who::Order);
            assert_eq!(verdict == Verdict::NewAndOrderly, option as usize + 1 == ENOUGH);
        }
    }
}
