//! The solutions that a race has found, so that none is delivered twice.

use crate::OptionId;
use crate::lists::{Lists, Slots};

/// Solutions in order after which no restarts are needed: the search in order finds enough of them.
const ENOUGH: usize = 1000;
/// Options that are remembered, 64 MB of them. After that only the search in order goes on.
const MOST_OPTIONS: usize = if cfg!(test) { 1 << 14 } else { 1 << 24 };

/// Who takes part in a race.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Turn {
    #[default]
    Order,
    Restarts,
    Learner,
}

impl Turn {
    pub(super) const ALL: [Turn; 3] = [Turn::Order, Turn::Restarts, Turn::Learner];

    /// Its name in reports, unless it goes through the stages.
    pub(super) fn name(self) -> Option<&'static str> {
        match self {
            Turn::Order => None,
            Turn::Restarts => Some("restarts"),
            Turn::Learner => Some("clauses"),
        }
    }

    pub(super) fn next(self) -> Turn {
        Turn::ALL[(self as usize + 1) % Turn::ALL.len()]
    }
}

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

/// What a race does with a solution.
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
    pub(super) fn add(&mut self, solution: &[OptionId], turn: Turn) -> Verdict {
        let SolutionSet { solutions, slots, sorted, are_in_order } = self;
        sorted.clear();
        sorted.extend(solution.iter().map(|option| option.0));
        sorted.sort_unstable();
        let Err(slot) = slots.find(solutions, sorted) else { return Verdict::Old };
        if solutions.words.len() + sorted.len() > MOST_OPTIONS {
            return if turn == Turn::Order { Verdict::New } else { Verdict::Lost };
        }
        slots.set(slot, solutions.len() as u32);
        solutions.words.extend_from_slice(sorted);
        solutions.ends.push(solutions.words.len());
        *are_in_order &= turn == Turn::Order;
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
            (0..).find(|&option| known.add(&[OptionId(option); 100], Turn::Restarts) == Verdict::Lost);
        assert_eq!(first_lost, Some(MOST_OPTIONS as u32 / 100));
        for turn in [Turn::Restarts, Turn::Order] {
            assert_eq!(known.add(&[OptionId(0); 100], turn), Verdict::Old);
        }
        assert_eq!(known.add(&[OptionId(first_lost.unwrap()); 100], Turn::Order), Verdict::New);
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
                        assert_eq!(known.add(&[one, 1000, other].map(OptionId), Turn::Restarts), round);
                    }
                    assert_eq!(known.add(&[1000, one].map(OptionId), Turn::Order), round);
                }
            }
            assert_eq!(known.add(&[], Turn::Order), Verdict::New);
            assert_eq!(known.add(&[], Turn::Order), Verdict::Old);
        }
        known.clear();
        for option in 0..ENOUGH as u32 {
            let verdict = known.add(&[OptionId(option)], Turn::Order);
            assert_eq!(verdict == Verdict::NewAndOrderly, option as usize + 1 == ENOUGH);
        }
    }
}
