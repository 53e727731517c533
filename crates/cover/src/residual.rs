//! What remains of a problem after some options were taken: the plain way, for work off the hot path.
//!
//! The live options are a set that the caller owns, so that going back is to use an older set. How often the primary
//! items are covered is counted here; [`give_back`](Residual::give_back) undoes it.

use crate::engine::Contradiction;
use crate::problem::Use;
use crate::{ExactCover, ItemId, OptionId};

/// A set of options, a bit each.
pub(crate) type Set = Box<[u64]>;

/// What remains of a problem.
pub(crate) struct Residual<'p> {
    pub(crate) problem: &'p ExactCover,
    /// The options of each item, and where they start.
    uses: Vec<Use>,
    starts: Vec<u32>,
    /// How often each primary item is covered.
    covered: Vec<u32>,
    /// Live options of each primary item, as they were last counted.
    counts: Vec<u32>,
    /// Terms counted so far: a measure of the work done that does not depend on the machine.
    pub(crate) work: u64,
}

impl<'p> Residual<'p> {
    pub(crate) fn new(problem: &'p ExactCover) -> Residual<'p> {
        let (uses, starts) = problem.uses();
        let covered = vec![0; problem.primary_count()];
        Residual { problem, uses, starts, counts: covered.clone(), covered, work: 0 }
    }

    /// All options.
    pub(crate) fn all(&self) -> Set {
        let options = self.problem.option_count();
        let mut live = vec![u64::MAX; options.div_ceil(64)].into_boxed_slice();
        if let (Some(last), used @ 1..) = (live.last_mut(), options % 64) {
            *last = (1 << used) - 1;
        }
        live
    }

    /// All primary items.
    pub(crate) fn items(&self) -> Vec<u32> {
        (0..self.problem.primary_count() as u32).collect()
    }

    fn uses_of(&self, item: u32) -> &[Use] {
        &self.uses[self.starts[item as usize] as usize..self.starts[item as usize + 1] as usize]
    }

    /// How often a primary item must still be covered.
    pub(crate) fn need(&self, item: u32) -> u32 {
        self.problem.bounds(ItemId(item)).low.saturating_sub(self.covered[item as usize])
    }

    /// Whether a primary item had live options at the last count.
    pub(crate) fn has_options(&self, item: u32) -> bool {
        self.counts[item as usize] > 0
    }

    /// Takes an option, and removes those that it excludes.
    pub(crate) fn take(&mut self, live: &mut Set, option: u32, taken: &mut Vec<u32>) {
        taken.push(option);
        remove(live, option);
        for term in self.problem.option(OptionId(option)) {
            let is_full = match self.covered.get_mut(term.item.index()) {
                Some(covered) => {
                    *covered += 1;
                    *covered == self.problem.bounds(term.item).high
                }
                None => true,
            };
            if is_full {
                for &Use { option: other, colour } in self.uses_of(term.item.0) {
                    if colour == 0 || colour != term.colour {
                        remove(live, other);
                    }
                }
            }
        }
    }

    /// Undoes the covers of options taken, and empties their list.
    pub(crate) fn give_back(&mut self, taken: &mut Vec<u32>) {
        for term in taken.drain(..).flat_map(|option| self.problem.option(OptionId(option))) {
            if let Some(covered) = self.covered.get_mut(term.item.index()) {
                *covered -= 1;
            }
        }
    }

    /// Counts the live options of these primary items.
    pub(crate) fn count(&mut self, live: &[u64], items: &[u32]) {
        items.iter().for_each(|&item| self.counts[item as usize] = 0);
        let mut work = (items.len() + live.len()) as u64;
        for term in members(live).flat_map(|option| self.problem.option(OptionId(option))) {
            work += 1;
            if let Some(count) = self.counts.get_mut(term.item.index()) {
                *count += 1;
            }
        }
        self.work += work;
    }

    /// Takes forced options until none is left.
    pub(crate) fn settle(
        &mut self,
        live: &mut Set,
        items: &[u32],
        taken: &mut Vec<u32>,
    ) -> Result<(), Contradiction> {
        loop {
            self.count(live, items);
            let mut is_settled = true;
            for &item in items {
                let (count, need) = (self.counts[item as usize], self.need(item));
                if count < need {
                    return Err(Contradiction);
                }
                if count == need && need > 0 {
                    is_settled = false;
                    // If an option taken since the count excludes it, the next count finds too few.
                    let first = self.uses_of(item).iter().find(|member| contains(live, member.option));
                    if let Some(&Use { option, .. }) = first {
                        self.take(live, option, taken);
                    }
                }
            }
            if is_settled {
                return Ok(());
            }
        }
    }

    /// The item to branch on: one of those that need a cover, with the fewest live options to spare at the last count.
    pub(crate) fn choose(&self, items: &[u32]) -> Option<u32> {
        let spare = |&&item: &&u32| {
            let (count, need) = (self.counts[item as usize], self.need(item));
            (need == 0, count.saturating_sub(need))
        };
        items.iter().filter(|&&item| self.has_options(item)).min_by_key(spare).copied()
    }

    /// The live options of an item, ascending.
    pub(crate) fn live_options(&self, live: &Set, item: u32) -> Vec<u32> {
        let uses = self.uses_of(item).iter().map(|member| member.option);
        uses.filter(|&option| contains(live, option)).collect()
    }
}

pub(crate) fn contains(set: &[u64], option: u32) -> bool {
    set[option as usize / 64] >> (option % 64) & 1 == 1
}

pub(crate) fn remove(set: &mut [u64], option: u32) {
    set[option as usize / 64] &= !(1 << (option % 64));
}

/// The options of a set, ascending.
fn members(set: &[u64]) -> impl Iterator<Item = u32> {
    set.iter().enumerate().flat_map(|(index, &word)| {
        let next = |&word: &u64| Some(word & (word - 1)).filter(|&word| word != 0);
        let words = std::iter::successors(Some(word).filter(|&word| word != 0), next);
        words.map(move |word| 64 * index as u32 + word.trailing_zeros())
    })
}
