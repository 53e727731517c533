//! Preprocessing: a smaller problem with the same solutions.
//!
//! After Donald Knuth's program DLX-PRE and "The Art of Computer Programming" 4B, section 7.2.2.1. An option is in no
//! solution if choosing it leaves some item without options. All such options are removed, which may reveal others, and
//! so on to a fixed point. What holds in every solution is removed too:
//! ```text
//! item      options                   becomes
//! a  1:1    1 2 3                     8 clashes with 1, 2 and 3: option 8 is removed
//! b  2:3    4 5                       options 4 and 5 are forced: b keeps the bounds 0:1
//! c  1:1    6 7 } the same options    one item, with the tighter bounds of both
//! d  0:1    6 7 }
//! x  (or)   1 2                       secondary, and implied by a: x is removed
//! ```
//!
//! The rules, each correct for colours and for any bounds
//! 1. An item that must be covered `low` more times *excludes* an option unless `low` of the item's options are
//!    compatible with it (if the option has the item, it is one of them). Options clash if they share a primary item
//!    that can be covered only once more, or disagree on a secondary item.
//! 2. An item with exactly `low` options forces them; with fewer options there is no solution.
//! 3. Primary items with the same options become one item. (If all options of one item contain the other item, rule 1
//!    leaves both with the same options, provided that both are covered once.)
//! 4. A secondary item is removed if all its options give it the same colour, or if they all share another item that
//!    allows only one of them to be chosen.
//!
//! Tricks
//! 1. Covering the items of every option as a test would take a step for each term of each clashing option. Instead: to
//!    find the options an item excludes, start with those that clash with its first option and intersect with those
//!    that clash with each further one. The list is usually empty after two or three.
//! 2. Which options an item excludes depends on the item's own options alone. So an item is examined again only when it
//!    has lost an option, or when the bounds of its neighbours have changed.
//! 3. Neighbouring options in an item's list are alike and leave the same candidates. So the list is visited in leaps:
//!    10 to 50 % fewer steps than in order.
//! 4. The steps are counted. When they run out, the rest stays as it is, which is always correct.
//!
//! What it gains (options before and after, nodes of `auto` in thousands, and how many times as fast with it)
//! ```text
//! pentominoes 6x10   2,056  1,912    3,238  2,845   1.09       pentominoes 8x8   1,568  1,416    269   231   1.0
//! pentominoes 5x12   1,936  1,792    2,045  1,584   1.14       pentominoes 3x20  1,236  1,086     39    33   0.8
//! pentominoes 4x15   1,696  1,550      762    552   1.12
//! edges match 6x6    1,296    960       14      6    4
//! ```
//! (Times of a busy machine.) It takes 1 to 2 ms there and below 0.5 ms elsewhere. In all other problems of
//! [`models`](crate::models) it removes no option (queens, Langford, dominoes, Soma, 2x5x6, Latin squares, matchings,
//! sudoku without clues, domination, mixed): at the root no item is close to a contradiction. So `auto` preprocesses
//! only coloured problems for wide option masks, and gives up if the first steps remove nothing. In other engines and
//! on all problems it runs on request.

use crate::engine::{Build, Contradiction};
use crate::{ExactCover, OptionId};
use galop_simd::Isa;

mod engine;
mod rows;
#[cfg(test)]
mod tests;
mod work;

pub(crate) use engine::ReducedEngine;
use work::Work;

/// Steps (terms examined) allowed for each term of the problem. Pentominoes take up to 140, all other problems of
/// `models` at most 90.
pub(crate) const STEPS_PER_TERM: u64 = 256;
/// Steps allowed for every problem in addition, for small ones.
const EXTRA_STEPS: u64 = 1 << 14;
/// Steps allowed without a request for preprocessing: some ten milliseconds.
const MAX_AUTO_STEPS: u64 = 1 << 23;
/// Steps for each term after which `auto` gives up if they removed too little. Edge matching has lost options by then;
/// crosswords, Costas arrays and Soma cubes have lost none.
const TRIAL_STEPS_PER_TERM: u64 = 1;

/// The same for a problem that no table has room for.
const LARGE_TRIAL_STEPS_PER_TERM: u64 = 32;

/// A smaller problem with the same solutions; see [`ExactCover::reduce`].
#[derive(Clone, Debug)]
pub struct Reduction {
    problem: ExactCover,
    /// The original numbers of its options.
    original: Vec<OptionId>,
    /// Options that every solution has, ascending.
    forced: Vec<OptionId>,
    is_finished: bool,
}

impl ExactCover {
    /// Removes options that are in no solution, options that are in all solutions, and redundant items.
    ///
    /// The solutions are the same: each consists of a solution of the [reduced problem](Reduction::problem), its
    /// options under their [original numbers](Reduction::original), and the [forced](Reduction::forced) options. It
    /// takes a few hundred steps a term at most. (A [`Solver`](crate::Solver) does all of this itself if its
    /// [`Setup`](crate::Setup) requests it.)
    ///
    /// ```
    /// use galop_cover::{OptionId, text};
    ///
    /// // Both options that cover e clash with `a c`, and with `b d`.
    /// let problem = text::read(b"a b c d e\na b\nc d e\na c\nb d\na b e\nc d\n")?.problem;
    /// let reduction = problem.reduce();
    /// let words = |option: OptionId| problem.option_text(option).to_string();
    /// let left: Vec<String> = (0..4).filter_map(|option| reduction.original(OptionId(option))).map(words).collect();
    /// assert_eq!(left, ["a b", "c d e", "a b e", "c d"]);
    /// assert_eq!(reduction.problem().item_count(), 3, "a and b have the same options now, c and d too");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reduce(&self) -> Reduction {
        self.reduce_until(Isa::best().into())
    }

    /// Reduces the problem until `build` stops; the rest stays as it is.
    pub(crate) fn reduce_until(&self, build: Build<'_>) -> Reduction {
        let steps = STEPS_PER_TERM * self.terms.len() as u64 + EXTRA_STEPS;
        run(Work::new(self, steps, build), self)
    }

    /// A smaller problem with the same solutions, if that is likely to be worth the steps (at most [`MAX_AUTO_STEPS`]).
    pub(crate) fn reduce_if_worth(&self, build: Build<'_>) -> Option<Reduction> {
        let terms = self.terms.len() as u64;
        let mut work = Work::new(self, (STEPS_PER_TERM * terms + EXTRA_STEPS).min(MAX_AUTO_STEPS), build);
        work.give_up_after(TRIAL_STEPS_PER_TERM * terms + EXTRA_STEPS, false);
        self.run(work)
    }

    /// The same for a problem that takes long otherwise: it goes on as long as each doubling of the steps removes
    /// options.
    pub(crate) fn reduce_while_worth(&self, build: Build<'_>) -> Option<Reduction> {
        let terms = self.terms.len() as u64;
        let mut work = Work::new(self, STEPS_PER_TERM * terms + EXTRA_STEPS, build);
        work.give_up_after(LARGE_TRIAL_STEPS_PER_TERM * terms + EXTRA_STEPS, true);
        self.run(work)
    }

    fn run(&self, work: Work<'_>) -> Option<Reduction> {
        let reduction = run(work, self);
        (reduction.problem.option_count() < self.option_count()).then_some(reduction)
    }
}

fn run(mut work: Work<'_>, problem: &ExactCover) -> Reduction {
    match work.run() {
        Ok(()) => work.finish(),
        Err(Contradiction) => without_solution(problem),
    }
}

impl Reduction {
    /// The reduced problem. Items keep their names and their order. It has no items if the forced options are the only
    /// solution, and one item without options if there is no solution.
    pub fn problem(&self) -> &ExactCover {
        &self.problem
    }

    /// The number in the original problem of `option` of the reduced problem; `None` if there is no such option.
    /// (Larger options have larger original numbers.)
    pub fn original(&self, option: OptionId) -> Option<OptionId> {
        self.original.get(option.index()).copied()
    }

    /// The options that every solution contains, ascending. They are not in the reduced problem.
    pub fn forced(&self) -> &[OptionId] {
        &self.forced
    }

    /// Whether the reduction reached its fixed point; `false` if it ran out of steps.
    pub fn is_finished(&self) -> bool {
        self.is_finished
    }
}

/// The reduction of a problem that has no solution.
fn without_solution(problem: &ExactCover) -> Reduction {
    let mut left = ExactCover { primary_count: 1, item_count: 1, ..ExactCover::default() };
    left.item_names.extend_from(&problem.item_names, [0]);
    Reduction { problem: left, original: Vec::new(), forced: Vec::new(), is_finished: true }
}
