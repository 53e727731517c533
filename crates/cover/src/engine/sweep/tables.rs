//! The tables of all layers that are reached and not done, and what they take of the memory.

use super::layers::{AddOutcome, Key, States};
use crate::memory::Reservation;

/// The tables of the layers.
#[derive(Debug)]
pub(super) struct Tables<K> {
    /// The layers reached and not done, at their places.
    pub(super) layers: Vec<States<K>>,
    /// Tables of layers that are done, empty.
    pub(super) spare: Vec<States<K>>,
    /// Words of a count.
    pub(super) words: usize,
    /// What the tables take.
    room: Reservation,
}

impl<K: Key> Tables<K> {
    /// Tables for `layers` layers. They take what `room` can reserve.
    pub(super) fn new(layers: usize, room: Reservation) -> Tables<K> {
        let mut layers: Vec<States<K>> = (0..layers).map(|_| States::new()).collect();
        // The first table is so small that it is not counted.
        layers[0].grow(1);
        layers[0].add(K::MARK, &[1], 1);
        Tables { layers, spare: Vec::new(), words: 1, room }
    }

    /// Adds a count to a state's count; `false` if there is too little memory.
    #[inline(always)]
    pub(super) fn add(&mut self, layer: usize, key: K, count: &[u64]) -> bool {
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
    fn widen(&mut self) -> bool {
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
