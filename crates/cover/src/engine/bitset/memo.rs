//! Memory of counts: the number of solutions of a state, by the rows that are left in it.
//!
//! Nishino, Yasuda, Minato, Nagata, "Dancing with Decision Diagrams: A Combined Approach to Exact Cover", AAAI 2017
//! (DXZ). The key is the OR of the rows that are left. It is exact: it names every item and colour that is still free
//! and of use, and an option is left if and only if the key has all its bits. So, for one set of forbidden options,
//! equal keys mean equal options left and equal numbers of solutions.
//!
//! ```text
//! place of a key: the top bits of a product      | key: W words | round | number of solutions |
//! ```
//! - Each key has one place. A later key replaces an earlier one: a search comes back soon or not at all.
//! - The table starts with 2^10 places. It grows to four times as many when as many numbers were replaced as it has
//!   places, up to 2^20 or 64 MB.
//! - The search stops remembering if fewer than one lookup in 16 found something after the first 256, or fewer than
//!   one in 5 after every 2,000. Lookups before anything is remembered do not count: on the way down nothing can be
//!   found.
//! - A new search increments the round; the table is not cleared.
//!
//! Hits after 256 and 2,000 lookups: dominoes 8x8 46 % and more, matchings of 14 66 and 78 %, Latin squares of 5 18
//! and 30 % (counted 1.3 times as fast as by option masks); pentominoes 3x20 25 and 17 % (1.3 times as long), 8x8 6
//! and 9 % (2.5 times), Langford 12 2 and 3 %, 12 queens 1 %. A limit of 30 % lost Latin squares; with a check only
//! every 2,000 lookups, 12 queens took 1.1 times as long.

use crate::Natural;

/// Lookups before the first check whether remembering pays, and between two later checks.
const FIRST_TRIAL: u64 = 256;
const TRIAL: u64 = 2000;
/// Places at first and at most, as powers of two.
const PLACES: (u32, u32) = (10, 20);
/// Bytes of the largest table, not counting numbers above 128 bits.
const BYTES: usize = 64 << 20;

#[derive(Clone, Debug)]
struct Place<const W: usize> {
    key: [u64; W],
    round: u32,
    number: Natural,
}

/// A bounded table of numbers of solutions.
#[derive(Clone, Debug)]
pub(super) struct Memo<const W: usize> {
    places: Vec<Place<W>>,
    /// The number of places is two to this power.
    bits: u32,
    most_bits: u32,
    round: u32,
    /// Whether anything was remembered in this round; lookups and hits since then.
    is_used: bool,
    lookups: u64,
    hits: u64,
    replaced: u64,
}

impl<const W: usize> Memo<W> {
    /// An empty table, which takes no memory yet, for at most 2^`most_bits` places, at least two.
    pub(super) fn new(most_bits: u32) -> Memo<W> {
        let most_bits = most_bits.clamp(1, PLACES.1).min((BYTES / size_of::<Place<W>>()).ilog2());
        let bits = PLACES.0.min(most_bits);
        Memo {
            places: Vec::new(),
            bits,
            most_bits,
            round: 0,
            is_used: false,
            lookups: 0,
            hits: 0,
            replaced: 0,
        }
    }

    /// The largest table allowed.
    pub(super) fn largest() -> Memo<W> {
        Memo::new(PLACES.1)
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.is_used = false;
        (self.lookups, self.hits, self.replaced) = (0, 0, 0);
        if self.places.is_empty() || self.round == u32::MAX {
            self.places.clear();
            self.places.resize(1 << self.bits, Place { key: [0; W], round: 0, number: Natural::ZERO });
            self.round = 0;
        }
        self.round += 1;
    }

    /// Whether lookups find enough.
    #[inline]
    pub(super) fn pays(&self) -> bool {
        match self.lookups {
            FIRST_TRIAL => 16 * self.hits >= self.lookups,
            lookups => !lookups.is_multiple_of(TRIAL) || 5 * self.hits >= lookups,
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

    /// The remembered number of a key.
    #[inline]
    pub(super) fn get(&mut self, key: &[u64; W]) -> Option<&Natural> {
        self.lookups += u64::from(self.is_used);
        let place = self.place(key);
        let place = &self.places[place];
        let is_hit = place.round == self.round && place.key == *key;
        self.hits += u64::from(is_hit);
        is_hit.then_some(&place.number)
    }

    /// Remembers the number of a key.
    #[inline]
    pub(super) fn put(&mut self, key: &[u64; W], number: Natural) {
        let place = self.place(key);
        self.is_used = true;
        let (round, place) = (self.round, &mut self.places[place]);
        self.replaced += u64::from(place.round == round);
        *place = Place { key: *key, round, number };
        if self.replaced > 1 << self.bits && self.bits < self.most_bits {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.bits = (self.bits + 2).min(self.most_bits);
        self.replaced = 0;
        let empty = Place { key: [0; W], round: 0, number: Natural::ZERO };
        let old = std::mem::replace(&mut self.places, vec![empty; 1 << self.bits]);
        for entry in old.into_iter().filter(|entry| entry.round == self.round) {
            let place = self.place(&entry.key);
            self.places[place] = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_what_was_put_and_forgets() {
        let mut memo = Memo::<2>::largest();
        memo.clear();
        for key in 0..100_u64 {
            assert_eq!(memo.get(&[key, 7]), None);
            memo.put(&[key, 7], Natural::from(u128::from(key)));
            assert_eq!(memo.get(&[key, 7]), Some(&Natural::from(u128::from(key))));
        }
        assert_eq!(memo.get(&[7, 1]), None);
        memo.clear();
        assert!((0..100).all(|key| memo.get(&[key, 7]).is_none()));
    }

    #[test]
    fn it_grows_to_its_bound_and_keeps_what_it_says() {
        let mut memo = Memo::<1>::new(12);
        memo.clear();
        for key in 0..100_000_u64 {
            memo.put(&[key], Natural::from(u128::from(key)));
        }
        assert_eq!((memo.bits, memo.places.len()), (12, 1 << 12));
        let found = (0..100_000).filter(|&key| {
            let number = memo.get(&[key]).cloned();
            number.inspect(|number| assert_eq!(number.to_u128(), Some(u128::from(key)))).is_some()
        });
        let found = found.count();
        assert!((1000..=1 << 12).contains(&found), "{found}");
    }

    #[test]
    fn it_pays_from_20_in_100_on() {
        for (trial, hits, pays) in [(256, 15, false), (256, 16, true), (2000, 399, false), (2000, 400, true)]
        {
            let mut memo = Memo::<1>::largest();
            memo.clear();
            for _ in 0..5000 {
                assert!(memo.pays(), "nothing is there to be found");
                memo.get(&[1]);
            }
            memo.put(&[1], Natural::ZERO);
            for lookup in 0..trial {
                assert!(lookup == 0 || memo.pays());
                memo.get(&[u64::from(lookup < hits)]);
            }
            assert_eq!(memo.pays(), pays, "{hits} of {trial}");
        }
    }
}
