//! Costs as the search adds them: signed numbers of 64 bits, scaled so that nothing overflows.
//!
//! A search for the cheapest covers works on costs, one for the dearest on costs times -1: it minimises in both
//! cases. Exact costs are `i128` numbers (`u64` costs of up to 2^32 options). Their greatest common divisor is taken
//! out, so that a bound can be rounded up to the next number that is possible.
//!
//! Bounds use prices, fractions of a cost, so scaled costs are costs times a power of two. If costs are so large that
//! sums of them could overflow, the power is negative, and scaled costs are rounded down. Sums of scaled costs are
//! then slightly less than the scaled sum: bounds are weaker, and remain true. Exact costs decide which cover is
//! cheaper.

use super::Rank;
use crate::{ExactCover, ItemId, OptionId};

/// The largest power of two by which costs are multiplied: finer prices do not improve bounds.
const MAX_SHIFT: i32 = 24;

/// The costs of a problem.
#[derive(Clone, Debug)]
pub(super) struct Costs {
    /// The costs to minimise, divided by `unit`; empty if all are 0.
    exact: Vec<i128>,
    unit: u64,
    shift: i32,
    rank: Rank,
    /// No price may be above this, or below minus this.
    pub(super) max_price: i64,
}

impl Costs {
    pub(super) fn new(problem: &ExactCover, rank: Rank) -> Costs {
        let options = (0..problem.option_count() as u32).map(OptionId);
        let unit = options.clone().fold(0, |unit, option| gcd(unit, problem.cost(option))).max(1);
        let sign = if rank == Rank::Cheapest { 1 } else { -1 };
        let exact: Vec<i128> = options.map(|option| sign * i128::from(problem.cost(option) / unit)).collect();
        // A bound adds a price for each term, a scaled cost for each option, and bounds times a price for each item.
        let bounds =
            (0..problem.primary_count() as u32).map(|item| u64::from(problem.bounds(ItemId(item)).high));
        let high = bounds.max().unwrap_or(1).min(problem.option_count() as u64 + 1);
        let numbers = (problem.term_count() + problem.option_count()) as u64 + 1;
        let numbers = numbers.saturating_add(high.saturating_mul(problem.item_count() as u64));
        let max_price = 1_i64 << (61 - (64 - numbers.leading_zeros()).min(59));
        let largest = exact.iter().map(|cost| cost.unsigned_abs()).max().unwrap_or(0).max(1);
        let bits = 128 - largest.leading_zeros() as i32;
        let shift = (max_price.ilog2() as i32 - 3 - bits).min(MAX_SHIFT);
        Costs { exact, unit, shift, rank, max_price }
    }

    /// The costs of all options, scaled and rounded down.
    pub(super) fn scaled(&self) -> Vec<i64> {
        self.exact.iter().map(|&cost| self.scale(cost)).collect()
    }

    /// A cost, scaled and rounded down.
    fn scale(&self, cost: i128) -> i64 {
        let scaled = if self.shift >= 0 { cost << self.shift } else { cost >> -self.shift };
        scaled.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }

    /// The exact cost of a cover, to minimise.
    pub(super) fn sum(&self, options: &[OptionId]) -> i128 {
        options.iter().map(|&option| self.exact[option.index()]).sum()
    }

    /// The largest scaled bound with which a cost of at most `cost` is possible.
    pub(super) fn limit(&self, cost: i128) -> i64 {
        self.scale(cost)
    }

    /// The least exact cost that a scaled bound allows.
    pub(super) fn least(&self, bound: i64) -> i128 {
        match self.shift {
            0.. => -(-i128::from(bound) >> self.shift),
            _ => i128::from(bound) << -self.shift,
        }
    }

    /// The cost in the problem's words of an exact cost to minimise.
    pub(super) fn given(&self, cost: i128) -> u128 {
        let cost = if self.rank == Rank::Cheapest { cost } else { -cost };
        u128::try_from(cost).unwrap_or(0) * u128::from(self.unit)
    }
}

fn gcd(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}
