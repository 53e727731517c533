//! Prices of items, and the lower bound that they give.
//!
//! Every item has a price, and an option costs its cost less the prices of its items: its *reduced cost*. A cover
//! pays for each item exactly once what its options save. So for any prices
//! ```text
//! the cost of a cover  =  the prices of all items  +  the reduced costs of its options
//!                      >= the prices of all items  +  all negative reduced costs of live options      (the bound)
//! ```
//! (Lagrangian relaxation.) An item that is covered `low` to `high` times is paid for `low` times if its price is
//! positive, and `high` times if it is negative. A secondary item is covered 0 to 1 times, so its price is not
//! positive. A secondary item with colours has no price.
//!
//! An option whose reduced cost exceeds the limit less the bound is in no cover that is good enough: it is removed.
//! This is what makes the search short, and the reason to look for good prices.
//!
//! 1. The first price is the cheapest share: what an option of the item costs for each of its primary items (Knuth's
//!    program dlx5 uses the sum of these as its bound, at every node).
//! 2. Then subgradient steps (Held and Karp): if the options of negative reduced cost cover an item too often, its
//!    price falls, if they do not cover it, it rises. At the root there are some hundred steps. Every node starts with
//!    the best prices of its parent.
//! 3. The linear program ([`program`](super::program)) finds the best prices. Subgradient steps come close to its bound
//!    if covers cost about the same (crew 60: 613.2 of 613.5), but not if single options are dear (200 legs, each of
//!    which is also an option of its own at four times its share: 53,707 of 54,921).
//! 4. All numbers are whole numbers, so bounds are exact: rounding moves a price, but never makes a bound wrong.
//!
//! Tried and lost
//! - Dual ascent at every node (raise prices by the least share of the reduced costs, as long as none becomes
//!   negative), before the steps: crew 60 took 0.38 instead of 0.19 s, 12 queens 1.1 times as long.
//! - Stopping the steps of a node if the first five gain little: crew 60 took 1.6 times as long.

use super::program::Program;
use super::remainder::Remainder;
use crate::OptionId;
use crate::engine::{Contradiction, Meter, Stop};

/// Options at a node above which limits are checked at every step.
const MANY_OPTIONS: usize = 4096;

/// How prices are improved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Steps after the first bound.
    pub(super) steps: u32,
    /// The length of a step, as a share of the length that would reach the limit if the bound rose as steeply all the
    /// way.
    pub(super) pace: f64,
    /// Steps without a better bound after which the pace halves.
    pub(super) patience: u32,
    /// Whether the linear program is solved after the steps.
    pub(super) has_program: bool,
}

/// The result of improving prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Improvement {
    /// The best bound.
    pub(super) bound: i64,
    /// The bound before the first step.
    pub(super) first: i64,
    /// Whether options were removed.
    pub(super) has_removed: bool,
}

/// Why a node needs no branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeEnd {
    /// It has no cover that is good enough.
    Cut,
    /// A limit ended the search.
    Stopped(Stop),
}

impl From<Contradiction> for NodeEnd {
    fn from(_: Contradiction) -> NodeEnd {
        NodeEnd::Cut
    }
}

/// Prices of items.
#[derive(Clone, Debug)]
pub(super) struct Prices {
    /// The scaled costs of the options.
    costs: Vec<i64>,
    /// No price is above this, or below minus this.
    max_price: i64,
    price: Vec<i64>,
    reduced: Vec<i64>,
    /// How many options of negative reduced cost each open item has.
    used: Vec<i64>,
    /// The best prices of the node.
    best: Vec<(u32, i64)>,
    /// The options of which the last linear program takes something, and how much.
    pub(super) shares: Vec<(f64, OptionId)>,
    /// Options read by all bounds so far.
    pub(super) work: u64,
}

impl Prices {
    /// Starts with the cheapest shares.
    pub(super) fn new(state: &Remainder, costs: Vec<i64>, max_price: i64) -> Prices {
        let items = state.problem().item_count();
        let mut price = vec![i64::MAX; items];
        for (option, &cost) in (0..).zip(&costs) {
            let primary = || state.terms(option).iter().filter(|term| state.is_primary(term.item.0));
            let shares = primary().count().max(1) as i64;
            for term in primary() {
                let price = &mut price[term.item.index()];
                *price = (*price).min(cost.div_euclid(shares));
            }
        }
        for price in &mut price {
            *price = if *price == i64::MAX { 0 } else { *price };
        }
        let reduced = vec![0; costs.len()];
        Prices {
            costs,
            max_price,
            price,
            reduced,
            used: vec![0; items],
            best: Vec::new(),
            shares: Vec::new(),
            work: 0,
        }
    }

    /// The reduced cost of a live option at the last bound.
    #[inline(always)]
    pub(super) fn reduced(&self, option: u32) -> i64 {
        self.reduced[option as usize]
    }

    /// The sum of the scaled costs of the chosen options.
    pub(super) fn spent(&self, state: &Remainder) -> i64 {
        state.chosen().iter().map(|&option| self.costs[option as usize]).sum()
    }

    /// The prices of all items.
    pub(super) fn all(&self) -> &[i64] {
        &self.price
    }

    /// Sets the prices of all items.
    pub(super) fn set_all(&mut self, prices: &[i64]) {
        if prices.len() == self.price.len() {
            self.price.copy_from_slice(prices);
        }
    }

    /// Appends the prices of the open items to `saved`. The others that a live option may have get their price of 0.
    pub(super) fn save(&mut self, state: &Remainder, saved: &mut Vec<(u32, i64)>) {
        self.clear(state);
        saved.extend(state.open().iter().map(|&item| (item, self.price[item as usize])));
    }

    /// Restores prices that were saved.
    pub(super) fn restore(&mut self, saved: &[(u32, i64)]) {
        for &(item, price) in saved {
            self.price[item as usize] = price;
        }
    }

    /// Restores prices that another search saved; all other prices become 0.
    pub(super) fn reset(&mut self, saved: &[(u32, i64)]) {
        self.price.fill(0);
        self.restore(saved);
    }

    /// Sets the prices of vacant items to 0.
    #[inline(always)]
    fn clear(&mut self, state: &Remainder) {
        for &item in state.vacant() {
            self.price[item as usize] = 0;
        }
    }

    /// Computes all reduced costs, and returns the bound.
    pub(super) fn evaluate(&mut self, state: &Remainder) -> i64 {
        let mut bound = self.spent(state);
        self.work += state.live().len() as u64;
        self.clear(state);
        for &item in state.open() {
            let (need, room) = (state.need(item), state.room(item));
            let price = &mut self.price[item as usize];
            // A price of this sign would lower the bound.
            if need == 0 {
                *price = (*price).min(0);
            }
            if room >= state.count(item) {
                *price = (*price).max(0);
            }
            bound += *price * if *price > 0 { need } else { room };
            self.used[item as usize] = 0;
        }
        for &option in state.live() {
            let terms = state.terms(option);
            let prices: i64 = terms.iter().map(|term| self.price[term.item.index()]).sum();
            let reduced = self.costs[option as usize] - prices;
            self.reduced[option as usize] = reduced;
            if reduced < 0 {
                bound += reduced;
                for term in terms {
                    self.used[term.item.index()] += 1;
                }
            }
        }
        bound
    }

    /// Improves the prices, and removes the options that exceed `limit`.
    pub(super) fn improve(
        &mut self,
        state: &mut Remainder,
        limit: i64,
        mut effort: Effort,
        meter: &mut Meter<'_>,
    ) -> Result<Improvement, NodeEnd> {
        let (mut best, mut first, mut has_removed, mut stalled) = (i64::MIN, 0, false, 0);
        for step in 0.. {
            let bound = self.evaluate(state);
            meter.ticks += 1;
            first = if step == 0 { bound } else { first };
            let is_better = bound > best;
            if is_better {
                (best, stalled) = (bound, 0);
                has_removed |= self.remove(state, bound, limit)?;
            } else {
                stalled += 1;
                if stalled >= effort.patience {
                    (effort.pace, stalled) = (effort.pace / 2.0, 0);
                }
            }
            let is_last = step == effort.steps || state.live().is_empty();
            if is_last && is_better {
                break;
            }
            if is_better {
                self.best.clear();
                self.best.extend(state.open().iter().map(|&item| (item, self.price[item as usize])));
            }
            if state.live().len() > MANY_OPTIONS
                && let Some(stop) = meter.stop()
            {
                return Err(NodeEnd::Stopped(stop));
            }
            if is_last || !self.step(state, bound, limit, effort.pace) {
                if !is_better {
                    best = self.go_back(state);
                }
                break;
            }
        }
        if effort.has_program && best <= limit && !state.live().is_empty() {
            best = self.solve(state, best, limit, meter).map_err(NodeEnd::Stopped)?;
            has_removed |= self.remove(state, best, limit)?;
        }
        Ok(Improvement { bound: best, first, has_removed })
    }

    /// Solves the linear program, and returns the bound of its prices. If that is below `before`, the bound of the
    /// prices at hand, these prices stay. `shares` then says how much of each option the program takes.
    pub(super) fn solve(
        &mut self,
        state: &Remainder,
        before: i64,
        limit: i64,
        meter: &mut Meter<'_>,
    ) -> Result<i64, Stop> {
        let most =
            if limit == i64::MAX { f64::INFINITY } else { limit.saturating_sub(before) as f64 * 1.001 + 1.0 };
        let program = Program::solve(state, &self.reduced, &self.price, most, meter)?;
        self.best.clear();
        for (item, change) in program.changes() {
            let price = &mut self.price[item as usize];
            self.best.push((item, *price));
            *price = (*price as f64 + change).clamp(-self.max_price as f64, self.max_price as f64) as i64;
        }
        self.shares.clear();
        self.shares.extend(program.shares(state));
        let bound = self.evaluate(state);
        Ok(if bound < before { self.go_back(state) } else { bound })
    }

    /// Goes back to the best prices, and returns their bound.
    fn go_back(&mut self, state: &Remainder) -> i64 {
        let best = std::mem::take(&mut self.best);
        self.restore(&best);
        self.best = best;
        self.evaluate(state)
    }

    /// Removes the options that exceed `limit`. If the bound itself exceeds it, that is a contradiction too.
    #[inline(always)]
    fn remove(&self, state: &mut Remainder, bound: i64, limit: i64) -> Result<bool, Contradiction> {
        if limit == i64::MAX {
            return Ok(false);
        }
        if bound > limit {
            return Err(Contradiction);
        }
        state.remove_above(limit.saturating_sub(bound), &self.reduced)
    }

    /// Moves the prices so that the bound should rise. `false` if they do not change.
    fn step(&mut self, state: &Remainder, bound: i64, limit: i64, pace: f64) -> bool {
        // Without a cover the limit is not known.
        let rise = match limit {
            i64::MAX => 0.05 * (bound as f64).abs(),
            _ => limit as f64 - bound as f64,
        };
        // `used` becomes the direction.
        let mut norm = 0.0;
        for &item in state.open() {
            let (need, room) = (state.need(item), state.room(item));
            let used = &mut self.used[item as usize];
            *used = match self.price[item as usize] {
                1.. => need - *used,
                0 => (*used).clamp(need, room) - *used,
                _ => room - *used,
            };
            norm += (*used as f64).powi(2);
        }
        let length = pace * rise / norm;
        if norm == 0.0 || length < 1.0 {
            return false;
        }
        for &item in state.open() {
            let price = &mut self.price[item as usize];
            let next = *price as f64 + length * self.used[item as usize] as f64;
            *price = (next as i64).clamp(-self.max_price, self.max_price);
        }
        true
    }
}
