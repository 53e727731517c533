//! Counting layer by layer: every state is reached once, with the number of ways that lead there.
//!
//! The idea: cover the items in a fixed order ([`plan`]). What is left to do depends only on which items behind the
//! current one are covered already, and on a board filled row by row these lie on a short border. So the search is not
//! a tree but a graph of layers: a state at an item leads, by each option that covers it, to a state at the next item
//! that is still open. The states of a layer are in a table ([`layers`]), each with the number of ways that lead to
//! it, which is added to the states that follow. The state behind the last item has all solutions as ways. This is the
//! transfer-matrix method, by a frontier as in Kawahara, Inoue, Iwashita, Minato, "Frontier-based search for
//! enumerating all constrained subgraphs with compressed representation", IEICE 2017.
//! ```text
//! layer (item)      0        1        2        3
//!                 [.. ] -> [#. ] ------------> ..         # covered, . open
//!                      \-> [.#.] -> [##.] -> ..           two ways that lead to the same state become one state
//! ```
//! 1. A state is a word or two of bits, and an option of a layer two masks: a test and what it sets. There are no lists
//!    of rows, and there is no lookup of what is left.
//! 2. Layers behind the current one are dropped, so memory holds the states of a border, and not those of all borders.
//! 3. Counts have as many words as the largest needs.
//! 4. Parts that have nothing to do with each other add up: between two parts there is one state.
//!
//! It never chooses the item with the fewest options, so it looks at borders from which no solution is left. It suits
//! problems with a short border and no others: the plan has a bound of the number of states.
//!
//! Figures (seconds of a sweep, and of the counting search with memory): dominoes 16x16 .025 and 1.2, 20x20 .5 and more
//! than 60; L trominoes 9x12 .006 and 1.3; I and L trominoes 8x9 .005 and 1.2; tetrominoes 8x8 .05 and more than 25.
//!
//! # Tried and lost
//! - Sweeps of problems with long borders, against a search with option masks: 12 queens .1 (526,000 states) and .004,
//!   Langford 12 1.7 and .06, pentominoes 8x8 1.2 and .02, Soma .06 and .015. Costas arrays of order 9, whose
//!   secondary items have many bits: 3.8 and .02.

mod layers;
mod order;
mod plan;
mod record;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::engine::{CoverEntry, Meter, Stop, Unsuitable};
use crate::memory::Reserved;
use crate::{Natural, OptionId};
use layers::{Added, Key, States};
use plan::Plan;

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

/// How a sweep ends, or pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sweeping {
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
    Narrow(Run<u64>),
    Wide(Run<u128>),
}

impl Sweep {
    /// A sweep of all solutions without the options of `forbidden`, whose states take what `room` can reserve.
    pub(crate) fn new(plan: &Arc<Plan>, forbidden: &[OptionId], room: Reserved) -> Sweep {
        let layers = plan.layers.len();
        let run = if plan.slots < u64::BITS {
            Width::Narrow(Run::new(layers, room))
        } else {
            Width::Wide(Run::new(layers, room))
        };
        Sweep { plan: Arc::clone(plan), forbidden: forbidden.to_vec(), run }
    }

    /// Sweeps on.
    #[inline(never)]
    pub(crate) fn run(&mut self, meter: &mut Meter<'_>) -> Sweeping {
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

/// What a layer needs of its plan, in keys of one width.
#[derive(Clone, Copy, Debug)]
struct Masks<K> {
    covered: K,
    done: K,
}

/// The layers of a sweep.
#[derive(Debug)]
struct Run<K> {
    /// The layers reached and not done, at their places.
    layers: Vec<States<K>>,
    /// Tables of layers that are done, empty.
    spare: Vec<States<K>>,
    /// The current layer, and the place of the next state in it.
    layer: usize,
    at: usize,
    /// Words of a count.
    words: usize,
    /// What the tables take.
    room: Reserved,
}

impl<K: Key> Run<K> {
    fn new(layers: usize, room: Reserved) -> Run<K> {
        let mut run = Run {
            layers: (0..layers).map(|_| States::new()).collect(),
            spare: Vec::new(),
            layer: 0,
            at: 0,
            words: 1,
            room,
        };
        // The first table is so small that it is not counted.
        run.layers[0].grow(1);
        run.layers[0].add(K::MARK, &[1]);
        run
    }

    fn run(&mut self, plan: &Plan, forbidden: &[OptionId], meter: &mut Meter<'_>) -> Sweeping {
        let masks = |layer: &plan::Layer| Masks { covered: K::of(layer.covered), done: K::of(layer.done) };
        let masks: Vec<Masks<K>> = plan.layers.iter().map(masks).collect();
        let end = plan.layers.len() - 1;
        while self.layer < end {
            let rows = plan.layers[self.layer].rows.iter().filter(|row| !forbidden.contains(&row.option));
            let rows: Vec<[K; 2]> = rows.map(|row| [K::of(row.test), K::of(row.set)]).collect();
            if let Some(states) = self.layers[self.layer + 1..].iter_mut().find(|states| states.len == 0)
                && states.keys.is_empty()
                && let Some(spare) = self.spare.pop()
            {
                *states = spare;
            }
            let stopped = self.sweep_layer(&rows, &masks, meter);
            if let Some(stopped) = stopped {
                return stopped;
            }
            self.leave_layer();
        }
        Sweeping::Done
    }

    /// Sweeps the rest of the current layer, unless something stops it.
    fn sweep_layer(
        &mut self,
        rows: &[[K; 2]],
        masks: &[Masks<K>],
        meter: &mut Meter<'_>,
    ) -> Option<Sweeping> {
        let mut states = std::mem::replace(&mut self.layers[self.layer], States::new());
        let done = masks[self.layer].done;
        let mut stopped = None;
        'states: while self.at < states.keys.len() {
            let key = states.keys[self.at];
            if key == K::EMPTY {
                self.at += 1;
                continue;
            }
            stopped = meter.node(self.layer).map(Sweeping::Stopped);
            if stopped.is_some() {
                break;
            }
            meter.updates += rows.len() as u64;
            for &[test, set] in rows {
                if key.has_any(test) {
                    continue;
                }
                let (mut next, mut layer) = (key.without(done).with(set), self.layer + 1);
                while next.has_any(masks[layer].covered) {
                    next = next.without(masks[layer].done);
                    layer += 1;
                }
                let count = &states.counts[self.at * self.words..][..self.words];
                let mut added = self.layers[layer].add(next, count);
                if added == Added::NoRoom && self.grow(layer) {
                    added = self.layers[layer].add(next, count);
                }
                let is_counted = match added {
                    Added::Done => true,
                    Added::Carry(place) => {
                        let is_wider = self.widen(&mut states);
                        if is_wider {
                            self.layers[layer].counts[place * self.words + self.words - 1] = 1;
                        }
                        is_wider
                    }
                    Added::NoRoom => false,
                };
                if !is_counted {
                    stopped = Some(Sweeping::Full);
                    break 'states;
                }
            }
            self.at += 1;
        }
        self.layers[self.layer] = states;
        stopped
    }

    /// Makes room for more states in a layer; `false` if there is too little memory. A table that grows is there until the
    /// larger one is filled.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, layer: usize) -> bool {
        let (old, new) = (self.layers[layer].bytes(), self.layers[layer].bytes_grown(self.words));
        if !self.room.resize(self.room.bytes() + new) {
            self.drop_spare();
            if !self.room.resize(self.room.bytes() + new) {
                return false;
            }
        }
        self.layers[layer].grow(self.words);
        self.room.resize(self.room.bytes().saturating_sub(old))
    }

    /// Drops the tables of layers that are done.
    fn drop_spare(&mut self) {
        let bytes = self.spare.drain(..).map(|states| states.bytes()).sum::<usize>();
        self.room.resize(self.room.bytes().saturating_sub(bytes));
    }

    /// Gives all counts a word more; `false` if there is too little memory.
    #[cold]
    #[inline(never)]
    fn widen(&mut self, current: &mut States<K>) -> bool {
        self.drop_spare();
        let all = self.layers.iter().chain([&*current]);
        let more = all.map(|states| size_of::<u64>() * states.keys.len()).sum::<usize>();
        if !self.room.resize(self.room.bytes() + more) {
            return false;
        }
        current.widen(self.words);
        self.layers.iter_mut().for_each(|states| states.widen(self.words));
        self.words += 1;
        true
    }

    /// Goes on to the next layer. Its memory is used again.
    fn leave_layer(&mut self) {
        let mut states = std::mem::replace(&mut self.layers[self.layer], States::new());
        states.clear();
        self.spare.push(states);
        self.layer += 1;
        self.at = 0;
    }

    fn count(&self) -> Natural {
        let states = &self.layers[self.layer];
        let place = states.keys.iter().position(|key| *key != K::EMPTY);
        place.map_or(Natural::ZERO, |place| {
            Natural::from_words(&states.counts[place * self.words..][..self.words])
        })
    }
}
