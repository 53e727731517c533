//! Names, stored one after the other in one string, and a hash table that finds them.
//!
//! ```text
//! text     r 1 c 1 r 1 c 2 r 1 = 5 ..        names 0, 1, 2, ..
//! ends           4       8      12 ..        where each one ends
//! slots    | - | 2 | - | 0 | - | 1 | - | ..  open addressing: a name is at its hash or in a later slot
//! ```
//! A million names take three allocations, and a finished problem keeps only `text` and `ends`.

use std::hash::{BuildHasher, RandomState};

/// Names by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    text: String,
    ends: Vec<u32>,
}

impl Names {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// All names, one after the other.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn get(&self, number: u32) -> Option<&str> {
        let number = number as usize;
        let end = *self.ends.get(number)? as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        self.text.get(start..end)
    }

    /// Appends the names with these numbers; numbers that `names` does not have are skipped.
    pub(crate) fn extend_from(&mut self, names: &Names, numbers: impl IntoIterator<Item = u32>) {
        numbers.into_iter().filter_map(|number| names.get(number)).for_each(|name| {
            self.push(name);
        });
    }

    /// Appends a name and returns its number; `None` if the text or the numbers exceed 32 bits.
    fn push(&mut self, name: &str) -> Option<u32> {
        let number = u32::try_from(self.ends.len()).ok().filter(|&number| number < u32::MAX)?;
        let end = u32::try_from(self.text.len() + name.len()).ok()?;
        self.text.push_str(name);
        self.ends.push(end);
        Some(number)
    }
}

/// Whether a byte separates words. Blanks are ASCII, so no byte of a longer character is one.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// The value of an empty slot.
const EMPTY: u32 = u32::MAX;

/// Names with a hash table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    names: Names,
    /// Numbers of names, or `EMPTY`. Their count is a power of two, and at most half of them are in use.
    slots: Vec<u32>,
    hasher: RandomState,
}

impl Index {
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    pub(crate) fn into_names(self) -> Names {
        self.names
    }

    /// The number of `name`; `None` if it is not in the table.
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        let slot = self.slot_of(name)?;
        Some(self.slots[slot]).filter(|&number| number != EMPTY)
    }

    /// Appends a name that is not in the table yet and returns its number; `None` if there are too many.
    pub(crate) fn insert(&mut self, name: &str) -> Option<u32> {
        if self.slots.len() < 2 * (self.names.len() + 1) {
            self.grow();
        }
        let slot = self.slot_of(name)?;
        let number = self.names.push(name)?;
        self.slots[slot] = number;
        Some(number)
    }

    /// The slot of `name`, or the empty slot where it would be inserted; `None` if there are no slots.
    fn slot_of(&self, name: &str) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = self.hasher.hash_one(name) as usize & mask;
        while self.slots[slot] != EMPTY && self.names.get(self.slots[slot]) != Some(name) {
            slot = (slot + 1) & mask;
        }
        Some(slot)
    }

    fn grow(&mut self) {
        let len = (2 * self.slots.len()).max(16);
        self.slots.clear();
        self.slots.resize(len, EMPTY);
        for number in 0..self.names.len() as u32 {
            let slot = self.names.get(number).and_then(|name| self.slot_of(name));
            if let Some(slot) = slot {
                self.slots[slot] = number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Index;

    #[test]
    fn the_index_finds_exactly_its_names() {
        let mut index = Index::default();
        assert_eq!(index.find("0"), None);
        for number in 0..5000 {
            assert_eq!(index.insert(&number.to_string()), Some(number));
        }
        for number in 0..5000 {
            assert_eq!(index.find(&number.to_string()), Some(number));
            assert_eq!(index.names().get(number), Some(&*number.to_string()));
        }
        assert_eq!((index.find("5000"), index.find(""), index.names().get(5000)), (None, None, None));
    }
}
