//! The states of a layer and their counts: an open table, which grows.
//!
//! ```text
//! keys     | 0 | key | 0 | key | key | 0 | 0 | ..        0: the place is empty
//! counts   | - | n n | - | n n | n n | - | - | ..        as many words each as the largest count needs
//! ```

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, Not};

/// A set of bits and a mark that says that it is a key.
pub(super) trait Key:
    Copy + Eq + Debug + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    const EMPTY: Self;
    const MARK: Self;
    fn of(bits: u128) -> Self;
    fn hash(self) -> u64;
}

/// An odd number with mixed bits: 2^64 divided by the golden ratio.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

macro_rules! key {
    ($int:ty, $hash:expr) => {
        impl Key for $int {
            const EMPTY: Self = 0;
            const MARK: Self = 1 << (<$int>::BITS - 1);

            #[inline(always)]
            fn of(bits: u128) -> Self {
                bits as $int
            }

            #[inline(always)]
            fn hash(self) -> u64 {
                $hash(self)
            }
        }
    };
}

key!(u64, |key: u64| {
    let mixed = key.wrapping_mul(MIX);
    (mixed ^ mixed >> 32).wrapping_mul(MIX)
});
key!(u128, |key: u128| {
    let mixed = (key as u64).wrapping_mul(MIX) ^ (key >> 64) as u64;
    (mixed ^ mixed >> 32).wrapping_mul(MIX)
});

/// Places of a new table, as a power of two.
const FIRST_BITS: u32 = 6;

/// What became of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AddOutcome {
    Done,
    /// The sum of the state at this place needs another word: a carry of 1 is missing.
    Carry(usize),
    /// It was not added: the table must [grow](States::grow) first.
    NoRoom,
}

/// The states of a layer.
#[derive(Clone, Debug)]
pub(super) struct States<K> {
    pub(super) keys: Vec<K>,
    /// For every place, `words` words.
    pub(super) counts: Vec<u64>,
    pub(super) len: usize,
    /// Places are the top bits of a hash: 64 less their number.
    shift: u32,
}

impl<K: Key> States<K> {
    /// An empty table without memory.
    pub(super) fn new() -> States<K> {
        States { keys: Vec::new(), counts: Vec::new(), len: 0, shift: 0 }
    }

    /// Bytes of the table.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.keys) + size_of_val(&*self.counts)
    }

    /// Empties the table and keeps its memory.
    pub(super) fn clear(&mut self) {
        self.keys.fill(K::EMPTY);
        self.len = 0;
    }

    /// The place of a key, or the empty one where it belongs.
    #[inline(always)]
    fn find(&self, key: K) -> usize {
        let mask = self.keys.len() - 1;
        let mut place = (key.hash() >> self.shift) as usize & mask;
        while self.keys[place] != key && self.keys[place] != K::EMPTY {
            place = (place + 1) & mask;
        }
        place
    }

    /// Adds a count to a state's count, which has `words` words: as many, or more.
    #[inline(always)]
    pub(super) fn add(&mut self, key: K, count: &[u64], words: usize) -> AddOutcome {
        if 8 * self.len >= 5 * self.keys.len() {
            return AddOutcome::NoRoom;
        }
        let place = self.find(key);
        let is_new = self.keys[place] == K::EMPTY;
        if is_new {
            self.keys[place] = key;
            self.len += 1;
        }
        let sum = &mut self.counts[place * words..][..words];
        // Nearly all counts have one word.
        if let ([sum], [count]) = (&mut *sum, count) {
            let (total, carry) = if is_new { (*count, false) } else { sum.overflowing_add(*count) };
            *sum = total;
            return if carry { AddOutcome::Carry(place) } else { AddOutcome::Done };
        }
        let (sum, above) = sum.split_at_mut(count.len());
        if is_new {
            sum.copy_from_slice(count);
            above.iter_mut().for_each(|word| *word = 0);
            return AddOutcome::Done;
        }
        let mut carry = false;
        for (sum, word) in sum.iter_mut().zip(count) {
            let (partial, one) = sum.overflowing_add(*word);
            let (total, other) = partial.overflowing_add(u64::from(carry));
            (*sum, carry) = (total, one || other);
        }
        for word in above {
            (*word, carry) = word.overflowing_add(u64::from(carry));
        }
        if carry { AddOutcome::Carry(place) } else { AddOutcome::Done }
    }

    /// The number of a state, which has a count of one word: `next` for a new one.
    pub(super) fn number(&mut self, key: K, next: u64) -> u64 {
        if 8 * self.len >= 5 * self.keys.len() {
            self.grow(1);
        }
        let place = self.find(key);
        if self.keys[place] == K::EMPTY {
            self.keys[place] = key;
            self.len += 1;
            self.counts[place] = next;
        }
        self.counts[place]
    }

    /// The places after the table has grown once more, as a power of two.
    fn next_bits(&self) -> u32 {
        match self.keys.len() {
            0 => FIRST_BITS,
            places => places.ilog2() + 1,
        }
    }

    /// Bytes of the table after it has grown once more, with counts of `words` words.
    pub(super) fn bytes_grown(&self, words: usize) -> usize {
        (size_of::<K>() + size_of::<u64>() * words) << self.next_bits()
    }

    /// Makes room for more states, whose counts have `words` words.
    #[cold]
    #[inline(never)]
    pub(super) fn grow(&mut self, words: usize) {
        let bits = self.next_bits();
        let keys = std::mem::replace(&mut self.keys, vec![K::EMPTY; 1 << bits]);
        let counts = std::mem::replace(&mut self.counts, vec![0; words << bits]);
        self.shift = 64 - bits;
        for (place, &key) in keys.iter().enumerate().filter(|(_, key)| **key != K::EMPTY) {
            let new = self.find(key);
            self.keys[new] = key;
            self.counts[new * words..][..words].copy_from_slice(&counts[place * words..][..words]);
        }
    }

    /// Gives every count of `words` words one more.
    pub(super) fn widen(&mut self, words: usize) {
        let mut counts = vec![0; self.keys.len() * (words + 1)];
        for (wide, narrow) in counts.chunks_exact_mut(words + 1).zip(self.counts.chunks_exact(words)) {
            wide[..words].copy_from_slice(narrow);
        }
        self.counts = counts;
    }
}
