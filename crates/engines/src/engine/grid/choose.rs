//! Where to guess: in a cell with two values if there is one, else a value with two places in some unit, else in a
//! cell with the fewest values.
//!
//! Among cells with two values, the choice is the one from which most follows, whichever value is right. Its score is a
//! product: one plus the number of its peers with two values that have its first value, times one plus the number of
//! such peers that have its second value. The value that more of them have is tried first. The score is weighted by
//! blame. A unit is blamed for a contradiction in it or in one of its cells, and a cell has the blame of its units
//! (Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search by weighting constraints", ECAI 2004).
//!
//! Runs after the first one ([`search`](super::search)) choose by what was learnt: the cell with the largest quotient
//! of blame and candidates, and any of its candidates. Both are drawn a little at random, by the number of the run.
//! After a first run that went wrong, the rule above repeats its mistake: see the table in [`restart`](super::restart).
//!
//! # What was tried
//! Guesses for ten 16x16 puzzles, 60 times each with rows, columns and symbols shuffled, to the first solution and
//! to the proof; for 40 of 25x25 and 300 clues, to the first solution:
//!
//! | way | 16x16 | proof | 25x25 |
//! |---|---|---|---|
//! | no naked pairs; peers that share a value count 1, with two values 6 | 18,924 | 34,433 | 144,898 |
//! | the same, and naked pairs | 15,388 | 25,544 | 87,402 |
//! | naked pairs, the sum of both values' peers with two values | 17,093 | 30,653 | 76,616 |
//! | their product | 16,518 | 29,048 | 57,046 |
//! | the product, and the value that fewer have first | 18,222 | 29,153 | 63,160 |
//! | the product, and the value that more have first | 13,674 | 28,467 | 50,745 |
//! | the last one, [`BLAME_OFFSET`] 20 instead of 40: the rule used | 13,606 | 28,359 | 47,896 |
//!
//! The first rule looked at all peers, not only at pairs, which took three quarters of the time. Counts by unit and
//! symbol instead of compared pairs (so that a peer in two units counts twice): 23,036, 42,238, 163,893.
//!
//! Lost: trying both values of the 2, 4 or 8 best pairs before the guess, and choosing the pair that eliminates most
//! candidates (a third to a tenth of the nodes, but 0.95, 0.92 and 0.77 of the speed on 16x16, 0.88, 0.87 and
//! 1.04 on 25x25); restarting after 100, 200, 400 ... guesses and keeping the blame (1.8 times the guesses of 25x25;
//! after 30, 36, 43 ... guesses, 5 times).

use super::infer::{Contradiction, Infer};
use super::naked::Naked;
use super::pairs::Pairs;
use super::plan::{MOST_UNITS, Plan};
use super::word::{Word, is_settled, lowest};
use crate::chance::mix;

/// Contradictions added to the blame of every cell, because the first ones are chance.
const BLAME_OFFSET: u32 = 20;

/// The same in runs after the first one, in which the first contradictions are past.
const LEARNT_OFFSET: u32 = 5;

/// The range of the random number that a learnt score is multiplied with, a number of 1,024ths above 1.
const TIES: u64 = 256;

/// A value to try in a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guess {
    pub(super) slot: usize,
    pub(super) value: u32,
}

pub(super) struct Chooser<W> {
    /// Contradictions of each unit. Behind them a place for each slot that is in no unit of a family, always 0.
    blame: Vec<u32>,
    pairs: Pairs<W>,
    naked: Naked,
    /// The number of the run, from 0.
    run: u64,
}

impl<W: Word> Chooser<W> {
    pub(super) fn new(plan: &Plan) -> Self {
        Chooser {
            blame: vec![0; MOST_UNITS + plan.slots()],
            pairs: Pairs::default(),
            naked: Naked::default(),
            run: 0,
        }
    }

    /// Forgets the blame, so that an answer does not depend on earlier puzzles.
    pub(super) fn reset(&mut self) {
        self.blame.fill(0);
        self.run = 0;
    }

    /// Begins another run of the same puzzle.
    pub(super) fn begin_run(&mut self, run: u64) {
        self.run = run;
    }

    /// The list of pairs, which the caller fills before a choice.
    pub(super) fn pairs(&mut self) -> &mut Vec<u16> {
        self.pairs.slots()
    }

    /// Blames the units of a contradiction.
    pub(super) fn blame(&mut self, plan: &Plan, contradiction: Contradiction) {
        let mut blame = |unit: usize| self.blame[unit] = self.blame[unit].saturating_add(1);
        match contradiction {
            Contradiction::Cell(slot) => plan.units_of(slot).for_each(blame),
            Contradiction::Unit(unit) => blame(unit),
        }
    }

    /// The blame of a cell: the sum over its units.
    fn weight(&self, plan: &Plan, slot: usize) -> u32 {
        self.weight_above(BLAME_OFFSET, plan, slot)
    }

    #[inline(always)]
    fn weight_above(&self, offset: u32, plan: &Plan, slot: usize) -> u32 {
        let blame = |family: &Vec<u16>| self.blame[usize::from(family[slot])];
        plan.families().iter().map(blame).fold(offset, u32::saturating_add)
    }

    /// The next guess; `None` if naked pairs eliminated something instead. `before` is the grid before the last
    /// guess.
    ///
    /// Some cell must have two candidates or more, and [`pairs`](Self::pairs) the slots of the cells with two.
    pub(super) fn choose(
        &mut self,
        plan: &Plan,
        words: &mut [W],
        before: &[W],
        infer: &mut dyn Infer<W>,
    ) -> Option<Guess> {
        infer.compare(plan, words, &mut self.pairs);
        self.naked.clear();
        let (mut best, mut best_score) = (None, 0);
        for pair in 0..self.pairs.len() {
            let shared = self.pairs.shared(pair);
            if shared.both > 1 {
                self.naked.push(pair);
            }
            let weight = self.weight(plan, self.pairs.slot(pair));
            let score = u64::from((shared.low + 1) * (shared.high + 1)) * u64::from(weight);
            if score > best_score {
                (best, best_score) = (Some(pair), score);
            }
        }
        if self.naked.eliminate(&self.pairs, plan, words, before, infer) {
            return None;
        }
        if self.run > 0 {
            return Some(self.most_blamed(plan, words));
        }
        if let Some(pair) = best {
            let (candidates, shared) = (self.pairs.candidates(pair), self.pairs.shared(pair));
            let low = lowest(candidates);
            let value = if shared.low >= shared.high { low } else { candidates & !low };
            return Some(Guess { slot: self.pairs.slot(pair), value });
        }
        Some(self.two_places(plan, words).unwrap_or_else(|| self.fewest(plan, words)))
    }

    /// Among values with two places in a unit, the value and place whose cell has the most blame.
    fn two_places(&self, plan: &Plan, words: &[W]) -> Option<Guess> {
        let (mut best, mut best_weight) = (None, 0);
        for unit in 0..plan.unit_count() {
            let (mut once, mut twice, mut more) = (0, 0, 0);
            for &slot in plan.unit(unit) {
                let here = words[usize::from(slot)].into();
                more |= twice & here;
                twice |= once & here;
                once |= here;
            }
            let two = twice & !more;
            if two == 0 {
                continue;
            }
            for slot in plan.unit(unit).iter().map(|&slot| usize::from(slot)) {
                // Two settled cells of a unit may have the same symbol: to guess there would change nothing, without
                // end.
                let here = if is_settled(words[slot].into()) { 0 } else { words[slot].into() & two };
                if here != 0 && self.weight(plan, slot) > best_weight {
                    best_weight = self.weight(plan, slot);
                    best = Some(Guess { slot, value: lowest(here) });
                }
            }
        }
        best
    }

    /// The cell with the fewest values; among equals, the one with the most blame.
    fn fewest(&self, plan: &Plan, words: &[W]) -> Guess {
        let (mut best, mut best_rank) = (Guess { slot: 0, value: 1 }, None);
        for (slot, here) in words.iter().map(|&word| word.into()).enumerate() {
            let here: u32 = here;
            if is_settled(here) {
                continue;
            }
            let rank = Some((32 - here.count_ones(), self.weight(plan, slot)));
            if rank > best_rank {
                (best, best_rank) = (Guess { slot, value: lowest(here) }, rank);
            }
        }
        best
    }

    /// The cell with the most blame for each of its candidates, and one of these. The number of the run decides ties.
    fn most_blamed(&self, plan: &Plan, words: &[W]) -> Guess {
        let (mut best, mut best_score) = (Guess { slot: 0, value: 1 }, 0);
        for (slot, here) in words.iter().map(|&word| word.into()).enumerate() {
            let here: u32 = here;
            if is_settled(here) {
                continue;
            }
            let (drawn, count) = (mix(self.run << 32 | slot as u64), u64::from(here.count_ones()));
            let weight = u64::from(self.weight_above(LEARNT_OFFSET, plan, slot));
            let score = weight * (1024 + drawn % TIES) * 1024 / count;
            if score > best_score {
                let skipped = (drawn >> 32) % count;
                let value = lowest((0..skipped).fold(here, |left, _| left & left.wrapping_sub(1)));
                (best, best_score) = (Guess { slot, value }, score);
            }
        }
        best
    }
}
