//! Multiplicity planes: items that are covered several times or need not be covered, with the numbers of all items
//! bit-sliced.
//!
//! For every primary item a [state](stack) holds three numbers, [one bit of all items side by side](numbers), and
//! beside them a row of bits:
//! ```text
//! low      how often it must still be covered                  B planes of W words
//! high     how often it may still be covered                   B planes of W words
//! slack    its live options minus `low`: how many of them      K planes of W words
//!          it can lose
//! live     of each option: whether it is neither chosen nor eliminated
//! ```
//! Branching. An item that can lose s options has s + 1 branches. Branch t chooses its t-th option and forbids the
//! options before it, so every solution lies in one branch, the one of its first option. The last branch forbids s of
//! them: then the item needs all its other options, which propagation chooses. Or, if the item need not be covered, s
//! is the number of its options, and the last branch chooses none. So two neighbouring branches differ by one forbidden
//! option:
//! ```text
//! level 0   o ────── first forbidden ────── second forbidden ── ..     in place: propagated at once, and the
//!           │ first chosen           │ second chosen                   item selected again
//! level 1   o                        o                                 copies
//! ```
//! 1. The consequences of forbidden options are computed once, not in every later branch; a contradiction skips all
//!    branches that are left.
//! 2. The item of least slack, the first of several, is selected again after each branch. Mostly it is the same one,
//!    because its slack has just decreased.
//! 3. The rest of a level is one branch, which can be split off ([`split`](crate::engine::CoverEngine::split)): the
//!    options chosen and forbidden above describe it.
//! 4. A count does not visit the solutions that differ in their last option only.
//!
//! Some solutions in any order are [sought](seek) with restarts.
//!
//! Tried and lost: a list of the live options, copied and counted in every state. It was 2.2 times slower on mixed
//! dominoes and 4 times on queen domination.
//!
//! Problems without bounds are solved too, but not fast: an item covered once does not need three numbers.

mod numbers;
mod seek;
mod stack;
mod tables;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::engine::search::{Choices, Moves, Restarting};
use crate::engine::{Contradiction, CoverEngine, CoverEntry, Seeker, Unsuitable};
use crate::{Assumptions, ExactCover, OptionId};
use numbers::{both, is_empty};
use stack::{Stack, State};
use tables::{Size, Tables};

/// The row in the table of engines.
pub(crate) const ENTRY: CoverEntry = CoverEntry {
    name: "planes",
    about: "multiplicity planes: bounds of all items bit-sliced; up to 1,024 primary items, 16,384 options",
    lists: true,
    holds: |problem| smallest(problem).map(|_| ()),
    make: |problem, _| Ok(smallest(problem)?(problem)),
};

/// What builds the engine of the smallest size that fits.
fn smallest(problem: &ExactCover) -> Result<Make, Unsuitable> {
    let size = Size::of(problem)?;
    match SIZES.iter().find(|(room, _)| size.fits(*room)) {
        Some(&(_, make)) => Ok(make),
        None => {
            // The largest size: 16 words of items, numbers of 14 bits.
            Unsuitable::check_size("primary items", problem.primary_count(), 64 * 16)?;
            Err(Unsuitable::TooLarge { what: "options", found: problem.option_count(), most: (1 << 14) - 1 })
        }
    }
}

/// Builds an engine of one size.
type Make = fn(&ExactCover) -> Box<dyn CoverEngine>;

/// The sizes compiled, smallest first: words of a set of items, planes of the slack, planes of the bounds. Those that
/// the problems of the benches need are exact.
const SIZES: &[(Size, Make)] = &[
    size::<1, 6, 3>(),
    size::<1, 8, 4>(),
    size::<2, 6, 3>(),
    size::<2, 8, 4>(),
    size::<4, 8, 4>(),
    size::<16, 14, 14>(),
];

const fn size<const W: usize, const K: usize, const B: usize>() -> (Size, Make) {
    (Size { words: W, slack: K, bound: B }, |problem| Box::new(Choices::new(Planes::<W, K, B>::new(problem))))
}

/// A problem in planes, and the states of a search.
struct Planes<const W: usize, const K: usize, const B: usize> {
    tables: Arc<Tables<W, K, B>>,
    stack: Stack<W, K, B>,
}

impl<const W: usize, const K: usize, const B: usize> Planes<W, K, B> {
    /// A problem that fits this size.
    fn new(problem: &ExactCover) -> Self {
        Self::of(Arc::new(Tables::new(problem)))
    }

    fn of(tables: Arc<Tables<W, K, B>>) -> Self {
        Planes { stack: Stack::new(&tables.root), tables }
    }
}

impl<const W: usize, const K: usize, const B: usize> Moves for Planes<W, K, B> {
    fn fork(&self) -> Self {
        Self::of(Arc::clone(&self.tables))
    }

    #[inline(always)]
    fn option_of(&self, number: u32) -> OptionId {
        OptionId(number)
    }

    /// Forbids options first: then all of them are live.
    fn assume(
        &mut self,
        assumptions: &Assumptions,
        forbidden: &mut Vec<OptionId>,
    ) -> Result<(), Contradiction> {
        self.stack.reset(&self.tables)?;
        for &option in &assumptions.forbidden {
            if self.stack.is_live(option.0) {
                forbidden.push(option);
                self.forbid(option.0)?;
            }
        }
        for &option in &assumptions.chosen {
            if self.stack.is_live(option.0) {
                self.choose(option.0)?;
            } else if !self.stack.chosen.contains(&option) {
                return Err(Contradiction);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn choose(&mut self, option: u32) -> Result<(), Contradiction> {
        self.stack.choose(&self.tables, OptionId(option))
    }

    #[inline(always)]
    fn forbid(&mut self, option: u32) -> Result<(), Contradiction> {
        self.stack.forbid(&self.tables, OptionId(option))
    }

    #[inline(always)]
    fn propagate(&mut self) -> Result<Option<(usize, u32)>, Contradiction> {
        self.stack.propagate(&self.tables)
    }

    #[inline(always)]
    fn first_of(&self, item: usize) -> Option<u32> {
        self.stack.first_of(&self.tables, item).map(|option| option.0)
    }

    #[inline(always)]
    fn save(&mut self) {
        self.stack.save();
    }

    #[inline(always)]
    fn restore(&mut self, level: usize, chosen: usize) {
        self.stack.restore(level, chosen);
    }

    #[inline(always)]
    fn chosen_count(&self) -> usize {
        self.stack.chosen.len()
    }

    fn write_chosen(&self, count: usize, options: &mut Vec<OptionId>) {
        options.extend_from_slice(&self.stack.chosen[..count]);
    }

    /// If all live options cover an item that can be covered once more, and all cover each item that must be covered
    /// once more.
    #[inline(always)]
    fn last_choices(&self, item: usize, slack: u32) -> u64 {
        let State { low, high, live, .. } = self.stack.current();
        if live.iter().zip(self.tables.options_of(item)).any(|(live, of_item)| live & !of_item != 0) {
            return 0;
        }
        // No open item has a smaller slack. So all live options cover each item that must be covered once more.
        let needed = low.nonzero();
        let is_needed = needed[item / 64] >> (item % 64) & 1 == 1;
        let is_last = low.ones() == needed && !is_empty(&both(&needed, &high.ones()));
        if is_needed && is_last { u64::from(slack) + 1 } else { 0 }
    }

    fn take_ticks(&mut self) -> u64 {
        std::mem::take(&mut self.stack.ticks)
    }

    fn seeker(&self) -> Option<Box<dyn Seeker>> {
        Some(Box::new(Restarting::new(self.fork())))
    }
}
