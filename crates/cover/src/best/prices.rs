//! Prices of items, and the bound that they give.
//!
//! TODO
use super::state::State;
use crate::engine::Contradiction;
use crate::{ItemId, OptionId};

/// Prices of items, and what they make of the costs of options.
#[derive(Clone, Debug)]
pub(super) struct Prices {
    /// The scaled costs of the options.
    costs: Vec<i64>,
    max_price: i64,
    /// The price of each item.
    price: Vec<i64>,
    /// Of each live option the cost less the prices of its items.
    pub(super) reduced: Vec<i64>,
    /// How many options of negative reduced cost each item has.
    used: Vec<u32>,
    /// The best prices of a node.
    best: Vec<(ItemId, i64)>,
}

impl Prices {
    /// Starts with a price for each item: the least share of the cost of an option among its primary items.
    pub(super) fn new(state: &State<'_>, costs: Vec<i64>, max_price: i64) -> Prices {
        let problem = state.problem;
        let mut price = vec![i64::MAX; problem.item_count()];
        for (option, &cost) in problem.options().zip(&costs) {
            let is_primary = |item: ItemId| (item as usize) < problem.primary_count();
            let shares = option.iter().filter(|term| is_primary(term.item)).count() as i64;
            for term in option.iter().filter(|term| is_primary(term.item)) {
                let share = &mut price[term.item as usize];
                *share = (*share).min(cost.div_euclid(shares));
            }
        }
        for price in &mut price {
            if *price == i64::MAX {
                *price = 0;
            }
        }
        Prices {
            reduced: vec![0; costs.len()],
            used: vec![0; problem.item_count()],
            best: Vec::new(),
            costs,
            max_price,
            price,
        }
    }

    /// Appends the prices of the open items to `saved`.
    pub(super) fn save(&self, state: &State<'_>, saved: &mut Vec<(ItemId, i64)>) {
        saved.extend(state.open().iter().map(|&item| (item, self.price[item as usize])));
    }

    pub(super) fn restore(&mut self, saved: &[(ItemId, i64)]) {
        for &(item, price) in saved {
            self.price[item as usize] = price;
        }
    }

    /// Computes the reduced costs, and returns the bound.
    pub(super) fn evaluate(&mut self, state: &State<'_>) -> i64 {
        let mut bound: i64 = state.chosen.iter().map(|&option| self.costs[option as usize]).sum();
        for &item in state.open() {
            let (need, room) = (state.need(item), state.room(item));
            let price = &mut self.price[item as usize];
            if need == 0 {
                *price = (*price).min(0);
            }
            if room >= state.counts[item as usize] {
                *price = (*price).max(0);
            }
            bound += *price * i64::from(if *price > 0 { need } else { room });
            self.used[item as usize] = 0;
        }
        for &option in state.live() {
            let terms = state.problem.option(option);
            let mut reduced = self.costs[option as usize];
            for term in terms {
                reduced -= self.price[term.item as usize];
            }
            self.reduced[option as usize] = reduced;
            if reduced < 0 {
                bound += reduced;
                for term in terms {
                    self.used[term.item as usize] = self.used[term.item as usize].wrapping_add(1);
                }
            }
        }
        bound
    }

    /// Looks for prices with a better bound, for at most `rounds` rounds, and returns the best bound. Ends at once if the bound is above `limit`.
    pub(super) fn improve(&mut self, state: &mut State<'_>, limit: i64, rounds: u32, mut pace: f64, patience: u32) -> Result<(i64, bool), Contradiction> {
        let mut changed = false;
        let mut best = i64::MIN;
        let mut stalled = 0;
        for _ in 0..rounds {
            let bound = self.evaluate(state);
            if bound > limit {
                return Err(Contradiction);
            }
            if bound > best {
                best = bound;
                self.best.clear();
                self.best.extend(state.open().iter().map(|&item| (item, self.price[item as usize])));
                stalled = 0;
                if limit < i64::MAX { let slack = limit - bound; let reduced = &self.reduced; if state.remove_if(|o| reduced[o as usize] > slack)? { changed = true; if state.live().is_empty() { return Ok((bound, true)); } } }
            } else {
                stalled += 1;
                if stalled >= patience {
                    pace *= 0.5;
                    stalled = 0;
                }
            }
            if !self.step(state, bound, best, limit, pace) {
                break;
            }
        }
        for &(item, price) in &self.best {
            self.price[item as usize] = price;
        }
        let bound = self.evaluate(state);
        if limit < i64::MAX { let slack = limit - bound; let reduced = &self.reduced; if state.remove_if(|o| reduced[o as usize] > slack)? { changed = true; } }
        Ok((bound, changed))
    }

    fn step(&mut self, state: &State<'_>, bound: i64, best: i64, limit: i64, pace: f64) -> bool {
        let target = if limit < i64::MAX {
            limit as f64
        } else {
            best as f64 + 0.05 * (best as f64).abs()
        };
        let slope = |prices: &Prices, item: ItemId| {
            let (need, room) = (i64::from(state.need(item)), i64::from(state.room(item)));
            let (price, used) = (prices.price[item as usize], i64::from(prices.used[item as usize]));
            match price {
                1.. => need - used,
                0 => used.clamp(need, room) - used,
                _ => room - used,
            }
        };
        let norm: i64 = state.open().iter().map(|&item| slope(self, item).pow(2)).sum();
        if norm == 0 {
            return false;
        }
        let length = pace * (target - bound as f64) / norm as f64;
        if length < 1.0 {
            return false;
        }
        for &item in state.open() {
            let price = self.price[item as usize] + (length * slope(self, item) as f64) as i64;
            self.price[item as usize] = price.clamp(-self.max_price, self.max_price);
        }
        true
    }
}
