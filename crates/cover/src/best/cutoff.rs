//! What all threads share: the best covers found so far, how good a further one must be, and which parts of the search
//! are not done.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::costs::Costs;
use crate::{Assumptions, OptionId};

/// A cover, compared by its exact cost to minimise and then by its options.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RatedCover {
    pub(super) cost: i128,
    /// Ascending.
    pub(super) options: Vec<OptionId>,
}

/// How good a further cover must be.
#[derive(Clone, Debug)]
pub(super) struct Cutoff {
    /// A branch whose scaled bound is above this is cut. `i64::MAX` while every cover is good enough.
    pub(super) limit: i64,
    /// A scaled bound above this allows only covers that cost as much as `last` or more.
    pub(super) tie: i64,
    /// The worst cover in the list, if the list is full.
    pub(super) last: Vec<OptionId>,
}

impl Default for Cutoff {
    fn default() -> Cutoff {
        Cutoff { limit: i64::MAX, tie: i64::MAX, last: Vec::new() }
    }
}

/// What all threads of a search share: at most `most` covers, the cutoff that they give, and the bounds of all open
/// parts.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) costs: Costs,
    most: usize,
    /// Whether every primary item is covered exactly once. If not, a cover can begin another one, and ties are never
    /// ignored.
    is_simple: bool,
    /// Counts the changes of the cutoff.
    version: AtomicU64,
    list: Mutex<List>,
}

/// A branch that was split off, for another worker.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) assumptions: Assumptions,
    pub(super) bound: i64,
    /// The prices of the node above.
    pub(super) prices: Vec<(u32, i64)>,
}

/// The best covers, and the parts of the search that are not done.
#[derive(Debug, Default)]
struct List {
    found: Vec<RatedCover>,
    /// Covers found that cost as much as the last one of a full list.
    ties: u64,
    /// Whether covers that cost as much as the last one are no longer searched for.
    is_strict: bool,
    cutoff: Cutoff,
    /// The scaled bound of the part that each worker searches.
    workers: Vec<i64>,
    /// Parts that were split off and that no worker searches yet.
    waiting: Vec<Part>,
}

/// Ties found after which the search no longer looks for them.
const MANY_TIES: u64 = 200;

impl Shared {
    pub(super) fn new(costs: Costs, most: usize, is_simple: bool) -> Shared {
        Shared { costs, most, is_simple, version: AtomicU64::new(0), list: Mutex::default() }
    }

    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a cover, its options ascending. Returns whether it is among the best.
    pub(super) fn add(&self, options: &[OptionId]) -> bool {
        let cover = RatedCover { cost: self.costs.sum(options), options: options.to_vec() };
        let list = &mut *self.list();
        let Err(place) = list.found.binary_search(&cover) else { return false };
        let is_full = list.found.len() >= self.most;
        if is_full && list.found.last().is_some_and(|last| last.cost == cover.cost) {
            list.ties += 1;
        }
        let is_added = place < self.most;
        if is_added {
            list.found.truncate(self.most - 1);
            list.found.insert(place, cover);
        }
        if list.found.len() >= self.most {
            self.cut(list);
        }
        is_added
    }

    /// Updates the cutoff of a full list.
    fn cut(&self, list: &mut List) {
        let Some(last) = list.found.last() else { return };
        list.is_strict |= self.is_simple && list.ties > MANY_TIES;
        let tie = self.costs.limit(last.cost - 1);
        let limit = if list.is_strict { tie } else { self.costs.limit(last.cost) };
        let last = if list.is_strict { Vec::new() } else { last.options.clone() };
        list.cutoff = Cutoff { limit, tie, last };
        self.version.fetch_add(1, Ordering::Release);
    }

    /// Removes the covers that cost as much as the last one, adds `ties` in their place, and lets a search find all
    /// covers of that cost. Returns the cost and the number of covers removed. With `None` nothing is removed.
    pub(super) fn keep_ties(&self, ties: Option<Vec<Vec<OptionId>>>) -> Option<(i128, usize)> {
        let list = &mut *self.list();
        let cost = list.found.last()?.cost;
        let cheaper = list.found.partition_point(|found| found.cost < cost);
        let count = list.found.len() - cheaper;
        if let Some(ties) = ties {
            list.found.truncate(cheaper);
            list.found.extend(ties.into_iter().map(|options| RatedCover { cost, options }));
        }
        let limit = self.costs.limit(cost);
        list.cutoff = Cutoff { limit, tie: limit, last: Vec::new() };
        self.version.fetch_add(1, Ordering::Release);
        Some((cost, count))
    }

    /// The number of the present cutoff.
    #[inline(always)]
    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    pub(super) fn cutoff(&self) -> Cutoff {
        self.list().cutoff.clone()
    }

    /// Whether ties were ignored: the covers that cost as much as the last one need not be the first ones.
    pub(super) fn has_ignored_ties(&self) -> bool {
        self.list().is_strict
    }

    /// The best covers found.
    pub(super) fn covers(&self) -> Vec<RatedCover> {
        self.list().found.clone()
    }

    /// The exact cost of the best cover found.
    pub(super) fn best_cost(&self) -> Option<i128> {
        self.list().found.first().map(|best| best.cost)
    }

    /// The exact cost of the last cover of a full list.
    pub(super) fn last_cost(&self) -> Option<i128> {
        let list = self.list();
        if list.found.len() < self.most { None } else { list.found.last().map(|last| last.cost) }
    }

    /// Adds a worker and returns its number.
    pub(super) fn register(&self) -> usize {
        let list = &mut *self.list();
        list.workers.push(i64::MAX);
        list.workers.len() - 1
    }

    /// A worker starts the whole search, or a part that waits, which is returned.
    pub(super) fn begin(&self, worker: usize, assumptions: &Assumptions) -> Option<Part> {
        let list = &mut *self.list();
        let place = list.waiting.iter().position(|part| part.assumptions == *assumptions);
        let part = place.map(|place| list.waiting.swap_remove(place));
        list.workers[worker] = part.as_ref().map_or(i64::MIN, |part| part.bound);
        part
    }

    /// A worker's part costs at least this; `i64::MAX` if it is done.
    pub(super) fn set_bound(&self, worker: usize, bound: i64) {
        self.list().workers[worker] = bound;
    }

    /// A part was split off.
    pub(super) fn split(&self, part: Part) {
        self.list().waiting.push(part);
    }

    /// The least exact cost that a cover can have that was not found yet; `None` if all of the search is done, or if
    /// nothing is known.
    pub(super) fn bound(&self) -> Option<i128> {
        let list = self.list();
        let waiting = list.waiting.iter().map(|part| part.bound);
        let least = list.workers.iter().copied().chain(waiting).min()?;
        (least > i64::MIN && least < i64::MAX).then(|| self.costs.least(least))
    }
}
