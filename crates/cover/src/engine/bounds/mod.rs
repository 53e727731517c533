//! Items that are covered several times or need not be covered: numbers of all items, bit-sliced.
//!
//! How often each item must still be covered, and how many options it can lose, its slack, are stored so that an
//! operation works on 64 items or more at once. Options that are neither chosen nor eliminated are bits of a set.
//!
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
//! There are two [layouts](Layout) of the numbers, which search the same tree: [`planes`] for few items, whose numbers
//! are copied and changed in a few instructions, and [`adders`] for many. Some solutions in any order are
//! [sought](seek) with restarts.
//!
//! Tried and lost
//! - A list of the live options, copied and counted in every state: 2.2 times slower on mixed dominoes, 4 times on
//!   queen domination.
//! - Sparse sets with a size, a low and a high bound of every item (Knuth's program ssmcc). They took two thirds of the
//!   time of adders where a node excludes few options (mixed dominoes 20x20, rosters of 340 to 500 items), twice the
//!   time on a timetable of 15,000 options, and ten times the time on the partridge puzzle of order 8.
//!
//! Problems without bounds are solved too, but not fast: an item covered once does not need three numbers.

mod adders;
mod excluded;
mod numbers;
mod planes;
mod seek;
mod slacks;
mod stack;
mod table;
mod tables;
#[cfg(test)]
mod tests;
mod windows;

use crate::engine::search::Moves;
use crate::engine::{Contradiction, CoverEntry, Seeker};
use crate::{Assumptions, OptionId};
use galop_simd::Simd;
use seek::Seek;
use stack::{Live, Stack};

/// The layout for few items: its row in the table of engines.
pub(crate) const PLANES: CoverEntry = CoverEntry {
    name: "planes",
    about: "multiplicity planes: bounds of all items bit-sliced; up to 1,024 primary items, 16,384 options",
    make: planes::make,
};

/// The layout for many items.
pub(crate) const ADDERS: CoverEntry = CoverEntry {
    name: "adders",
    about: "carry-save adders: bounds of any number of items bit-sliced",
    make: adders::make,
};

/// How a state is stored, and the moves between states. The layout has numbers of its own for the options.
pub(crate) trait Layout: Send + Sized + 'static {
    /// The instruction set that it is compiled for.
    type Isa: Simd;
    type State: Live;

    /// Another one, which shares the tables.
    fn fork(&self) -> Self;

    /// The option with this number, and the number of an option.
    fn option_of(&self, number: u32) -> OptionId;
    fn number_of(&self, option: OptionId) -> Option<u32>;

    fn stack(&self) -> &Stack<Self::State>;
    fn stack_mut(&mut self) -> &mut Stack<Self::State>;

    /// Starts anew: every option is live, and no state is saved.
    fn reset(&mut self) -> Result<(), Contradiction>;

    /// See [`Moves`].
    fn choose(&mut self, option: u32) -> Result<(), Contradiction>;
    fn forbid(&mut self, option: u32) -> Result<(), Contradiction>;
    fn propagate(&mut self) -> Result<Option<(usize, u32)>, Contradiction>;
    fn first_of(&self, item: usize) -> Option<u32>;

    fn last_choices(&self, item: usize, slack: u32) -> u64 {
        let _ = (item, slack);
        0
    }

    /// Visits the live options of an item.
    fn for_each_option(&self, item: usize, visit: impl FnMut(u32));

    /// The number of primary items, or more.
    fn item_count(&self) -> usize;

    /// Visits the open items of least slack. The state is propagated.
    fn for_each_least(&self, visit: impl FnMut(usize));

    /// The slack of an item; `None` if it is not open.
    fn slack_of(&self, item: usize) -> Option<u32>;

    /// How often an option is drawn, compared to others: more often if it covers more items, and if its items with
    /// bounds must be covered more often.
    fn weigh(&self, option: u32) -> u64;
}

impl<L: Layout> Moves for L {
    type Isa = L::Isa;

    fn fork(&self) -> L {
        Layout::fork(self)
    }

    #[inline(always)]
    fn option_of(&self, number: u32) -> OptionId {
        Layout::option_of(self, number)
    }

    /// Forbids options first: then all of them are live.
    fn assume(
        &mut self,
        assumptions: &Assumptions,
        forbidden: &mut Vec<OptionId>,
    ) -> Result<(), Contradiction> {
        self.reset()?;
        for &option in &assumptions.forbidden {
            if let Some(number) = self.number_of(option)
                && self.stack().is_live(number)
            {
                forbidden.push(option);
                Layout::forbid(self, number)?;
            }
        }
        for &option in &assumptions.chosen {
            let number = self.number_of(option).ok_or(Contradiction)?;
            if self.stack().is_live(number) {
                Layout::choose(self, number)?;
            } else if !self.stack().chosen.contains(&number) {
                return Err(Contradiction);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn choose(&mut self, option: u32) -> Result<(), Contradiction> {
        Layout::choose(self, option)
    }

    #[inline(always)]
    fn forbid(&mut self, option: u32) -> Result<(), Contradiction> {
        Layout::forbid(self, option)
    }

    #[inline(always)]
    fn propagate(&mut self) -> Result<Option<(usize, u32)>, Contradiction> {
        Layout::propagate(self)
    }

    #[inline(always)]
    fn first_of(&self, item: usize) -> Option<u32> {
        Layout::first_of(self, item)
    }

    #[inline(always)]
    fn save(&mut self) {
        self.stack_mut().save();
    }

    #[inline(always)]
    fn restore(&mut self, level: usize, chosen: usize) {
        self.stack_mut().restore(level, chosen);
    }

    #[inline(always)]
    fn chosen_count(&self) -> usize {
        self.stack().chosen.len()
    }

    fn write_chosen(&self, count: usize, options: &mut Vec<OptionId>) {
        options.extend(self.stack().chosen[..count].iter().map(|&number| Layout::option_of(self, number)));
    }

    #[inline(always)]
    fn last_choices(&self, item: usize, slack: u32) -> u64 {
        Layout::last_choices(self, item, slack)
    }

    fn take_updates(&mut self) -> u64 {
        std::mem::take(&mut self.stack_mut().updates)
    }

    fn seeker(&self) -> Option<Box<dyn Seeker>> {
        Some(Box::new(Seek::new(Layout::fork(self))))
    }
}
