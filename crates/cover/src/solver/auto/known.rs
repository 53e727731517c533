//! The solutions that a race has found, so that none is delivered twice.

use crate::OptionId;

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

/// The solutions, in a hash table with open addressing.
#[derive(Debug, Default)]
pub(super) struct SolutionSet {
    /// A hash of each solution, and the end of its options in `options`.
    hashes: Vec<(u64, usize)>,
    /// The options of all solutions, ascending in each solution.
    options: Vec<OptionId>,
    /// For each slot the number of a solution, or of none. A power of two, and at least twice the solutions.
    slots: Vec<u32>,
    sorted: Vec<OptionId>,
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

const NO_SOLUTION: u32 = u32::MAX;

impl SolutionSet {
    pub(super) fn clear(&mut self) {
        self.hashes.clear();
        self.options.clear();
        self.slots.fill(NO_SOLUTION);
        self.are_in_order = true;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Takes note of a solution.
    pub(super) fn add(&mut self, solution: &[OptionId], turn: Turn) -> Verdict {
        self.sorted.clear();
        self.sorted.extend_from_slice(solution);
        self.sorted.sort_unstable();
        let hash = self.sorted.iter().fold(0_u64, |hash, &option| {
            (hash.rotate_left(5) ^ u64::from(option.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        let is_full = !self.make_room();
        let Some(slot) = self.free_slot(hash) else { return Verdict::Old };
        if is_full && turn == Turn::Order {
            return Verdict::New;
        }
        if is_full {
            return Verdict::Lost;
        }
        self.slots[slot] = self.hashes.len() as u32;
        self.options.extend_from_slice(&self.sorted);
        self.hashes.push((hash, self.options.len()));
        self.are_in_order &= turn == Turn::Order;
        if self.are_in_order && self.hashes.len() >= ENOUGH { Verdict::NewAndOrderly } else { Verdict::New }
    }

    /// The free slot for the solution in `sorted`; `None` if it is known.
    fn free_slot(&self, hash: u64) -> Option<usize> {
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> 32) as usize & mask;
        while let Some(&(other, end)) = self.hashes.get(self.slots[slot] as usize) {
            let start = end - self.sorted.len().min(end);
            // Of equal options: the number of options is part of the hash only by chance.
            if other == hash
                && self.start_of(self.slots[slot]) == start
                && self.options[start..end] == self.sorted[..]
            {
                return None;
            }
            slot = (slot + 1) & mask;
        }
        Some(slot)
    }

    fn start_of(&self, solution: u32) -> usize {
        (solution as usize).checked_sub(1).map_or(0, |before| self.hashes[before].1)
    }

    /// Makes room for the solution in `sorted`; `false` if too many are remembered.
    fn make_room(&mut self) -> bool {
        if self.slots.len() <= 2 * self.hashes.len() {
            self.grow((2 * self.slots.len()).max(64));
        }
        self.options.len() + self.sorted.len() <= MOST_OPTIONS
    }

    fn grow(&mut self, slots: usize) {
        self.slots.clear();
        self.slots.resize(slots, NO_SOLUTION);
        for (solution, &(hash, _)) in (0..).zip(&self.hashes) {
            let mut slot = (hash >> 32) as usize & (slots - 1);
            while self.slots[slot] != NO_SOLUTION {
                slot = (slot + 1) & (slots - 1);
            }
            self.slots[slot] = solution;
        }
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
