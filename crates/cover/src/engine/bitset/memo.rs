//! Memory of counts: the number of solutions of a state, by the rows that are left in it.
//!
//! Nishino, Yasuda, Minato, Nagata, "Dancing with Decision Diagrams: A Combined Approach to Exact Cover", AAAI 2017
//! (DXZ). The key is the OR of the rows that are left. It is exact: it names every item and colour that is still free
//! and of use, and an option is left if and only if the key has all its bits. So, for one set of forbidden options,
//! equal keys mean equal options left and equal numbers of solutions.
//!
//! ```text
//! place of a key: the top bits of a product      | key: W words | round | tree | number of solutions |
//! ```
//! - Each key has one place. A later key replaces an earlier one: a search comes back soon or not at all.
//! - The table starts with 2^10 places. It grows to four times as many when as many numbers were replaced as it has
//!   places, up to the memory allowed. Then numbers are lost, and the search takes longer.
//! - `tree` is the number of nodes below the state in a search that remembers nothing. So it is known how much larger
//!   the search would be. It stops remembering if fewer than one lookup in 12 found something after the first 128,
//!   fewer than two in 9 after the first 1,000, or fewer than one in 4 after every 2,000, unless the hits saved much:
//!   half as many nodes as lookups, or later 8 times as many. Lookups before anything is remembered do not count: on
//!   the way down nothing can be found.
//! - A new search increments the round; the table is not cleared.
//!
//! Hits in a hundred lookups
//! ```text
//!                                      after 128  1,000  2,000
//! dominoes 8x8                                    46           more
//! Latin squares of 5                   16         28     30    counted 1.3 times as fast as by option masks
//! Latin squares of 6, first row        20         25     27
//! reduced Latin squares of 7           13         21     20    1.1 times as long
//! pentominoes 3x20                     19         20     17    1.3 times as long
//! pentominoes 8x8                      5                 9     2.5 times as long
//! Y-pentominoes 10x10                  6
//! Langford 12, 12 queens               3, 1
//! ```
//! A limit of 30 % lost Latin squares of 5 and 6; with a check only every 2,000 lookups, 12 queens took 1.1 times as
//! long.

use crate::Natural;
use crate::memory::Reservation;

/// Lookups before the first two checks whether remembering pays, and between two later ones.
const FIRST_TRIAL: u64 = 128;
const SECOND_TRIAL: u64 = 1000;
const TRIAL: u64 = 2000;
/// Places at first, as a power of two.
const FIRST_PLACES: u32 = 10;
/// Bytes of the largest table of an engine that was asked for by name.
pub(super) const BYTES: usize = 64 << 20;

#[derive(Clone, Debug)]
struct Place<const W: usize> {
    key: [u64; W],
    round: u32,
    /// Nodes below the state in a search that remembers nothing.
    tree: f32,
    number: Natural,
}

impl<const W: usize> Place<W> {
    fn empty() -> Place<W> {
        Place { key: [0; W], round: 0, tree: 0.0, number: Natural::ZERO }
    }
}

/// A bounded table of numbers of solutions.
#[derive(Debug)]
pub(super) struct Memo<const W: usize> {
    places: Vec<Place<W>>,
    /// The number of places is two to this power.
    bits: u32,
    most_bits: u32,
    /// What the places take.
    room: Reservation,
    round: u32,
    /// Whether anything was remembered in this round; lookups and hits since then.
    is_used: bool,
    lookups: u64,
    hits: u64,
    /// The nodes that a search without memory would have had in place of the lookups.
    tree: f64,
    replaced: u64,
}

impl<const W: usize> Memo<W> {
    /// An empty table, which takes no memory yet, for at most 2^`most_bits` places, at least two.
    pub(super) fn new(most_bits: u32) -> Memo<W> {
        let most_bits = most_bits.max(1);
        let bits = FIRST_PLACES.min(most_bits);
        Memo {
            places: Vec::new(),
            bits,
            most_bits,
            room: Reservation::default(),
            round: 0,
            is_used: false,
            lookups: 0,
            hits: 0,
            tree: 0.0,
            replaced: 0,
        }
    }

    /// An empty table that may grow to `bytes` bytes, and as long as `room` grows, not counting numbers above 128 bits.
    pub(super) fn within(bytes: usize, room: Reservation) -> Memo<W> {
        Memo { room, ..Memo::new((bytes / size_of::<Place<W>>()).max(1).ilog2()) }
    }

    /// An empty table that may grow as large as this one, in what is left of the same memory.
    pub(super) fn like(&self) -> Memo<W> {
        Memo { room: self.room.another(), ..Memo::new(self.most_bits) }
    }

    /// Bytes of a table of 2^`bits` places.
    fn bytes_of(bits: u32) -> usize {
        size_of::<Place<W>>() << bits
    }

    /// Bytes of the table.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.places)
    }

    /// Whether numbers were lost because the table may not grow.
    pub(super) fn is_full(&self) -> bool {
        self.bits == self.most_bits && self.replaced > 1 << self.bits
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.is_used = false;
        (self.lookups, self.hits, self.tree, self.replaced) = (0, 0, 0.0, 0);
        if self.places.is_empty() || self.round == u32::MAX {
            self.places.clear();
            // Two places are always there.
            while !self.room.resize(Self::bytes_of(self.bits)) && self.bits > 1 {
                self.bits -= 1;
                self.most_bits = self.bits;
            }
            self.places.resize(1 << self.bits, Place::empty());
            self.round = 0;
        }
        self.round += 1;
    }

    /// Whether lookups find enough.
    #[inline]
    pub(super) fn pays(&self) -> bool {
        match self.lookups {
            FIRST_TRIAL => 12 * self.hits >= self.lookups || self.tree >= 1.5 * FIRST_TRIAL as f64,
            SECOND_TRIAL => 9 * self.hits >= 2 * self.lookups || self.tree >= 8.0 * SECOND_TRIAL as f64,
            lookups => {
                !lookups.is_multiple_of(TRIAL)
                    || 4 * self.hits >= lookups
                    || self.tree >= 8.0 * lookups as f64
            }
        }
    }

    #[inline]
    fn place(&self, key: &[u64; W]) -> usize {
        let mut hash = 0_u64;
        for word in key {
            hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^= hash >> 32;
        }
        (hash.wrapping_mul(0xd6e8_feb8_6659_fd93) >> (64 - self.bits)) as usize
    }

    /// The remembered number of a key, and the nodes below it.
    #[inline]
    pub(super) fn get(&mut self, key: &[u64; W]) -> Option<(&Natural, f64)> {
        self.lookups += u64::from(self.is_used);
        self.tree += f64::from(u8::from(self.is_used));
        let place = self.place(key);
        let place = &self.places[place];
        let is_hit = place.round == self.round && place.key == *key;
        self.hits += u64::from(is_hit);
        if !is_hit {
            return None;
        }
        self.tree += f64::from(place.tree);
        Some((&place.number, f64::from(place.tree)))
    }

    /// Remembers the number of a key, and the nodes below it.
    #[inline]
    pub(super) fn put(&mut self, key: &[u64; W], number: Natural, tree: f64) {
        let place = self.place(key);
        self.is_used = true;
        let (round, place) = (self.round, &mut self.places[place]);
        self.replaced += u64::from(place.round == round);
        *place = Place { key: *key, round, tree: tree as f32, number };
        if self.replaced > 1 << self.bits && self.bits < self.most_bits {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let old_bytes = self.bytes();
        let bits = (self.bits + 2).min(self.most_bits);
        // The old table is there until the new one is filled.
        let mut wider = (self.bits + 1..=bits).rev();
        let Some(bits) = wider.find(|&bits| self.room.resize(old_bytes + Self::bytes_of(bits))) else {
            self.most_bits = self.bits;
            return;
        };
        self.bits = bits;
        self.replaced = 0;
        let old = std::mem::replace(&mut self.places, vec![Place::empty(); 1 << self.bits]);
        for entry in old.into_iter().filter(|entry| entry.round == self.round) {
            let place = self.place(&entry.key);
            self.places[place] = entry;
        }
        self.room.resize(self.bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_grows_to_its_bound_and_keeps_what_it_says() {
        let mut memo = Memo::<1>::new(12);
        memo.clear();
        for key in 0..100_000_u64 {
            memo.put(&[key], Natural::from(u128::from(key)), 1.0);
        }
        assert_eq!((memo.bits, memo.places.len()), (12, 1 << 12));
        assert!(memo.is_full());
        let found = (0..100_000).filter(|&key| {
            let number = memo.get(&[key]).map(|(number, _)| number.clone());
            number.inspect(|number| assert_eq!(number.to_u128(), Some(u128::from(key)))).is_some()
        });
        let found = found.count();
        assert!((1000..=1 << 12).contains(&found), "{found}");
    }

    #[test]
    fn it_pays_from_25_in_100_on() {
        for (trial, hits, pays) in [
            (128, 10, false),
            (128, 11, true),
            (1000, 222, false),
            (1000, 223, true),
            (2000, 499, false),
            (2000, 500, true),
        ] {
            let mut memo = Memo::<1>::within(BYTES, Reservation::default());
            memo.clear();
            for _ in 0..5000 {
                assert!(memo.pays(), "nothing is there to be found");
                memo.get(&[1]);
            }
            memo.put(&[1], Natural::ZERO, 0.0);
            for lookup in 0..trial {
                assert!(lookup == 0 || memo.pays());
                memo.get(&[u64::from(lookup < hits)]);
            }
            assert_eq!(memo.pays(), pays, "{hits} of {trial}");
        }
    }

    /// Few hits are enough if each of them saves much.
    #[test]
    fn it_pays_by_the_nodes_that_hits_save() {
        for (tree, pays) in [(100.0, true), (10.0, false)] {
            let mut memo = Memo::<1>::within(BYTES, Reservation::default());
            memo.clear();
            memo.put(&[1], Natural::ZERO, tree);
            for lookup in 0_u64..1000 {
                assert!(lookup == 0 || memo.pays(), "{lookup}");
                memo.get(&[u64::from(lookup.is_multiple_of(10))]);
            }
            assert_eq!(memo.pays(), pays, "{tree}");
        }
    }

    #[test]
    fn it_takes_the_memory_allowed_and_no_more() {
        for bytes in [1, 1000, 1 << 20] {
            let mut memo = Memo::<2>::within(bytes, Reservation::default());
            memo.clear();
            (0..50_000).for_each(|key| memo.put(&[key, 0], Natural::ZERO, 1.0));
            assert!(
                memo.bytes() <= bytes.max(2 * size_of::<Place<2>>()) && 2 * memo.bytes() > bytes.min(1 << 22),
                "{bytes}"
            );
        }
    }
}
