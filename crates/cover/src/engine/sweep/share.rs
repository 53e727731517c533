//! A thread's share of the states: their hashes say which share owns them. One thread has one share, with all states.
//!
//! ```text
//! layer            | share 0 | share 1 |        1. each thread goes through a piece of the layer,
//!                  |  piece  |  piece  |           and collects the steps for each share
//!                      | X  |                   2. each thread follows the steps for its own share
//! next layers      | share 0 | share 1 |
//! ```
//! There are no locks. A share has the same states whatever the number of threads that work at a time, because each
//! state has one owner; so all figures are the same.

use std::ops::Range;

use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::layers::{AddOutcome, Key, States};
use crate::memory::Reservation;

/// Tests of options in a chunk: well below a hundredth of a second. The steps of a chunk are stored.
pub(super) const CHUNK_TESTS: usize = 1 << 17;

/// A step from a state of the front to a state of a later layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transition<K> {
    /// The next state, and its layer.
    state: K,
    layer: u32,
    /// The place of the state that it comes from.
    table: u32,
    place: usize,
}

/// The layers of a share.
#[derive(Debug)]
pub(super) struct Share<K> {
    /// The layers reached and not done, at their places.
    pub(super) layers: Vec<States<K>>,
    /// Tables of layers that are done, empty.
    pub(super) spare: Vec<States<K>>,
    /// Words of a count.
    pub(super) words: usize,
    /// What the tables take, and the steps.
    pub(super) room: Reservation,
    /// For each share, the steps to its states.
    outgoing: Vec<Vec<Transition<K>>>,
}

impl<K: Key> Share<K> {
    pub(super) fn new(layers: usize, words: usize, room: Reservation) -> Share<K> {
        let layers = (0..layers).map(|_| States::new()).collect();
        Share { layers, spare: Vec::new(), words, room, outgoing: Vec::new() }
    }

    /// Divides the states among `count` shares; `None` if there is too little memory.
    pub(super) fn spread(&mut self, count: usize) -> Option<Vec<Share<K>>> {
        let (layers, words) = (self.layers.len(), self.words);
        // Lists have room for twice as many steps as they hold.
        let bytes = 2 * CHUNK_TESTS * size_of::<Transition<K>>() / count;
        let share = |_| {
            let mut room = self.room.another();
            room.resize(bytes).then(|| Share::new(layers, words, room))
        };
        let mut shares: Vec<Share<K>> = (0..count).map(share).collect::<Option<_>>()?;
        for (layer, states) in self.layers.iter().enumerate() {
            for (place, &key) in states.keys.iter().enumerate().filter(|(_, key)| **key != K::EMPTY) {
                let ways = &states.counts[place * words..][..words];
                if !shares[key.share(count)].add(layer, key, ways) {
                    return None;
                }
            }
        }
        Some(shares)
    }

    /// Collects the steps from the states at `places` for the shares that own the next states, and returns the number
    /// of states.
    fn send(&mut self, front: &Front<'_, K>, places: Range<usize>, count: usize) -> usize {
        self.outgoing.resize_with(count, Vec::new);
        self.outgoing.iter_mut().for_each(Vec::clear);
        let swept = front.for_each_step(places, usize::MAX, |step, _| {
            self.outgoing[step.state.share(count)].push(step);
            true
        });
        swept.map_or(0, |swept| swept.states)
    }

    /// Adds a count to a state's count; `false` if there is too little memory.
    #[inline(always)]
    fn add(&mut self, layer: usize, key: K, count: &[u64]) -> bool {
        let added = self.layers[layer].add(key, count, self.words);
        added == AddOutcome::Done || self.make_room(layer, key, count, added)
    }

    /// Adds a count for which the table was too small, or that carried over.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, layer: usize, key: K, count: &[u64], mut added: AddOutcome) -> bool {
        if added == AddOutcome::NoRoom {
            if !self.grow(layer) {
                return false;
            }
            added = self.layers[layer].add(key, count, self.words);
        }
        if let AddOutcome::Carry(place) = added {
            if !self.widen() {
                return false;
            }
            self.layers[layer].counts[place * self.words + self.words - 1] = 1;
        }
        true
    }

    /// Makes room for more states in a layer; `false` if there is too little memory. A table that grows is there until
    /// the larger one is filled.
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

    /// Gives all counts a word more; `false` if there is too little memory. The layer under way keeps its counts.
    pub(super) fn widen(&mut self) -> bool {
        self.drop_spare();
        let more = self.layers.iter().map(|states| size_of::<u64>() * states.keys.len()).sum::<usize>();
        if !self.room.resize(self.room.bytes() + more) {
            return false;
        }
        self.layers.iter_mut().for_each(|states| states.widen(self.words));
        self.words += 1;
        true
    }

    /// Leaves the table of a layer that is done, whose counts have `words` words. Its memory is used again.
    pub(super) fn leave(&mut self, mut states: States<K>, words: usize) {
        if words < self.words {
            self.room.resize(self.room.bytes().saturating_sub(states.bytes()));
        } else {
            states.clear();
            self.spare.push(states);
        }
    }

    /// Gives a table of a layer that is done to the first layer from `layer` on without states.
    pub(super) fn use_spare(&mut self, layer: usize) {
        if let Some(states) = self.layers[layer..].iter_mut().find(|states| states.len == 0)
            && states.keys.is_empty()
            && let Some(spare) = self.spare.pop()
        {
            *states = spare;
        }
    }
}

/// What a layer needs of its plan, in keys of one width.
#[derive(Clone, Copy, Debug)]
pub(super) struct Masks<K> {
    pub(super) covered: K,
    pub(super) done: K,
}

/// The layer under way, whose tables do not change.
pub(super) struct Front<'a, K> {
    /// Its table in each share. Places number all of them.
    pub(super) tables: &'a [States<K>],
    pub(super) words: usize,
    pub(super) rows: &'a [[K; 2]],
    pub(super) masks: &'a [Masks<K>],
    pub(super) index: usize,
}

/// States of the front that are done, and the place behind them.
pub(super) struct Swept {
    pub(super) states: usize,
    pub(super) end: usize,
}

impl<K: Key> Front<'_, K> {
    fn ways(&self, table: usize, place: usize) -> &[u64] {
        &self.tables[table].counts[place * self.words..][..self.words]
    }

    /// The first place from `place` on that has a state.
    fn first_state(&self, mut place: usize) -> usize {
        let keys = self.tables.iter().flat_map(|table| &table.keys);
        place += keys.skip(place).take_while(|&&key| key == K::EMPTY).count();
        place
    }

    /// Calls `each` with the steps from the states at `places`, `most` of them; `None` if it returns `false`.
    #[inline(always)]
    fn for_each_step(
        &self,
        places: Range<usize>,
        most: usize,
        mut each: impl FnMut(Transition<K>, &[u64]) -> bool,
    ) -> Option<Swept> {
        let done = self.masks[self.index].done;
        let (mut before, mut states) = (0, 0);
        for (table, in_table) in self.tables.iter().enumerate() {
            let [first, end] =
                [places.start, places.end].map(|at| at.saturating_sub(before).min(in_table.keys.len()));
            for (place, &key) in (first..).zip(&in_table.keys[first..end]) {
                if key == K::EMPTY {
                    continue;
                }
                if states == most {
                    return Some(Swept { states, end: before + place });
                }
                states += 1;
                let ways = self.ways(table, place);
                for &[test, set] in self.rows {
                    if key.has_any(test) {
                        continue;
                    }
                    let (mut state, mut layer) = (key.without(done).with(set), self.index + 1);
                    while state.has_any(self.masks[layer].covered) {
                        state = state.without(self.masks[layer].done);
                        layer += 1;
                    }
                    if !each(Transition { state, layer: layer as u32, table: table as u32, place }, ways) {
                        return None;
                    }
                }
            }
            before += in_table.keys.len();
        }
        Some(Swept { states, end: places.end.min(before) })
    }
}

/// Does `most` states of the front from the place `at` on; `None` if there is too little memory.
pub(super) fn sweep_alone<K: Key>(
    shares: &mut [Share<K>],
    front: &Front<'_, K>,
    at: usize,
    most: usize,
) -> Option<Swept> {
    let places = at..usize::MAX;
    match shares {
        [share] => {
            front.for_each_step(places, most, |step, ways| share.add(step.layer as usize, step.state, ways))
        }
        _ => front.for_each_step(places, most, |step, ways| {
            let owner = step.state.share(shares.len());
            shares[owner].add(step.layer as usize, step.state, ways)
        }),
    }
}

/// Does the states at `most` places of the front from `at` on; `None` if there is too little memory.
pub(super) fn sweep_together<K: Key>(
    pool: &ThreadPool,
    shares: &mut [Share<K>],
    front: &Front<'_, K>,
    at: usize,
    most: usize,
) -> Option<Swept> {
    let places: usize = front.tables.iter().map(|table| table.keys.len()).sum();
    let (start, count) = (front.first_state(at), shares.len());
    let end = places.min(start + most);
    let piece = (end - start).div_ceil(count);
    pool.install(|| {
        let numbered = shares.par_iter_mut().enumerate();
        let states = numbered.map(|(number, share)| {
            let first = end.min(start + number * piece);
            share.send(front, first..end.min(first + piece), count)
        });
        let states = states.sum();
        let sent: Vec<Vec<Vec<Transition<K>>>> =
            shares.iter_mut().map(|share| std::mem::take(&mut share.outgoing)).collect();
        let numbered = shares.par_iter_mut().enumerate();
        let received = numbered.map(|(number, share)| {
            let mut steps = sent.iter().flat_map(|outgoing| &outgoing[number]);
            steps.all(|step| {
                let ways = front.ways(step.table as usize, step.place);
                share.add(step.layer as usize, step.state, ways)
            })
        });
        let is_done = received.reduce(|| true, |one, other| one && other);
        for (share, outgoing) in shares.iter_mut().zip(sent) {
            share.outgoing = outgoing;
        }
        is_done.then_some(Swept { states, end })
    })
}
