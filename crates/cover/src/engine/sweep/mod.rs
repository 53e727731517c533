//! Counting layer by layer: every state is reached once, with the number of ways that lead there.
//!
//! The idea: cover the items in a fixed order ([`plan`]). What is left to do depends only on which items behind the
//! current one are covered already, and on a board filled row by row these lie on a short border. So the search is not
//! a tree but a graph of layers. A state at an item leads, by each option that covers it, to a state at the next item
//! that is still open. The states of a layer are in a table ([`layers`]), each with the number of ways that lead to it,
//! which is added to the states that follow. The state behind the last item has all solutions as ways. This is the
//! transfer-matrix method, by a frontier as in Kawahara, Inoue, Iwashita, Minato, "Frontier-based search for
//! enumerating all constrained subgraphs with compressed representation", IEICE 2017.
//! ```text
//! layer (item)      0        1        2        3
//!                 [.. ] -> [#. ] ------------> ..         # covered, . open
//!                      \-> [.#.] -> [##.] -> ..           two ways that lead to the same state become one state
//! ```
//! 1. A state is a word or two of bits, and an option of a layer two masks: a test and what it sets. There are no lists
//!    of rows, and there is no lookup of what is left.
//! 2. Layers behind the current one are dropped, so memory holds the states of one border only.
//! 3. Counts have as many words as the largest needs.
//! 4. Threads that wait for work take a share of each large layer ([`share`]).
//! 5. Parts that have nothing to do with each other add up: between two parts there is one state.
//!
//! It never chooses the item with the fewest options, so it looks at borders from which no solution is left. It suits
//! problems with a short border and no others: the plan has a bound of the number of states.
//!
//! Figures (seconds of a sweep, and of the counting search with memory): dominoes 16x16 .025 and 1.2, 20x20 .5 and more
//! than 60; L trominoes 9x12 .006 and 1.3. I and L trominoes 8x9 .005 and 1.2; tetrominoes 8x8 .05 and more than 25.
//!
//! # Tried and lost
//! - Sweeps of problems with long borders, against a search with option masks: 12 queens .1 (526,000 states) and .004,
//!   Langford 12 1.7 and .06, pentominoes 8x8 1.2 and .02, Soma .06 and .015. Costas arrays of order 9, whose
//!   secondary items have many bits: 3.8 and .02.

mod layers;
mod order;
mod plan;
mod record;
mod share;
#[cfg(test)]
mod tests;

use std::num::NonZero;
use std::sync::Arc;

use rayon::ThreadPool;

use crate::engine::{CoverEntry, Meter, Stop, Unsuitable};
use crate::memory::Reservation;
use crate::{Natural, OptionId, threads};
use layers::{Key, States};
use plan::Plan;
use share::{Front, Masks, Share, Swept, sweep_alone, sweep_together};

pub(crate) use plan::Plan as SweepPlan;
pub(crate) use record::record;

/// Its name in reports. It is not in the table of engines, because it only counts.
pub(crate) static ENTRY: CoverEntry = CoverEntry {
    name: "sweep",
    about: "counts the states of a border that sweeps over the items; it finds no solution",
    make: |_, _| Err(Unsuitable::Bounds),
};

/// States that may occur, by the bound of the plan, in problems that are swept.
pub(crate) const MOST_STATES: f64 = 1e12;

/// States of the first layer that is divided among threads: some tenths of a millisecond.
const LEAST_STATES: usize = if cfg!(test) { 8 } else { 1 << 13 };
/// States that several threads do together at least.
const LEAST_CHUNK: usize = if cfg!(test) { 1 } else { 1 << 10 };
/// Threads of a sweep at most.
const MOST_SHARES: usize = 64;

/// How a sweep ends, or pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SweepEnd {
    /// All is counted.
    Done,
    /// The states need more memory than allowed.
    Full,
    /// A limit stopped it; it can be continued.
    Stopped(Stop),
}

/// A sweep under way.
#[derive(Debug)]
pub(crate) struct Sweep {
    plan: Arc<Plan>,
    forbidden: Vec<OptionId>,
    run: Width,
}

/// The sweep, with keys of a word or two.
#[derive(Debug)]
enum Width {
    Narrow(Layers<u64>),
    Wide(Layers<u128>),
}

impl Sweep {
    /// A sweep of all solutions without the options of `forbidden`, whose states take what `room` can reserve.
    pub(crate) fn new(plan: &Arc<Plan>, forbidden: &[OptionId], room: Reservation) -> Sweep {
        let layers = plan.layers.len();
        let run = if plan.slots < u64::BITS {
            Width::Narrow(Layers::new(layers, room))
        } else {
            Width::Wide(Layers::new(layers, room))
        };
        Sweep { plan: Arc::clone(plan), forbidden: forbidden.to_vec(), run }
    }

    /// Sweeps on.
    #[inline(never)]
    pub(crate) fn run(&mut self, meter: &mut Meter<'_>) -> SweepEnd {
        match &mut self.run {
            Width::Narrow(run) => run.run(&self.plan, &self.forbidden, meter),
            Width::Wide(run) => run.run(&self.plan, &self.forbidden, meter),
        }
    }

    /// The number of solutions, after it is done.
    pub(crate) fn count(&self) -> Natural {
        match &self.run {
            Width::Narrow(run) => run.count(),
            Width::Wide(run) => run.count(),
        }
    }

    /// The share of the layers that is done, 0 to 1.
    pub(crate) fn progress(&self) -> f64 {
        let layer = match &self.run {
            Width::Narrow(run) => run.layer,
            Width::Wide(run) => run.layer,
        };
        layer as f64 / (self.plan.layers.len() - 1).max(1) as f64
    }
}

/// The layers of a sweep.
#[derive(Debug)]
struct Layers<K> {
    /// One for each thread that sweeps; the first one has all states at first.
    shares: Vec<Share<K>>,
    /// The threads, once a layer was large enough for several.
    pool: Option<ThreadPool>,
    layer: usize,
    /// The place of the next state of the layer: the tables of all shares count as one.
    at: usize,
    /// States of the layer that are done.
    done: usize,
    /// Words of a count of the layer.
    words: usize,
}

impl<K: Key> Layers<K> {
    fn new(layers: usize, room: Reservation) -> Layers<K> {
        let mut share = Share::new(layers, 1, room);
        // The first table is so small that it is not counted.
        share.layers[0].grow(1);
        share.layers[0].add(K::MARK, &[1], 1);
        Layers { shares: vec![share], pool: None, layer: 0, at: 0, done: 0, words: 1 }
    }

    fn run(&mut self, plan: &Plan, forbidden: &[OptionId], meter: &mut Meter<'_>) -> SweepEnd {
        let masks = |layer: &plan::Layer| Masks { covered: K::of(layer.covered), done: K::of(layer.done) };
        let masks: Vec<Masks<K>> = plan.layers.iter().map(masks).collect();
        let end = plan.layers.len() - 1;
        while self.layer < end {
            let rows =
                plan.layers[self.layer].rows.iter().filter(|row| !forbidden.contains(&OptionId(row.option)));
            let rows: Vec<[K; 2]> = rows.map(|row| [K::of(row.test), K::of(row.set)]).collect();
            if self.done == 0 && !self.begin_layer(meter.idle()) {
                return SweepEnd::Full;
            }
            let index = self.layer;
            let take = |share: &mut Share<K>| std::mem::replace(&mut share.layers[index], States::new());
            let tables: Vec<States<K>> = self.shares.iter_mut().map(take).collect();
            let front = Front { tables: &tables, words: self.words, rows: &rows, masks: &masks, index };
            if let Some(stopped) = self.sweep_layer(&front, meter) {
                for (share, table) in self.shares.iter_mut().zip(tables) {
                    share.layers[index] = table;
                }
                return stopped;
            }
            for (share, table) in self.shares.iter_mut().zip(tables) {
                share.leave(table, self.words);
            }
            (self.layer, self.at, self.done) = (self.layer + 1, 0, 0);
        }
        SweepEnd::Done
    }

    /// Gives the counts of all shares as many words, and spreads many states if threads are `idle`; `false` if there is
    /// too little memory.
    fn begin_layer(&mut self, idle: usize) -> bool {
        self.words = self.shares.iter().map(|share| share.words).max().unwrap_or(1);
        for share in &mut self.shares {
            while share.words < self.words {
                if !share.widen() {
                    return false;
                }
            }
            share.use_spare(self.layer + 1);
        }
        if idle > 0 && self.pool.is_none() && self.shares[0].layers[self.layer].len >= LEAST_STATES {
            self.spread(1 + idle.min(MOST_SHARES - 1));
        }
        true
    }

    /// Spreads the states over `count` shares. Without the memory or the threads, one share keeps them.
    #[cold]
    fn spread(&mut self, count: usize) {
        let [share] = &mut *self.shares else { return };
        if let Some(shares) = share.spread(count)
            && let Ok(pool) = threads::start(NonZero::new(count))
        {
            (self.shares, self.pool) = (shares, Some(pool));
        }
    }

    /// Sweeps the rest of the current layer, unless something stops it.
    fn sweep_layer(&mut self, front: &Front<'_, K>, meter: &mut Meter<'_>) -> Option<SweepEnd> {
        let states: usize = front.tables.iter().map(|table| table.len).sum();
        let chunk = (share::CHUNK_TESTS / front.rows.len().max(1)).max(1);
        while self.done < states {
            if let Some(stop) = meter.node(self.layer) {
                return Some(SweepEnd::Stopped(stop));
            }
            let unused = usize::try_from(meter.unused_nodes()).unwrap_or(usize::MAX).saturating_add(1);
            let most = (states - self.done).min(chunk).min(unused);
            let swept = match &self.pool {
                Some(pool) if meter.idle() > 0 && most >= LEAST_CHUNK => {
                    meter.is_shared = true;
                    sweep_together(pool, &mut self.shares, front, self.at, most)
                }
                _ => sweep_alone(&mut self.shares, front, self.at, most),
            };
            let Some(Swept { states, end }) = swept else { return Some(SweepEnd::Full) };
            meter.add_nodes(self.layer, states as u64 - 1);
            meter.updates += (states * front.rows.len()) as u64;
            (self.at, self.done) = (end, self.done + states);
        }
        None
    }

    fn count(&self) -> Natural {
        let mut sum = Natural::ZERO;
        for share in &self.shares {
            let states = &share.layers[self.layer];
            if let Some(place) = states.keys.iter().position(|key| *key != K::EMPTY) {
                sum += &Natural::from_words(&states.counts[place * share.words..][..share.words]);
            }
        }
        sum
    }
}
