//! A hash table that finds names.
//!
//! ```text
//! slots    | - | r1c2 2 | - | r1c1 0 | - | - | #5f.. 1 | ..     open addressing: a name is in the slot of its hash or in
//!                                                             the next free one behind it, with its number
//!
//! slot of 128 bits     | name, up to 12 bytes, 0 behind it | number |     a short name
//!                      | 0 | 88 bits of its hash           | number |     a long one
//! ```
//! In a table of a million names every look-up waits for memory, so it must look at one place only. A short name lies
//! in its slot itself. Of a long name, or one that contains a 0, the slot has most of the hash, and only if that is
//! equal is the name compared.
//!
//! Tried and lost: numbers alone in the slots, with the hash of the standard library: each look-up then reads the slot,
//! where the name ends, and the name. It took 5 times as long for 6 million look-ups among a million names.

use std::hash::{BuildHasher, RandomState};

use super::names::Names;

/// Bytes of the longest name that lies in its slot.
const SHORT: usize = 12;

/// An empty slot. No name has this number.
const EMPTY: u128 = u128::MAX;

/// The number of a name that is not in the table.
pub(crate) const NONE: u32 = u32::MAX;

/// The number of a name that needs a second look. No name has this number: 2^32 - 2 names would exceed the limit on
/// bytes.
const UNSURE: u32 = u32::MAX - 1;

/// Bits of a number, above the 96 bits of the name.
const NUMBER_SHIFT: u32 = 96;

/// The bits of a slot that belong to the name.
const NAME_BITS: u128 = (1 << NUMBER_SHIFT) - 1;

/// Names with a hash table.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    names: Names,
    /// Their count is 0 or a power of two, and at most half of them are in use.
    slots: Vec<u128>,
    /// Odd numbers, drawn anew in each run. Otherwise a text could be made in which all names have the same hash.
    seeds: [u64; 2],
}

/// Why a name was not inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InsertError {
    /// It has this number already.
    Present(u32),
    /// There are too many names, or they are too long together.
    Full,
}

impl Default for Index {
    fn default() -> Index {
        let random = RandomState::new();
        let seeds = [0, 1].map(|seed| random.hash_one(seed) | 1);
        Index { names: Names::default(), slots: Vec::new(), seeds }
    }
}

impl Index {
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    pub(crate) fn into_names(self) -> Names {
        self.names
    }

    /// Makes room for `count` more names.
    pub(crate) fn reserve(&mut self, count: usize) {
        let least = (2 * (self.names.len().saturating_add(count))).next_power_of_two().max(16);
        if self.slots.len() < least {
            self.resize(least);
        }
    }

    /// The number of `name`; `None` if it is not in the table.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        let slot = self.slots.get(self.slot_of(name, self.tag(name))?)?;
        (*slot != EMPTY).then_some((slot >> NUMBER_SHIFT) as u32)
    }

    /// The numbers of many names at once; [`NONE`] for a name that is not in the table. The look-ups wait for memory
    /// together: no step of one depends on another.
    pub(crate) fn find_all<'a>(&self, names: impl Iterator<Item = &'a str> + Clone, numbers: &mut Vec<u32>) {
        let Some(mask) = self.slots.len().checked_sub(1) else { return numbers.extend(names.map(|_| NONE)) };
        let begin = numbers.len();
        // The first slot is the right one for most names: an empty one has the number `NONE`.
        numbers.extend(names.clone().map(|name| {
            let tag = short_tag(name.as_bytes()).unwrap_or_default();
            let slot = self.slots[self.home(tag, mask)];
            if slot & NAME_BITS == tag || slot == EMPTY { (slot >> NUMBER_SHIFT) as u32 } else { UNSURE }
        }));
        for (number, name) in numbers[begin..].iter_mut().zip(names) {
            if *number == UNSURE || short_tag(name.as_bytes()).is_none() {
                *number = self.find(name).unwrap_or(NONE);
            }
        }
    }

    /// Appends a name, and returns its number.
    pub(crate) fn insert(&mut self, name: &str) -> Result<u32, InsertError> {
        if self.slots.len() < 2 * (self.names.len() + 1) {
            self.reserve(self.names.len() + 1);
        }
        let tag = self.tag(name);
        let slot = self.slot_of(name, tag).ok_or(InsertError::Full)?;
        if self.slots[slot] != EMPTY {
            return Err(InsertError::Present((self.slots[slot] >> NUMBER_SHIFT) as u32));
        }
        let number = self.names.push(name).ok_or(InsertError::Full)?;
        self.slots[slot] = tag | u128::from(number) << NUMBER_SHIFT;
        Ok(number)
    }

    /// What the slot of `name` has below its number.
    #[inline]
    fn tag(&self, name: &str) -> u128 {
        short_tag(name.as_bytes()).unwrap_or_else(|| self.long_tag(name.as_bytes()))
    }

    /// The tag of a name that does not lie in its slot.
    #[inline(never)]
    fn long_tag(&self, name: &[u8]) -> u128 {
        let [mut one, mut other] = self.seeds;
        for chunk in name.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let word = u64::from_le_bytes(word) ^ chunk.len() as u64;
            (one, other) =
                (fold(one ^ word, self.seeds[1]), fold(other.rotate_left(5) ^ word, self.seeds[0]));
        }
        (u128::from(one) << 64 | u128::from(other)) << 8 & NAME_BITS
    }

    /// The slot where the search for a tag begins.
    #[inline]
    fn home(&self, tag: u128, mask: usize) -> usize {
        let tag = tag & NAME_BITS;
        fold(tag as u64 ^ self.seeds[0], self.seeds[1] ^ (tag >> 64) as u64) as usize & mask
    }

    /// The slot of `name`, or the empty slot where it would be inserted; `None` if there are no slots.
    #[inline]
    fn slot_of(&self, name: &str, tag: u128) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = self.home(tag, mask);
        while self.slots[slot] != EMPTY {
            let is_same = self.slots[slot] & NAME_BITS == tag;
            if is_same && (tag as u8 != 0 || self.is_named(self.slots[slot], name)) {
                break;
            }
            slot = (slot + 1) & mask;
        }
        Some(slot)
    }

    /// Whether the name of a slot is `name`.
    #[cold]
    fn is_named(&self, slot: u128, name: &str) -> bool {
        self.names.get((slot >> NUMBER_SHIFT) as u32) == Some(name)
    }

    /// Moves all names to a table of `len` slots.
    fn resize(&mut self, len: usize) {
        let before = std::mem::replace(&mut self.slots, vec![EMPTY; len]);
        for entry in before.into_iter().filter(|&entry| entry != EMPTY) {
            let mut slot = self.home(entry, len - 1);
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & (len - 1);
            }
            self.slots[slot] = entry;
        }
    }
}

/// The product of two numbers, its halves added without carry.
#[inline]
fn fold(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    product as u64 ^ (product >> 64) as u64
}

/// The bytes of a short name as a number, its first byte the lowest. `None` if it is long, empty, or contains a 0.
#[inline]
fn short_tag(name: &[u8]) -> Option<u128> {
    let four =
        |at: usize| name.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
    let len = name.len();
    let tag = match len {
        8..=SHORT => {
            let low = u64::from(four(0)?) | u64::from(four(4)?) << 32;
            u128::from(low) | u128::from(four(len - 4)?) << (8 * (len - 4))
        }
        4..8 => u128::from(u64::from(four(0)?) | u64::from(four(len - 4)?) << (8 * (len - 4))),
        1..4 => name.iter().rev().fold(0, |tag, &byte| tag << 8 | u128::from(byte)),
        _ => return None,
    };
    const ONES: u128 = u128::MAX / 255;
    let zeros = tag.wrapping_sub(ONES) & !tag & (ONES << 7);
    (zeros.trailing_zeros() as usize / 8 == len).then_some(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many names, and names of all lengths, which differ in one byte or in their length, and contain zeros.
    #[test]
    fn the_index_finds_exactly_its_names() {
        let mut index = Index::default();
        let mut all: Vec<String> = (0..5000).map(|number| number.to_string()).collect();
        for len in 1..40 {
            let plain = "abcdefghij".repeat(4)[..len].to_owned();
            for at in 0..len {
                for byte in ["\0", "\u{1}", "\u{7f}", "X"] {
                    let mut name = plain.clone();
                    name.replace_range(at..=at, byte);
                    all.push(name);
                }
            }
            all.push(plain);
        }
        for (number, name) in (0..).zip(&all) {
            assert_eq!(index.find(name), None, "{name:?}");
            assert_eq!(index.insert(name), Ok(number));
            assert_eq!(index.insert(name), Err(InsertError::Present(number)));
        }
        index.reserve(100_000);
        for (number, name) in (0..).zip(&all) {
            assert_eq!((index.find(name), index.names().get(number)), (Some(number), Some(&**name)));
        }
        let count = all.len() as u32;
        assert_eq!((index.find("5000"), index.find(""), index.names().get(count)), (None, None, None));
    }

    #[test]
    fn short_names_lie_in_their_slots() {
        assert_eq!(short_tag(b"r1c2"), Some(0x3263_3172));
        assert_eq!(short_tag(b"0123456789ab").map(|tag| tag >> 88), Some(u128::from(b'b')));
        assert_eq!(short_tag(b"012345678").map(|tag| tag >> 64), Some(u128::from(b'8')));
        for long in [&b""[..], b"0123456789abc", b"a\0", b"\0a", b"abcd\0fgh"] {
            assert_eq!(short_tag(long), None, "{long:?}");
        }
    }
}
