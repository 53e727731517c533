//! Where to guess: in a cell of two values if there is one, else at a value of two places in some unit, else in a cell
//! of the fewest values.
//!
//! Of cells with two values the one is taken from which most follows: each peer that shares a value with it counts
//! 1, and [`PAIR`] if it has two values itself. That is weighed by blame: a unit is blamed where a contradiction shows
//! in it or in a cell of it, and a cell has the blame of its units (Boussemart, Hemery, Lecoutre and Sais, "Boosting
//! systematic search by weighting constraints", ECAI 2004).
//!
//! # What was tried
//! Guesses for the ten puzzles of a 16x16 set to the proof, and for three of 25x25 and 270 to 274 clues:
//!
//! | way | 16x16 | 25x25 |
//! |---|---|---|
//! | blame divided by the number of values, the rule of that paper | 1,457 | |
//! | two values, the most blame | 1,091 | 57,083 |
//! | two values, the most that follows, times blame | 727 | |
//! | the same, times blame and 40 | 516 | 41,417 |
//!
//! The value that fewer peers have, or that more have, first: no gain.

use super::Values;
use super::infer::{Conflict, is_settled};
use super::plan::Plan;

/// What a peer of two values counts.
const PAIR: u32 = 6;

/// What is added to the blame of a cell: early on blame is chance.
const PATIENCE: u32 = 40;

/// How much each unit is to blame.
pub(super) struct Weights {
    /// The blame of its units, for every cell.
    cells: Vec<u32>,
}

impl Weights {
    pub(super) fn new(plan: &Plan) -> Weights {
        Weights { cells: vec![1; plan.cells] }
    }

    /// Blames nobody: an answer does not depend on earlier puzzles.
    pub(super) fn reset(&mut self) {
        self.cells.fill(1);
    }

    /// A contradiction showed here.
    pub(super) fn blame(&mut self, plan: &Plan, conflict: Conflict) {
        let mut units = match conflict {
            Conflict::Cell(cell) => plan.units_of(cell),
            Conflict::Unit(unit) => 1 << unit,
        };
        while units != 0 {
            for &cell in plan.unit(units.trailing_zeros() as usize) {
                let blame = &mut self.cells[usize::from(cell)];
                *blame = blame.saturating_add(1);
            }
            units &= units - 1;
        }
    }

    /// The cell to guess in, and the value; `None` where every cell has one.
    pub(super) fn choose(&self, plan: &Plan, values: &[Values]) -> Option<(usize, Values)> {
        let (mut best, mut best_weight, mut best_count) = (None, 0_u64, 1_u64);
        for (cell, (&here, &weight)) in values.iter().zip(&self.cells).enumerate() {
            if here & here.wrapping_sub(1) == 0 {
                continue;
            }
            let (count, weight) = (u64::from(here.count_ones()), u64::from(weight));
            if best.is_none() || count < best_count || count == best_count && weight > best_weight {
                (best, best_weight, best_count) = (Some(cell), weight, count);
            }
        }
        let cell = best?;
        if best_count == 2 {
            let cell = self.pair(plan, values).unwrap_or(cell);
            return Some((cell, values[cell] & values[cell].wrapping_neg()));
        }
        self.two_places(plan, values).or(Some((cell, values[cell] & values[cell].wrapping_neg())))
    }

    /// The cell of two values from which most follows.
    fn pair(&self, plan: &Plan, values: &[Values]) -> Option<usize> {
        let (mut best, mut best_score) = (None, 0);
        for (cell, &here) in values.iter().enumerate().filter(|&(_, &here)| is_pair(here)) {
            let mut score = 0_u32;
            for &peer in plan.peers(cell) {
                let there = values[usize::from(peer)];
                let counts = if is_pair(there) { PAIR } else { 1 };
                score += if there & here == 0 { 0 } else { counts };
            }
            let score = (u64::from(score) + 1) * u64::from(self.cells[cell].saturating_add(PATIENCE));
            if score > best_score {
                (best, best_score) = (Some(cell), score);
            }
        }
        best
    }

    /// A value with two places in a unit, those whose units carry the most blame, and the one of them that does.
    fn two_places(&self, plan: &Plan, values: &[Values]) -> Option<(usize, Values)> {
        let (mut best, mut best_weight) = (None, 0);
        for unit in 0..plan.unit_count() {
            let (mut once, mut twice, mut more) = (0, 0, 0);
            for &cell in plan.unit(unit) {
                let here = values[usize::from(cell)];
                more |= twice & here;
                twice |= once & here;
                once |= here;
            }
            let two = twice & !more;
            if two == 0 {
                continue;
            }
            for &cell in plan.unit(unit) {
                let here = values[usize::from(cell)] & two;
                let weight = self.cells[usize::from(cell)];
                if here != 0 && weight > best_weight {
                    (best, best_weight) = (Some((usize::from(cell), here & here.wrapping_neg())), weight);
                }
            }
        }
        best
    }
}

/// Whether a cell has two values left.
fn is_pair(values: Values) -> bool {
    let more = values & values.wrapping_sub(1);
    more != 0 && is_settled(more)
}
