//! Preprocessing: a problem with fewer options and items, and the same solutions.
//!
//! After Donald Knuth's program DLX-PRE and "The Art of Computer Programming" 4B, section 7.2.2.1. An option is in no
//! solution if choosing it leaves some item without options, so all such options go; then others may be found, until
//! nothing changes. What is known of every solution is taken out as well:
//! ```text
//! item      options                   becomes
//! a  1:1    1 2 3                     8 clashes with 1, 2 and 3: option 8 goes
//! b  2:3    4 5                       options 4 and 5 are forced: b is left with 0:1
//! c  1:1    6 7 } the same options    one item, with the bounds that both have
//! d  0:1    6 7 }
//! x  (or)   1 2                       secondary, and a covers what it says: it goes
//! ```
//!
//! The rules, each sound for colours and for any bounds
//! 1. An item that must be covered `low` times more *kills* an option unless `low` of the item's options go together
//!    with it (the option itself is one of them, if it has the item). Options clash where they share a primary item
//!    that is covered once at most from now on, or disagree on a secondary one.
//! 2. An item with `low` options forces them; with fewer there is no solution.
//! 3. Primary items with the same options are one item. (If all options of one have the other one, rule 1 leaves
//!    both with the same, where both are covered once.)
//! 4. A secondary item goes if all its options share a colour, or if all of them share another item that lets only
//!    one of them be chosen.
//!
//! Tricks
//! 1. An option is not tried by covering its items, which costs as many steps as all that clashes with it has terms.
//!    What an item kills must clash with its first option: what does is a list, from which the item's other options
//!    strike all they go together with. Mostly it is empty after two or three.
//! 2. What an item kills depends on the item's own options alone. So an item is looked at again only when it has lost
//!    one, or when the bounds have changed under it.
//! 3. Options that stand together in an item's list are alike, and let the same candidates live. So the list is gone
//!    through by leaps: 10 to 50 % fewer steps than in its order.
//! 4. The steps are counted: where they run out the rest stays as it is, which is never wrong.
//!
//! What it gains (options before and after, nodes of `auto` in thousands, and how many times as fast with it)
//! ```text
//! pentominoes 6x10   2,056  1,912    3,238  2,845   1.09       pentominoes 8x8   1,568  1,416    269   231   1.0
//! pentominoes 5x12   1,936  1,792    2,045  1,584   1.14       pentominoes 3x20  1,236  1,086     39    33   0.8
//! pentominoes 4x15   1,696  1,550      762    552   1.12
//! ```
//! (Times of a busy machine.) It takes 1 to 2 ms there and below 0.5 ms elsewhere. In no other problem of
//! [`models`](crate::models) an option goes (queens, Langford, dominoes, Soma, 2x5x6, Latin squares, matchings,
//! sudoku without clues, domination, mixed): at the root no item is about to be dead. So it is done where it is asked
//! for, and `auto` does without.

use crate::engine::Contradiction;
use crate::{ExactCover, OptionId};

mod engine;
#[cfg(test)]
mod tests;
mod work;

pub(crate) use engine::Reduced;
use work::Work;

/// Steps (terms looked at) for each term of the problem, and for small ones. Pentominoes take up to 140 a term, all
/// other problems of `models` at most 90.
const STEPS: (u64, u64) = (256, 1 << 14);

/// A problem with fewer options and items; see [`ExactCover::reduce`].
#[derive(Clone, Debug)]
pub struct Reduction {
    problem: ExactCover,
    /// The numbers that its options had.
    original: Vec<OptionId>,
    /// Ascending.
    forced: Vec<OptionId>,
    is_finished: bool,
}

impl ExactCover {
    /// Leaves out the options that are in no solution, and those that are in all; and the items that say nothing new.
    ///
    /// The solutions are the same: each is one of the [reduced problem](Reduction::problem), its options under their
    /// [old numbers](Reduction::original), together with the [forced](Reduction::forced) ones. It takes at most some
    /// hundred steps a term. (A [`Solver`](crate::Solver) does all of this by itself, if its
    /// [`Setup`](crate::Setup) says so.)
    ///
    /// ```
    /// use galop_cover::text;
    ///
    /// // Both options that cover e clash with `a c`, and with `b d`.
    /// let problem = text::read(b"a b c d e\na b\nc d e\na c\nb d\na b e\nc d\n")?.problem;
    /// let reduction = problem.reduce();
    /// let words = |option: u32| problem.option_text(option).to_string();
    /// let left: Vec<String> = (0..4).filter_map(|option| reduction.original(option)).map(words).collect();
    /// assert_eq!(left, ["a b", "c d e", "a b e", "c d"]);
    /// assert_eq!(reduction.problem().item_count(), 3, "a and b have the same options now, c and d too");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reduce(&self) -> Reduction {
        let mut work = Work::new(self, STEPS.0 * self.terms.len() as u64 + STEPS.1);
        match work.run() {
            Ok(()) => work.finish(),
            Err(Contradiction) => nothing(self),
        }
    }
}

impl Reduction {
    /// What is left. Items keep their names and their order. It has no items if all that is left is one solution,
    /// and one item without options if there is none.
    pub fn problem(&self) -> &ExactCover {
        &self.problem
    }

    /// The number that `option` of the reduced problem has in the one that was given, if it is there. (It grows with
    /// `option`.)
    pub fn original(&self, option: OptionId) -> Option<OptionId> {
        self.original.get(option as usize).copied()
    }

    /// The options that every solution has, ascending. They are not in the reduced problem.
    pub fn forced(&self) -> &[OptionId] {
        &self.forced
    }

    /// Whether it ended because nothing could be left out any more, and not because that would take too long.
    pub fn is_finished(&self) -> bool {
        self.is_finished
    }
}

/// What is left of a problem that has no solution.
fn nothing(problem: &ExactCover) -> Reduction {
    let mut left = ExactCover { primary_count: 1, item_count: 1, ..ExactCover::default() };
    left.item_names.extend_from(&problem.item_names, [0]);
    Reduction { problem: left, original: Vec::new(), forced: Vec::new(), is_finished: true }
}
