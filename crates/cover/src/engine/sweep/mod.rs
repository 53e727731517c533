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
//! 4. Parts that have nothing to do with each other add up: between two parts there is one state.
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
mod tables;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::engine::{CoverEngine, Event, Meter};
use crate::memory::Reservation;
use crate::{Assumptions, Natural, OptionId};
use layers::{Key, States};
use plan::Plan;
use tables::Tables;

pub(crate) use plan::Plan as SweepPlan;
pub(crate) use record::record;

/// States that may occur, by the bound of the plan, in problems that are swept.
pub(crate) const MOST_STATES: f64 = 1e12;

/// Ticks of a test of an option, with its share of the states that are found in a table.
const TICKS_PER_TEST: u64 = 6;

/// Tests of options between two looks at the limits: well below a hundredth of a second.
const CHUNK_TESTS: usize = 1 << 17;

/// The engine. It counts from the root, where no option is chosen, and what it has not counted can only be split off
/// whole. It is not in the table of engines: it suits few problems, and says so beforehand.
#[derive(Debug)]
pub(crate) struct Sweep {
    plan: Arc<Plan>,
    /// What its states reserve from, and nothing itself.
    room: Reservation,
    assumptions: Assumptions,
    /// `None` if nothing is left to count here: it is done, or was split off.
    run: Option<Width>,
}

/// The sweep, with keys of a word or two.
#[derive(Debug)]
enum Width {
    Narrow(Layers<u64>),
    Wide(Layers<u128>),
}

impl Sweep {
    /// A sweep whose states take what `room` can reserve.
    pub(crate) fn new(plan: &Arc<Plan>, room: Reservation) -> Sweep {
        Sweep { plan: Arc::clone(plan), room, assumptions: Assumptions::default(), run: None }
    }
}

impl CoverEngine for Sweep {
    fn start(&mut self, assumptions: &Assumptions) {
        debug_assert!(assumptions.chosen.is_empty(), "only the whole is swept");
        self.assumptions.replace(&assumptions.chosen, &assumptions.forbidden);
        let (layers, room) = (self.plan.layers.len(), self.room.another());
        self.run = Some(if self.plan.slots < u64::BITS {
            Width::Narrow(Layers::new(layers, room))
        } else {
            Width::Wide(Layers::new(layers, room))
        });
    }

    /// It only counts.
    fn next(&mut self, _meter: &mut Meter<'_>) -> Event {
        Event::End
    }

    /// It gives up if the states need more memory than allowed.
    #[inline(never)]
    fn count(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        let event = match &mut self.run {
            Some(Width::Narrow(run)) => run.count(&self.plan, &self.assumptions.forbidden, meter, found),
            Some(Width::Wide(run)) => run.count(&self.plan, &self.assumptions.forbidden, meter, found),
            None => Some(Event::End),
        };
        if event == Some(Event::End) {
            self.run = None;
        }
        event
    }

    fn solution(&self) -> &[OptionId] {
        &[]
    }

    /// All that it was to count.
    fn split(&mut self) -> Option<Assumptions> {
        self.run.take().map(|_| self.assumptions.clone())
    }

    /// The share of the layers that is done.
    fn progress(&self) -> f64 {
        let layers = self.plan.layers.len() - 1;
        let layer = match &self.run {
            Some(Width::Narrow(run)) => run.layer,
            Some(Width::Wide(run)) => run.layer,
            None => return 1.0,
        };
        layer as f64 / layers.max(1) as f64
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Sweep::new(&self.plan, self.room.another()))
    }
}

/// The layers of a sweep.
#[derive(Debug)]
struct Layers<K> {
    tables: Tables<K>,
    layer: usize,
    /// The place of the next state of the layer, and the states of the layer that are done.
    at: usize,
    done: usize,
    /// Words of a count of the layer.
    words: usize,
}

/// What a layer needs of its plan, in keys of one width.
#[derive(Clone, Copy, Debug)]
struct Masks<K> {
    covered: K,
    done: K,
}

/// The layer under way, whose table does not change.
struct Front<'a, K> {
    states: &'a States<K>,
    rows: &'a [[K; 2]],
    masks: &'a [Masks<K>],
}

impl<K: Key> Layers<K> {
    fn new(layers: usize, room: Reservation) -> Layers<K> {
        Layers { tables: Tables::new(layers, room), layer: 0, at: 0, done: 0, words: 1 }
    }

    /// Counts on; `None` if there is too little memory.
    fn count(
        &mut self,
        plan: &Plan,
        forbidden: &[OptionId],
        meter: &mut Meter<'_>,
        found: &mut Natural,
    ) -> Option<Event> {
        let masks = |layer: &plan::Layer| Masks { covered: K::of(layer.covered), done: K::of(layer.done) };
        let masks: Vec<Masks<K>> = plan.layers.iter().map(masks).collect();
        while self.layer < plan.layers.len() - 1 {
            let index = self.layer;
            let rows =
                plan.layers[index].rows.iter().filter(|row| !forbidden.contains(&OptionId(row.option)));
            let rows: Vec<[K; 2]> = rows.map(|row| [K::of(row.test), K::of(row.set)]).collect();
            if self.done == 0 {
                self.words = self.tables.words;
                self.tables.use_spare(index + 1);
            }
            let states = std::mem::replace(&mut self.tables.layers[index], States::new());
            let front = Front { states: &states, rows: &rows, masks: &masks };
            let ended = self.sweep_layer(&front, meter);
            if ended != Some(Event::End) {
                self.tables.layers[index] = states;
                return ended;
            }
            self.tables.leave(states, self.words);
            (self.layer, self.at, self.done) = (index + 1, 0, 0);
        }
        *found += &self.solutions();
        Some(Event::End)
    }

    /// Sweeps the current layer to its end, unless something stops it.
    fn sweep_layer(&mut self, front: &Front<'_, K>, meter: &mut Meter<'_>) -> Option<Event> {
        let chunk = (CHUNK_TESTS / front.rows.len().max(1)).max(1);
        while self.done < front.states.len {
            if let Some(stop) = meter.node(self.layer) {
                return Some(Event::Stopped(stop));
            }
            let unused = usize::try_from(meter.unused_nodes()).unwrap_or(usize::MAX).saturating_add(1);
            let count = (front.states.len - self.done).min(chunk).min(unused);
            let at = self.sweep_states(front, count)?;
            meter.add_nodes(self.layer, count as u64 - 1);
            meter.ticks += TICKS_PER_TEST * (count * front.rows.len()) as u64;
            (self.at, self.done) = (at, self.done + count);
        }
        Some(Event::End)
    }

    /// Sweeps the next `count` states and returns the place behind them; `None` if there is too little memory.
    #[inline(always)]
    fn sweep_states(&mut self, front: &Front<'_, K>, count: usize) -> Option<usize> {
        let Front { states, rows, masks } = front;
        let (done, words, mut left) = (masks[self.layer].done, self.words, count);
        for (place, &key) in (self.at..).zip(&states.keys[self.at..]) {
            if key == K::EMPTY {
                continue;
            }
            if left == 0 {
                return Some(place);
            }
            left -= 1;
            let ways = &states.counts[place * words..][..words];
            for &[test, set] in *rows {
                if key & test != K::EMPTY {
                    continue;
                }
                let (mut state, mut layer) = (key & !done | set, self.layer + 1);
                while state & masks[layer].covered != K::EMPTY {
                    state = state & !masks[layer].done;
                    layer += 1;
                }
                if !self.tables.add(layer, state, ways) {
                    return None;
                }
            }
        }
        Some(states.keys.len())
    }

    /// The number of solutions, at the end.
    fn solutions(&self) -> Natural {
        let states = &self.tables.layers[self.layer];
        let words = self.tables.words;
        let place = states.keys.iter().position(|key| *key != K::EMPTY);
        place.map_or(Natural::ZERO, |place| Natural::from_words(&states.counts[place * words..][..words]))
    }
}
