//! Hard puzzles continue as exact cover.
//!
//! A search that finds no solution for [`GUESSES`] guesses is lost among grids that contradict themselves for the same
//! few reasons, again and again. Exact cover takes turns there: in order, with restarts, and by clauses learnt from
//! contradictions. So the puzzle is handed over, once:
//!
//! ```text
//! level 0: words ----> settled cells: their items are covered
//!                      candidates: options, without options and items of settled cells ---> ExactCover -> Stepper
//! guesses ----------------------------------------------------------------------------> + GUESSES_A_NODE a node
//! solutions so far: the first one stays the first ----------------------------> counted again from the root
//! ```
//! 1. *The answer depends on the puzzle alone.* The guesses decide, and exact cover takes its turns by its own work,
//!    with a fixed seed and a fixed limit on memory.
//! 2. *Limits hold.* A node of exact cover (an option tried, a contradiction of clauses) counts as
//!    [`GUESSES_A_NODE`] guesses.
//! 3. *It can be stopped.* Between two slices of [`SLICE`] nodes it asks whether to stop.

use galop_cover::engine::Step;
use galop_cover::{Assumptions, ExactCover, ItemId, OptionId, Setup};
use galop_simd::Isa;

use crate::engine::account::Account;
use crate::grid::Rules;
use crate::puzzle::Answer;

/// Guesses without a solution after which a puzzle is handed over.
///
/// While clues were removed from two grids of 25x25, some puzzles took more than 10,000 guesses. The mean time of 28 of
/// them was 1.3 s if they were handed over after 10,000 guesses, and 1.5 s after 30,000. By guesses alone it was 3.8 s,
/// without the end of one that a million guesses did not solve.
pub(super) const GUESSES: u64 = 10_000;

/// Guesses for a node of exact cover, so that a limit on guesses ends both searches after about as long: in 25x25 a
/// contradiction, from which a clause is learnt, takes the time of five guesses, and the other nodes of one.
const GUESSES_A_NODE: u64 = 4;

/// Nodes between two questions whether to stop.
const SLICE: u64 = 500;

/// Bytes that learnt clauses may take.
const MEMORY: u64 = 256 << 20;

/// Solves what is left of a puzzle as exact cover.
pub(super) struct HandOver {
    rules: Rules,
    isa: Isa,
}

/// What is left of a puzzle.
struct Remainder {
    /// The symbols of the settled cells, 0 in the others.
    settled: Vec<u8>,
    cover: ExactCover,
    /// The cell and the symbol of each option.
    candidates: Vec<(usize, u8)>,
}

impl HandOver {
    pub(super) fn new(rules: &Rules, isa: Isa) -> HandOver {
        HandOver { rules: rules.clone(), isa }
    }

    /// Goes on with a puzzle whose cells have these candidates, bit `symbol - 1` of a word, and returns the answer. All
    /// solutions are counted again. `Answer::default()` if it was stopped.
    pub(super) fn search(
        &self,
        words: impl Iterator<Item = u32>,
        mut account: Account<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Answer {
        let before = account.count_again();
        let Some(Remainder { settled, cover, candidates }) = self.remainder(words) else {
            return account.close();
        };
        let setup = Setup::new().isa(self.isa).memory(MEMORY);
        let (mut guesses, mut left) = (account.guesses(), account.guesses_left() / GUESSES_A_NODE);
        // There is always an engine: sparse sets have room for every grid.
        let Ok(mut stepper) = setup.stepper(&cover) else { return account.close_with(guesses, true) };
        stepper.start(&Assumptions::default(), u64::MAX);
        let mut slice = SLICE;
        loop {
            let nodes = stepper.nodes();
            let step = stepper.next(left.min(slice));
            let nodes = stepper.nodes() - nodes;
            (left, slice) = (left.saturating_sub(nodes), slice.saturating_sub(nodes));
            guesses += nodes * GUESSES_A_NODE;
            match step {
                Step::Solution => {
                    let found = account.solution(|cells| {
                        // The first solution of the guesses stays.
                        if before == 0 {
                            cells.copy_from_slice(&settled);
                            let chosen = stepper.solution().iter().map(|option| candidates[option.index()]);
                            chosen.for_each(|(cell, symbol)| cells[cell] = symbol);
                        }
                    });
                    if found.is_break() {
                        return account.close_with(guesses, false);
                    }
                }
                Step::End => return account.close_with(guesses, false),
                Step::Stopped if left == 0 => {
                    let mut answer = account.close_with(guesses, true);
                    answer.solutions = answer.solutions.max(before);
                    return answer;
                }
                Step::Stopped if is_stopped() => return Answer::default(),
                Step::Stopped => slice = SLICE,
            }
        }
    }

    /// The exact cover of what is left; `None` if settled cells contradict each other.
    fn remainder(&self, words: impl Iterator<Item = u32>) -> Option<Remainder> {
        let (grid, all) = (self.rules.grid(), self.rules.cover());
        let mut settled = vec![0; grid.cells()];
        let mut is_covered = vec![false; all.item_count()];
        let mut open = Vec::new();
        let terms = |cell, symbol| all.option(OptionId(grid.candidate(cell, symbol) as u32));
        for (cell, word) in words.enumerate() {
            if word.is_power_of_two() {
                settled[cell] = word.trailing_zeros() as u8 + 1;
                for term in terms(cell, settled[cell]) {
                    if std::mem::replace(&mut is_covered[term.item.index()], true) {
                        return None;
                    }
                }
            } else {
                open.extend(
                    (1..=grid.symbols())
                        .filter(|symbol| word >> (symbol - 1) & 1 == 1)
                        .map(|symbol| (cell, symbol)),
                );
            }
        }
        let is_open = |&(cell, symbol): &(usize, u8)| {
            terms(cell, symbol).iter().all(|term| !is_covered[term.item.index()])
        };
        open.retain(is_open);
        // Items by their numbers in the whole: those that are left have new numbers, in the same order.
        let mut numbers = vec![ItemId(0); all.item_count()];
        let left: Vec<usize> = (0..all.item_count()).filter(|&item| !is_covered[item]).collect();
        let primary = left.partition_point(|&item| item < all.primary_count());
        let mut builder = ExactCover::builder();
        let mut items = builder.primary_items(primary);
        items.extend(builder.secondary_items(left.len() - primary));
        left.iter().zip(items).for_each(|(&item, number)| numbers[item] = number);
        for &(cell, symbol) in &open {
            builder.option(terms(cell, symbol).iter().map(|term| numbers[term.item.index()]));
        }
        Some(Remainder { settled, cover: builder.finish().unwrap_or_default(), candidates: open })
    }
}
