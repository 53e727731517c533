//! The solutions that a race has found, so that none is delivered twice.

use super::race::Turn;
use crate::OptionId;

/// Solutions in order after which no restarts are needed: the search in order finds enough of them.
const ENOUGH: usize = 1000;
/// Options that are remembered: 64 MB. After that only the search in order goes on.
const MOST_OPTIONS: usize = 1 << 24;

/// The solutions, in a hash table with open addressing.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// A hash of each solution, and the end of its options in `options`.
    hashes: Vec<(u64, usize)>,
    /// The options of all solutions, those of each ascending.
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
    /// It is new, and from now on only the search in order goes on, whose solutions are all new.
    NewAndOrderly,
}

const NO_SOLUTION: u32 = u32::MAX;

impl Known {
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
            (hash.rotate_left(5) ^ u64::from(option)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        if self.slots.len() <= 2 * self.hashes.len() {
            self.grow();
        }
        let Some(slot) = self.free_slot(hash) else { return Verdict::Old };
        let is_full = self.options.len() + self.sorted.len() > MOST_OPTIONS;
        if is_full && turn == Turn::Order {
            return Verdict::New;
        }
        if is_full {
            return Verdict::Old;
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

    fn grow(&mut self) {
        let slots = (2 * self.slots.len()).max(64);
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

    #[test]
    fn every_solution_is_new_once() {
        let mut known = Known::default();
        for _ in 0..2 {
            known.clear();
            assert!(known.is_empty());
            for round in [Verdict::New, Verdict::Old] {
                for one in 0..60 {
                    for other in 0..one {
                        assert_eq!(known.add(&[one, 1000, other], Turn::Restarts), round);
                    }
                    assert_eq!(known.add(&[1000, one], Turn::Order), round);
                }
            }
            assert_eq!(known.add(&[], Turn::Order), Verdict::New);
            assert_eq!(known.add(&[], Turn::Order), Verdict::Old);
        }
        known.clear();
        for option in 0..ENOUGH as u32 {
            let verdict = known.add(&[option], Turn::Order);
            assert_eq!(verdict == Verdict::NewAndOrderly, option as usize + 1 == ENOUGH);
        }
    }
}
